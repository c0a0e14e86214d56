// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of each row, by halving.
#include <metal_stdlib>
using namespace metal;

kernel void reduce_sum(device const float *x, device float *y, constant uint &n,
                       uint row [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]],
                       uint threads [[threads_per_threadgroup]]) {
  threadgroup float partial[256];
  float sum = 0;
  for (uint i = t; i < n; i += threads)
    sum += x[row * n + i];
  partial[t] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_count = threads / 2; half_count > 0; half_count /= 2) {
    if (t < half_count)
      partial[t] += partial[t + half_count];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0)
    y[row] = partial[0];
}
