// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the values of a kernel's open constants: traces the candidates and lets a target's cost
// model weigh their work. Knows no kernel and no target: constants have no meaning but their effect
// on the trace.
#pragma once

#include "Frontend/Frontend.h"
#include "Support/Decision.h"
#include "Target/WorkSummary.h"
#include "metile/compile.h"

#include <functional>

namespace metile {

struct PlannedTrace {
  Trace trace;
  WorkSummary work;
  DecisionLog decisions;
};

/// Estimated nanoseconds of one launch.
using CostFunction = std::function<double(const WorkSummary &)>;

/// Traces `kernel` with the constants that `specialization` fixes; the others take the values for
/// which `cost` is least, found one constant after the other from the middle of the legal values
/// until nothing improves. Values that do not trace lose; if none traces, their errors come back.
Result<PlannedTrace> planTrace(const Kernel &kernel, Specialization specialization,
                               const std::vector<ArgumentSpec> &arguments,
                               const CostFunction &cost);

} // namespace metile
