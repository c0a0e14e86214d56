// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParserTarget.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace metile::fuzz {

#define METILE_PARSER_TARGET(name, feed) void feed(std::string_view input);
#include "ParserTargets.def"

std::span<const ParserTarget> parserTargets() {
  static constexpr ParserTarget targets[] = {
#define METILE_PARSER_TARGET(name, feed) {name, feed},
#include "ParserTargets.def"
  };
  return targets;
}

const ParserTarget *findParserTarget(std::string_view name) {
  for (const ParserTarget &target : parserTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

void require(bool holds, std::string_view rule) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(rule.size()), rule.data());
  std::abort();
}

void requireForm(const Errors &errors) {
  require(!errors.diagnostics.empty(), "a failure names at least one mistake");
  for (const Diagnostic &diagnostic : errors.diagnostics) {
    require(!diagnostic.found.empty(), "a message says what was found");
    std::string shown = diagnostic.str();
    bool isPlain = std::none_of(shown.begin(), shown.end(), [](char c) {
      return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
    });
    require(isPlain, "a message holds no control characters");
  }
}

} // namespace metile::fuzz
