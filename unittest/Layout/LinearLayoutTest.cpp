// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of the algebra against enumeration of all places, on random layouts.

#include "RandomLayout.h"

#include "Layout/Spelling.h"

#include <gtest/gtest.h>

#include <set>

using namespace metile;
using namespace metile::test;

namespace {

constexpr int rounds = 3000;

Point merged(Point a, const Point &b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// The coordinate called `name`, 0 if there is none.
int64_t coordinate(const Point &point, const std::string &name) {
  auto found = point.find(name);
  return found == point.end() ? 0 : found->second;
}

Point withoutOnes(const Point &point, const LayoutSpace &space) {
  Point kept;
  for (auto [name, value] : point)
    if (space.bitsOf(name))
      kept[name] = value;
  return kept;
}

std::string firstFound(const Errors &errors) { return errors.diagnostics.front().found; }

TEST(LayoutSpace, NumbersPointsLikeAnArray) {
  LayoutSpace space{{"row", 4}, {"one", 1}, {"col", 8}};
  EXPECT_EQ(space.size(), 32);
  EXPECT_EQ(space.number(std::vector<int64_t>{2, 0, 5}), 2u * 8 + 5);
  EXPECT_EQ(space.coordinates(21), (std::vector<int64_t>{2, 0, 5}));
  EXPECT_EQ(space.describe(21), "row 2, one 0, col 5");
  EXPECT_EQ(space.bitsOf("col"), 3u);
  EXPECT_EQ(space.sizeOf("depth"), 1);
  EXPECT_EQ(space.canonical(), (LayoutSpace{{"col", 8}, {"row", 4}}));
  EXPECT_EQ(LayoutSpace().describe(0), "the only point");
}

TEST(LayoutSpace, RefusesWhatItCannotBe) {
  auto refusal = [](std::vector<SizedDim> dims) {
    Result<LayoutSpace> space = LayoutSpace::create(dims);
    return space ? "" : space.errors().str();
  };
  EXPECT_EQ(refusal({{"row", 4}, {"col", 1}}), "");
  EXPECT_NE(refusal({{"row", 12}})
                .find("dim 'row' has size 12; sizes are powers of two; the "
                      "nearest are 8 and 16"),
            std::string::npos);
  EXPECT_NE(refusal({{"row", 0}}).find("the smallest is 1"), std::string::npos);
  EXPECT_NE(refusal({{"row", -4}}), "");
  EXPECT_NE(refusal({{"row", 4}, {"row", 4}}).find("two dims are called 'row'"), std::string::npos);
  EXPECT_NE(refusal({{"4row", 4}}).find("'4row' is no name"), std::string::npos);
  EXPECT_NE(refusal({{"", 4}}), "");
  EXPECT_EQ(refusal({{"row", int64_t(1) << 62}}), "");
  EXPECT_NE(refusal({{"row", int64_t(1) << 62}, {"col", 2}}).find("2^62"), std::string::npos);
}

TEST(LinearLayout, ComesFromBases) {
  LayoutSpace outs{{"row", 2}, {"col", 4}};
  std::vector<LinearLayout::Bases> bases = {{"lane", {{0, 2}, {1, 0}}}, {"register", {{0, 1}}}};
  Result<LinearLayout> layout = LinearLayout::fromBases(bases, outs);
  ASSERT_TRUE(layout.ok());
  EXPECT_EQ(layout->at({3, 1}), (std::vector<int64_t>{1, 3}));

  auto refusal = [&](std::vector<LinearLayout::Bases> wrong) {
    return firstFound(LinearLayout::fromBases(wrong, outs).errors());
  };
  EXPECT_EQ(refusal({{"lane", {{0, 4}}}}), "basis (0,4) of 'lane' lies outside of 'col'");
  EXPECT_EQ(refusal({{"lane", {{-1, 0}}}}), "basis (-1,0) of 'lane' lies outside of 'row'");
  EXPECT_EQ(refusal({{"lane", {{1}}}}), "basis (1) of 'lane' has length 1");
  EXPECT_EQ(refusal({{"lane", {}}, {"lane", {}}}), "two dims are called 'lane'");
  EXPECT_EQ(refusal({{"lane", std::vector(63, std::vector<int64_t>{0, 0})}}),
            "'lane' has 63 bases");
}

TEST(LinearLayout, HasSimpleMakers) {
  EXPECT_EQ(spell(LinearLayout::identity("lane", "col", 8)), "(lane: [1, 2, 4]) -> (col: 8)");
  EXPECT_EQ(spell(LinearLayout::strided("lane", "col", 4, 8)), "(lane: [8, 16]) -> (col: 32)");
  EXPECT_EQ(spell(LinearLayout::broadcast("lane", 4)), "(lane: [(), ()]) -> ()");
  EXPECT_EQ(spell(LinearLayout()), "() -> ()");
  EXPECT_TRUE(LinearLayout().isBijective());
}

TEST(LinearLayout, RespectsXor) {
  RandomLayouts random(1);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout layout = random.layout();
    for (int64_t x = 0; x < layout.ins().size(); ++x) {
      std::vector<int64_t> place = layout.ins().coordinates(static_cast<uint64_t>(x));
      ASSERT_EQ(layout.at(place), layout.outs().coordinates(layout(static_cast<uint64_t>(x))));
      uint64_t y = random.below(static_cast<unsigned>(layout.ins().size()));
      ASSERT_EQ(layout(static_cast<uint64_t>(x) ^ y), layout(static_cast<uint64_t>(x)) ^ layout(y));
    }
  }
}

TEST(LinearLayout, Then) {
  RandomLayouts random(2);
  for (int round = 0; round < rounds; ++round) {
    LayoutSpace middle = random.space("mid", 3, 6);
    LinearLayout first = random.layout(random.space("in", 3, 6), middle);
    // The second may have more room, more dims and another order.
    LayoutSpace wider = middle.select(random.shuffled(middle));
    for (size_t i = 0; i < wider.rank(); ++i)
      wider.setBits(i, wider[i].bits + random.below(2));
    if (random.below(2))
      wider.append({"more", random.below(2)});
    LinearLayout second = random.layout(wider, random.space("out", 3, 6));
    Result<LinearLayout> both = first.then(second);
    ASSERT_TRUE(both.ok());
    Table a = tableOf(first), b = tableOf(second);
    for (auto &[place, element] : tableOf(*both)) {
      Point between = a.at(place);
      if (wider.find("more"))
        between["more"] = 0;
      ASSERT_EQ(element, b.at(between));
    }
  }
}

TEST(LinearLayout, ThenRefusesOtherDims) {
  LinearLayout first = LinearLayout::identity("lane", "col", 8);
  auto refusal = [&](const LinearLayout &next) { return firstFound(first.then(next).errors()); };
  EXPECT_EQ(refusal(LinearLayout::identity("row", "offset", 8)),
            "the first layout leads to (col: 8), the second starts from (row: 8)");
  EXPECT_EQ(refusal(LinearLayout::identity("col", "offset", 4)),
            "the first layout leads to (col: 8), the second starts from (col: 4)");
}

TEST(LinearLayout, InverseAndItsReasons) {
  RandomLayouts random(3);
  int inverted = 0;
  for (int round = 0; round < rounds; ++round) {
    LayoutSpace ins = random.space("in", 3, 5);
    LayoutSpace outs = ins;
    for (size_t i = 0; i < outs.rank(); ++i)
      outs.rename(i, "out" + std::to_string(i));
    LinearLayout layout = random.layout(ins, random.below(4) ? outs : random.space("out", 3, 5));
    std::map<Point, int> holders;
    for (auto &[place, element] : tableOf(layout))
      ++holders[element];
    bool injective = std::all_of(holders.begin(), holders.end(),
                                 [](const auto &holder) { return holder.second == 1; });
    bool surjective = holders.size() == static_cast<size_t>(layout.outs().size());
    ASSERT_EQ(layout.isInjective(), injective);
    ASSERT_EQ(layout.isSurjective(), surjective);
    Result<LinearLayout> inverse = layout.inverse();
    ASSERT_EQ(inverse.ok(), injective && surjective);
    if (!inverse) {
      ASSERT_NE(firstFound(inverse.errors()).find(injective ? "no place holds" : "hold the same"),
                std::string::npos);
      continue;
    }
    ++inverted;
    ASSERT_TRUE(layout.then(*inverse)->isIdentity());
    ASSERT_TRUE(inverse->then(layout)->isIdentity());
    ASSERT_EQ(*inverse, layout.pseudoInverse());
  }
  EXPECT_GT(inverted, rounds / 20);

  LinearLayout skew =
      *parseLayout("(lane: [(0,1), (1,0)], register: [(0,1)]) -> (row: 2, col: 2)", "");
  EXPECT_EQ(firstFound(skew.inverse().errors()),
            "lane 0, register 1 and lane 1, register 0 hold the same element, row 0, col 1");
  EXPECT_EQ(firstFound(parseLayout("(lane: [2]) -> (col: 4)", "")->inverse().errors()),
            "no place holds col 1");
}

TEST(LinearLayout, PseudoInverseIsNearestThenSmallest) {
  RandomLayouts random(4);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout layout = random.layout(5), pseudo = layout.pseudoInverse();
    ASSERT_EQ(pseudo.ins(), layout.outs());
    ASSERT_EQ(pseudo.outs(), layout.ins());
    for (uint64_t y = 0; y < static_cast<uint64_t>(layout.outs().size()); ++y) {
      uint64_t best = 0;
      for (uint64_t x = 1; x < static_cast<uint64_t>(layout.ins().size()); ++x)
        if ((layout(x) ^ y) < (layout(best) ^ y))
          best = x;
      ASSERT_EQ(pseudo(y), best);
    }
  }
}

