// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `metile` of a build without the compiler: its only verb is check.

#include "Verb.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
  using namespace metile::tools;
  constexpr const char *usage =
      "usage: metile check FILE.metal [options]\n\n"
      "Runs a Metal kernel on this CPU and reports what it does wrong; `metile check --help` tells "
      "the\n"
      "options. This build has no compiler; the other verbs come with it.\n";
  Words words(argv + (argc > 0), argv + argc);
  std::string name = words.empty() ? "" : words.front();
  if (name == "help" || name == "--help" || name == "-h") {
    fmt::print("{}", usage);
    return exitFine;
  }
  if (name == "--version") {
    fmt::print("metile {} (without the compiler)\n", METILE_VERSION);
    return exitFine;
  }
  if (name != "check") {
    if (words.empty())
      fmt::print(stderr, "{}", usage);
    return words.empty() ? exitUsage : fail(unknownName("verb", name, {"check"}));
  }
  words.erase(words.begin());
  try {
    return check(words);
  } catch (const std::exception &mishap) {
    // Only running out of memory and bugs of ours throw.
    fmt::print(stderr, "metile check: internal error: {}\n", mishap.what());
    return exitUsage;
  }
}
