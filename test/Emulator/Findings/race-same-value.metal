// RUN: %exits 0 %metile check %s --kernel store_all --grid 2 --threads 64 --buffer out=nan:f32[2]
// RUN: %exits 1 %metile check %s --kernel store_each --grid 2 --threads 64 --buffer out=nan:f32[2] | FileCheck %s
// RUN: %exits 0 %metile check %s --kernel overlap --grid 8 --threads 32 --buffer out=nan:f32[252]
// RUN: %exits 1 %metile check %s --kernel overlap_by_group --grid 8 --threads 32 --buffer out=nan:f32[252] | FileCheck %s --check-prefix=GROUPS
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

// The last group is moved inward, and does over what its neighbour did.
kernel void overlap(device float *out, uint group [[threadgroup_position_in_grid]],
                    uint t [[thread_position_in_threadgroup]]) {
  uint i = min(group * 32, 252u - 32) + t;
  out[i] = i * 0.5f;
}

kernel void overlap_by_group(device float *out, uint group [[threadgroup_position_in_grid]],
                             uint t [[thread_position_in_threadgroup]]) {
  uint i = min(group * 32, 252u - 32) + t;
  // GROUPS: .metal:[[#@LINE+4]]:{{.*}}: error: threadgroups race on device memory 'out', byte 880
  // GROUPS-NEXT: out[i]
  // GROUPS-NEXT: ^
  // GROUPS-NEXT: note: write by thread 0 (simdgroup 0, lane 0) in threadgroup (7,0,0)
  out[i] = group;
}
