// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table at the end of a run, made from its record. Knows nothing of how the record came about.
#pragma once

#include "Support/Json.h"

#include <string>

namespace metile::bench {

/// A line for each case: both times, the ratio with its interval, GFLOP/s, verdict; below it what a
/// reader must know (refusals, notes, the control). `color`: with terminal colours.
std::string resultTable(const Json &record, bool color = false);

} // namespace metile::bench
