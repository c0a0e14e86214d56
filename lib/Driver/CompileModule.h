// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The road from a module of the tile dialect to an Artifact, for every target: the second half of
// compile(), and the way in for kernels that are text. Must not know the kernel language.
#pragma once

#include "Report/ExecutionReport.h"
#include "Target/Schedule.h"
#include "Target/TargetDesc.h"
#include "Target/WorkSummary.h"
#include "metile/artifact.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace metile {

/// Every dialect that compiling for any target makes operations of.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Whether `target` can honour `schedule`; every field that it cannot is named with its reason.
Status checkSchedule(const Schedule &schedule, const TargetDesc &target);

/// Nanoseconds that one program, and a launch on `threads` threads, are expected to take.
double programNs(const WorkSummary &work, const TargetDesc &target);
double launchNs(const WorkSummary &work, const TargetDesc &target, unsigned threads);

/// What lowering says of itself.
struct Lowered {
  ReportInput report;
  double lowerUs = 0, codegenUs = 0;
};

/// Puts the code of `module`, which is consumed, into `artifact`: its code, steps and workspaces.
/// `work` is what one launch is expected to do.
Result<Lowered> lowerModule(mlir::ModuleOp module, const TargetDesc &target,
                            const Schedule &schedule, const WorkSummary &work, Artifact &artifact);

/// Compiles the kernel in `module`, which stays as it is and whose context has the dialects of
/// registerAllDialects. Arguments and facts are read from its types and attributes; integers
/// without a sign count as signed. `target` and `schedule` are as in CompileOptions; without
/// `probes` the kernel's probes are left out.
Result<Artifact> compileModule(mlir::ModuleOp module, const std::string &target,
                               const std::string &schedule = {}, bool probes = false);

} // namespace metile
