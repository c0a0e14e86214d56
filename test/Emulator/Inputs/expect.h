// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that finds something wrong with itself writes far outside its only buffer, which is a
// finding at the line where it happens.
#include <metal_stdlib>
using namespace metal;

#define EXPECT(condition)                                                                          \
  if (!(condition))                                                                                \
  fail[1 << 24] = __LINE__

#define EXPECT_NEAR(a, b) EXPECT(abs(float(a) - float(b)) <= 1e-3f * max(1.0f, abs(float(b))))
