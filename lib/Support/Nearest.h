// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the names a user may have meant, for messages. Knows nothing of what the names stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace metile {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`,
/// whatever the case of their letters.
unsigned editDistance(std::string_view a, std::string_view b);

/// Up to `limit` of `candidates` that resemble `name`, nearest first; empty if none does.
std::vector<std::string>
nearestNames(std::string_view name, const std::vector<std::string> &candidates, unsigned limit = 3);

/// "a, b or c"; empty for no names.
std::string listNames(const std::vector<std::string> &names, std::string_view last = "or");

} // namespace metile