TEST(LinearLayout, LiftIsExact) {
  RandomLayouts random(5);
  int lifted = 0;
  for (int round = 0; round < rounds; ++round) {
    LayoutSpace outs = random.space("out", 2, 4);
    LinearLayout wanted = random.layout(random.space("in", 2, 4), outs);
    LinearLayout through =
        random.layout(random.space("via", 3, 6), outs.select(random.shuffled(outs)));
    std::map<Point, Point> smallest;
    for (uint64_t x = static_cast<uint64_t>(through.ins().size()); x-- > 0;)
      smallest[pointOf(through.outs(), through(x))] = pointOf(through.ins(), x);
    Table table = tableOf(wanted);
    bool possible = std::all_of(table.begin(), table.end(),
                                [&](const auto &entry) { return smallest.count(entry.second); });
    std::optional<LinearLayout> lift = wanted.lift(through);
    ASSERT_EQ(lift.has_value(), possible);
    if (!lift)
      continue;
    ++lifted;
    for (auto &[place, via] : tableOf(*lift))
      ASSERT_EQ(via, smallest.at(table.at(place)));
    ASSERT_TRUE(lift->then(through)->isSameMap(wanted));
  }
  EXPECT_GT(lifted, rounds / 10);
  EXPECT_FALSE(
      LinearLayout::identity("lane", "col", 4).lift(LinearLayout::identity("l", "row", 4)));
}

