// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The road of a kernel on a CPU: a module of the tile dialect becomes an object file, with all that
// a report says of it. The list of passes is the body of compileModule.
// Must not know where the module came from, nor who runs the code.
#pragma once

#include "Report/ExecutionReport.h"
#include "Support/Decision.h"
#include "Target/Schedule.h"
#include "Target/TargetDesc.h"
#include "Target/WorkSummary.h"
#include "metile/artifact.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace metile::cpu {

/// Everything that compileModule creates operations of.
void registerDialects(mlir::DialectRegistry &registry);

struct CompiledModule {
  std::string object;
  std::string entry;
  std::array<SizeExpr, 3> grid;
  int64_t scratchBytes = 0;
  std::vector<DebugSite> debugSites;
  ReportInput report;
  double lowerUs = 0, codegenUs = 0;
};

/// Whether `schedule` can be honoured on `target`; every field that cannot is named with its
/// reason.
Status checkSchedule(const Schedule &schedule, const TargetDesc &target);

/// Compiles `module`, which is consumed. `work` is what one launch is expected to do.
Result<CompiledModule> compileModule(mlir::ModuleOp module, const TargetDesc &target,
                                     const Schedule &schedule, const WorkSummary &work);

} // namespace metile::cpu
