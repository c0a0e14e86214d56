// RUN: %exits 1 %metile check %s --grid 1 --threads 64 --buffer out=nan:f32[64] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device float *out, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  // CHECK: .metal:[[#@LINE+1]]:13: error: race on threadgroup memory 'shared', byte 128 [race]
  shared[i] = i;
  // CHECK: note: write by thread 32 (simdgroup 1, lane 0) in threadgroup (0,0,0)
  // CHECK: .metal:[[#@LINE+2]]:12: note: read by thread 31 (simdgroup 0, lane 31)
  // CHECK: hint: put threadgroup_barrier(mem_flags::mem_threadgroup) between the two
  out[i] = shared[63 - i];
  // CHECK: read of threadgroup memory 'shared', byte 252, which nothing has written [uninitialised]
  // CHECK: 2 findings
}
