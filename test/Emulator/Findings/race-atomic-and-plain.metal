// RUN: %exits 1 %metile check %s --grid 1 --threads 64 --buffer total=zeros:u32[1] --buffer out=nan:u32[64] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void count(device atomic_uint *total, device uint *out, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(total, 1u, memory_order_relaxed);
  // CHECK: error: race on device memory 'total', byte 0
  // CHECK: {{atomic write|read}} by thread
  out[i] = *reinterpret_cast<device uint *>(total);
}
