// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/CostModel.h"

#include <algorithm>
#include <cmath>

namespace metile::cpu {

static double ceilDiv(double a, double b) { return std::ceil(a / b); }

double fmaRate(const RegisterTile &tile, const TargetDesc &target) {
  double accumulators = tile.rows * tile.vectors;
  // Two loads a cycle feed the broadcasts of a column and the vectors of a panel; an FMA takes
  // about four cycles, so that many steps bound a tile with few accumulators.
  double cycles = std::max({accumulators / target.fmaUnits, (tile.rows + tile.vectors) / 2.0, 4.0});
  // A part of the loads is never hidden, most of all those of the panel, which comes from the L2.
  cycles += 0.05 * (tile.rows + 2 * tile.vectors);
  // Reading the left operand in place takes an address register a row, and eight are to be had: 12
  // rows were measured at 0.58 of the rate of 6.
  double pressure = tile.rows > 8 ? 1.0 + 0.15 * (tile.rows - 8) : 1.0;
  return accumulators / (cycles * pressure);
}

RegisterTile chooseRegisterTile(const TargetDesc &target, DType acc, int64_t columns) {
  unsigned lanes = target.lanes(acc);
  RegisterTile best{1, 1, lanes};
  double bestScore = 0;
  for (unsigned vectors = 1; vectors <= 4; ++vectors) {
    // A panel wider than the dot would only multiply zeros; one that does not divide it leaves a
    // rest.
    if (vectors > 1 && columns % (int64_t(vectors) * lanes) != 0)
      continue;
    for (unsigned rows = 1; rows * vectors + vectors + 1 <= target.vectorRegisters; ++rows) {
      RegisterTile tile{rows, vectors, lanes};
      if (double score = fmaRate(tile, target); score > bestScore) {
        bestScore = score;
        best = tile;
      }
    }
  }
  return best;
}

/// Cycles to move `bytes` from the smallest cache that holds `workingSet` bytes.
static double transferCycles(double bytes, double workingSet, const TargetDesc &target) {
  static constexpr double bytesPerCycle[] = {64, 32, 16};
  for (size_t level = 0; level < target.caches.size(); ++level)
    if (workingSet <= double(target.caches[level].bytes))
      return bytes / bytesPerCycle[level];
  return bytes * target.clockGHz / target.memoryGBs;
}

static double dotCycles(const DotWork &dot, const TargetDesc &target) {
  RegisterTile tile = chooseRegisterTile(target, dot.acc, dot.n);
  double bytes = byteSize(dot.acc);
  double panels = ceilDiv(double(dot.n), tile.columns());
  // Full heights, then one lower tile for the rest of the rows.
  auto heightCycles = [&](double rows) {
    double perStep =
        std::max({rows * tile.vectors / target.fmaUnits, (rows + tile.vectors) / 2, 4.0});
    double accumulators = 2 * rows * tile.vectors;
    return double(dot.k) * perStep + accumulators + 12;
  };
  double full = std::floor(double(dot.m) / tile.rows);
  double rest = double(dot.m) - full * tile.rows;
  double compute = panels * (full * heightCycles(tile.rows) + (rest ? heightCycles(rest) : 0));
  // The right operand is packed for this program: its reads are counted with the loads, its writes
  // go to the cache that holds it.
  double packed = double(dot.k) * double(dot.n) * bytes;
  double packing =
      transferCycles(packed, 4 * packed, target) + packed / 32 + double(dot.k) * panels;
  // Each row block reads the panel again from where the packed operand fits.
  double rowBlocks = ceilDiv(double(dot.m), tile.rows);
  double panelBytes = double(dot.k) * tile.columns() * bytes;
  double panelReads =
      0.25 * panels * rowBlocks * transferCycles(panelBytes, std::max(panelBytes, packed), target);
  // Converted operands go through scratch.
  if (dot.lhs != dot.acc)
    packing += double(dot.m) * double(dot.k) * bytes / 16;
  double accumulator = double(dot.m) * double(dot.n) * bytes;
  double accumulatorTraffic = transferCycles(2 * accumulator, accumulator + packed, target);
  return double(dot.batch) * (compute + packing + panelReads + accumulatorTraffic);
}

double programNs(const WorkSummary &work, const TargetDesc &target) {
  double cycles = 20 + 2 * work.operations;
  for (const DotWork &dot : work.dots)
    cycles += dot.trips * dotCycles(dot, target);
  double memoryCycles = 0;
  for (const MemoryWork &memory : work.memory) {
    double bytes = memory.elements * byteSize(memory.dtype);
    double runBytes = std::max<double>(1, double(memory.run) * byteSize(memory.dtype));
    // A run shorter than a cache line wastes the rest of it.
    double waste = runBytes < 64 ? 64 / runBytes : 1;
    memoryCycles += transferCycles(bytes * waste, memory.footprintBytes, target);
  }
  double computeCycles = work.elementOps / target.lanes(DType::f32) / target.fmaUnits +
                         work.reducedElements / target.lanes(DType::f32) / target.fmaUnits;
  double spill = transferCycles(work.tileBytes, work.tileBytes, target);
  return (cycles + std::max(memoryCycles, computeCycles) + spill) / target.clockGHz;
}

double launchNs(const WorkSummary &work, const TargetDesc &target, unsigned threads) {
  double rounds = ceilDiv(work.programs, std::max(1u, threads));
  return rounds * programNs(work, target);
}

} // namespace metile::cpu
