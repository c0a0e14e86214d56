// RUN: %exits 1 %metile check %s --grid 1 --threads 32 --buffer out=nan:f32[32] --only race | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void swap(device float *out, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[32];
  // CHECK: .metal:[[#@LINE+1]]:13: error: race on threadgroup memory 'shared'
  shared[i] = i;
  out[i] = shared[i ^ 1];
  // CHECK: hint: nothing orders the lanes of a simdgroup: put simdgroup_barrier(mem_flags::mem_threadgroup)
}
