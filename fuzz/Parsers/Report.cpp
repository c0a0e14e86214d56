// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution reports, as `metile explain` shows them.

#include "ParserTarget.h"

#include "metile/Describe.h"

namespace metile::fuzz {

void feedReport(std::string_view input) {
  Result<Json> report = parseJson(input, "report.json");
  if (!report)
    return requireForm(report.errors());
  require(!tools::explainReport({}, *report).empty(), "an explanation says something");
}

} // namespace metile::fuzz
