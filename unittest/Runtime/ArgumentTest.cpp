// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/runtime.h"

#include <gtest/gtest.h>
#include <limits>

namespace metile {

TEST(Argument, StridesAreRowMajorByDefault) {
  float data[1];
  Argument view = Argument::view(data, f32, {2, 0, 5});
  EXPECT_EQ(view.rank, 3u);
  // An axis of size 0 counts as 1, so that the strides of the others stay meaningful.
  EXPECT_EQ(std::vector<int64_t>(view.strides, view.strides + 3), (std::vector<int64_t>{5, 5, 1}));
  EXPECT_FALSE(view.readOnly);
  EXPECT_TRUE(Argument::view(static_cast<const float *>(data), f32, {1}).readOnly);
  EXPECT_EQ(Argument::view(data, f32, {2, 3}, {1}).rank, Argument::mismatchedStrides);
}

TEST(Argument, ScalarsTakeTheTypeOfTheirValue) {
  EXPECT_EQ(Argument::scalar(true).dtype, boolean);
  EXPECT_EQ(Argument::scalar(int8_t(-1)).dtype, i8);
  EXPECT_EQ(Argument::scalar(uint16_t(1)).dtype, u16);
  EXPECT_EQ(Argument::scalar(-1).dtype, i32);
  EXPECT_EQ(Argument::scalar(size_t(1)).dtype, u64);
  EXPECT_EQ(Argument::scalar(1.0f).bits, 0x3f800000u);
  EXPECT_EQ(Argument::scalar(1.0).dtype, f64);
  // The bytes above the value are zero.
  EXPECT_EQ(Argument::scalar(-1).bits, 0xffffffffu);
  EXPECT_EQ(Argument::scalar(int8_t(-1)).bits, 0xffu);
}

TEST(Argument, ValuesMustFitTheDType) {
  for (DType d : allDTypes) {
    EXPECT_TRUE(Argument::scalar(d, 1).fits) << name(d);
    EXPECT_TRUE(Argument::scalar(d, 0.0).fits) << name(d);
    EXPECT_EQ(Argument::scalar(d, -1).fits, isSigned(d)) << name(d);
    EXPECT_EQ(Argument::scalar(d, 1.5).fits, isFloat(d)) << name(d);
  }
  EXPECT_TRUE(Argument::scalar(i8, -128).fits);
  EXPECT_FALSE(Argument::scalar(i8, -129).fits);
  EXPECT_FALSE(Argument::scalar(i8, 128).fits);
  EXPECT_TRUE(Argument::scalar(u8, 255).fits);
  EXPECT_FALSE(Argument::scalar(u8, 256).fits);
  EXPECT_FALSE(Argument::scalar(boolean, 2).fits);
  EXPECT_TRUE(Argument::scalar(i64, std::numeric_limits<int64_t>::min()).fits);
  EXPECT_FALSE(Argument::scalar(i64, std::numeric_limits<uint64_t>::max()).fits);
  EXPECT_TRUE(Argument::scalar(u64, std::numeric_limits<uint64_t>::max()).fits);
  EXPECT_TRUE(Argument::scalar(i32, -2147483648.0).fits);
  EXPECT_FALSE(Argument::scalar(i32, 2147483648.0).fits);
  EXPECT_FALSE(Argument::scalar(i64, 1e300).fits);
  EXPECT_FALSE(Argument::scalar(i64, std::numeric_limits<double>::quiet_NaN()).fits);
  EXPECT_EQ(Argument::scalar(f8e4m3, 1.0).bits, 0x38u);
  EXPECT_EQ(Argument::scalar(f8e5m2, -1e9).bits, 0xfbu);
  EXPECT_EQ(Argument::scalar(f16, 1).bits, 0x3c00u);
  EXPECT_EQ(Argument::scalar(bf16, -2.0).bits, 0xc000u);
}

} // namespace metile
