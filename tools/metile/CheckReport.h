// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of `metile check` for people, programs, code scanners and GitHub.
#pragma once

#include "Verb.h"

#include "Support/Json.h"
#include "metile/emulator.h"

namespace metile::tools {

/// What came of one launch.
struct CheckOutcome {
  std::string file, kernel;
  bool fast = false, fromCache = false;
  double buildMilliseconds = 0, runMilliseconds = 0;
  std::vector<emulator::Finding> findings; ///< Those that are kept.
  std::vector<std::string> mismatches;     ///< Outputs that are not as expected.
};

/// For people: the findings with their source lines, and a line that sums up.
std::string checkText(const std::vector<CheckOutcome> &outcomes, size_t suppressed);
/// {"schema_version": 1, "checks": […]}
Json checkJson(const std::vector<CheckOutcome> &outcomes, size_t suppressed);
/// SARIF 2.1.0.
Json checkSarif(const std::vector<CheckOutcome> &outcomes);
/// Workflow commands: ::error file=…
std::string checkGithub(const std::vector<CheckOutcome> &outcomes);

} // namespace metile::tools
