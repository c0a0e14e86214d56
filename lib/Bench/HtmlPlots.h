// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pictures of a record's page as SVG text; colours come from the page's style sheet. Knows
// nothing of the page around them.
#pragma once

#include "Support/Json.h"

#include <string>
#include <string_view>

namespace metile::bench {

/// `text` with the characters that mean something in HTML replaced.
std::string escapeHtml(std::string_view text);

/// All cases below each other: the ratio with its interval and the control's, on a logarithmic
/// axis, against the band of the margin.
std::string ratioPlot(const Json &record);

/// Every sample of one case in the order of measuring, and the value of each burst.
std::string samplePlot(const Json &comparison);

/// The ratio of each block of one case, and of its control.
std::string blockPlot(const Json &comparison, double margin);

} // namespace metile::bench
