// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter's arithmetic against what the processor, Eigen and exhaustive search say.

#include "Interpreter/Numbers.h"

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace metile::interpreter;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

/// Doubles of all sizes, near the borders of float formats too.
std::vector<double> someDoubles() {
  std::mt19937_64 random(1);
  std::vector<double> values = {0.0,
                                -0.0,
                                infinity,
                                -infinity,
                                NAN,
                                1e-320,
                                0x1p-149,
                                0x1p-150,
                                0x1.8p-149,
                                0x1.fffffefp127,
                                0x1.fffffffp127,
                                65519.9,
                                65520,
                                448,
                                464,
                                464.1,
                                480,
                                57344,
                                61440,
                                61441};
  for (int i = 0; i < 20000; ++i) {
    double fraction = std::ldexp(static_cast<double>(random() >> 11), -52);
    int exponent = static_cast<int>(random() % 320) - 170;
    values.push_back(std::ldexp(random() % 2 ? fraction : -fraction, exponent));
  }
  return values;
}

TEST(Numbers, F16AndBf16DecodeAsEigenDoes) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = Eigen::numext::bit_cast<Eigen::half>(static_cast<uint16_t>(bits));
    ASSERT_TRUE(same(decode(bits, float16), static_cast<float>(half))) << bits;
    ASSERT_TRUE(same(decode(bits, bfloat16), std::bit_cast<float>(bits << 16))) << bits;
  }
}

TEST(Numbers, EncodingUndoesDecoding) {
  for (FloatFormat format : {float16, bfloat16, float8e5m2, float8e4m3})
    for (uint64_t bits = 0; bits < uint64_t(1) << format.width(); ++bits) {
      double value = decode(bits, format);
      // Infinity alone is stored as something else: these formats saturate.
      if (std::isinf(value) && format.saturates)
        continue;
      ASSERT_TRUE(same(decode(encode(value, format), format), value)) << bits;
      if (!std::isnan(value))
        ASSERT_EQ(encode(value, format), bits);
    }
}

TEST(Numbers, F32IsTheProcessors) {
  for (double value : someDoubles())
    ASSERT_TRUE(same(decode(encode(value, float32), float32), static_cast<float>(value))) << value;
}

/// The finite number of `format` nearest to `value` by search, of two the one with even bits;
/// infinity counts as the number after the largest.
double nearestBySearch(double value, FloatFormat format) {
  uint64_t count = uint64_t(1) << (format.width() - 1);
  double magnitude = std::min(std::abs(value), 1e6); // Beyond both formats, and still exact.
  uint64_t best = 0;
  double distance = infinity, previous = 0;
  for (uint64_t bits = 0; bits < count; ++bits) {
    double candidate = decode(bits, format);
    if (std::isnan(candidate))
      break;
    double place = candidate;
    if (std::isinf(candidate)) {
      if (format.saturates)
        break;
      place = previous + (previous - decode(bits - 2, format));
    }
    previous = candidate;
    double gap = std::abs(magnitude - place);
    if (gap < distance || (gap == distance && bits % 2 == 0)) {
      distance = gap;
      best = bits;
    }
  }
  return std::copysign(decode(best, format), value);
}

TEST(Numbers, RoundsToTheNearestOfAllSmallFloats) {
  for (FloatFormat format : {float8e5m2, float8e4m3})
    for (double value : someDoubles())
      if (std::isfinite(value))
        ASSERT_TRUE(same(roundTo(value, format), nearestBySearch(value, format))) << value;
  for (FloatFormat format : {float8e5m2, float8e4m3}) {
    // Exactly between two neighbours, and a little to both sides.
    for (uint64_t bits = 0; bits + 1 < 0x78; ++bits) {
      double middle = (decode(bits, format) + decode(bits + 1, format)) / 2;
      for (double value : {middle, std::nextafter(middle, 0), std::nextafter(middle, infinity)})
        ASSERT_TRUE(same(roundTo(value, format), nearestBySearch(value, format))) << value;
    }
    EXPECT_TRUE(std::isnan(roundTo(NAN, format)));
    EXPECT_EQ(roundTo(-infinity, format), -roundTo(1e300, format));
  }
  EXPECT_EQ(roundTo(1e300, float8e4m3), 448);
  EXPECT_EQ(roundTo(1e300, float8e5m2), 57344);
}

TEST(Numbers, F16RoundsInOneStep) {
  // Just above the middle of 1 and its neighbour: f32 on the way would fall back to the tie.
  EXPECT_EQ(roundTo(1 + 0x1p-11 + 0x1p-40, float16), 1 + 0x1p-10);
  EXPECT_EQ(roundTo(1 + 0x1p-11, float16), 1);
  EXPECT_EQ(roundTo(65519.99, float16), 65504);
  EXPECT_EQ(roundTo(65520, float16), infinity);
  EXPECT_EQ(roundTo(0x1p-25, float16), 0);
  EXPECT_EQ(roundTo(0x1.0001p-25, float16), 0x1p-24);
}

