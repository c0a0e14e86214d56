// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/ShowValue.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace metile {
namespace {

template <class T>
std::string show(DType dtype, std::vector<int64_t> shape, std::vector<T> values) {
  return showValue(dtype, shape, values.data());
}

TEST(ShowValue, NestsAxes) {
  EXPECT_EQ(show<int32_t>(i32, {}, {-7}), "-7");
  EXPECT_EQ(show<int32_t>(i32, {3}, {1, 2, 3}), "[1, 2, 3]");
  EXPECT_EQ(show<int8_t>(i8, {2, 1, 2}, {1, -1, 3, 4}), "[[[1, -1]], [[3, 4]]]");
}

TEST(ShowValue, EveryDType) {
  EXPECT_EQ(show<uint8_t>(boolean, {2}, {0, 1}), "[false, true]");
  EXPECT_EQ(show<uint8_t>(u8, {}, {200}), "200");
  EXPECT_EQ(show<int16_t>(i16, {}, {-300}), "-300");
  EXPECT_EQ(show<uint16_t>(u16, {}, {65535}), "65535");
  EXPECT_EQ(show<uint32_t>(u32, {}, {4000000000u}), "4000000000");
  EXPECT_EQ(show<int64_t>(i64, {}, {INT64_MIN}), "-9223372036854775808");
  EXPECT_EQ(show<uint64_t>(u64, {}, {UINT64_MAX}), "18446744073709551615");
  EXPECT_EQ(show<uint8_t>(f8e4m3, {2}, {0x38, 0x7f}), "[1, nan]");
  EXPECT_EQ(show<uint8_t>(f8e5m2, {}, {0xfc}), "-inf");
  EXPECT_EQ(show<uint16_t>(f16, {2}, {0x3c00, 0xfc00}), "[1, -inf]");
  EXPECT_EQ(show<uint16_t>(bf16, {}, {0x4049}), "3.140625");
  EXPECT_EQ(show<float>(f32, {3}, {0.1f, NAN, 1e30f}), "[0.1, nan, 1e+30]");
  EXPECT_EQ(show<double>(f64, {2}, {0.1, -0.0}), "[0.1, -0]");
}

TEST(ShowValue, LargeTilesShowTheirEnds) {
  std::vector<int32_t> values(2048);
  for (int i = 0; i < 2048; ++i)
    values[i] = i;
  EXPECT_EQ(show<int32_t>(i32, {2048}, values), "[0, 1, 2, ..., 2045, 2046, 2047]");
  EXPECT_EQ(show<int32_t>(i32, {2, 1024}, values),
            "[[0, 1, 2, ..., 1021, 1022, 1023], [1024, 1025, 1026, ..., 2045, 2046, 2047]]");
}

} // namespace
} // namespace metile
