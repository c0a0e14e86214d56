// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1]
#include "expect.h"

kernel void collectives(device int *fail, uint lane [[thread_index_in_simdgroup]],
                        uint quad [[thread_index_in_quadgroup]]) {
  EXPECT(simd_sum(lane) == 496 && simd_max(int(lane)) == 31 && simd_min(half(lane)) == 0);
  EXPECT(simd_product(lane == 3 ? 5.0f : 1.0f) == 5 && simd_or(1u << lane) == ~0u && simd_xor(lane) == 0);
  EXPECT(simd_prefix_inclusive_sum(1u) == lane + 1 && simd_prefix_exclusive_sum(2.0f) == 2.0f * lane);
  EXPECT(simd_shuffle(lane, 7) == 7 && simd_shuffle_xor(lane, 1) == (lane ^ 1) && simd_broadcast(lane, 9) == 9);
  EXPECT(simd_shuffle_down(lane, 4) == (lane < 28 ? lane + 4 : lane));
  EXPECT(simd_shuffle_up(lane, 4) == (lane >= 4 ? lane - 4 : lane));
  EXPECT(simd_shuffle_rotate_down(lane, 3) == (lane + 3) % 32);
  EXPECT(simd_shuffle_and_fill_up(lane, 100u, 2) == (lane < 2 ? 100 : lane - 2));
  EXPECT(simd_any(lane == 5) && !simd_all(lane == 5) && simd_is_first() == (lane == 0));
  EXPECT(ulong(simd_ballot(lane < 4)) == 15);
  EXPECT(quad_sum(lane) == (lane & ~3u) * 4 + 6 && quad_shuffle(quad, 2) == 2 && quad_max(quad) == 3);
  EXPECT(all(simd_sum(float2(1, 2)) == float2(32, 64)));
  // Lanes in different branches do not meet, even in one line; lanes that stay apart do not count.
  uint sum = lane < 8 ? simd_sum(1u) : simd_sum(2u);
  EXPECT(sum == (lane < 8 ? 8 : 48));
  for (uint i = 0; i < lane % 3; ++i)
    EXPECT(simd_sum(1u) == (i == 0 ? 21 : 10));
  if (lane % 2)
    return;
  EXPECT(simd_sum(1u) == 16);
}