TEST(Numbers, FusedMultiplyAddRoundsOnce) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    auto number = [&] {
      double fraction = std::ldexp(static_cast<double>(random() >> 40), -23);
      return std::ldexp(random() % 2 ? fraction : -fraction, static_cast<int>(random() % 60) - 30);
    };
    double a = number(), b = number(), c = random() % 4 ? number() : -roundTo(a * b, float32);
    float expected = std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    ASSERT_TRUE(same(fusedMultiplyAdd(a, b, c, float32), expected)) << a << " " << b << " " << c;
  }
  EXPECT_EQ(fusedMultiplyAdd(1 + 0x1p-23, 1 - 0x1p-23, -1, float32), -0x1p-46);
  EXPECT_TRUE(std::isnan(fusedMultiplyAdd(infinity, 0, 1, float32)));
}

TEST(Numbers, IntegersBecomeFloatsInOneRounding) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    auto value = static_cast<int64_t>(random()) >> (random() % 64);
    uint64_t magnitude =
        value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    ASSERT_EQ(fromInteger(value < 0, magnitude, float32), static_cast<float>(value)) << value;
    ASSERT_EQ(fromInteger(value < 0, magnitude, float64), static_cast<double>(value)) << value;
    ASSERT_EQ(fromInteger(false, magnitude, float32), static_cast<float>(magnitude)) << magnitude;
  }
  // As a double this is a tie, which would then round down.
  EXPECT_EQ(fromInteger(false, (uint64_t(1) << 54) + (uint64_t(1) << 30) + 1, float32),
            0x1.000002p54);
  EXPECT_EQ(fromInteger(false, 65520, float16), infinity);
}

TEST(Numbers, FloatsBecomeIntegersTowardZeroAndSaturate) {
  EXPECT_EQ(toInteger(-1.99, 8, false), 0xffu);
  EXPECT_EQ(toInteger(127.99, 8, false), 127u);
  EXPECT_EQ(toInteger(128, 8, false), 127u);
  EXPECT_EQ(toInteger(-128.99, 8, false), 0x80u);
  EXPECT_EQ(toInteger(-129, 8, false), 0x80u);
  EXPECT_EQ(toInteger(-0.99, 8, true), 0u);
  EXPECT_EQ(toInteger(-5, 8, true), 0u);
  EXPECT_EQ(toInteger(255.99, 8, true), 255u);
  EXPECT_EQ(toInteger(256, 8, true), 255u);
  EXPECT_EQ(toInteger(NAN, 8, false), 0u);
  EXPECT_EQ(toInteger(infinity, 64, false), uint64_t(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(toInteger(-infinity, 64, false), uint64_t(1) << 63);
  EXPECT_EQ(toInteger(0x1p63, 64, true), uint64_t(1) << 63);
  EXPECT_EQ(toInteger(infinity, 64, true), ~uint64_t(0));
  EXPECT_EQ(toInteger(infinity, 1, true), 1u);
}

/// All pairs of bytes, against quotients in double.
TEST(Numbers, DividesEveryPairOfBytes) {
  for (bool isUnsigned : {false, true})
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < 256; ++b) {
        double x = isUnsigned ? double(a) : double(static_cast<int8_t>(a));
        double y = isUnsigned ? double(b) : double(static_cast<int8_t>(b));
        auto expect = [&](Rounding rounding, double quotient) {
          Division result = divide(a, b, 8, isUnsigned, rounding);
          auto expected = static_cast<uint8_t>(static_cast<int>(b ? quotient : 0));
          ASSERT_EQ(result.quotient, expected) << x << " / " << y;
          auto left = static_cast<uint8_t>(b ? static_cast<int>(x - quotient * y) : 0);
          ASSERT_EQ(result.remainder, left) << x << " % " << y;
        };
        expect(Rounding::towardZero, std::trunc(x / y));
        expect(Rounding::down, std::floor(x / y));
        expect(Rounding::up, std::ceil(x / y));
      }
}

TEST(Numbers, ExtremaKnowNaNAndTheSignOfZero) {
  EXPECT_TRUE(std::isnan(maximum(1, NAN)) && std::isnan(minimum(NAN, 1)));
  EXPECT_EQ(maximumNumber(NAN, 1), 1);
  EXPECT_EQ(minimumNumber(1, NAN), 1);
  EXPECT_TRUE(std::isnan(maximumNumber(NAN, NAN)));
  EXPECT_TRUE(same(maximum(-0.0, 0.0), 0.0) && same(maximum(0.0, -0.0), 0.0));
  EXPECT_TRUE(same(minimum(-0.0, 0.0), -0.0) && same(minimum(0.0, -0.0), -0.0));
}

} // namespace
