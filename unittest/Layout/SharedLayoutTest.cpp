// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threadgroup memory: addresses, the hardware's swizzles and the width of accesses, by enumeration.

#include "Layout/SharedLayout.h"
#include "RandomLayout.h"

#include "Layout/Spelling.h"

#include <gtest/gtest.h>

#include <set>

using namespace metile;
using namespace metile::test;

namespace {

constexpr Swizzle allSwizzles[] = {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128};

SharedLayout read(std::string_view text, unsigned bits) {
  return parseSharedLayout(text, "test", bits).orExit();
}

TEST(SharedLayout, RowMajorAddresses) {
  SharedLayout plain = SharedLayout::rowMajor({{"row", 8}, {"col", 64}}, 16).orExit();
  SharedLayout padded = SharedLayout::rowMajor({{"row", 8}, {"col", 64}}, 16, {64, 8}).orExit();
  for (int64_t row = 0; row < 8; ++row)
    for (int64_t col = 0; col < 64; ++col) {
      EXPECT_EQ(plain.offsetOf({row, col}), row * 64 + col);
      EXPECT_EQ(padded.offsetOf({row, col}), row * 72 + col);
    }
  EXPECT_EQ(plain.bytes(), 1024);
  EXPECT_EQ(padded.bytes(), 1152);
}

TEST(SharedLayout, CountsBytesOfPaddedTiles) {
  // One element behind each of 64 rows of 16, and of 16 rows of 64.
  EXPECT_EQ(read("row_major(row: 64, col: 16) pad [16:+1]", 16).bytes(), 2176);
  EXPECT_EQ(read("row_major(row: 16, col: 64) pad [64:+1]", 16).bytes(), 2080);
  EXPECT_EQ(read("row_major(row: 16, col: 64) pad [64:+1]", 32).bytes(), 4160);
  EXPECT_EQ(read("row_major(col: 2)", 4).bytes(), 1);
  EXPECT_EQ(read("row_major()", 4).bytes(), 1);
  EXPECT_EQ(read("row_major(col: 8) pad [64:+1]", 8).bytes(), 9);
}

/// The documented rule on byte addresses: 16-byte chunks XORed with the row in an atom of 8 rows.
int64_t swizzledByte(Swizzle swizzle, int64_t row, int64_t byteInStrip) {
  int64_t span = spanBytes(swizzle), address = row * span + byteInStrip;
  int64_t chunks = span / 16;
  return address ^ ((address >> 7) % chunks << 4);
}

TEST(SharedLayout, HardwareSwizzles) {
  EXPECT_EQ(spell(read("swizzle_128B(row: 8, col: 64)", 16)),
            "(offset: [(0,1), (0,2), (0,4), (0,8), (0,16), (0,32), (1,8), (2,16), (4,32)])"
            " -> (row: 8, col: 64)");
  const int64_t alignments[] = {128, 256, 512, 1024};
  for (unsigned bits : {4u, 8u, 16u, 32u, 64u, 128u})
    for (Swizzle swizzle : allSwizzles) {
      int64_t span = spanBytes(swizzle) * 8 / bits, rows = 16, columns = 4 * span;
      SharedLayout layout =
          SharedLayout::hardware(swizzle, {{"row", rows}, {"col", columns}}, bits).orExit();
      EXPECT_EQ(layout.alignment(), alignments[static_cast<int>(swizzle)]);
      EXPECT_EQ(layout.hardwareSwizzle(), swizzle);
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t col = 0; col < columns; ++col) {
          int64_t strip = col / span, bit = col % span * bits;
          int64_t byte = strip * rows * spanBytes(swizzle) + swizzledByte(swizzle, row, bit / 8);
          ASSERT_EQ(layout.offsetOf({row, col}) * bits, byte * 8 + bit % 8)
              << name(swizzle) << " " << bits << " bits, row " << row << ", col " << col;
        }
    }
}

TEST(SharedLayout, RecognisesSwizzles) {
  LayoutSpace tile{{"k", 64}, {"n", 128}};
  SharedLayout layout = SharedLayout::hardware(Swizzle::b128, tile, 16).orExit();
  EXPECT_EQ(layout.hardwareSwizzle(), Swizzle::b128);
  // With the dims named in the other order, so that the first is contiguous.
  SharedLayout turned =
      SharedLayout::create(layout.elements().transposeOuts({"n", "k"}), 16, {}, 1024).orExit();
  EXPECT_EQ(turned.hardwareSwizzle(), Swizzle::b128);
  // Not enough alignment, other elements, padding, another order.
  EXPECT_FALSE(SharedLayout::create(layout.elements(), 16, {}, 512)->hardwareSwizzle());
  EXPECT_FALSE(SharedLayout::create(layout.elements(), 32, {}, 1024)->hardwareSwizzle());
  EXPECT_FALSE(SharedLayout::create(layout.elements(), 16, {64, 8}, 1024)->hardwareSwizzle());
  EXPECT_FALSE(SharedLayout::rowMajor(tile, 16, {}, 1024)->hardwareSwizzle());
}

