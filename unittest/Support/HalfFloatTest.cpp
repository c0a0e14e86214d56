// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/HalfFloat.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace metile {
namespace {

struct Format {
  const char *name;
  uint16_t (*fromDouble)(double);
  uint16_t (*fromFloat)(float);
  float (*toFloat)(uint16_t);
  uint16_t infinity;
};

constexpr Format formats[] = {
    {"f16", f16FromDouble, f16FromFloat, floatFromF16, 0x7c00},
    {"bf16", bf16FromDouble, bf16FromFloat, floatFromBf16, 0x7f80},
};

bool isNan(const Format &format, uint16_t bits) { return (bits & 0x7fff) > format.infinity; }

TEST(HalfFloat, EveryValueSurvivesWidening) {
  for (const Format &format : formats)
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      auto half = static_cast<uint16_t>(bits);
      float wide = format.toFloat(half);
      if (isNan(format, half)) {
        EXPECT_TRUE(std::isnan(wide));
        EXPECT_TRUE(isNan(format, format.fromFloat(wide)));
        EXPECT_TRUE(isNan(format, format.fromDouble(wide)));
        continue;
      }
      ASSERT_EQ(format.fromFloat(wide), half) << format.name;
      ASSERT_EQ(format.fromDouble(wide), half) << format.name;
    }
}

TEST(HalfFloat, RoundsToNearestEven) {
  for (const Format &format : formats)
    for (uint16_t bits = 0; bits < format.infinity; ++bits) {
      // The value beyond the largest finite one would be the next power of two.
      double low = format.toFloat(bits);
      double high = bits + 1 == format.infinity
                        ? 2 * low - static_cast<double>(format.toFloat(bits - 1))
                        : static_cast<double>(format.toFloat(bits + 1));
      double middle = low + (high - low) / 2;
      uint16_t even = bits & 1 ? bits + 1 : bits;
      ASSERT_EQ(format.fromDouble(middle), even) << format.name << ' ' << bits;
      ASSERT_EQ(format.fromDouble(-middle), even | 0x8000);
      ASSERT_EQ(format.fromDouble(std::nextafter(middle, 0)), bits);
      ASSERT_EQ(format.fromDouble(std::nextafter(middle, 1e300)), bits + 1);
    }
}

TEST(HalfFloat, FloatAndDoubleAgree) {
  std::mt19937 random(3);
  for (const Format &format : formats)
    for (int i = 0; i < 200000; ++i) {
      auto value = std::bit_cast<float>(static_cast<uint32_t>(random()));
      if (std::isnan(value))
        continue;
      ASSERT_EQ(format.fromFloat(value), format.fromDouble(value)) << format.name << value;
    }
}

TEST(HalfFloat, EndsOfTheRange) {
  for (const Format &format : formats) {
    EXPECT_EQ(format.fromDouble(1e300), format.infinity);
    EXPECT_EQ(format.fromDouble(-1e300), format.infinity | 0x8000);
    EXPECT_EQ(format.fromDouble(std::numeric_limits<double>::infinity()), format.infinity);
    EXPECT_EQ(format.fromDouble(std::numeric_limits<double>::denorm_min()), 0);
    EXPECT_EQ(format.fromDouble(-0.0), 0x8000);
    EXPECT_TRUE(isNan(format, format.fromDouble(std::numeric_limits<double>::quiet_NaN())));
  }
  EXPECT_EQ(floatFromF16(0x7bff), 65504.0f);
  EXPECT_EQ(floatFromF16(0x0001), 0x1p-24f);
}

} // namespace
} // namespace metile
