// RUN: %exits 1 %metile check %s --grid 2 --threads 64 --buffer a=random:f32[100] --buffer b=nan:f32[128] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void copy(device const float *a, device float *b, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:10: error: out of bounds of device memory 'a', which has 400 bytes: 4 bytes at byte 400 [out-of-bounds]
  b[i] = a[i];
  // CHECK: read by thread 36 (simdgroup 1, lane 4) in threadgroup (1,0,0)
  // CHECK: seen 28 times
}
