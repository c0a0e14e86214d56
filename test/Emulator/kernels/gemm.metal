// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B in half, 64x64 of C a threadgroup of 128 threads, 16 of K a step, padded, two slots.
#include <metal_stdlib>
using namespace metal;

constant constexpr int BM = 64, BN = 64, BK = 16, PAD = 8;
constant constexpr int AS = BK + PAD, BS = BN + PAD;

static void stage(threadgroup half *as, threadgroup half *bs, device const half *a,
                  device const half *b, uint M, uint N, uint K, uint m0, uint n0, uint k0,
                  ushort thread_index) {
  for (ushort i = thread_index; i < BM * BK / 4; i += 128) {
    ushort row = i / (BK / 4), col = i % (BK / 4) * 4;
    half4 v = 0;
    if (m0 + row < M && k0 + col + 3 < K && K % 4 == 0)
      v = *(device const half4 *)(a + (m0 + row) * K + k0 + col);
    else
      for (ushort j = 0; j < 4; ++j)
        v[j] = m0 + row < M && k0 + col + j < K ? a[(m0 + row) * K + k0 + col + j] : half(0);
    *(threadgroup half4 *)(as + row * AS + col) = v;
  }
  for (ushort i = thread_index; i < BK * BN / 4; i += 128) {
    ushort row = i / (BN / 4), col = i % (BN / 4) * 4;
    half4 v = 0;
    if (k0 + row < K && n0 + col + 3 < N && N % 4 == 0)
      v = *(device const half4 *)(b + (k0 + row) * N + n0 + col);
    else
      for (ushort j = 0; j < 4; ++j)
        v[j] = k0 + row < K && n0 + col + j < N ? b[(k0 + row) * N + n0 + col + j] : half(0);
    *(threadgroup half4 *)(bs + row * BS + col) = v;
  }
}

kernel void gemm(device const half *a, device const half *b, device half *c, constant uint3 &size,
                 uint3 group [[threadgroup_position_in_grid]],
                 ushort thread_index [[thread_index_in_threadgroup]],
                 ushort simdgroup [[simdgroup_index_in_threadgroup]],
                 ushort lane [[thread_index_in_simdgroup]]) {
  threadgroup half As[2][BM * AS];
  threadgroup half Bs[2][BK * BS];
  threadgroup float Cs[4][64];
  const uint M = size.x, N = size.y, K = size.z;
  const uint m0 = group.y * BM, n0 = group.x * BN;
  const ushort sm = simdgroup / 2 * 32, sn = simdgroup % 2 * 32;

  simdgroup_float8x8 sum[4][4];
  for (ushort i = 0; i < 4; ++i)
    for (ushort j = 0; j < 4; ++j)
      sum[i][j] = make_filled_simdgroup_matrix<float, 8>(0.0f);

  stage(As[0], Bs[0], a, b, M, N, K, m0, n0, 0, thread_index);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  ushort slot = 0;
  for (uint k0 = 0; k0 < K; k0 += BK) {
    if (k0 + BK < K)
      stage(As[1 - slot], Bs[1 - slot], a, b, M, N, K, m0, n0, k0 + BK, thread_index);
    for (ushort k = 0; k < BK; k += 8) {
      simdgroup_half8x8 left[4], right[4];
      for (ushort i = 0; i < 4; ++i)
        simdgroup_load(left[i], As[slot] + (sm + 8 * i) * AS + k, AS);
      for (ushort j = 0; j < 4; ++j)
        simdgroup_load(right[j], Bs[slot] + k * BS + sn + 8 * j, BS);
      for (ushort i = 0; i < 4; ++i)
        for (ushort j = 0; j < 4; ++j)
          simdgroup_multiply_accumulate(sum[i][j], left[i], right[j], sum[i][j]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    slot = 1 - slot;
  }
  for (ushort i = 0; i < 4; ++i)
    for (ushort j = 0; j < 4; ++j) {
      simdgroup_store(sum[i][j], Cs[simdgroup], 8);
      simdgroup_barrier(mem_flags::mem_threadgroup);
      for (ushort e = lane; e < 64; e += 32) {
        uint m = m0 + sm + 8 * i + e / 8, n = n0 + sn + 8 * j + e % 8;
        if (m < M && n < N)
          c[m * N + n] = half(Cs[simdgroup][e]);
      }
      simdgroup_barrier(mem_flags::mem_threadgroup);
    }
}
