// RUN: %exits 1 %metile check %s --grid 1 --threads 64 --buffer out=nan:f32[64] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void split(device float *out, uint i [[thread_position_in_grid]]) {
  if (i < 32)
    // CHECK: .metal:[[#@LINE+1]]:5: error: threadgroup_barrier reached by 32 of 64 threads in threadgroup (0,0,0) [divergent-barrier]
    threadgroup_barrier(mem_flags::mem_threadgroup);
  else
    // CHECK: .metal:[[#@LINE+1]]:5: note: thread 32 (simdgroup 1, lane 0) waits here instead
    threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = i;
}
