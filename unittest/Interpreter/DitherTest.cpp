// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roundings that go other ways, and what is learnt from them.

#include "Interpreter/Dither.h"
#include "Interpreter/Envelope.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace metile;
using namespace metile::interpreter;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<float>::max();

double round(Dither::Way way, double value, FloatFormat format) {
  Dither dither(way);
  return Dither::round(value, format);
}

TEST(Dither, GoesToEitherNeighbour) {
  double between = 1 + 0x1p-25;
  EXPECT_EQ(round(Dither::Way::nearest, between, float32), 1);
  EXPECT_EQ(round(Dither::Way::down, between, float32), 1);
  EXPECT_EQ(round(Dither::Way::up, between, float32), 1 + 0x1p-23);
  EXPECT_EQ(round(Dither::Way::down, -between, float32), -1 - 0x1p-23);
}

TEST(Dither, KeepsWhatIsExact) {
  for (double exact : {0.0, 1.5, -largest, infinity, -infinity})
    for (auto way : {Dither::Way::up, Dither::Way::down, Dither::Way::random})
      EXPECT_EQ(round(way, exact, float32), exact);
}

TEST(Dither, OverflowIsInfiniteOrTheLargestNumber) {
  EXPECT_EQ(round(Dither::Way::up, 1e39, float32), infinity);
  EXPECT_EQ(round(Dither::Way::down, 1e39, float32), largest);
  EXPECT_EQ(round(Dither::Way::up, -1e39, float32), -largest);
  EXPECT_EQ(round(Dither::Way::down, -1e39, float32), -infinity);
  EXPECT_EQ(round(Dither::Way::up, 65519, float16), infinity);
}

TEST(Dither, SaturatingFormatsStayFinite) {
  EXPECT_EQ(round(Dither::Way::up, 1e9, float8e5m2), 57344);
  EXPECT_EQ(round(Dither::Way::down, -1e9, float8e4m3), -448);
}

std::vector<std::byte> bytesOf(const std::vector<float> &values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(Envelope, AllowsNothingButTheNominalResultOfExactArithmetic) {
  Envelope envelope(DType::f32);
  for (int i = 0; i < 3; ++i)
    envelope.add(bytesOf({2, NAN}));
  EXPECT_FALSE(envelope.mismatch(bytesOf({2, -NAN}), 0));
  EXPECT_FALSE(envelope.mismatch(bytesOf({2, -NAN}), 1));
  EXPECT_EQ(envelope.mismatch(bytesOf({std::nextafter(2.0f, 3.0f), 0}), 0), "2");
  EXPECT_EQ(envelope.mismatch(bytesOf({2, 0}), 1), "nan");
}

TEST(Envelope, LeavesOpenWhatMayOverflow) {
  Envelope envelope(DType::f32);
  envelope.add(bytesOf({INFINITY}));
  envelope.add(bytesOf({static_cast<float>(largest)}));
  EXPECT_FALSE(envelope.mismatch(bytesOf({NAN}), 0));
}

TEST(Envelope, ReadsIntegersByTheirSign) {
  uint8_t high = 200;
  auto bytes = std::as_bytes(std::span(&high, 1));
  Envelope unsignedBytes(DType::u8), signedBytes(DType::i8);
  uint8_t other = 201;
  unsignedBytes.add(bytes);
  signedBytes.add(bytes);
  auto found = std::as_bytes(std::span(&other, 1));
  EXPECT_EQ(unsignedBytes.mismatch(found, 0), "200");
  EXPECT_EQ(signedBytes.mismatch(found, 0), "-56");
}

} // namespace
