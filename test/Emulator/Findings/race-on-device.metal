// RUN: %exits 1 %metile check %s --grid 1 --threads 64 --buffer scratch=zeros:u32[64] --buffer out=nan:u32[64] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void neighbours(device uint *scratch, device uint *out, uint i [[thread_position_in_grid]]) {
  scratch[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  // CHECK: .metal:[[#@LINE+1]]:12: error: race on device memory 'scratch'
  out[i] = scratch[(i + 1) % 64];
  // CHECK: note: this barrier does not order device memory
  // CHECK: mem_flags::mem_device
}
