// RUN: %exits 1 %metile check %s --grid 1 --threads 32 --buffer out=nan:f32[32] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void greedy(device float *out, uint i [[thread_position_in_grid]]) {
  threadgroup float first[6000];
  // CHECK: .metal:[[#@LINE+1]]:{{.*}}: error: the kernel uses 40000 bytes of threadgroup memory with 'second'; the chip has 32768 [threadgroup-memory-limit]
  threadgroup float second[4000];
  first[i] = second[i] = 0;
  out[i] = first[i];
}
