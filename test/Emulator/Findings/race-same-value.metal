// RUN: %exits 0 %metile check %s --kernel store_all --grid 2 --threads 64 --buffer out=nan:f32[2]
// RUN: %exits 1 %metile check %s --kernel store_each --grid 2 --threads 64 --buffer out=nan:f32[2] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

// All threads store one result: whoever comes last, it stands there.
kernel void store_all(device float *out, uint group [[threadgroup_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  shared[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[group] = shared[63];
}

kernel void store_each(device float *out, uint group [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]]) {
  // CHECK: .metal:[[#@LINE+1]]:{{.*}}: error: race on device memory 'out'
  out[group] = t / 63;
}
