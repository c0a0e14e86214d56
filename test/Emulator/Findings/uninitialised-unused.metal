// RUN: %exits 0 %metile check %s --grid 1 --threads 64 --buffer out=nan:f32[64] | FileCheck %s
// RUN: sed "s,lane < 2,lane < 3," %s > %t.metal
// RUN: %exits 1 %metile check %t.metal --grid 1 --threads 64 --buffer out=nan:f32[64] | FileCheck %s --check-prefix=USED
#include <metal_stdlib>
using namespace metal;

// CHECK: clean
// USED: error: read of threadgroup memory 'sums', byte 8, which nothing has written [uninitialised]
kernel void load_more_than_is_used(device float *out, uint i [[thread_position_in_grid]],
                                   uint lane [[thread_index_in_simdgroup]],
                                   uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[32];
  if (lane == 0)
    sums[simdgroup] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float value = sums[lane];
  out[i] = simd_sum(lane < 2 ? value : 0);
}
