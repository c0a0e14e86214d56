// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row a simdgroup, the vector staged by all.
#include <metal_stdlib>
using namespace metal;

kernel void gemv(device const float *a, device const float *x, device float *y, constant uint2 &size,
                 uint group [[threadgroup_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float staged[128];
  uint row = group * 4 + simdgroup;
  float sum = 0;
  for (uint k0 = 0; k0 < size.y; k0 += 128) {
    staged[t] = k0 + t < size.y ? x[k0 + t] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (row < size.x)
      for (uint k = lane; k < 128 && k0 + k < size.y; k += 32)
        sum += a[row * size.y + k0 + k] * staged[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  sum = simd_sum(sum);
  if (lane == 0 && row < size.x)
    y[row] = sum;
}
