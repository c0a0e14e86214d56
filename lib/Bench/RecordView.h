// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads from a record what tables and pages show; works for records with and without a version.
// Knows nothing of how it is shown.
#pragma once

#include "Support/Json.h"

#include <string>
#include <string_view>

namespace metile::bench {

/// The measure by which a comparison is judged: its wall_us or gpu_us object, or null.
const Json &judgedMeasure(const Json &comparison);
/// What `side` ("baseline", "current") says of the case called `name` in its first pass, or null.
const Json &sideCase(const Json &record, std::string_view side, std::string_view name);
/// "faster", …; the status of a case without times; "undecided" where there is no verdict.
std::string verdictText(const Json &comparison);
/// A number with three significant digits and no exponent.
std::string threeDigits(double value);
/// GFLOP/s of a launch that takes that long, or "–" where the case states no work.
std::string flopRate(const Json &comparison, double microseconds);
/// 1.23 µs, 12.3 ms: three significant digits with a unit.
std::string formatTime(double microseconds);

} // namespace metile::bench
