// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

using namespace metile::conformance;

static int usage() {
  std::fputs("usage: metile-conformance [--device NAME] [--filter PART-OF-A-NAME] [--full]\n"
             "                          [--markdown FILE] [--in FILE]\n"
             "  --full      more sizes, forms and schedules\n"
             "  --markdown  write the table for the manual to FILE\n"
             "  --in        fail unless FILE, a page of the manual, holds that table\n",
             stderr);
  return 2;
}

/// Whether the page at `path` holds `table`; says what to do if not.
static bool isIn(const std::string &table, const char *path, const std::string &device) {
  std::ifstream file(path);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  if (page.find(table) != std::string::npos)
    return true;
  std::printf("%s does not hold the table of this run; write it with\n"
              "  ./run conformance --device %s --markdown FILE\n",
              path, device.c_str());
  return false;
}

int main(int argc, char **argv) {
  Suite::Options options;
  const char *markdown = nullptr, *page = nullptr;
  for (int i = 1; i < argc; ++i) {
    bool hasValue = i + 1 < argc;
    if (!std::strcmp(argv[i], "--full"))
      options.isFull = true;
    else if (!std::strcmp(argv[i], "--device") && hasValue)
      options.device = argv[++i];
    else if (!std::strcmp(argv[i], "--filter") && hasValue)
      options.filter = argv[++i];
    else if (!std::strcmp(argv[i], "--markdown") && hasValue)
      markdown = argv[++i];
    else if (!std::strcmp(argv[i], "--in") && hasValue)
      page = argv[++i];
    else
      return usage();
  }
  // An absent device that was asked for is an error, and the runtime says which there are.
  if (auto opened = metile::Device::open(options.device); !opened) {
    std::fprintf(stderr, "%s\n", opened.errors().str().c_str());
    return 2;
  }
  Suite suite(options);
  elementwise(suite);
  conversions(suite);
  memory(suite);
  shapes(suite);
  reductions(suite);
  scans(suite);
  sorts(suite);
  random(suite);
  atomics(suite);
  dots(suite);
  control(suite);
  largeOffsets(suite);
  meaning(suite);
  std::fputs(suite.table().c_str(), stdout);
  if (markdown) {
    std::ofstream file(markdown);
    file << suite.markdown();
    file.close();
    if (!file) {
      std::fprintf(stderr, "cannot write %s\n", markdown);
      return 2;
    }
  }
  if (page && !isIn(suite.markdown(), page, options.device))
    return 1;
  return suite.exitCode();
}