TEST(LinearLayout, ProductPutsInnerInPlaceOfElements) {
  RandomLayouts random(6);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout outer = random.layout(5), inner = random.layout(5), both = outer * inner;
    ASSERT_EQ(both.ins().size(), outer.ins().size() * inner.ins().size());
    auto combined = [](const Point &high, const Point &low, const LayoutSpace &innerSpace) {
      Point point;
      for (auto &[name, value] : merged(high, low))
        point[name] = coordinate(high, name) * innerSpace.sizeOf(name) + coordinate(low, name);
      return point;
    };
    Table table = tableOf(both);
    for (auto &[highPlace, high] : tableOf(outer))
      for (auto &[lowPlace, low] : tableOf(inner))
        ASSERT_EQ(table.at(combined(highPlace, lowPlace, inner.ins())),
                  combined(high, low, inner.outs()));
  }
}

TEST(LinearLayout, ProductIsAMonoid) {
  RandomLayouts random(7);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout a = random.layout(4), b = random.layout(4), c = random.layout(4);
    ASSERT_EQ((a * b) * c, a * (b * c));
    ASSERT_EQ(a * LinearLayout(), a);
    ASSERT_EQ(LinearLayout() * a, a);
  }
}

TEST(LinearLayout, DivisionUndoesTheProduct) {
  RandomLayouts random(8);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout outer = random.layout(5), inner = random.layout(5), both = outer * inner;
    std::optional<LinearLayout> left = both.dividedByInner(inner);
    std::optional<LinearLayout> right = both.dividedByOuter(outer);
    ASSERT_TRUE(left && right);
    ASSERT_TRUE(left->isSameMap(outer));
    ASSERT_TRUE(right->isSameMap(inner));
  }
}

