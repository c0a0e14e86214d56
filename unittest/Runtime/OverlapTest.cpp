// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Overlap.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace metile {
namespace {

/// Every byte of a small view, by enumeration.
std::set<uintptr_t> bytesOf(const Argument &view) {
  std::set<uintptr_t> bytes;
  std::vector<int64_t> index(view.rank, 0);
  for (uint32_t axis = 0; axis < view.rank; ++axis)
    if (view.sizes[axis] == 0)
      return bytes;
  for (;;) {
    int64_t offset = 0;
    for (uint32_t axis = 0; axis < view.rank; ++axis)
      offset += index[axis] * view.strides[axis];
    for (unsigned byte = 0; byte < byteSize(view.dtype); ++byte)
      bytes.insert(reinterpret_cast<uintptr_t>(view.data) +
                   static_cast<uintptr_t>(offset * byteSize(view.dtype) + byte));
    uint32_t axis = 0;
    while (axis < view.rank && ++index[axis] == view.sizes[axis])
      index[axis++] = 0;
    if (axis == view.rank)
      return bytes;
  }
}

Argument at(uintptr_t address, DType dtype, std::initializer_list<int64_t> sizes,
            std::initializer_list<int64_t> strides) {
  return Argument::view(reinterpret_cast<void *>(address), dtype, sizes, strides);
}

} // namespace

TEST(Overlap, ExtentIsThatOfTheElements) {
  std::mt19937 random(11);
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 2000; ++trial) {
    Argument view = at(1 << 20, pick(0, 1) ? f32 : i8, {pick(0, 4), pick(1, 4), pick(1, 3)},
                       {pick(-20, 20), pick(-20, 20), pick(-20, 20)});
    int64_t low, high;
    ASSERT_TRUE(byteExtent(view, low, high));
    std::set<uintptr_t> bytes = bytesOf(view);
    if (bytes.empty()) {
      EXPECT_EQ(low, high);
      continue;
    }
    EXPECT_EQ((1 << 20) + low, static_cast<int64_t>(*bytes.begin()));
    EXPECT_EQ((1 << 20) + high - 1, static_cast<int64_t>(*bytes.rbegin()));
  }
}

TEST(Overlap, NeverCallsMeetingViewsApart) {
  std::mt19937 random(5);
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int apart = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    int64_t row = pick(1, 12);
    auto make = [&] {
      return at(static_cast<uintptr_t>(4096 + pick(0, 24)), pick(0, 1) ? i8 : i16,
                {pick(1, 4), pick(1, 4)}, {pick(0, 1) ? row : pick(-12, 12), pick(-3, 3)});
    };
    Argument a = make(), b = make();
    if (mayShareBytes(a, b))
      continue;
    ++apart;
    std::set<uintptr_t> bytes = bytesOf(a);
    for (uintptr_t byte : bytesOf(b))
      ASSERT_FALSE(bytes.count(byte)) << trial;
  }
  EXPECT_GT(apart, 100);
}

TEST(Overlap, ColumnsOfOneMatrixAreApart) {
  // Columns [0, 8) and [8, 16) of a matrix whose rows are 16 elements apart.
  Argument left = at(4096, f32, {100, 8}, {16, 1});
  Argument right = at(4096 + 8 * 4, f32, {100, 8}, {16, 1});
  Argument wide = at(4096 + 7 * 4, f32, {100, 8}, {16, 1});
  EXPECT_FALSE(mayShareBytes(left, right));
  EXPECT_FALSE(mayShareBytes(right, left));
  EXPECT_TRUE(mayShareBytes(left, wide));
  // Even and odd elements.
  EXPECT_FALSE(mayShareBytes(at(4096, f32, {50}, {2}), at(4100, f32, {50}, {2})));
  EXPECT_TRUE(mayShareBytes(at(4096, f32, {50}, {2}), at(4102, f32, {50}, {2})));
}

TEST(Overlap, DistancesThatDoNotFitAreNoticed) {
  int64_t low, high;
  EXPECT_FALSE(byteExtent(at(4096, f32, {int64_t(1) << 40}, {int64_t(1) << 40}), low, high));
  EXPECT_FALSE(byteExtent(at(4096, f64, {int64_t(1) << 61}, {1}), low, high));
  EXPECT_FALSE(byteExtent(at(4096, i8, {int64_t(1) << 32, int64_t(1) << 32}, {0, 0}), low, high));
  EXPECT_TRUE(byteExtent(at(4096, i8, {int64_t(1) << 40}, {1}), low, high));
}

} // namespace metile
