// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --buffer n=i32:0 --buffer out=nan:i32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void divide_by(constant int &n, device int *out, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:{{.*}}: error: an integer division by zero
  out[i] = 12 / n;
}
