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
  unsigned bits;
  uint16_t (*fromDouble)(double);
  uint16_t (*fromFloat)(float);
  float (*toFloat)(uint16_t);
  uint16_t largest;    ///< What a number too large becomes: infinity, or the largest finite number.
  uint16_t lastNumber; ///< The bits above, up to the sign, are NaNs.

  uint16_t sign() const { return uint16_t(1 << (bits - 1)); }
  bool isNan(uint16_t value) const { return (value & (sign() - 1)) > lastNumber; }
};

constexpr Format formats[] = {
    {"f16", 16, f16FromDouble, f16FromFloat, floatFromF16, 0x7c00, 0x7c00},
    {"bf16", 16, bf16FromDouble, bf16FromFloat, floatFromBf16, 0x7f80, 0x7f80},
    {"f8e4m3", 8, [](double x) { return uint16_t(f8e4m3FromDouble(x)); },
     [](float x) { return uint16_t(f8e4m3FromDouble(x)); },
     [](uint16_t x) { return floatFromF8e4m3(uint8_t(x)); }, 0x7e, 0x7e},
    {"f8e5m2", 8, [](double x) { return uint16_t(f8e5m2FromDouble(x)); },
     [](float x) { return uint16_t(f8e5m2FromDouble(x)); },
     [](uint16_t x) { return floatFromF8e5m2(uint8_t(x)); }, 0x7b, 0x7c},
};

TEST(HalfFloat, EveryValueSurvivesWidening) {
  for (const Format &format : formats)
    for (uint32_t bits = 0; bits < 1u << format.bits; ++bits) {
      auto half = static_cast<uint16_t>(bits);
      float wide = format.toFloat(half);
      if (format.isNan(half)) {
        EXPECT_TRUE(std::isnan(wide));
        EXPECT_TRUE(format.isNan(format.fromFloat(wide)));
        EXPECT_TRUE(format.isNan(format.fromDouble(wide)));
        continue;
      }
      if (std::isinf(wide))
        half = (half & format.sign()) | format.largest;
      ASSERT_EQ(format.fromFloat(wide), half) << format.name;
      ASSERT_EQ(format.fromDouble(wide), half) << format.name;
    }
}

TEST(HalfFloat, RoundsToNearestEven) {
  for (const Format &format : formats)
    for (uint16_t bits = 0; bits < format.largest; ++bits) {
      // The value beyond the largest finite one would be the next power of two.
      double low = format.toFloat(bits);
      double high = std::isinf(format.toFloat(bits + 1))
                        ? 2 * low - static_cast<double>(format.toFloat(bits - 1))
                        : static_cast<double>(format.toFloat(bits + 1));
      double middle = low + (high - low) / 2;
      uint16_t even = bits & 1 ? bits + 1 : bits;
      ASSERT_EQ(format.fromDouble(middle), even) << format.name << ' ' << bits;
      ASSERT_EQ(format.fromDouble(-middle), even | format.sign());
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
    EXPECT_EQ(format.fromDouble(1e300), format.largest);
    EXPECT_EQ(format.fromDouble(-1e300), format.largest | format.sign());
    EXPECT_EQ(format.fromDouble(std::numeric_limits<double>::infinity()), format.largest);
    EXPECT_EQ(format.fromDouble(std::numeric_limits<double>::denorm_min()), 0);
    EXPECT_EQ(format.fromDouble(-0.0), format.sign());
    EXPECT_TRUE(format.isNan(format.fromDouble(std::numeric_limits<double>::quiet_NaN())));
  }
  EXPECT_EQ(floatFromF16(0x7bff), 65504.0f);
  EXPECT_EQ(floatFromF16(0x0001), 0x1p-24f);
  EXPECT_EQ(floatFromF8e4m3(0x7e), 448.0f);
  EXPECT_EQ(floatFromF8e4m3(0x01), 0x1p-9f);
  EXPECT_EQ(floatFromF8e5m2(0x7b), 57344.0f);
  EXPECT_EQ(floatFromF8e5m2(0x01), 0x1p-16f);
}

} // namespace
} // namespace metile
