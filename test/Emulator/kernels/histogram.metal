// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts in threadgroup memory, then adds them up.
#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x, device atomic_uint *counts, constant uint &n,
                      uint i [[thread_position_in_grid]], uint all [[threads_per_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint bins[16];
  if (t < 16)
    bins[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint j = i; j < n; j += all)
    atomic_fetch_add_explicit(reinterpret_cast<threadgroup atomic_uint *>(&bins[x[j] & 15]), 1,
                              memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16)
    atomic_fetch_add_explicit(&counts[t], bins[t], memory_order_relaxed);
}
