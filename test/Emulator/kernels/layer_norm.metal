// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean and variance by simdgroups.
#include <metal_stdlib>
using namespace metal;

static float across(float value, threadgroup float *shared, uint lane, uint simdgroup,
                    uint simdgroups) {
  value = simd_sum(value);
  if (lane == 0)
    shared[simdgroup] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint i = 0; i < simdgroups; ++i)
    sum += shared[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return sum;
}

kernel void layer_norm(device const float *x, device float *y, constant uint &n,
                       uint row [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]],
                       uint threads [[threads_per_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simdgroup [[simdgroup_index_in_threadgroup]],
                       uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float shared[32];
  float sum = 0;
  for (uint i = t; i < n; i += threads)
    sum += x[row * n + i];
  float mean = across(sum, shared, lane, simdgroup, simdgroups) / n;
  float squares = 0;
  for (uint i = t; i < n; i += threads)
    squares += (x[row * n + i] - mean) * (x[row * n + i] - mean);
  float scale = rsqrt(across(squares, shared, lane, simdgroup, simdgroups) / n + 1e-5f);
  for (uint i = t; i < n; i += threads)
    y[row * n + i] = (x[row * n + i] - mean) * scale;
}
