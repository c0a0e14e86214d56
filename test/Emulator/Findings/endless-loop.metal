// RUN: %exits 1 %metile check %s --grid 1 --threads 4 --time-limit 1 --buffer flag=zeros:u32[1] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void spin(device atomic_uint *flag, uint i [[thread_position_in_grid]]) {
  // CHECK: error: the kernel did not end within its time and steps [endless]
  // CHECK: thread 0 (simdgroup 0, lane 0) in threadgroup (0,0,0) was here
  while (atomic_load_explicit(flag, memory_order_relaxed) == 0)
    ;
}
