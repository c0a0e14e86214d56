// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --buffer out=nan:f32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void wild(device float *out, uint i [[thread_position_in_grid]]) {
  device float *nowhere = nullptr;
  // CHECK: .metal:[[#@LINE+1]]:{{.*}}: error: an access through a pointer to nowhere [crash]
  out[i] = nowhere[i + 64];
  // CHECK: thread 0 (simdgroup 0, lane 0) in threadgroup (0,0,0)
}
