// RUN: %exits 1 %metile check %s --grid 1 --threads 8 --buffer out=nan:f32[8] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void accumulate(device float *out, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:10: error: read of device memory 'out', byte 0, which nothing has written [uninitialised]
  out[i] += 1;
  // CHECK: hint: write it before it is read
}
