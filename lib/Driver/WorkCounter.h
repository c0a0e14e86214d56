// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the work of a trace for typical sizes. Scalars that follow from sizes and constants are
// evaluated, so loop trips and the grid are exact where they do not depend on data.
// Must not know targets.
#pragma once

#include "Frontend/Trace.h"
#include "Target/WorkSummary.h"
#include "metile/compile.h"

namespace metile {

/// `arguments` belong to the trace's arguments, in order.
WorkSummary countWork(const Trace &trace, const std::vector<ArgumentSpec> &arguments);

} // namespace metile
