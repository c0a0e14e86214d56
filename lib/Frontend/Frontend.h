// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end's two steps: a Kernel and a choice of types and constants become a checked Trace;
// a Trace becomes a module of the tile dialect. All user errors come from the first step.
// Knows nothing of targets, schedules or the driver.
#pragma once

#include "Frontend/Trace.h"
#include "metile/artifact.h"
#include "metile/compile.h"
#include "metile/dsl/kernel.h"
#include "metile/result.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
template <typename OpTy> class OwningOpRef;
} // namespace mlir

namespace metile {

/// For what a kernel is traced.
struct Specialization {
  /// As from argumentsOf(kernel), dtype and rank filled in.
  std::vector<ArgumentInfo> arguments;
  /// What the code may rely on.
  std::vector<Fact> facts;
  /// Values of constants and options by name; every Const needs one.
  std::vector<std::pair<std::string, int64_t>> constants;
  /// Typical sizes of each view, for View::fixed_size, which turns the size it reads into a fact of
  /// the trace. May be empty.
  std::vector<std::vector<int64_t>> sizes;
};

/// The kernel's arguments in order: names and roles, dtype and rank still open.
std::vector<ArgumentInfo> argumentsOf(const Kernel &kernel);

/// The facts a caller states unless told otherwise: the last axis of each view has stride 1.
std::vector<Fact> defaultFacts(const std::vector<ArgumentInfo> &arguments);

/// Runs the kernel's body and returns what it does, or every mistake found in it.
Result<Trace> traceKernel(const Kernel &kernel, const Specialization &specialization);

/// The trace as text: the same for the same meaning, whatever compiler built the kernel and
/// wherever its source lies. Caches hash it.
std::string canonicalText(const Trace &trace);

/// The kernel as a module with one `func.func` that is marked `tile.kernel`. Defined in Build.h's
/// part of the library; callers include MLIR's BuiltinOps.h and OwningOpRef.h.
mlir::OwningOpRef<mlir::ModuleOp> buildModule(const Trace &trace, mlir::MLIRContext &context,
                                              Probes probes = Probes::named);

} // namespace metile
