// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One query a simdgroup, keys and values staged.
#include <metal_stdlib>
using namespace metal;

constant constexpr uint D = 32, BLOCK = 16;

kernel void attention(device const float *q, device const float *k, device const float *v,
                      device float *o, constant uint &keys,
                      uint group [[threadgroup_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float ks[BLOCK][D], vs[BLOCK][D];
  threadgroup float scores[4][BLOCK];
  uint row = group * 4 + simdgroup;
  float query = q[row * D + lane], top = -INFINITY, total = 0, out = 0;
  for (uint k0 = 0; k0 < keys; k0 += BLOCK) {
    for (uint i = t; i < BLOCK * D; i += 128) {
      ks[i / D][i % D] = k0 + i / D < keys ? k[k0 * D + i] : 0;
      vs[i / D][i % D] = k0 + i / D < keys ? v[k0 * D + i] : 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < BLOCK; ++j) {
      float score = simd_sum(query * ks[j][lane]);
      if (lane == 0)
        scores[simdgroup][j] = k0 + j < keys ? score : -INFINITY;
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
    float newTop = top;
    for (uint j = 0; j < BLOCK; ++j)
      newTop = max(newTop, scores[simdgroup][j]);
    float correction = exp(top - newTop);
    total *= correction;
    out *= correction;
    for (uint j = 0; j < BLOCK; ++j) {
      float weight = exp(scores[simdgroup][j] - newTop);
      total += weight;
      out += weight * vs[j][lane];
    }
    top = newTop;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  o[row * D + lane] = out / total;
}
