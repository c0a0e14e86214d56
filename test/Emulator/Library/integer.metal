// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1]
#include "expect.h"

kernel void integers(device int *fail) {
  EXPECT(popcount(0xf0f0u) == 8 && clz(1u) == 31 && ctz(8) == 3 && clz(uchar(1)) == 7 && clz(0u) == 32);
  EXPECT(reverse_bits(1u) == 0x80000000u && rotate(0x80000001u, 1u) == 3);
  EXPECT(mulhi(0xffffffffu, 2u) == 1 && mulhi(-1, 2) == -1 && hadd(5, 8) == 6 && rhadd(5, 8) == 7);
  EXPECT(addsat(uchar(250), uchar(10)) == 255 && subsat(3u, 5u) == 0 && addsat(32000, 1000) == 33000);
  EXPECT(absdiff(-3, 4) == 7 && abs(-5) == 5 && mad24(3, 4, 5) == 17);
  EXPECT(extract_bits(0xabcdu, 4, 8) == 0xbc && extract_bits(0xf0, 4, 4) == -1);
  EXPECT(insert_bits(0u, 0xffu, 4, 4) == 0xf0);
  EXPECT(all(popcount(uint2(3, 7)) == uint2(2, 3)));
  EXPECT(unpack_unorm4x8_to_float(0xff000000).w == 1 && pack_float_to_unorm4x8(float4(1, 0, 0, 0)) == 255);
}
