// RUN: %exits 1 %metile check %s --grid 1 --threads 64 --buffer out=nan:f32[64] --only race | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void rotate(device float *out, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  shared[i] = i;
  threadgroup_barrier(mem_flags::mem_none);
  // CHECK: .metal:[[#@LINE+1]]:12: error: race on threadgroup memory 'shared', byte 4 [race]
  out[i] = shared[(i + 1) % 64];
  // CHECK: .metal:[[#@LINE-4]]:13: note: write by thread 1
  // CHECK: .metal:[[#@LINE-4]]:3: note: this barrier does not order threadgroup memory
  // CHECK: hint: if it stands between the two, give it mem_flags::mem_threadgroup
  // CHECK: 1 finding,
}
