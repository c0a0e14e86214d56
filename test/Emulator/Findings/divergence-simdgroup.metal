// RUN: %exits 1 %metile check %s --grid 1 --threads 32 --buffer out=nan:f32[32] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void half_of_it(device float *out, uint i [[thread_position_in_grid]]) {
  if (i < 16)
    // CHECK: .metal:[[#@LINE+1]]:5: error: simdgroup_barrier reached by 16 of 32 threads of simdgroup 0
    simdgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = i;
  threadgroup_barrier(mem_flags::mem_none);
}
