// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1]
#include "expect.h"

struct Packed { packed_float3 a; packed_half2 b; char c; };
static_assert(sizeof(float3) == 16 && sizeof(half3) == 8 && sizeof(bool4) == 4 && sizeof(uchar3) == 4);
static_assert(sizeof(packed_float3) == 12 && sizeof(Packed) == 20 && sizeof(float4x4) == 64);

kernel void types(device int *fail) {
  float4 v(1, 2, 3, 4);
  v.xy = v.yx;
  v.w += 1;
  v.zw *= 2.0f;
  EXPECT(v.x == 2 && v.y == 1 && v.z == 6 && v.w == 10);
  float3 w = v.wzy;
  EXPECT(w.r == 10 && w.g == 6 && w.b == 1 && w[2] == 1);
  EXPECT(all(v.xyz == float3(2, 1, 6)) && any(v > 9.0f) && !any(v > 10.0f));
  half4 h = half4(v) * half(2) + 1.0h;
  EXPECT(h.w == 21 && h.rgb.x == 5);
  uchar2 narrow = uchar2(300, 2);
  EXPECT(narrow.x == 44);
  int2 shifted = (int2(1, 2) << 3) | 1;
  EXPECT(shifted.x == 9 && shifted.y == 17);
  bool2 flags = !bool2(true, false);
  EXPECT(!flags.x && flags.y);
  packed_float3 p = w;
  p.y = 7;
  EXPECT((p + float3(1)).y == 8 && float3(p).z == 1);
  EXPECT(as_type<uint>(1.0f) == 0x3f800000 && as_type<ushort2>(0x00020001u).y == 2);
  EXPECT((half)65504.0f == HALF_MAX && float(half(0.1f)) != 0.1f);
  float4x4 m(1.0f);
  m[3] = float4(1, 2, 3, 1);
  EXPECT((m * float4(1, 1, 1, 1)).x == 2 && transpose(m)[0].w == 1);
  EXPECT((m * m)[3].y == 4);
}
