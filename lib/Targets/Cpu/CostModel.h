// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of a launch on a CPU, estimated from its work. Ranks the planner's candidates and tells the
// runtime when threads pay; its numbers are good to a factor of two, its order is what counts.
// Must not know IR.
#pragma once

#include "Target/TargetDesc.h"
#include "Target/WorkSummary.h"

#include <string>

namespace metile::cpu {

/// The piece of a dot's result that registers hold, and what it costs to feed it.
struct RegisterTile {
  unsigned rows = 1;    ///< Accumulator rows.
  unsigned vectors = 1; ///< Vectors a row.
  unsigned lanes = 1;   ///< Elements a vector.

  unsigned columns() const { return vectors * lanes; }
  /// "rows x columns": "6x64".
  std::string str() const { return std::to_string(rows) + "x" + std::to_string(columns()); }
  bool operator==(const RegisterTile &) const = default;
};

/// The tile that keeps the FMA units busiest for a dot with `columns` columns accumulating in
/// `acc`: rows·vectors accumulators, `vectors` operands and one broadcast must fit the registers.
RegisterTile chooseRegisterTile(const TargetDesc &target, DType acc, int64_t columns);

/// Fused multiply-adds on vectors that a core can start each cycle with `tile`, its loads included.
double fmaRate(const RegisterTile &tile, const TargetDesc &target);

/// Nanoseconds one thread needs for one program.
double programNs(const WorkSummary &work, const TargetDesc &target);

/// Nanoseconds of the whole launch on `threads` threads.
double launchNs(const WorkSummary &work, const TargetDesc &target, unsigned threads);

} // namespace metile::cpu
