// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every scalar and vector operation the meaning that meTile promises, in operations which
// LLVM has instructions for on the target: tile.div, tile.round, math.exp, arithmetic on f16 …
// become arith, math and vector operations. Must not know tiles (tensors), memory or schedules.
#pragma once

#include "Target/TargetDesc.h"
#include "mlir/IR/Operation.h"

namespace metile::cpu {

/// Rewrites all operations below `root`. Fails, with an error at the operation, where an operation
/// has no right sequence on a CPU.
mlir::LogicalResult legalize(mlir::Operation *root, const TargetDesc &target);

/// Registers `cpu-legalize{target=cpu:x86-64-v3}` for metile-opt.
void registerLegalizePass();

} // namespace metile::cpu
