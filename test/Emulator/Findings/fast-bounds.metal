// RUN: %exits 1 %metile check %s --fast --grid 1 --threads 64 --buffer out=nan:f32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void overrun(device float *out, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:{{.*}}: error: out of bounds of device memory 'out'
  out[i] = i;
}
