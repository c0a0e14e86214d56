// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts blocks of 256.
#include <metal_stdlib>
using namespace metal;

kernel void bitonic_sort(device uint *keys, uint i [[thread_position_in_grid]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint block[256];
  block[t] = keys[i];
  for (uint size = 2; size <= 256; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint other = t ^ stride;
      if (other > t) {
        bool ascending = (t & size) == 0;
        uint a = block[t], b = block[other];
        if ((a > b) == ascending) {
          block[t] = b;
          block[other] = a;
        }
      }
    }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  keys[i] = block[t];
}
