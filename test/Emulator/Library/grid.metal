// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid-threads 10,7,2 --threads 8,4,2 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid-threads 10,7,2 --threads 8,4,2 --buffer fail=zeros:i32[1]
#include "expect.h"

kernel void positions(device int *fail, uint3 place [[thread_position_in_grid]],
                      ushort3 local [[thread_position_in_threadgroup]],
                      uint index [[thread_index_in_threadgroup]],
                      uint2 group [[threadgroup_position_in_grid]],
                      uint3 size [[threads_per_threadgroup]], uint3 all [[threads_per_grid]],
                      uint3 groups [[threadgroups_per_grid]],
                      uint3 full [[dispatch_threads_per_threadgroup]],
                      uint simdgroup [[simdgroup_index_in_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint width [[threads_per_simdgroup]]) {
  EXPECT(all.x == 10 && all.y == 7 && all.z == 2 && groups.x == 2 && groups.y == 2 && groups.z == 1);
  EXPECT(full.x == 8 && full.y == 4 && full.z == 2);
  // The groups at the edges are smaller.
  EXPECT(size.x == (group.x == 1 ? 2 : 8) && size.y == (group.y == 1 ? 3 : 4));
  EXPECT(place.x == group.x * 8 + local.x && place.y == group.y * 4 + local.y && place.z == local.z);
  EXPECT(index == (local.z * size.y + local.y) * size.x + local.x);
  EXPECT(simdgroup * width + lane == index);
  threadgroup_barrier(mem_flags::mem_none);
}
