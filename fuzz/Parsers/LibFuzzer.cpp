// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program that feeds one target with what libFuzzer thinks up.

#include "ParserTarget.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const metile::fuzz::ParserTarget *target =
      metile::fuzz::findParserTarget(METILE_FUZZ_TARGET);
  target->feed({reinterpret_cast<const char *>(data), size});
  return 0;
}
