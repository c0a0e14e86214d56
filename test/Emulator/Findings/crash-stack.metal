// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --buffer n=i32:1 --buffer out=nan:i32[4] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

static int deeper(int n, device int *out) { return n == 0 ? 0 : deeper(n + 1, out) * 3 + out[0]; }
kernel void recurse(constant int &n, device int *out, uint i [[thread_position_in_grid]]) {
  out[0] = 0;
  // CHECK: error: the thread's private memory is full
  out[i] = deeper(n, out);
}
