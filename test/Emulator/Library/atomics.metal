// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1] --buffer sums=zeros:i32[4] --buffer floats=zeros:f32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1] --buffer sums=zeros:i32[4] --buffer floats=zeros:f32[1]
#include "expect.h"

kernel void atomics(device int *fail, device atomic_int *sums, device atomic<float> *floats,
                    uint i [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint bits;
  if (i == 0)
    atomic_store_explicit(&bits, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_or_explicit(&bits, 1u << i, memory_order_relaxed);
  atomic_fetch_add_explicit(&sums[0], int(i), memory_order_relaxed);
  atomic_fetch_max_explicit(&sums[1], int(i), memory_order_relaxed);
  atomic_fetch_min_explicit(&sums[2], -int(i), memory_order_relaxed);
  atomic_fetch_add_explicit(floats, 0.5f, memory_order_relaxed);
  int expected = atomic_load_explicit(&sums[3], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&sums[3], &expected, expected + 2, memory_order_relaxed,
                                                memory_order_relaxed))
    ;
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  EXPECT(atomic_load_explicit(&bits, memory_order_relaxed) == ~0u);
  EXPECT(atomic_load_explicit(&sums[0], memory_order_relaxed) == 496);
  EXPECT(atomic_load_explicit(&sums[1], memory_order_relaxed) == 31);
  EXPECT(atomic_load_explicit(&sums[2], memory_order_relaxed) == -31);
  EXPECT(atomic_load_explicit(&sums[3], memory_order_relaxed) == 64);
  EXPECT(atomic_load_explicit(floats, memory_order_relaxed) == 16);
}
