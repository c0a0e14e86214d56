// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1]
#include "expect.h"

template <typename T> T twice(T x) { return x + x; }

kernel void bfloats(device int *fail) {
  bfloat a = bfloat(1.01f), b = 2.0bf;
  EXPECT(sizeof(bfloat) == 2 && float(a) == 1.0078125f);
  EXPECT(float(twice(b)) == 4 && a + 1.0f == 2.0078125f && a < b);
  EXPECT((a < b ? b : 0) == b && (b < a ? b : 1) == 1.0f && a && !bfloat(0));
  uint whole = b;
  float sum = 1;
  sum += b;
  EXPECT(whole == 2 && sum == 3 && 1 / b == 0.5f && b - 1 == 1 && 2 == b && 1.5f < b && int(b) == 2);
  b += a;
  b *= 2.0f;
  EXPECT(float(b) == 6.0f); // 3.0078125 rounds to 3.
  EXPECT(half(b) == 6 && float(bfloat(half(0.5))) == 0.5f);
  bfloat4 v = bfloat4(float4(1, 2, 3, 4));
  EXPECT(float(v.w) == 4 && float((v * v).z) == 9);
  EXPECT(as_type<ushort>(bfloat(-2.0f)) == 0xc000);
}