TEST(LinearLayout, DivisionIsExact) {
  // Whether an outer exists, by trying all of them.
  RandomLayouts random(9);
  int divisible = 0;
  for (int round = 0; round < 400; ++round) {
    LayoutSpace ins{{"a", 2}, {"b", 4}}, outs{{"c", 2}, {"d", 2}};
    LinearLayout whole = random.layout(ins, outs);
    bool byInner = random.below(2);
    LinearLayout part = random.layout(LayoutSpace{{"b", random.below(2) ? 1 : 2}},
                                      LayoutSpace{{"c", random.below(2) ? 1 : 2}});
    if (random.below(2)) // Better odds.
      part = whole.restrict({"b"}, {"c"}).resizeIn("b", part.ins().size());
    LayoutSpace restIns{{"a", 2}, {"b", 4 / part.ins().size()}};
    LayoutSpace restOuts{{"c", 2 / part.outs().size()}, {"d", 2}};
    std::set<std::string> quotients;
    unsigned columns = restIns.bits(), bits = restOuts.bits();
    for (uint64_t code = 0; code < uint64_t(1) << (columns * bits); ++code) {
      BitMatrix matrix(columns);
      for (unsigned i = 0; i < columns; ++i)
        matrix[i] = code >> (i * bits) & ((1u << bits) - 1);
      LinearLayout rest(restIns, restOuts, matrix);
      if ((byInner ? rest * part : part * rest).isSameMap(whole))
        quotients.insert(spell(rest.canonical()));
    }
    std::optional<LinearLayout> found =
        byInner ? whole.dividedByInner(part) : whole.dividedByOuter(part);
    ASSERT_EQ(found.has_value(), !quotients.empty());
    if (found) {
      ASSERT_EQ(quotients, std::set<std::string>{spell(found->canonical())});
      ++divisible;
    }
  }
  EXPECT_GT(divisible, 40);
  EXPECT_FALSE(LinearLayout::identity("lane", "col", 4)
                   .dividedByInner(LinearLayout::identity("lane", "col", 8)));
  EXPECT_FALSE(LinearLayout::identity("lane", "col", 4)
                   .dividedByOuter(LinearLayout::identity("lane", "row", 2)));
}

TEST(LinearLayout, ReordersAndReshapesDims) {
  RandomLayouts random(10);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout layout = random.layout();
    LinearLayout turned = layout.transposeIns(random.shuffled(layout.ins()))
                              .transposeOuts(random.shuffled(layout.outs()));
    ASSERT_EQ(tableOf(turned), tableOf(layout));
    ASSERT_TRUE(turned.isSameMap(layout));

    // Another cut of the same numbers.
    LayoutSpace ins;
    for (unsigned left = layout.ins().bits(), i = 0; left || i < 2; ++i) {
      unsigned bits = random.below(left + 1);
      ins.append({"cut" + std::to_string(i), bits});
      left -= bits;
    }
    LinearLayout cut = layout.reshapeIns(ins), flat = layout.flattenOuts("flat");
    for (uint64_t x = 0; x < static_cast<uint64_t>(layout.ins().size()); ++x) {
      ASSERT_EQ(cut.at(ins.coordinates(x)), layout.at(layout.ins().coordinates(x)));
      int64_t number = 0;
      std::vector<int64_t> element = layout.at(layout.ins().coordinates(x));
      for (size_t i = 0; i < element.size(); ++i)
        number = number * layout.outs()[i].size() + element[i];
      ASSERT_EQ(flat.at(layout.ins().coordinates(x)), std::vector<int64_t>{number});
    }
    ASSERT_EQ(cut.reshapeIns(layout.ins()), layout);
    ASSERT_EQ(flat.reshapeOuts(layout.outs()), layout);
    ASSERT_EQ(layout.flattenIns("x").reshapeIns(layout.ins()), layout);
  }
}

