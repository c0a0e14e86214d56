// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value and index together, in simdgroups by shuffles.
#include <metal_stdlib>
using namespace metal;

kernel void argmax(device const float *x, device uint *best, constant uint &n,
                   uint t [[thread_position_in_threadgroup]],
                   uint threads [[threads_per_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]],
                   uint simdgroup [[simdgroup_index_in_threadgroup]],
                   uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float values[32];
  threadgroup uint indices[32];
  float value = -INFINITY;
  uint index = 0;
  for (uint i = t; i < n; i += threads)
    if (x[i] > value) {
      value = x[i];
      index = i;
    }
  for (ushort by = 16; by > 0; by /= 2) {
    float otherValue = simd_shuffle_down(value, by);
    uint otherIndex = simd_shuffle_down(index, by);
    if (otherValue > value || (otherValue == value && otherIndex < index)) {
      value = otherValue;
      index = otherIndex;
    }
  }
  if (lane == 0) {
    values[simdgroup] = value;
    indices[simdgroup] = index;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    for (uint s = 1; s < simdgroups; ++s)
      if (values[s] > value) {
        value = values[s];
        index = indices[s];
      }
    best[0] = index;
  }
}
