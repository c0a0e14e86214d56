// RUN: %exits 1 %metile check %s --grid 1 --threads 32 --buffer out=nan:f32[32] --threadgroup-memory 0=64 --only bounds | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void fill(device float *out, threadgroup float *shared [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:13: error: out of bounds of threadgroup memory 'shared', which has 64 bytes: 4 bytes at byte 64
  shared[i] = i;
  // CHECK: write by thread 16
  out[i] = 0;
}
