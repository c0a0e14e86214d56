// RUN: %exits 0 %metile check %s --grid 4 --threads 64 --buffer out=nan:f32[256] --buffer total=zeros:u32[1] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

// CHECK: clean
kernel void right(device float *out, device atomic_uint *total, uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float shared[64];
  threadgroup atomic_uint count;
  if (t == 0)
    atomic_store_explicit(&count, 0, memory_order_relaxed);
  shared[t] = t;
  simdgroup_barrier(mem_flags::mem_threadgroup);
  float near = shared[t ^ 1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  float far = shared[63 - t];
  if (lane < 16)
    near += simd_sum(1.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0)
    atomic_fetch_add_explicit(total, atomic_load_explicit(&count, memory_order_relaxed), memory_order_relaxed);
  out[i] = near + far;
}
