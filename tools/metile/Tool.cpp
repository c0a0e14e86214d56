// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the verb that the command line names.

#include "Verb.h"

#include "metile/compile.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace metile {

static std::string usage() {
  std::string text = "usage: metile VERB [KERNEL] [options]\n\n";
  for (const tools::Verb &verb : tools::verbs())
    if (!verb.summary.empty())
      text += fmt::format("  {:<9}{}\n", verb.name, verb.summary);
  return text +
         "\nKERNEL is the name of a kernel (see metile list), or of one in a shared library:\n"
         "./libmine.so:gemm. `metile VERB --help` tells the options of a verb.\n";
}

int tool(int argc, char **argv, std::vector<Kernel> kernels, std::vector<CaseFamily> cases) {
  using namespace tools;
  Registry registry{std::move(kernels), std::move(cases)};
  Words words(argv + (argc > 0), argv + argc);
  if (words.empty()) {
    fmt::print(stderr, "{}", usage());
    return exitUsage;
  }
  std::string name = words.front();
  words.erase(words.begin());
  if (name == "help" || name == "--help" || name == "-h") {
    fmt::print("{}", usage());
    return exitFine;
  }
  if (name == "--version") {
    fmt::print("metile {} ({})\n", METILE_VERSION, compilerBuildId());
    return exitFine;
  }
  std::vector<std::string> names;
  for (const Verb &verb : verbs()) {
    if (verb.name == name) {
      try {
        return verb.run(registry, words);
      } catch (const std::exception &mishap) {
        // Only running out of memory and bugs of ours throw.
        fmt::print(stderr, "metile {}: internal error: {}\n", name, mishap.what());
        return exitUsage;
      }
    }
    if (!verb.summary.empty())
      names.emplace_back(verb.name);
  }
  return fail(unknownName("verb", name, names));
}

} // namespace metile
