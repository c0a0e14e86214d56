// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to layouts and back, messages with their places, CuTe, pictures.

#include "Layout/Spelling.h"
#include "Layout/Grid.h"
#include "RandomLayout.h"
#include "Target/Fragments.h"

#include <gtest/gtest.h>

using namespace metile;
using namespace metile::test;

namespace {

LinearLayout read(std::string_view text) { return parseLayout(text, "test").orExit(); }
SharedLayout memory(std::string_view text, unsigned bits) {
  return parseSharedLayout(text, "test", bits).orExit();
}

TEST(Spelling, RoundTrips) {
  RandomLayouts random(51);
  for (int round = 0; round < 3000; ++round) {
    LinearLayout layout = random.layout();
    Result<LinearLayout> again = parseLayout(spell(layout), "test");
    ASSERT_TRUE(again.ok()) << spell(layout) << "\n" << again.errors().str();
    ASSERT_EQ(*again, layout);
  }
  for (std::string_view text :
       {"(offset: [1, 2, 4]) -> (col: 8)", "(offset: [1, 2, 4]) -> (col: 8) pad [4:+1]",
        "(offset: [(0,1), (1,1)]) -> (row: 2, col: 2)"})
    EXPECT_EQ(spell(memory(text, 16)), text);
  EXPECT_EQ(spell(memory("row_major(row: 2, col: 2) pad [2:+1]", 16)),
            "(offset: [(0,1), (1,0)]) -> (row: 2, col: 2) pad [2:+1]");
}

TEST(Spelling, SpaceIsFree) {
  EXPECT_EQ(read("  ( lane:[( 0 ,1),(1,0)],\n\tregister : [ ] )->(row:2,col:2)  "),
            read("(lane: [(0,1), (1,0)], register: []) -> (row: 2, col: 2)"));
  EXPECT_EQ(read("(lane: [(1)]) -> (col: 2)"), read("(lane: [1]) -> (col: 2)"));
  EXPECT_EQ(read("()->()"), LinearLayout());
}

TEST(Spelling, SaysWhatIsWrongAndWhere) {
  struct {
    std::string_view text, message;
  } rows[] = {
      {"", "t:1:1: error: found the end; a layout is written (lane: [(0,1), (1,0)]) -> (row: 2, "
           "col: 2)"},
      {"(lane: [1 2]) -> (col: 4)",
       "t:1:11: error: found '2'; ',' and a basis, or ']' stands here"},
      {"(lane: [1,]) -> (col: 4)", "t:1:11: error: found ']'; a number below 2^63 stands here"},
      {"(lane: [1, x]) -> (col: 4)", "t:1:12: error: found 'x'; a number below 2^63 stands here"},
      {"(lane: [99999999999999999999]) -> (col: 4)",
       "t:1:9: error: found '99999999999999999999'; a number below 2^63 stands here"},
      {"(lane: [1])\n -> (col: 3)",
       "t:2:6: error: dim 'col' has size 3; sizes are powers of two; the nearest are 2 and 4"},
      {"(lane: [1], lane: [2]) -> (col: 4)",
       "t:1:13: error: two dims are called 'lane'; each name once; rename one of the two"},
      {"(lane: [(0,1),\n(0,4)]) -> (row: 2, col: 4)",
       "t:2:1: error: basis (0,4) of 'lane' lies outside of 'col'; 0 to 3; make the basis "
       "smaller or 'col' larger"},
      {"(lane: [(0,1), (1)]) -> (row: 2, col: 4)",
       "t:1:16: error: basis (1) of 'lane' has length 1; one coordinate for each of the 2 "
       "out-dims"},
      {"(lane: [1, 9]) -> (col: 8)",
       "t:1:12: error: basis (9) of 'lane' lies outside of 'col'; 0 to 7; make the basis "
       "smaller or 'col' larger"},
      {"(lane: [1]) -> (col: 4) x",
       "t:1:25: error: text behind the layout: 'x'; nothing follows the out-dims"},
      {"(lane [1]) -> (col: 4)", "t:1:7: error: found '['; ':' stands here"},
      {"(: [1]) -> (col: 4)", "t:1:2: error: found ':'; the name of a dim stands here"},
      {"(4: [1]) -> (col: 4)",
       "t:1:2: error: '4' is no name of a dim; names are letters, digits and '_', a letter "
       "first"},
  };
  for (auto &[text, message] : rows) {
    Result<LinearLayout> layout = parseLayout(text, "t");
    ASSERT_FALSE(layout.ok()) << text;
    EXPECT_EQ(layout.errors().diagnostics.front().str(), message) << text;
  }
  // All bases are checked at once.
  EXPECT_EQ(parseLayout("(lane: [8, 9, 1]) -> (col: 8)", "t").errors().diagnostics.size(), 2u);
}

TEST(Spelling, SaysWhatIsWrongWithMemory) {
  struct {
    std::string_view text, message;
  } rows[] = {
      {"rowmajor(col: 4)",
       "t:1:1: error: unknown layout 'rowmajor'; a layout from offset, (offset: [...]) -> "
       "(row: 8, col: 64), or row_major, swizzle_none, swizzle_32B, swizzle_64B or "
       "swizzle_128B with a tile, row_major(row: 8, col: 64)"},
      {"  swizzle_128B(row: 8, col: 16)",
       "t:1:3: error: swizzle 128B of the tile (row: 8, col: 16); with elements of 16 bits it "
       "takes two dims, the first of at least 8, the second of at least 64; make the tile "
       "larger or the swizzle narrower"},
      {"row_major(row: 8, col: 12)",
       "t:1:19: error: dim 'col' has size 12; sizes are powers of two; the nearest are 8 and "
       "16"},
      {"row_major(col: 8) pad [8:1]", "t:1:26: error: found '1'; '+' stands here"},
      {"row_major(col: 8) pads",
       "t:1:19: error: text behind the layout: 'pads'; only padding follows, pad [64:+8]"},
      {"row_major(col: 8) pad [12:+1]",
       "t:1:19: error: padding [12:+1]; an interval that is a power of two, and from 0 to "
       "2^20 elements behind it"},
      {"(offset: [1, 1]) -> (col: 2)",
       "t:1:1: error: offset 1 and offset 2 hold the same element, col 1; only a layout that "
       "has each element in one place has an inverse; take the pseudo-inverse, or leave the "
       "replicas out first"},
      {"(lane: [1]) -> (col: 2)",
       "t:1:1: error: a layout from (lane: 2); memory has the one in-dim offset"},
  };
  for (auto &[text, message] : rows) {
    Result<SharedLayout> layout = parseSharedLayout(text, "t", 16);
    ASSERT_FALSE(layout.ok()) << text;
    EXPECT_EQ(layout.errors().diagnostics.front().str(), message) << text;
  }
}

TEST(Spelling, SurvivesRandomText) {
  RandomLayouts random(52);
  const std::string valid = "(offset: [(0,1), (1,0)]) -> (row: 2, col: 2) pad [2:+1]";
  const std::string corpus =
      valid + "row_major(lane: 8)swizzle_64B(col:-1,\n9999999999999999999_\"\xff";
  auto cut = [&] {
    unsigned size = static_cast<unsigned>(corpus.size());
    return corpus.substr(random.below(size), 1 + random.below(8));
  };
  int good = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    if (round % 2) {
      for (unsigned i = random.below(20); i; --i)
        text += cut();
    } else {
      text = valid;
      for (unsigned i = random.below(4); i; --i)
        text.replace(random.below(static_cast<unsigned>(text.size())), random.below(3), cut());
    }
    good += parseLayout(text, "t").ok() + parseSharedLayout(text, "t", 16).ok();
  }
  EXPECT_GT(good, 10);
}

