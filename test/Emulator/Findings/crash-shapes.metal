// What would end the process, or never end, is a finding with its line, whether it is checked or not.
// RUN: %exits 1 %metile check %s --kernel copy_nowhere --grid 1 --threads 4 --buffer n=i64:0 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=COPY
// RUN: %exits 1 %metile check %s --kernel copy_nowhere --fast --grid 1 --threads 4 --buffer n=i64:0 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=COPY
// RUN: %exits 1 %metile check %s --kernel far_pointer --fast --grid 1 --threads 4 --buffer n=i64:70368744177664 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=FAR
// RUN: %exits 1 %metile check %s --kernel far_pointer --grid 1 --threads 4 --buffer n=i64:70368744177664 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=FAR
// RUN: %exits 1 %metile check %s --kernel large_frame --fast --grid 1 --threads 4 --buffer n=i64:3 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=FRAME
// RUN: %exits 1 %metile check %s --kernel large_frame --grid 1 --threads 4 --buffer n=i64:3 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=FRAME
// RUN: %exits 1 %metile check %s --kernel empty_loop --fast --time-limit 1 --grid 1 --threads 4 --buffer n=i64:1 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=EMPTY
// RUN: %exits 1 %metile check %s --kernel empty_loop --time-limit 1 --grid 1 --threads 4 --buffer n=i64:1 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=EMPTY
// RUN: %exits 1 %metile check %s --kernel barrier_loop --fast --time-limit 1 --grid 1 --threads 64 --buffer n=i64:1 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=BARRIER
// RUN: %exits 1 %metile check %s --kernel barrier_loop --time-limit 1 --grid 1 --threads 64 --buffer n=i64:1 --buffer out=zeros:f32[64] | FileCheck %s --check-prefix=BARRIER
#include <metal_stdlib>
using namespace metal;

struct Large {
  float values[64];
};
kernel void copy_nowhere(constant long &n, device float *out) {
  device Large *from = (device Large *)(nullptr) + n;
  // COPY: .metal:[[#@LINE+1]]:{{.*}}: error: an access through a pointer to nowhere [crash]
  *(device Large *)out = *from;
}

kernel void far_pointer(constant long &n, device float *out, uint i [[thread_position_in_grid]]) {
  // FAR: .metal:[[#@LINE+1]]:{{.*}}: error: an access through a pointer to nowhere [crash]
  out[i + n] = 1;
}

kernel void large_frame(constant long &n, device float *out, uint i [[thread_position_in_grid]]) {
  // FRAME: error: the thread's private memory is full
  volatile float large[200000];
  large[n] = i;
  out[i] = large[n];
}

kernel void empty_loop(constant long &n, device float *out) {
  // EMPTY: .metal:[[#@LINE+1]]:{{.*}}: error: the kernel did not end within its time and steps [endless]
  while (n)
    ;
  out[0] = 1;
}

kernel void barrier_loop(constant long &n, device float *out, uint i [[thread_position_in_grid]]) {
  while (n) {
    out[i] += 1;
    // BARRIER: .metal:{{.*}}: error: the kernel did not end within its time and steps [endless]
    threadgroup_barrier(mem_flags::mem_device);
  }
}
