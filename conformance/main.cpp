// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

#include "metile/runtime.h"

#include <cstdio>
#include <cstring>

using namespace metile::conformance;

int main(int argc, char **argv) {
  std::string device = "cpu", filter;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--device"))
      device = argv[i + 1];
    else if (!std::strcmp(argv[i], "--filter"))
      filter = argv[i + 1];
    else
      argc = 0;
  }
  if (argc % 2 == 0) {
    std::fprintf(stderr, "usage: metile-conformance [--device NAME] [--filter PART-OF-A-NAME]\n");
    return 2;
  }
  // An absent device that was asked for is an error, and the runtime says which there are.
  if (auto opened = metile::Device::open(device); !opened) {
    std::fprintf(stderr, "%s\n", opened.errors().str().c_str());
    return 2;
  }
  Suite suite(device, filter);
  elementwise(suite);
  conversions(suite);
  memory(suite);
  shapes(suite);
  reductions(suite);
  dots(suite);
  control(suite);
  return suite.finish();
}