/// Evaluates "(2,4):(1,8)" for the index of each mode; a plain reading of CuTe's rules.
int64_t strided(const std::vector<std::vector<std::pair<int64_t, int64_t>>> &modes,
                std::vector<int64_t> indices) {
  int64_t sum = 0;
  for (size_t i = 0; i < modes.size(); ++i)
    for (auto [shape, stride] : modes[i]) {
      sum += indices[i] % shape * stride;
      indices[i] /= shape;
    }
  return sum;
}

TEST(Cute, SpellsWhatItCan) {
  EXPECT_EQ(spellCute(findFragment("simdgroup_matrix.8x8")->layout),
            "((2,4,2,2),2):((16,1,32,4),8)");
  EXPECT_EQ(spellCute(read("(lane: [(0,2), (1,0), (2,0)], register: [(0,1)]) -> (row: 4, col: 4)")),
            "((2,4),2):((8,1),4)");
  EXPECT_EQ(spellCute(read("(lane: [1, 2, 0, 0]) -> (col: 4)")), "(4,4):(1,0)");
  EXPECT_EQ(spellCute(read("(lane: [], register: [1]) -> (col: 2)")), "(1,2):(0,1)");
  EXPECT_EQ(spellCute(LinearLayout()), "():()");
  // Bases that are neither disjoint nor swizzled.
  EXPECT_FALSE(spellCute(read("(lane: [1, 3, 7]) -> (col: 8)")));
  EXPECT_FALSE(spellCute(read("(lane: [1], register: [1]) -> (col: 2)")));

  EXPECT_EQ(spellCute(memory("row_major(row: 8, col: 64)", 16)), "(8,64):(64,1)");
  EXPECT_EQ(spellCute(memory("row_major(row: 4, col: 4) pad [4:+1]", 16)), "(4,4):(5,1)");
  EXPECT_EQ(spellCute(memory("row_major(row: 8, col: 64) pad [64:+8]", 16)), "(8,64):(72,1)");
  EXPECT_EQ(spellCute(memory("(offset: [(0,1), (0,2), (1,1), (2,2)]) -> (row: 4, col: 4)", 16)),
            "Swizzle<2,0,2> o (4,4):(4,1)");
  // In bytes these are Swizzle<3,4,3>, <2,4,3> and <1,4,3>.
  EXPECT_EQ(spellCute(memory("swizzle_128B(row: 8, col: 128)", 8)),
            "Swizzle<3,4,3> o (8,128):(128,1)");
  EXPECT_EQ(spellCute(memory("swizzle_64B(row: 8, col: 64)", 8)), "Swizzle<2,4,3> o (8,64):(64,1)");
  EXPECT_EQ(spellCute(memory("swizzle_32B(row: 8, col: 32)", 8)), "Swizzle<1,4,3> o (8,32):(32,1)");
  EXPECT_EQ(spellCute(memory("swizzle_128B(row: 8, col: 64)", 16)),
            "Swizzle<3,3,3> o (8,64):(64,1)");
  EXPECT_FALSE(spellCute(memory("(offset: [(0,1), (0,2), (1,1), (2,2)]) -> (row: 4, col: 4)"
                                " pad [4:+1]",
                                16)));
}