TEST(LinearLayout, RenamesDims) {
  LinearLayout layout = LinearLayout::identity("lane", "col", 4);
  EXPECT_EQ(spell(layout.renameIn("lane", "register").renameOut("col", "row")),
            "(register: [1, 2]) -> (row: 4)");
}

TEST(LinearLayout, RestrictsAndResizes) {
  RandomLayouts random(11);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout layout = random.layout();
    LinearLayout::Names ins = random.shuffled(layout.ins()), outs = random.shuffled(layout.outs());
    ins.resize(random.below(static_cast<unsigned>(ins.size()) + 1));
    outs.resize(random.below(static_cast<unsigned>(outs.size()) + 1));
    Table table = tableOf(layout);
    for (auto &[place, element] : tableOf(layout.restrict(ins, outs))) {
      Point whole = place;
      for (const LayoutDim &dim : layout.ins())
        whole.emplace(dim.name, 0);
      for (auto &[name, value] : element)
        ASSERT_EQ(value, table.at(whole).at(name));
    }
    if (layout.ins().rank() == 0)
      continue;
    std::string name = layout.ins()[0].name;
    int64_t size = int64_t(1) << random.below(4), old = layout.ins()[0].size();
    for (auto &[place, element] : tableOf(layout.resizeIn(name, size))) {
      Point source = place;
      source[name] %= old;
      ASSERT_EQ(element, table.at(source));
    }
  }
}

TEST(LinearLayout, Joins) {
  RandomLayouts random(12);
  for (int round = 0; round < rounds; ++round) {
    LayoutSpace ins = random.space("in", 2, 5), outs = random.space("out", 2, 5);
    LinearLayout a = random.layout(ins, outs);
    LinearLayout more = random.layout(random.space("more", 2, 3), outs);
    Table sum = tableOf(LinearLayout::joinIns(a, more));
    LinearLayout other = random.layout(ins, random.space("other", 2, 5));
    Table both = tableOf(LinearLayout::joinOuts(a, other)), first = tableOf(a),
          second = tableOf(other);
    for (uint64_t x = 0; x < static_cast<uint64_t>(ins.size()); ++x) {
      Point place = pointOf(ins, x);
      ASSERT_EQ(both.at(place), merged(first.at(place), second.at(place)));
      for (uint64_t y = 0; y < static_cast<uint64_t>(more.ins().size()); ++y)
        ASSERT_EQ(sum.at(merged(place, pointOf(more.ins(), y))), pointOf(outs, a(x) ^ more(y)));
    }
  }
}

TEST(LinearLayout, FindsReplicas) {
  RandomLayouts random(13);
  for (int round = 0; round < rounds; ++round) {
    LinearLayout layout = random.layout(5);
    std::map<uint64_t, std::set<uint64_t>> holders;
    for (uint64_t x = 0; x < static_cast<uint64_t>(layout.ins().size()); ++x)
      holders[layout(x)].insert(x);
    // Exactly one place of each element has no free bit, and it is the smallest.
    uint64_t free = layout.freeBits();
    for (auto &[element, places] : holders) {
      ASSERT_EQ(places.size(), size_t(1) << std::popcount(free));
      for (uint64_t place : places)
        ASSERT_EQ((place & free) == 0, place == *places.begin());
    }
    // Whatever the kernel spans leads to the same element, and nothing else does.
    std::set<uint64_t> span = {0};
    for (uint64_t vector : layout.kernel())
      for (uint64_t known : std::set<uint64_t>(span))
        span.insert(known ^ vector);
    ASSERT_EQ(span, holders.at(0));

    LinearLayout unique = layout.withoutReplicas();
    ASSERT_TRUE(unique.isInjective());
    std::set<uint64_t> kept;
    for (uint64_t x = 0; x < static_cast<uint64_t>(unique.ins().size()); ++x)
      kept.insert(unique(x));
    ASSERT_EQ(kept.size(), holders.size());
    for (uint64_t element : kept)
      ASSERT_TRUE(holders.count(element));
  }
}

