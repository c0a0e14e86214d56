// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared library with one entry point, for Executable::fromLibrary.
#include "TestKernels.h"

extern "C" int32_t scale(const uint64_t *slots, int64_t begin, int64_t end, void *scratch) {
  return metile::test::scale(slots, begin, end, scratch);
}