TEST(Cute, MeansTheSame) {
  const LinearLayout &layout = findFragment("simdgroup_matrix.8x8")->layout;
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 2; ++reg) {
      std::vector<int64_t> element = layout.at({lane, reg});
      EXPECT_EQ(strided({{{2, 16}, {4, 1}, {2, 32}, {2, 4}}, {{2, 8}}}, {lane, reg}),
                element[0] + 8 * element[1]);
    }
  SharedLayout padded = memory("row_major(row: 8, col: 64) pad [64:+8]", 16);
  SharedLayout swizzled = memory("swizzle_128B(row: 8, col: 64)", 16);
  for (int64_t row = 0; row < 8; ++row)
    for (int64_t col = 0; col < 64; ++col) {
      EXPECT_EQ(padded.offsetOf({row, col}), strided({{{8, 72}}, {{64, 1}}}, {row, col}));
      int64_t plain = strided({{{8, 64}}, {{64, 1}}}, {row, col});
      EXPECT_EQ(swizzled.offsetOf({row, col}), plain ^ (plain >> 6 & 7) << 3);
    }
}

TEST(Grid, DrawsTiles) {
  EXPECT_EQ(drawGrid(read("(lane: [(0,2), (1,0), (2,0)], register: [(0,1)]) -> (row: 4, col: 4)")),
            "lane:register of each element\n"
            "     col\n"
            "row    0    1    2    3\n"
            "  0  0:0  0:1  1:0  1:1\n"
            "  1  2:0  2:1  3:0  3:1\n"
            "  2  4:0  4:1  5:0  5:1\n"
            "  3  6:0  6:1  7:0  7:1\n");
  EXPECT_EQ(drawGrid(memory("(offset: [(0,1), (1,1)]) -> (row: 2, col: 2) pad [2:+1]", 16)),
            "offset of each element\n"
            "   col\n"
            "row  0  1\n"
            "  0  0  1\n"
            "  1  4  3\n");
}

TEST(Grid, ShowsReplicasAndHoles) {
  EXPECT_EQ(
      drawGrid(read("(lane: [2, 0], register: []) -> (col: 4)")),
      "lane of each element, which is in 2 places; the first of them is shown; '.': in no place\n"
      "col\n"
      "  0  1  2  3\n"
      "  0  .  1  .\n");
  EXPECT_EQ(drawGrid(LinearLayout()), "the only place of each element\n  0\n  0\n");
}

TEST(Grid, IsCut) {
  EXPECT_EQ(drawGrid(LinearLayout::identity("lane", "row", 4) *
                         LinearLayout::identity("register", "col", 4),
                     {2, 2}),
            "lane:register of each element\n"
            "     col\n"
            "row    0    1\n"
            "  0  0:0  0:1\n"
            "  1  1:0  1:1\n"
            "shown: 2 of 4 rows, 2 of 4 columns\n");
}

TEST(Grid, RunsFurtherDimsDownwards) {
  LinearLayout layout = LinearLayout::identity("lane", "batch", 2) *
                        LinearLayout::identity("lane", "row", 2) *
                        LinearLayout::identity("lane", "col", 2);
  EXPECT_EQ(drawGrid(layout), "lane of each element\n"
                              "         col\n"
                              "batch:row  0  1\n"
                              "      0:0  0  1\n"
                              "      0:1  2  3\n"
                              "      1:0  4  5\n"
                              "      1:1  6  7\n");
}

} // namespace
