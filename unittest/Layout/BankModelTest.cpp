// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bank conflicts: known values, counting against a plain simulation, and the search for layouts
// without conflicts.

#include "Layout/BankModel.h"
#include "Layout/ConflictFree.h"
#include "RandomLayout.h"

#include "Layout/Spelling.h"
#include "Target/Fragments.h"

#include <gtest/gtest.h>

#include <set>

using namespace metile;
using namespace metile::test;

namespace {

/// 32 banks of 4 bytes, 128 bytes a phase: documented for one maker, a model for the other.
constexpr BankModel banks32{32, 4, 128};

LinearLayout read(std::string_view text) { return parseLayout(text, "test").orExit(); }
SharedLayout memory(std::string_view text, unsigned bits) {
  return parseSharedLayout(text, "test", bits).orExit();
}

/// The fragment `name` as the corner of a wider tile.
LinearLayout corner(std::string_view name, const LayoutSpace &tile) {
  const LinearLayout &fragment = findFragment(name)->layout;
  return {fragment.ins(), tile, linkByName(fragment.outs(), tile) * fragment.matrix()};
}

TEST(BankModel, PhasesFollowTheWidthOfAnAccess) {
  EXPECT_EQ(banks32.lanesInPhase(1, 32), 32);
  EXPECT_EQ(banks32.lanesInPhase(4, 32), 32);
  EXPECT_EQ(banks32.lanesInPhase(8, 32), 16);
  EXPECT_EQ(banks32.lanesInPhase(16, 32), 8);
  EXPECT_EQ(banks32.lanesInPhase(256, 32), 1);
}

TEST(BankModel, FragmentFromA32WideTile) {
  struct {
    unsigned bits;
    const char *shared;
    int64_t degree;
  } rows[] = {
      {32, "row_major(row: 8, col: 32)", 8},
      {32, "row_major(row: 8, col: 32) pad [32:+4]", 2},
      {16, "row_major(row: 8, col: 32)", 4},
      {16, "row_major(row: 8, col: 32) pad [32:+8]", 1},
  };
  LinearLayout fragment = corner("simdgroup_matrix.8x8", {{"row", 8}, {"col", 32}});
  for (auto &row : rows) {
    BankCost cost = countWavefronts(banks32, fragment, memory(row.shared, row.bits), {});
    EXPECT_EQ(cost.degree, row.degree) << row.shared;
    EXPECT_EQ(cost.accesses, 2);
  }
}

TEST(BankModel, ColumnOf16ByteChunks) {
  // Lane i reads 16 bytes of row i.
  LinearLayout column = read("(lane: [(1,0), (2,0), (4,0)], register: [(0,1), (0,2), (0,4)])"
                             " -> (row: 8, col: 64)");
  auto degree = [&](const SharedLayout &shared) {
    std::vector<unsigned> bits = shared.accessBits(column, 16);
    EXPECT_EQ(bits.size(), 3u);
    return countWavefronts(banks32, column, shared, bits).degree;
  };
  SharedLayout plain = memory("row_major(row: 8, col: 64)", 16);
  SharedLayout padded = memory("row_major(row: 8, col: 64) pad [64:+8]", 16);
  SharedLayout swizzled = memory("swizzle_128B(row: 8, col: 64)", 16);
  EXPECT_EQ(degree(plain), 8);
  EXPECT_EQ(degree(padded), 1);
  EXPECT_EQ(degree(swizzled), 1);
  EXPECT_EQ(padded.bytes(), 1152);
  EXPECT_EQ(swizzled.bytes(), 1024);
  // Narrower spans leave conflicts.
  EXPECT_EQ(degree(memory("swizzle_64B(row: 8, col: 64)", 16)), 1);
  EXPECT_EQ(degree(memory("swizzle_32B(row: 8, col: 64)", 16)), 1);
}

/// Counts by the definition: phase after phase, bank after bank, byte after byte.
BankCost simulate(const BankModel &model, const LinearLayout &registers, const SharedLayout &shared,
                  const std::vector<unsigned> &accessBits) {
  BankCost cost;
  const LayoutSpace &ins = registers.ins();
  int64_t lanes = ins.sizeOf("lane"), regs = ins.sizeOf("register");
  int64_t groups = ins.sizeOf("simdgroup"), mask = 0;
  for (unsigned bit : accessBits)
    mask |= int64_t(1) << bit;
  int64_t elements = int64_t(1) << accessBits.size();
  int64_t bytes = std::max<int64_t>(1, elements * shared.elementBits() / 8);
  int64_t phase = std::min(lanes, std::max<int64_t>(1, model.phaseBytes / bytes));
  for (int64_t group = 0; group < groups; ++group)
    for (int64_t reg = 0; reg < regs; ++reg) {
      if (reg & mask)
        continue;
      ++cost.accesses;
      for (int64_t first = 0; first < lanes; first += phase) {
        std::map<int64_t, std::set<int64_t>> wordsOfBank;
        std::set<int64_t> all;
        for (int64_t lane = first; lane < first + phase; ++lane)
          for (int64_t member = 0; member < regs; ++member) {
            if ((member & ~mask) != reg)
              continue;
            int64_t offset = shared.offsetOf(registers.at({group, lane, member}));
            for (int64_t bit = 0; bit < shared.elementBits(); ++bit) {
              int64_t word = (offset * shared.elementBits() + bit) / (8 * model.wordBytes);
              wordsOfBank[word % model.banks].insert(word);
              all.insert(word);
            }
          }
        int64_t worst = 0;
        for (auto &[bank, words] : wordsOfBank)
          worst = std::max(worst, static_cast<int64_t>(words.size()));
        cost.wavefronts += worst;
        cost.degree = std::max(cost.degree, worst);
        cost.ideal += (static_cast<int64_t>(all.size()) + model.banks - 1) / model.banks;
      }
    }
  return cost;
}

TEST(BankModel, CountsLikeASimulation) {
  RandomLayouts random(41);
  for (int round = 0; round < 1500; ++round) {
    LayoutSpace tile{{"row", 8}, {"col", 16}};
    LayoutSpace ins{{"simdgroup", 2}, {"lane", 16}, {"register", 4}};
    LinearLayout registers = random.layout(ins, tile);
    LinearLayout elements({{"offset", 128}}, tile, BitMatrix({1, 2, 4, 8, 16, 32, 64}));
    if (random.below(2))
      elements = random.bijection({{"offset", 128}}, tile);
    unsigned bits = 4u << random.below(4);
    Padding padding{int64_t(1) << random.below(8), random.below(2) * random.below(12)};
    SharedLayout shared = SharedLayout::create(elements, bits, padding).orExit();
    BankModel model{random.below(4) ? int64_t(1) << random.below(6) : 5 + random.below(7),
                    int64_t(2) << random.below(3), int64_t(8) << random.below(4)};
    std::vector<unsigned> access = shared.accessBits(registers, 16);
    access.resize(random.below(static_cast<unsigned>(access.size()) + 1));
    BankCost cost = countWavefronts(model, registers, shared, access);
    BankCost expected = simulate(model, registers, shared, access);
    ASSERT_EQ(cost.accesses, expected.accesses);
    ASSERT_EQ(cost.wavefronts, expected.wavefronts);
    ASSERT_EQ(cost.ideal, expected.ideal);
    ASSERT_EQ(cost.degree, expected.degree);
  }
}

TEST(ConflictFree, SwizzleServesAnyTwoUsers) {
  RandomLayouts random(42);
  for (int round = 0; round < 1500; ++round) {
    LayoutSpace tile{{"row", int64_t(4) << random.below(4)},
                     {"col", int64_t(8) << random.below(4)}};
    TileUsers users{{}, 8u << random.below(3), 16};
    for (int user = 0; user < 2; ++user) {
      unsigned lanes = std::min(5u, tile.bits()), regs = tile.bits() - lanes;
      LayoutSpace ins{{"lane", int64_t(1) << lanes}, {"register", int64_t(1) << regs}};
      users.layouts.push_back(random.below(4) ? random.bijection(ins, tile)
                                              : random.layout(ins, tile));
    }
    SharedLayout shared = conflictFreeSwizzle(banks32, users);
    int64_t atMost = 0;
    for (const LinearLayout &user : users.layouts) {
      // Conflict free with some width of accesses, of which the best is counted.
      std::vector<unsigned> bits = shared.accessBits(user, 16);
      BankCost cost = countWavefronts(banks32, user, shared, bits);
      while (!cost.isConflictFree() && !bits.empty()) {
        bits.pop_back();
        cost = countWavefronts(banks32, user, shared, bits);
      }
      ASSERT_TRUE(cost.isConflictFree()) << spell(user) << "\n" << spell(shared);
      atMost += cost.wavefronts;
    }
    ASSERT_LE(totalCost(banks32, users, shared).wavefronts, atMost);
  }
}

TEST(ConflictFree, SwizzleForRowsAndColumns) {
  // Written by rows of 16 bytes a lane, read by columns of 16 bytes a lane.
  TileUsers users{{read("(lane: [(0,8), (0,16), (0,32), (1,0), (2,0)],"
                        " register: [(0,1), (0,2), (0,4), (4,0)]) -> (row: 8, col: 64)"),
                   read("(lane: [(1,0), (2,0), (4,0), (0,8), (0,16)],"
                        " register: [(0,1), (0,2), (0,4), (0,32)]) -> (row: 8, col: 64)")},
                  16,
                  16};
  SharedLayout swizzled = conflictFreeSwizzle(banks32, users);
  BankCost cost = totalCost(banks32, users, swizzled);
  EXPECT_TRUE(cost.isConflictFree());
  EXPECT_EQ(cost.accesses, 4);
  EXPECT_EQ(cost.wavefronts, 16);
  EXPECT_EQ(swizzled.bytes(), 1024);

  SharedLayout padded = leastPadding(banks32, users);
  EXPECT_EQ(padded.padding(), (Padding{64, 8}));
  EXPECT_TRUE(totalCost(banks32, users, padded).isConflictFree());
  EXPECT_EQ(padded.bytes(), 1152);

  TileUsers writers{{users.layouts[0]}, 16, 16};
  EXPECT_EQ(leastPadding(banks32, writers).padding(), Padding());
}

TEST(ConflictFree, PaddingIsTheLeastOfTheBest) {
  RandomLayouts random(43);
  for (int round = 0; round < 60; ++round) {
    LayoutSpace tile{{"row", 16}, {"col", 16}}, ins{{"lane", 32}, {"register", 8}};
    unsigned bits = 16u << random.below(2);
    TileUsers users{{random.bijection(ins, tile), random.bijection(ins, tile)}, bits, 16};
    SharedLayout chosen = leastPadding(banks32, users);
    int64_t best = totalCost(banks32, users, chosen).wavefronts, step = 32 / bits;
    for (int64_t pad = 0; pad < 32 * step; pad += step) {
      SharedLayout other = SharedLayout::rowMajor(tile, bits, {16, pad}).orExit();
      int64_t cost = totalCost(banks32, users, other).wavefronts;
      ASSERT_TRUE(pad < chosen.padding().pad ? cost > best : cost >= best);
    }
  }
}

TEST(ConflictFree, ManyUsersGetABijection) {
  RandomLayouts random(44);
  for (int round = 0; round < 200; ++round) {
    LayoutSpace tile{{"row", 16}, {"col", 16}}, ins{{"lane", 32}, {"register", 8}};
    TileUsers users{{}, 16, 16};
    for (int i = 0; i < 5; ++i)
      users.layouts.push_back(random.layout(ins, tile));
    ASSERT_TRUE(conflictFreeSwizzle(banks32, users).elements().isBijective());
  }
}

} // namespace
