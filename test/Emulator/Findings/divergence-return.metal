// RUN: %exits 1 %metile check %s --grid 1 --threads 128 --buffer n=u32:100 --buffer out=nan:f32[128] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void late(constant uint &n, device float *out, uint i [[thread_position_in_grid]]) {
  threadgroup float shared[128];
  if (i >= n)
    return;
  shared[i] = i;
  // CHECK: .metal:[[#@LINE+1]]:3: error: threadgroup_barrier reached by 100 of 128 threads in threadgroup (0,0,0); 28 have returned from the kernel [divergent-barrier]
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = shared[n - 1 - i];
  // CHECK: hint: every thread must reach the same barrier
}
