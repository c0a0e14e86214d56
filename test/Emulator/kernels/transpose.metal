// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of 32x32 through threadgroup memory.
#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float *x, device float *y, constant uint2 &size,
                      uint2 group [[threadgroup_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32][33];
  for (uint r = t.y; r < 32; r += 8)
    if (group.y * 32 + r < size.y && group.x * 32 + t.x < size.x)
      tile[r][t.x] = x[(group.y * 32 + r) * size.x + group.x * 32 + t.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint r = t.y; r < 32; r += 8)
    if (group.x * 32 + r < size.x && group.y * 32 + t.x < size.y)
      y[(group.x * 32 + r) * size.y + group.y * 32 + t.x] = tile[t.x][r];
}
