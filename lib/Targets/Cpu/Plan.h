// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CpuPlan: what a planner may decide about lowering a kernel for a CPU. Every choice gives the same
// results up to the order of sums. Must not know IR.
#pragma once

#include "Target/TargetDesc.h"
#include "Targets/Cpu/CostModel.h"

#include <optional>

namespace metile::cpu {

struct CpuPlan {
  /// Vector registers that a loop over elements handles per step; 0: chosen from the expression.
  unsigned unroll = 0;
  /// The piece of a dot's result held in registers; none: chooseRegisterTile.
  std::optional<RegisterTile> registerTile;
  /// Dots with at most so many rows read the right operand in place: packing it would cost more
  /// than it saves.
  int64_t packRows = 16;
  /// Every tile value goes through scratch in plain loops: slow, and an independent second opinion.
  bool scratchEverything = false;
};

} // namespace metile::cpu
