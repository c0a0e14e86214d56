// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record as one self-contained HTML page: ratios with intervals against the margin, the samples
// of every burst, the decisions of the execution report. Loads nothing from elsewhere.
#pragma once

#include "Support/Json.h"

#include <string>

namespace metile::bench {

std::string htmlPage(const Json &record);

} // namespace metile::bench