TEST(SharedLayout, RefusesWhatCannotBe) {
  auto refusal = [](const Result<SharedLayout> &layout) {
    return layout ? "" : layout.errors().diagnostics.front().text();
  };
  LayoutSpace tile{{"row", 8}, {"col", 32}};
  EXPECT_EQ(
      refusal(SharedLayout::hardware(Swizzle::b128, tile, 16)),
      "swizzle 128B of the tile (row: 8, col: 32); with elements of 16 bits it takes two dims, "
      "the first of at least 8, the second of at least 64; make the tile larger or the swizzle "
      "narrower");
  EXPECT_EQ(refusal(SharedLayout::hardware(Swizzle::b64, tile, 16)), "");
  EXPECT_NE(refusal(SharedLayout::hardware(Swizzle::b64, {{"row", 4}, {"col", 64}}, 16)), "");
  EXPECT_NE(refusal(SharedLayout::hardware(Swizzle::none, {{"col", 64}}, 16)), "");
  for (unsigned bits : {0u, 1u, 2u, 12u, 24u, 256u}) {
    EXPECT_NE(refusal(SharedLayout::rowMajor(tile, bits)), "");
    EXPECT_NE(refusal(SharedLayout::hardware(Swizzle::none, tile, bits)), "");
  }
  EXPECT_NE(refusal(SharedLayout::rowMajor(tile, 16, {12, 1})).find("padding [12:+1]"),
            std::string::npos);
  EXPECT_NE(refusal(SharedLayout::rowMajor(tile, 16, {16, -1})), "");
  EXPECT_NE(refusal(SharedLayout::rowMajor(tile, 16, {}, 48)), "");
  EXPECT_NE(refusal(SharedLayout::create(LinearLayout::identity("lane", "col", 8), 16)), "");
  EXPECT_NE(refusal(SharedLayout::create(LinearLayout::strided("offset", "col", 4, 2), 16)), "");
  EXPECT_NE(refusal(SharedLayout::create(LinearLayout(), 16)), "");
}

TEST(SharedLayout, AccessesAreAsWideAsTheyCanBe) {
  RandomLayouts random(31);
  std::map<size_t, int> seen;
  for (int round = 0; round < 2000; ++round) {
    LayoutSpace tile{{"row", 4}, {"col", 16}}, ins{{"lane", 4}, {"register", 16}};
    // Mostly permutations of bits, which have wide accesses.
    std::vector<uint64_t> bits = {1, 2, 4, 8, 16, 32};
    auto mix = [&](unsigned swaps) {
      while (swaps--)
        std::swap(bits[random.below(6)], bits[random.below(6)]);
      if (random.below(3) == 0)
        bits[random.below(6)] = random.below(64);
      return BitMatrix(bits);
    };
    LinearLayout registers(ins, tile, mix(2));
    bits = {1, 2, 4, 8, 16, 32};
    LinearLayout elements({{"offset", 64}}, tile, mix(2));
    Padding padding{int64_t(1) << random.below(6), random.below(3) * 4};
    int64_t alignment = 8 << random.below(2);
    Result<SharedLayout> shared = SharedLayout::create(elements, 16, padding, alignment);
    if (!shared)
      continue;
    std::vector<unsigned> access = shared->accessBits(registers, 16);
    ++seen[access.size()];
    // An access of any number of bits is right if it is consecutive and aligned at every place.
    auto isRight = [&](const std::vector<unsigned> &chosen) {
      int64_t mask = 0, count = int64_t(1) << chosen.size();
      for (unsigned b : chosen)
        mask |= int64_t(1) << b;
      if (count * 2 > std::min<int64_t>(16, alignment))
        return false;
      for (int64_t lane = 0; lane < 4; ++lane)
        for (int64_t reg = 0; reg < 16; ++reg) {
          if (reg & mask)
            continue;
          int64_t start = shared->offsetOf(registers.at({lane, reg}));
          if (start % count)
            return false;
          for (int64_t i = 0; i < count; ++i) {
            int64_t member = reg;
            for (size_t k = 0; k < chosen.size(); ++k)
              member |= (i >> k & 1) << chosen[k];
            if (shared->offsetOf(registers.at({lane, member})) != start + i)
              return false;
          }
        }
      return true;
    };
    ASSERT_TRUE(access.empty() || isRight(access));
    for (unsigned next = 0; next < 4; ++next) {
      std::vector<unsigned> longer = access;
      longer.push_back(next);
      ASSERT_TRUE(std::find(access.begin(), access.end(), next) != access.end() || !isRight(longer))
          << spell(registers) << "\n"
          << spell(*shared);
    }
  }
  for (size_t width = 0; width <= 3; ++width)
    EXPECT_GT(seen[width], 20) << width;
}

} // namespace
