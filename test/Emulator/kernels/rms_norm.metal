// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value for all, written by the first simdgroup.
#include <metal_stdlib>
using namespace metal;

kernel void rms_norm(device const half *x, device const half *weight, device half *y,
                     constant uint &n, uint row [[threadgroup_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]],
                     uint threads [[threads_per_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]],
                     uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float shared[32];
  threadgroup float scale;
  float squares = 0;
  for (uint i = t; i < n; i += threads)
    squares += float(x[row * n + i]) * float(x[row * n + i]);
  squares = simd_sum(squares);
  if (simdgroup == 0)
    shared[lane] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0)
    shared[simdgroup] = squares;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup == 0) {
    squares = simd_sum(shared[lane]);
    if (lane == 0)
      scale = precise::rsqrt(squares / n + 1e-5f);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = t; i < n; i += threads)
    y[row * n + i] = weight[i] * half(float(x[row * n + i]) * scale);
}
