// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared library with one entry point, for Executable::fromLibrary.
#include <stdint.h>

// c[i] = factor * a[i] by programs of 64 elements: a(ptr, size, stride) c(ptr, size, stride) factor.
int32_t scale(const uint64_t *slots, int64_t begin, int64_t end, void *scratch) {
  (void)scratch;
  const float *a = (const float *)(uintptr_t)slots[0];
  float *c = (float *)(uintptr_t)slots[3];
  int64_t size = (int64_t)slots[4], strideA = (int64_t)slots[2], strideC = (int64_t)slots[5];
  int32_t factor = (int32_t)slots[6];
  for (int64_t i = begin * 64; i < end * 64 && i < size; ++i)
    c[i * strideC] = (float)factor * a[i * strideA];
  return 0;
}
