// RUN: %exits 1 %metile check %s --kernel reverse --grid 1 --threads 64 --buffer in=iota:f32[64] --buffer out=same:in --only race | FileCheck %s
// RUN: %exits 0 %metile check %s --kernel twice --grid 1 --threads 64 --buffer in=iota:f32[64] --buffer out=same:in --buffer is_same=nan:u32[1] --save is_same=%t.npy
// RUN: %python %S/../../Cli/Inputs/npy.py show %t.npy | FileCheck %s --check-prefix=SAME
// RUN: %exits 2 %metile check %s --kernel reverse --grid 1 --threads 64 --buffer in=iota:f32[64] --buffer out=same:inn | FileCheck %s --check-prefix=NAME
// RUN: %exits 0 %metile check %s --kernel cast_away --grid 1 --threads 4 --buffer out=nan:f32[4] --save out=%t.cast.npy
// RUN: %python %S/../../Cli/Inputs/npy.py show %t.cast.npy | FileCheck %s --check-prefix=CAST
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device const float *in, device float *out, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+1]]:{{.*}}: error: race on device memory 'in/out', byte {{[0-9]+}} [race]
  out[i] = in[63 - i];
}

// In place, and both parameters have one address.
// SAME: 1
kernel void twice(device const float *in, device float *out, device uint *is_same,
                  uint i [[thread_position_in_grid]]) {
  out[i] = in[i] * 2;
  if (i == 0)
    *is_same = in == out;
}
// NAME: error: unknown buffer 'inn'

// What is const by its type may be written all the same.
// CAST: 0 1 2 3
kernel void cast_away(device const float *out, uint i [[thread_position_in_grid]]) {
  ((device float *)out)[i] = i;
}
