// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1] --buffer a=random:f16[8,8] --buffer c=nan:f32[8,8]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1] --buffer a=random:f16[8,8] --buffer c=nan:f32[8,8]
#include "expect.h"

kernel void matrices(device int *fail, device const half *a, device float *c,
                     ushort lane [[thread_index_in_simdgroup]]) {
  threadgroup float out[64];
  simdgroup_half8x8 x, y;
  simdgroup_load(x, a, 8);
  simdgroup_load(y, a, 8, ulong2(0, 0), true);
  simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8>(1.0f);
  simdgroup_multiply_accumulate(sum, x, y, sum);
  simdgroup_store(sum, out, 8);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  for (uint e = lane; e < 64; e += 32) {
    float right = 1;
    for (uint k = 0; k < 8; ++k)
      right += float(a[e / 8 * 8 + k]) * float(a[e % 8 * 8 + k]);
    EXPECT_NEAR(out[e], right);
  }
  // Each lane holds two neighbours of a row.
  short quad = lane / 4, row = (quad & 4) + lane / 2 % 4, column = (quad & 2) * 2 + lane % 2 * 2;
  float2 mine = sum.thread_elements();
  EXPECT(mine.x == out[row * 8 + column] && mine.y == out[row * 8 + column + 1]);
  sum.thread_elements() *= 2.0f;
  simdgroup_float8x8 identity(1.0f), twice;
  simdgroup_multiply(twice, sum, identity);
  EXPECT_NEAR(twice.thread_elements()[0], 2 * mine.x);
  simdgroup_store(twice, c, 8);
  threadgroup_barrier(mem_flags::mem_device);
  EXPECT_NEAR(c[row * 8 + column], 2 * mine.x);
}