TEST(LinearLayout, ComparesMaps) {
  RandomLayouts random(14);
  int same = 0;
  for (int round = 0; round < rounds; ++round) {
    LinearLayout a = random.layout(2), b = random.layout(2);
    Table one, two;
    for (auto &[place, element] : tableOf(a))
      one[withoutOnes(place, a.ins())] = withoutOnes(element, a.outs());
    for (auto &[place, element] : tableOf(b))
      two[withoutOnes(place, b.ins())] = withoutOnes(element, b.outs());
    auto sizes = [](const LinearLayout &layout) { return layout.canonical().outs(); };
    bool expected = one == two && sizes(a) == sizes(b);
    ASSERT_EQ(a.isSameMap(b), expected) << spell(a) << "  " << spell(b);
    same += expected;
  }
  EXPECT_GT(same, 30);
}

TEST(LinearLayout, ComparesUpToBroadcast) {
  RandomLayouts random(15);
  int same = 0;
  for (int round = 0; round < rounds; ++round) {
    LayoutSpace outs = random.space("out", 2, 2);
    LinearLayout a = random.layout(random.space("in", 2, 3), outs);
    LinearLayout b = random.layout(random.space("in", 2, 3), outs);
    if (random.below(2)) { // Better odds.
      b = a;
      for (const LayoutDim &dim : a.ins())
        b = b.resizeIn(dim.name, int64_t(1) << (dim.bits + random.below(2)));
    }
    // Each agrees with the other at the place that has the bits which both have.
    auto agrees = [](const LinearLayout &x, const LinearLayout &y) {
      Table other = tableOf(y);
      for (auto &[place, element] : tableOf(x)) {
        Point common;
        for (const LayoutDim &dim : y.ins())
          common[dim.name] = coordinate(place, dim.name) % dim.size();
        if (other.at(common) != element)
          return false;
      }
      return true;
    };
    ASSERT_EQ(a.isSameUpToBroadcast(b), agrees(a, b) && agrees(b, a))
        << spell(a) << "  " << spell(b);
    same += a.isSameUpToBroadcast(b);
  }
  EXPECT_GT(same, rounds / 4);
}

TEST(LinearLayout, FindsContiguousElements) {
  RandomLayouts random(16);
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    LayoutSpace ins{{"lane", 4}, {"register", 8}}, outs{{"row", 4}, {"col", 8}};
    LinearLayout layout = random.layout(ins, outs);
    if (random.below(2)) { // Better odds: bits change places.
      std::vector<uint64_t> bits = {1, 2, 4, 8, 16};
      for (size_t i = bits.size(); i > 1; --i)
        std::swap(bits[i - 1], bits[random.below(static_cast<unsigned>(i))]);
      layout = LinearLayout(ins, outs, BitMatrix(bits));
    }
    std::vector<unsigned> bits = layout.contiguousBits("register", "col");
    // By enumeration: for every place, registers that differ in the first n bits hold 2^n aligned
    // consecutive columns of one row.
    auto holds = [&](const std::vector<unsigned> &chosen) {
      int64_t mask = 0;
      for (unsigned b : chosen)
        mask |= int64_t(1) << b;
      for (int64_t lane = 0; lane < 4; ++lane)
        for (int64_t base = 0; base < 8; ++base) {
          if (base & mask)
            continue;
          std::vector<int64_t> start = layout.at({lane, base});
          if (start[1] % (int64_t(1) << chosen.size()))
            return false;
          for (int64_t i = 0; i < int64_t(1) << chosen.size(); ++i) {
            int64_t reg = base;
            for (size_t k = 0; k < chosen.size(); ++k)
              reg |= (i >> k & 1) << chosen[k];
            if (layout.at({lane, reg}) != std::vector<int64_t>{start[0], start[1] + i})
              return false;
          }
        }
      return true;
    };
    ASSERT_TRUE(holds(bits)) << spell(layout);
    for (unsigned next = 0; next < 3 && bits.size() < 3; ++next) {
      if (std::find(bits.begin(), bits.end(), next) != bits.end())
        continue;
      std::vector<unsigned> longer = bits;
      longer.push_back(next);
      ASSERT_FALSE(holds(longer)) << spell(layout);
    }
    found += !bits.empty();
  }
  EXPECT_GT(found, rounds / 8);
}

} // namespace
