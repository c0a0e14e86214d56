// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers a tile kernel to loops over register-sized vectors. What remains is scf, arith, math,
// vector, llvm.load/store/getelementptr and masked memory intrinsics, plus elementwise tile.{div,
// rem,shl,shr,to_int,from_int,round} on scalars and vectors, which legalization expands.
// Must not know how a kernel was written, nor who runs it.
#pragma once

#include "Support/Decision.h"
#include "Targets/Cpu/Plan.h"
#include "metile/artifact.h"

#include "mlir/IR/BuiltinOps.h"

#include <array>
#include <string>
#include <vector>

namespace metile::cpu {

/// How one dot was lowered.
struct DotInfo {
  std::string origin;
  int64_t batch = 1, m = 1, n = 1, k = 1;
  RegisterTile tile;
  bool isPacked = false; ///< Some operand is copied to scratch first.
};

struct CpuLoweringInfo {
  std::string entry;
  std::vector<ArgumentInfo> arguments;
  std::array<SizeExpr, 3> grid;
  int64_t scratchBytes = 0;
  std::vector<DotInfo> dots;
  DecisionLog decisions;
  std::vector<DebugSite> debugSites;
  /// No access needs a test at run time whether it crosses the edge of a view or a bound mask.
  bool outerBoundsProven = true;
};

/// Replaces the kernel of `module` by
///   func.func @NAME(%slots: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) -> i32
/// (CPU entry of artifact.h). On failure a diagnostic names the operation and its type.
mlir::LogicalResult lowerTileToVector(mlir::ModuleOp module, const TargetDesc &target,
                                      const CpuPlan &plan, CpuLoweringInfo &info);

} // namespace metile::cpu
