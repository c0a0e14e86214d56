// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --buffer a=random:f32[4] --buffer b=nan:f32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void shift(device const float *a, device float *b, int i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:10: error: out of bounds of device memory 'a', which has 16 bytes: 4 bytes from 4 bytes before its start
  b[i] = a[i - 1];
}
