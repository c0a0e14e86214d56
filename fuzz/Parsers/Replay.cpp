// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile-replay-parsers FOLDER [TARGET…]: feeds FOLDER/TARGET/* to the targets, or to all, and what
// is left of each file when its end is cut off. A fault ends the program.

#include "ParserTarget.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace metile::fuzz;

/// In memory that ends where the input ends, so that a sanitizer sees each byte read beyond it.
static void feed(const ParserTarget &target, std::string_view input) {
  auto exact = std::make_unique<char[]>(input.size());
  std::copy(input.begin(), input.end(), exact.get());
  target.feed({exact.get(), input.size()});
}

static size_t replay(const ParserTarget &target, const fs::path &folder) {
  constexpr size_t cuts = 32;
  size_t files = 0;
  std::error_code missing;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, missing)) {
    ++files;
    // Flushed: a fault is that of the file named last.
    std::printf("%s\n", entry.path().c_str());
    std::fflush(stdout);
    std::ifstream file(entry.path(), std::ios::binary);
    std::string input{std::istreambuf_iterator<char>(file), {}};
    feed(target, input);
    for (size_t cut = 0; cut < cuts; ++cut)
      feed(target, std::string_view(input).substr(0, input.size() * cut / cuts));
  }
  return files;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: metile-replay-parsers FOLDER [TARGET...]\n");
    return 2;
  }
  std::vector<ParserTarget> targets(parserTargets().begin(), parserTargets().end());
  if (argc > 2)
    targets.clear();
  for (int i = 2; i < argc; ++i) {
    const ParserTarget *target = findParserTarget(argv[i]);
    if (!target) {
      std::fprintf(stderr, "error: unknown target '%s'\n", argv[i]);
      return 2;
    }
    targets.push_back(*target);
  }
  for (const ParserTarget &target : targets)
    if (replay(target, fs::path(argv[1]) / target.name) == 0) {
      std::fprintf(stderr, "error: %s holds no inputs for '%s'\n", argv[1],
                   std::string(target.name).c_str());
      return 2;
    }
  return 0;
}
