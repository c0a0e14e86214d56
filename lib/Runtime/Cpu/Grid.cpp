// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Cpu/Grid.h"

#include <algorithm>

namespace metile {
namespace {

/// A chunk is at least this long, so that taking it (some 20 ns, more when two workers meet) costs
/// about a percent.
constexpr double leastChunkNs = 2000;
/// A worker takes this part of what is left of its range, so that chunks shrink towards the end and
/// others find something to steal.
constexpr uint64_t shareOfRest = 8;

uint64_t pack(uint64_t begin, uint64_t end) { return begin | end << 32; }
uint64_t beginOf(uint64_t range) { return range & 0xffffffff; }
uint64_t endOf(uint64_t range) { return range >> 32; }

} // namespace

// Ranges hold numbers alone; what the programs read and wrote is ordered by the thread pool. So
// relaxed operations suffice here.

Grid::Grid(const GridTask &task, std::vector<Worker> &state, int64_t workers)
    : task(task), state(state), workers(workers) {
  constexpr int64_t mostUnits = 0xffffffff;
  unit = (task.programs - 1) / mostUnits + 1;
  auto units = static_cast<uint64_t>((task.programs - 1) / unit + 1);
  double unitNs = task.programNs * static_cast<double>(unit);
  leastUnits =
      unitNs > 0 && unitNs < leastChunkNs ? static_cast<uint64_t>(leastChunkNs / unitNs) + 1 : 1;
  auto count = static_cast<uint64_t>(workers);
  uint64_t each = units / count, more = units % count, begin = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t end = begin + each + (i < more);
    state[i].range.store(pack(begin, end), std::memory_order_relaxed);
    begin = end;
  }
}

bool Grid::takeOwn(Worker &worker, uint64_t &begin, uint64_t &end) {
  uint64_t range = worker.range.load(std::memory_order_relaxed);
  for (;;) {
    begin = beginOf(range);
    uint64_t last = endOf(range);
    if (begin >= last)
      return false;
    end = begin + std::min(last - begin, std::max(leastUnits, (last - begin) / shareOfRest));
    if (worker.range.compare_exchange_weak(range, pack(end, last), std::memory_order_relaxed))
      return true;
  }
}

bool Grid::steal(int64_t index) {
  for (int64_t step = 1; step < workers; ++step) {
    Worker &victim = state[static_cast<size_t>((index + step) % workers)];
    uint64_t range = victim.range.load(std::memory_order_relaxed);
    for (;;) {
      uint64_t begin = beginOf(range), end = endOf(range);
      if (begin >= end)
        break;
      uint64_t taken = std::min(end - begin, std::max(leastUnits, (end - begin + 1) / 2));
      if (!victim.range.compare_exchange_weak(range, pack(begin, end - taken),
                                              std::memory_order_relaxed))
        continue;
      // Own range is empty, so nobody else changes it now.
      state[static_cast<size_t>(index)].range.store(pack(end - taken, end),
                                                    std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

void Grid::work(int64_t index) {
  Worker &worker = state[static_cast<size_t>(index)];
  void *scratch = worker.scratch.ensure(task.scratchBytes, task.scratchAlignment);
  if (!scratch && task.scratchBytes) {
    noMemory.store(true, std::memory_order_relaxed);
    return;
  }
  do {
    uint64_t begin = 0, end = 0;
    while (takeOwn(worker, begin, end)) {
      if (failed.load(std::memory_order_relaxed))
        return;
      int64_t first = static_cast<int64_t>(begin) * unit;
      // The last unit may be short; the product may not even fit.
      int64_t left = task.programs - first;
      int64_t count = static_cast<int64_t>(end - begin);
      count = count > left / unit ? left : count * unit;
      if (int32_t code = task.entry(task.slots, first, first + count, scratch)) {
        int32_t none = 0;
        failed.compare_exchange_strong(none, code, std::memory_order_relaxed);
        return;
      }
    }
  } while (steal(index));
}

} // namespace metile
