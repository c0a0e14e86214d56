// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid: the programs of one step, divided among workers. Each worker begins with a contiguous range
// of its own, which it takes in chunks from the front; one that has none left takes half of another
// worker's rest from the back. Knows nothing of threads: work() may be called by anybody.
#pragma once

#include "Runtime/Memory.h"
#include "metile/runtime.h"

#include <atomic>
#include <vector>

namespace metile {

/// What a launch needs for each worker; kept by the device between launches.
struct alignas(64) Worker {
  /// The programs not yet taken, in units: begin in the low half, end in the high half.
  std::atomic<uint64_t> range{0};
  AlignedMemory scratch;
};

struct GridTask {
  CpuEntry entry = nullptr;
  const uint64_t *slots = nullptr;
  int64_t programs = 0;
  double programNs = 0; ///< 0: unknown.
  size_t scratchBytes = 0;
  size_t scratchAlignment = 64;
};

class Grid {
public:
  /// `workers` at most as many as there are in `state`, which must outlive the grid.
  Grid(const GridTask &task, std::vector<Worker> &state, int64_t workers);

  /// Runs programs as worker `index` until none is left to take.
  void work(int64_t index);

  /// What the first entry point that failed returned; 0 if none did.
  int32_t status() const { return failed.load(std::memory_order_relaxed); }
  bool outOfMemory() const { return noMemory.load(std::memory_order_relaxed); }

private:
  bool takeOwn(Worker &worker, uint64_t &begin, uint64_t &end);
  bool steal(int64_t index);

  const GridTask &task;
  std::vector<Worker> &state;
  int64_t workers;
  int64_t unit;        ///< Programs in one unit of the ranges.
  uint64_t leastUnits; ///< Smallest chunk worth the bookkeeping.
  std::atomic<int32_t> failed{0};
  std::atomic<bool> noMemory{false};
};

} // namespace metile
