// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One row a threadgroup.
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
                    constant uint &n [[buffer(2)]], threadgroup float *shared [[threadgroup(0)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint tid [[thread_position_in_threadgroup]],
                    uint threads [[threads_per_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint simdgroup [[simdgroup_index_in_threadgroup]],
                    uint simdgroups [[simdgroups_per_threadgroup]]) {
  x += row * n;
  y += row * n;
  float top = -INFINITY;
  for (uint i = tid; i < n; i += threads)
    top = max(top, x[i]);
  top = simd_max(top);
  if (lane == 0)
    shared[simdgroup] = top;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  top = simd_max(lane < simdgroups ? shared[lane] : -INFINITY);
  float sum = 0;
  for (uint i = tid; i < n; i += threads)
    sum += exp(x[i] - top);
  sum = simd_sum(sum);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0)
    shared[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  sum = simd_sum(lane < simdgroups ? shared[lane] : 0.0f);
  for (uint i = tid; i < n; i += threads)
    y[i] = exp(x[i] - top) / sum;
}
