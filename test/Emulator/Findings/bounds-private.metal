// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --buffer n=i32:6 --buffer out=nan:f32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void gather(constant int &n, device float *out, uint i [[thread_position_in_grid]]) {
  float values[4] = {1, 2, 3, 4};
  // CHECK: .metal:[[#@LINE+1]]:12: error: out of bounds: index 6 of 'float[4]' [out-of-bounds]
  out[i] = values[n];
}
