// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive prefix sum of a block, doubling the distance.
#include <metal_stdlib>
using namespace metal;

kernel void scan(device const int *x, device int *y, uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint threads [[threads_per_threadgroup]]) {
  threadgroup int sums[2][256];
  uint from = 0;
  sums[0][t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint distance = 1; distance < threads; distance *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= distance ? sums[from][t - distance] : 0);
    from = 1 - from;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[i] = sums[from][t];
  // Nobody writes any more.
  threadgroup_barrier(mem_flags::mem_threadgroup); // unneeded
}
