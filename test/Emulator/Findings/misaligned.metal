// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --buffer bytes=random:u8[64] --buffer out=nan:u32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void words(device const uchar *bytes, device uint *out, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:12: error: misaligned access to device memory 'bytes', byte 1: 4 bytes that must lie at a multiple of 4 [misaligned]
  out[i] = *(device const uint *)(bytes + 1 + 4 * i);
  // CHECK: hint: load the elements one by one
}
