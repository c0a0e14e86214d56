// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination against enumeration of all vectors.

#include "Layout/BitMatrix.h"

#include <gtest/gtest.h>

#include <random>

using namespace metile;

namespace {

TEST(BitMatrix, Multiplies) {
  BitMatrix a({0b01, 0b11, 0b10}), b({0b101, 0b110});
  EXPECT_EQ(a(0b000), 0u);
  EXPECT_EQ(a(0b101), 0b11u);
  EXPECT_EQ(a * b, BitMatrix({0b11, 0b01}));
  EXPECT_EQ(b ^ b, BitMatrix(2));
  EXPECT_TRUE(b.fits(3));
  EXPECT_FALSE(b.fits(2));
}

TEST(Elimination, AgreesWithEnumeration) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    unsigned width = random() % 7, rows = random() % 7;
    BitMatrix matrix(width);
    for (unsigned i = 0; i < width; ++i)
      matrix[i] = random() & random() & ((1u << rows) - 1);
    Elimination elimination(matrix);

    std::vector<bool> isImage(1u << rows);
    uint64_t zeros = 0;
    for (uint64_t x = 0; x < 1u << width; ++x) {
      isImage[matrix(x)] = true;
      zeros += matrix(x) == 0;
    }
    uint64_t images = 0;
    for (bool image : isImage)
      images += image;
    ASSERT_EQ(images, uint64_t(1) << elimination.rank());
    ASSERT_EQ(zeros, uint64_t(1) << elimination.kernel().size());
    uint64_t highest = 0;
    for (uint64_t vector : elimination.kernel()) {
      ASSERT_EQ(matrix(vector), 0u);
      ASSERT_EQ(highest & std::bit_floor(vector), 0u);
      highest |= std::bit_floor(vector);
    }
    ASSERT_EQ(highest, elimination.dependentColumns());

    BitMatrix solutions = elimination.solutions(rows);
    for (uint64_t y = 0; y < 1u << rows; ++y) {
      // The best x by enumeration: the smallest rest, then the smallest x.
      uint64_t best = 0;
      for (uint64_t x = 1; x < 1u << width; ++x)
        if ((matrix(x) ^ y) < (matrix(best) ^ y))
          best = x;
      auto [x, remainder] = elimination.solve(y);
      ASSERT_EQ(x, best);
      ASSERT_EQ(remainder, matrix(best) ^ y);
      ASSERT_EQ(solutions(y), best);
      ASSERT_EQ(elimination.inImage(y), isImage[y]);
    }
  }
}

TEST(Elimination, UsesAllComponents) {
  BitMatrix matrix({uint64_t(1) << 63, uint64_t(3) << 62, uint64_t(1) << 62});
  Elimination elimination(matrix);
  EXPECT_EQ(elimination.rank(), 2u);
  EXPECT_EQ(elimination.kernel(), std::vector<uint64_t>{0b111});
  EXPECT_EQ(elimination.solve(uint64_t(1) << 62).x, 0b11u);
}

} // namespace
