// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 32 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --fast --grid 1 --threads 32 --buffer fail=zeros:i32[1]
#include "expect.h"

kernel void functions(device int *fail) {
  EXPECT_NEAR(exp(1.0f), 2.7182817f);
  EXPECT_NEAR(fast::exp2(half(3)), 8);
  EXPECT_NEAR(precise::tanh(0.5f), 0.46211717f);
  EXPECT_NEAR(rsqrt(4.0f), 0.5f);
  EXPECT_NEAR(sinpi(0.5f), 1);
  EXPECT_NEAR(exp10(2.0f), 100);
  EXPECT_NEAR(fract(-0.25f), 0.75f);
  EXPECT_NEAR(mix(1.0f, 3.0f, 0.25f), 1.5f);
  EXPECT_NEAR(smoothstep(0.0f, 2.0f, 1.0f), 0.5f);
  EXPECT(clamp(7, 0, 5) == 5 && saturate(-1.0f) == 0 && sign(-3.0f) == -1);
  EXPECT(min(2u, 3u) == 2 && max(1.0f, NAN) == 1 && max3(1, 5, 3) == 5 && median3(1.0f, 9.0f, 4.0f) == 4);
  EXPECT(all(max(float2(1, 4), 2.0f) == float2(2, 4)));
  EXPECT(isnan(NAN) && isinf(-INFINITY) && !isfinite(INFINITY) && signbit(-0.0f));
  EXPECT_NEAR(length(float3(2, 3, 6)), 7);
  EXPECT_NEAR(dot(half4(1), half4(2)), 8);
  EXPECT_NEAR(normalize(float2(3, 4)).y, 0.8f);
  EXPECT(all(cross(float3(1, 0, 0), float3(0, 1, 0)) == float3(0, 0, 1)));
  EXPECT(select(1, 2, true) == 2 && select(int2(1), int2(2), bool2(false, true)).y == 2);
  EXPECT(fma(2.0f, 3.0f, 4.0f) == 10 && ldexp(3.0f, 2) == 12 && rint(2.5f) == 2 && round(2.5f) == 3);
  float whole;
  EXPECT_NEAR(modf(2.75f, whole), 0.75f);
  EXPECT(whole == 2 && copysign(3.0f, -1.0f) == -3 && fmod(7.0f, 4.0f) == 3 && step(1.0f, 2.0f) == 1);
  EXPECT(numeric_limits<float>::infinity() > FLT_MAX && numeric_limits<short>::lowest() == -32768);
  EXPECT(numeric_limits<half>::max() == 65504 && numeric_limits<uchar>::max() == 255);
}
