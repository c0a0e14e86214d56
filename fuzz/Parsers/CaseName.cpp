// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of cases, and globs over them, of every kernel of the library.

#include "ParserTarget.h"

#include "Kernels.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace metile::fuzz {

static void requireSound(const Case &made, std::string_view name) {
  require(made.name == name, "a case is called what it was asked for by");
  require(std::isfinite(made.flops) && made.flops >= 0, "the work of a case is a number");
  for (const CaseArgument &argument : made.arguments) {
    auto isSize = [](int64_t size) { return size >= 0; };
    require(std::all_of(argument.sizes.begin(), argument.sizes.end(), isSize),
            "sizes of arguments are 0 or more");
    require(argument.strides.empty() || argument.strides.size() == argument.sizes.size(),
            "an argument has one stride a size, or none");
  }
}

void feedCaseName(std::string_view input) {
  static const std::vector<CaseFamily> families = kernels::allCases();
  for (const CaseFamily &family : families) {
    Result<Case> made = family.parse(input);
    if (made)
      requireSound(*made, input);
    else
      requireForm(made.errors());
    Result<std::vector<std::string>> chosen = family.select({std::string(input)});
    if (chosen)
      require(!chosen->empty(), "what is chosen is not empty");
    else
      requireForm(chosen.errors());
  }
}

} // namespace metile::fuzz
