// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions against a search through all places.

#include "Layout/Conversion.h"
#include "RandomLayout.h"

#include "Layout/Spelling.h"
#include "Target/Fragments.h"

#include <gtest/gtest.h>

using namespace metile;
using namespace metile::test;

namespace {

LinearLayout read(std::string_view text) { return parseLayout(text, "test").orExit(); }

/// How many in-dims, from the last on, values have to cross, found place by place; -1: an element
/// is missing.
int depthBySearch(const LinearLayout &from, const LinearLayout &to) {
  int rank = static_cast<int>(from.ins().rank()), worst = 0;
  for (uint64_t place = 0; place < static_cast<uint64_t>(to.ins().size()); ++place) {
    std::vector<int64_t> here = to.ins().coordinates(place);
    int best = rank + 1;
    for (uint64_t source = 0; source < static_cast<uint64_t>(from.ins().size()); ++source) {
      if (from.outs().coordinates(from(source)) != to.outs().coordinates(to(place)))
        continue;
      std::vector<int64_t> there = from.ins().coordinates(source);
      int differing = 0;
      for (int i = 0; i < rank && !differing; ++i) {
        // A register that only the new layout has is a copy of the one without its high bits.
        int64_t size = from.ins()[static_cast<size_t>(i)].size();
        if (there[static_cast<size_t>(i)] != here[static_cast<size_t>(i)] % size)
          differing = rank - i;
      }
      best = std::min(best, differing);
    }
    if (best > rank)
      return -1;
    worst = std::max(worst, best);
  }
  return worst;
}

TEST(Conversion, CrossesAsFewDimsAsPossible) {
  RandomLayouts random(21);
  std::map<int, int> seen;
  for (int round = 0; round < 6000; ++round) {
    LayoutSpace outs{{"row", 2}, {"col", 4}};
    LayoutSpace ins{{"simdgroup", 2}, {"lane", 4}, {"register", int64_t(1) << random.below(3)}};
    LayoutSpace newIns = ins;
    if (random.below(4) == 0)
      newIns.setBits(2, random.below(3));
    LinearLayout from = random.layout(ins, outs), to = random.layout(newIns, outs);
    if (random.below(3)) { // Better odds: a change of few bases.
      to = from.resizeIn("register", newIns[2].size());
      BitMatrix matrix = to.matrix();
      for (unsigned changes = random.below(3), width = matrix.width(); changes; --changes)
        matrix[random.below(width)] ^= matrix[random.below(width)];
      to = LinearLayout(newIns, outs, matrix);
    }
    int depth = depthBySearch(from, to);
    Result<Conversion> conversion = convert(from, to);
    ASSERT_EQ(conversion.ok(), depth >= 0);
    ++seen[depth];
    if (depth < 0)
      continue;
    ASSERT_EQ(conversion->crosses, depth ? ins[3 - static_cast<size_t>(depth)].name : "")
        << spell(from) << "\n"
        << spell(to);
    for (uint64_t place = 0; place < static_cast<uint64_t>(newIns.size()); ++place) {
      uint64_t source = conversion->source(place);
      ASSERT_EQ(from(source), to(place));
      for (size_t i = 0; i + static_cast<size_t>(depth) < 3; ++i)
        ASSERT_EQ(ins.coordinates(source)[i], newIns.coordinates(place)[i] % ins[i].size());
    }
  }
  for (int depth = -1; depth <= 3; ++depth)
    EXPECT_GT(seen[depth], 50) << depth;
}

TEST(Conversion, OfKnownLayouts) {
  // The accumulator of one product is the A operand of the next: nothing moves but the names of
  // registers.
  LinearLayout pair =
      LinearLayout::identity("register", "col", 2) * findFragment("mma.m16n8.c")->layout;
  LinearLayout operand = findFragment("mma.m16n8k16.a")->layout;
  EXPECT_EQ(convert(pair, operand)->crosses, "");
  EXPECT_EQ(convert(findFragment("wgmma.m64n16.d")->layout, findFragment("wgmma.m64k16.a")->layout)
                ->crosses,
            "");
  LinearLayout swapped = read("(lane: [(0,2), (0,4), (1,0), (2,0), (4,0)],"
                              " register: [(0,1), (0,8), (8,0)]) -> (row: 16, col: 16)");
  EXPECT_EQ(convert(operand, swapped)->crosses, "register");
  // Rows to quads: within the simdgroup.
  LinearLayout rows = read("(lane: [(0,8), (1,0), (2,0), (4,0), (8,0)],"
                           " register: [(0,1), (0,2), (0,4)]) -> (row: 16, col: 16)");
  Result<Conversion> exchange = convert(rows, operand);
  EXPECT_EQ(exchange->crosses, "lane");
  EXPECT_EQ(*exchange->source.then(rows), operand);
  LinearLayout halves = LinearLayout::identity("simdgroup", "row", 2) * rows;
  LinearLayout sides = LinearLayout::identity("simdgroup", "col", 2) * rows;
  LinearLayout tall = read("(simdgroup: [(8,0)], lane: [(0,8), (1,0), (2,0), (4,0), (16,0)],"
                           " register: [(0,1), (0,2), (0,4)]) -> (row: 32, col: 16)");
  EXPECT_EQ(convert(halves, tall)->crosses, "simdgroup");
  EXPECT_FALSE(convert(halves, sides).ok());
}

TEST(Conversion, RefusesWhatCannotBe) {
  LinearLayout layout = read("(lane: [1, 2], register: [4]) -> (col: 8)");
  auto refusal = [&](std::string_view text) {
    return convert(layout, read(text)).errors().diagnostics.front().found;
  };
  EXPECT_EQ(refusal("(lane: [1], register: [4]) -> (col: 8)"),
            "the layouts have the places (lane: 4, register: 2) and (lane: 2, register: 2)");
  EXPECT_EQ(refusal("(lane: [1, 2], register: [8]) -> (col: 16)"),
            "the layouts have the elements (col: 8) and (col: 16)");
  LinearLayout half = read("(lane: [1, 2], register: [0]) -> (col: 8)");
  EXPECT_EQ(
      convert(half, layout).errors().diagnostics.front().found,
      "no place of the first layout holds col 4, which lane 0, register 1 of the second needs");
}

} // namespace
