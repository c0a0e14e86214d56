// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every example and claim of the essay in LinearLayout.h, by its sections.

#include "Layout/LinearLayout.h"
#include "Layout/Spelling.h"

#include <gtest/gtest.h>

using namespace metile;

namespace {

LinearLayout read(std::string_view text) { return parseLayout(text, "essay").orExit(); }

LinearLayout fragment() {
  return read("(lane: [(0,2), (1,0), (2,0)], register: [(0,1)]) -> (row: 4, col: 4)");
}
LinearLayout swizzled() {
  return read("(offset: [(0,1), (0,2), (1,1), (2,2)]) -> (row: 4, col: 4)");
}

TEST(Essay, 1_FourVectorsDescribeATile) {
  LinearLayout layout = fragment();
  for (int64_t lane = 0; lane < 8; ++lane)
    for (int64_t reg = 0; reg < 2; ++reg)
      EXPECT_EQ(layout.at({lane, reg}), (std::vector<int64_t>{lane / 2, lane % 2 * 2 + reg}));
  EXPECT_EQ(layout.at({5, 0}), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(layout.at({5, 1}), (std::vector<int64_t>{2, 3}));
}

TEST(Essay, 2_XorSwizzles) {
  const int64_t offsets[4][4] = {{0, 1, 2, 3}, {5, 4, 7, 6}, {10, 11, 8, 9}, {15, 14, 13, 12}};
  LinearLayout layout = swizzled();
  EXPECT_TRUE(layout.isBijective());
  for (int64_t i = 0; i < 4; ++i) {
    int rowBanks = 0, colBanks = 0;
    for (int64_t j = 0; j < 4; ++j) {
      EXPECT_EQ(layout.at({offsets[i][j]}), (std::vector<int64_t>{i, j}));
      rowBanks |= 1 << offsets[i][j] % 4;
      colBanks |= 1 << offsets[j][i] % 4;
    }
    EXPECT_EQ(rowBanks, 15);
    EXPECT_EQ(colBanks, 15);
  }
}

TEST(Essay, 3_AMatrixOf16Columns) {
  LinearLayout layout =
      LinearLayout::identity("register", "row", 256) * LinearLayout::identity("lane", "col", 256);
  EXPECT_EQ(layout.matrix().width(), 16u);
  EXPECT_TRUE(layout.inverse().ok());
}

TEST(Essay, 4_ZeroBasesAndSkewRepeat) {
  LinearLayout repeated = read("(lane: [(0,1), (0,2), (0,0)]) -> (row: 1, col: 4)");
  for (int64_t lane = 0; lane < 8; ++lane)
    EXPECT_EQ(repeated.at({lane}), (std::vector<int64_t>{0, lane % 4}));
  EXPECT_EQ(repeated.freeBits(), 0b100u);
  EXPECT_EQ(repeated.withoutReplicas(), read("(lane: [(0,1), (0,2)]) -> (row: 1, col: 4)"));

  LinearLayout skewed = read("(lane: [(0,1)], register: [(0,1)]) -> (row: 1, col: 2)");
  EXPECT_EQ(skewed.at({0, 1}), skewed.at({1, 0}));
  EXPECT_EQ(skewed.freeBits(), 0b10u);
}

TEST(Essay, 5_Then) {
  LinearLayout touched = *fragment().then(*swizzled().inverse());
  EXPECT_EQ(touched, read("(lane: [2, 5, 10], register: [1]) -> (offset: 16)"));
  EXPECT_EQ(touched.at({2, 0}), std::vector<int64_t>{5});
  EXPECT_EQ(touched.at({2, 1}), std::vector<int64_t>{4});
  EXPECT_TRUE(touched.contiguousBits("register", "offset").empty());
  // A swizzle that leaves the lowest bit alone serves pairs.
  LinearLayout pairs = read("(offset: [(0,1), (0,2), (1,2), (2,0)]) -> (row: 4, col: 4)");
  EXPECT_EQ(fragment().then(*pairs.inverse())->contiguousBits("register", "offset"),
            std::vector<unsigned>{0});
}

TEST(Essay, 6_Times) {
  LinearLayout twice = LinearLayout::identity("register", "row", 2) * fragment();
  EXPECT_EQ(twice,
            read("(lane: [(0,2), (1,0), (2,0)], register: [(0,1), (4,0)]) -> (row: 8, col: 4)"));
  EXPECT_TRUE(
      twice.dividedByInner(fragment())->isSameMap(LinearLayout::identity("register", "row", 2)));
  EXPECT_TRUE(
      twice.dividedByOuter(LinearLayout::identity("register", "row", 2))->isSameMap(fragment()));
}

TEST(Essay, 7_NamesAndOrder) {
  LinearLayout turned = fragment().transposeOuts({"col", "row"});
  EXPECT_TRUE(
      turned.then(*swizzled().inverse())->isSameMap(*fragment().then(*swizzled().inverse())));
  EXPECT_TRUE(turned.isSameMap(fragment()));
  EXPECT_FALSE(turned == fragment());
  // Place 5 is lane 2, register 1; element 5 is row 1, col 1, and the other way round col 1, row 1.
  EXPECT_EQ(fragment()(5), 5u);
  EXPECT_EQ(turned(6), 0b1001u);
}

TEST(Essay, 8_ChangingPlaces) {
  LinearLayout b = read("(lane: [(1,0), (2,0), (0,2)], register: [(0,1)]) -> (row: 4, col: 4)");
  std::optional<LinearLayout> source = b.lift(fragment());
  ASSERT_TRUE(source);
  EXPECT_EQ(*source->then(fragment()), b);
  // Lane 1 of b holds row 1, columns 0 and 1, which lane 2 of the fragment holds.
  EXPECT_EQ(source->at({1, 1}), (std::vector<int64_t>{2, 1}));
}

TEST(Essay, 9_PseudoInverses) {
  EXPECT_EQ(swizzled().pseudoInverse(), *swizzled().inverse());
  LinearLayout repeated = read("(lane: [(0,1), (0,2), (0,0)]) -> (row: 1, col: 4)");
  EXPECT_EQ(repeated.pseudoInverse().at({0, 3}), std::vector<int64_t>{3});
  LinearLayout even = read("(lane: [2, 4]) -> (col: 8)");
  EXPECT_EQ(even.pseudoInverse().at({5}), even.pseudoInverse().at({4}));
}

/// Whether `f` of 4x4 points respects XOR.
template <class F> bool isLinear(F f) {
  for (int64_t x = 0; x < 16; ++x)
    for (int64_t y = 0; y < 16; ++y)
      if (f(x ^ y) != (f(x) ^ f(y)))
        return false;
  return true;
}

TEST(Essay, 10_WhatIsNotLinear) {
  EXPECT_FALSE(LayoutSpace::create(std::vector<SizedDim>{{"col", 96}}).ok());
  EXPECT_TRUE(isLinear([](int64_t x) { return swizzled()(static_cast<uint64_t>(x)); }));
  EXPECT_FALSE(isLinear([](int64_t x) { return x / 4 * 5 + x % 4; }));
  EXPECT_FALSE(isLinear([](int64_t x) { return x + 1; }));
  auto rotated = [](int64_t x) { return x / 4 * 4 + (x % 4 + x / 4) % 4; };
  EXPECT_EQ(rotated(4), 5);
  EXPECT_EQ(rotated(1), 1);
  EXPECT_EQ(rotated(5), 6);
  EXPECT_FALSE(isLinear(rotated));
}

} // namespace
