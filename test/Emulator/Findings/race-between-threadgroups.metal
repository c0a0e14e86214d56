// RUN: %exits 1 %metile check %s --grid 8 --threads 32 --buffer total=zeros:u32[1] | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void count(device uint *total, uint i [[thread_position_in_threadgroup]]) {
  if (i == 0)
    // CHECK: .metal:[[#@LINE+1]]:14: error: threadgroups race on device memory 'total', byte 0 [race-between-threadgroups]
    total[0] += 1;
  // CHECK: by thread 0 (simdgroup 0, lane 0) in threadgroup (1,0,0)
  // CHECK: by thread 0 (simdgroup 0, lane 0) in threadgroup (0,0,0)
  // CHECK: hint: nothing orders two threadgroups of a launch
}
