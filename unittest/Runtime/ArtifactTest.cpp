// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestKernels.h"

#include "Runtime/ArtifactChecks.h"

#include <gtest/gtest.h>
#include <limits>

namespace metile {
namespace {

const std::vector<ArgumentInfo> arguments = {{"a", ArgumentRole::in, f16, 2},
                                             {"n", ArgumentRole::scalar, i32, 0},
                                             {"p", ArgumentRole::pointer, f32, 0},
                                             {"u", ArgumentRole::scalar, u8, 0}};
// a: address, 2 sizes, 2 strides; n; p; u
const std::vector<uint64_t> slots = {0x1040, 100, 30, 32, 1, 0xfffffffb, 0x2004, 200};

int64_t value(const SizeExpr &expression) { return expression.evaluate(arguments, slots); }
SizeExpr number(int64_t value) { return SizeExpr::constant(value); }

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t most = std::numeric_limits<int64_t>::max();

} // namespace

TEST(SizeExpr, ReadsSizesStridesScalars) {
  EXPECT_EQ(value(SizeExpr::size(0, 0)), 100);
  EXPECT_EQ(value(SizeExpr::size(0, 1)), 30);
  EXPECT_EQ(value({{{SizeExpr::Kind::stride, 0, 0, 0}}}), 32);
  EXPECT_EQ(value(SizeExpr::scalar(1)), -5) << "a signed scalar is sign-extended";
  EXPECT_EQ(value(SizeExpr::scalar(3)), 200) << "an unsigned one is not";
  EXPECT_EQ(value({}), 0);
}

TEST(SizeExpr, Operations) {
  using Kind = SizeExpr::Kind;
  auto binary = [](Kind kind, int64_t a, int64_t b) {
    return value(SizeExpr::binary(kind, number(a), number(b)));
  };
  EXPECT_EQ(binary(Kind::add, 7, 3), 10);
  EXPECT_EQ(binary(Kind::sub, 3, 7), -4);
  EXPECT_EQ(binary(Kind::mul, -7, 3), -21);
  EXPECT_EQ(binary(Kind::min, -7, 3), -7);
  EXPECT_EQ(binary(Kind::max, -7, 3), 3);
  EXPECT_EQ(binary(Kind::cdiv, 64, 64), 1);
  EXPECT_EQ(binary(Kind::cdiv, 65, 64), 2);
  EXPECT_EQ(binary(Kind::cdiv, 0, 64), 0);
  EXPECT_EQ(binary(Kind::cdiv, -5, 4), -1);
  EXPECT_EQ(binary(Kind::cdiv, 5, -4), -1);
  EXPECT_EQ(binary(Kind::cdiv, -5, -4), 2);
  EXPECT_EQ(binary(Kind::cdiv, 5, 0), 0);
  EXPECT_EQ(binary(Kind::cdiv, most, 1), most);
  SizeExpr nested =
      SizeExpr::binary(Kind::mul, SizeExpr::binary(Kind::sub, SizeExpr::size(0, 0), number(1)),
                       SizeExpr::binary(Kind::add, SizeExpr::size(0, 1), number(2)));
  EXPECT_EQ(value(nested), 99 * 32);
}

TEST(SizeExpr, NoticesOverflow) {
  using Kind = SizeExpr::Kind;
  auto fits = [](Kind kind, int64_t a, int64_t b) {
    int64_t result;
    return SlotExpr(SizeExpr::binary(kind, number(a), number(b)), arguments)
        .evaluate(slots.data(), result);
  };
  EXPECT_TRUE(fits(Kind::add, most, 0));
  EXPECT_FALSE(fits(Kind::add, most, 1));
  EXPECT_FALSE(fits(Kind::sub, least, 1));
  EXPECT_FALSE(fits(Kind::mul, most, 2));
  EXPECT_FALSE(fits(Kind::cdiv, least, -1));
  EXPECT_TRUE(fits(Kind::cdiv, most, -1));
}

TEST(SizeExpr, PrintsAsC) {
  using Kind = SizeExpr::Kind;
  EXPECT_EQ(SizeExpr::binary(Kind::cdiv, SizeExpr::size(0, 0), number(64)).str(arguments),
            "(a_size_0 + 63) / 64");
  EXPECT_EQ(SizeExpr::binary(Kind::cdiv, SizeExpr::scalar(1), SizeExpr::size(0, 1)).str(arguments),
            "a_size_1 == 0 ? 0 : (n + a_size_1 - 1) / a_size_1");
  EXPECT_EQ(SizeExpr::binary(Kind::cdiv, SizeExpr::scalar(1), number(1)).str(arguments), "n");
  EXPECT_EQ(SizeExpr::binary(Kind::mul,
                             SizeExpr::binary(Kind::add, SizeExpr::scalar(1), number(-2)),
                             SizeExpr::size(0, 1))
                .str(arguments),
            "(n + (-2)) * a_size_1");
  EXPECT_EQ(SizeExpr::binary(Kind::min, SizeExpr::scalar(1), number(4)).str(arguments),
            "n < 4 ? n : 4");
  EXPECT_EQ(SizeExpr().str(arguments), "0");
}

TEST(Fact, HoldsAndPrints) {
  using Kind = Fact::Kind;
  struct Case {
    Fact fact;
    bool holds;
    const char *text;
  };
  const Case cases[] = {
      {{Kind::sizeEquals, 0, 0, 100}, true, "a.size(0) is 100"},
      {{Kind::sizeEquals, 0, 1, 100}, false, "a.size(1) is 100"},
      {{Kind::sizeDivisible, 0, 0, 50}, true, "a.size(0) is divisible by 50"},
      {{Kind::sizeDivisible, 0, 1, 4}, false, "a.size(1) is divisible by 4"},
      {{Kind::strideEquals, 0, 1, 1}, true, "a.stride(1) is 1"},
      {{Kind::strideEquals, 0, 0, 1}, false, "a.stride(0) is 1"},
      {{Kind::strideDivisible, 0, 0, 16}, true, "a.stride(0) is divisible by 16"},
      {{Kind::strideDivisible, 0, 1, 16}, false, "a.stride(1) is divisible by 16"},
      {{Kind::aligned, 0, 0, 64}, true, "a is aligned to 64 bytes"},
      {{Kind::aligned, 2, 0, 64}, false, "p is aligned to 64 bytes"},
      {{Kind::scalarEquals, 1, 0, -5}, true, "n is -5"},
      {{Kind::scalarEquals, 3, 0, -56}, false, "u is -56"},
      {{Kind::scalarDivisible, 1, 0, 5}, true, "n is divisible by 5"},
      {{Kind::scalarDivisible, 1, 0, 2}, false, "n is divisible by 2"},
  };
  for (const Case &one : cases) {
    EXPECT_EQ(one.fact.holds(arguments, slots), one.holds) << one.text;
    EXPECT_EQ(one.fact.str(arguments), one.text);
  }
}

TEST(Artifact, ContradictionsAreNamed) {
  auto problem = [](auto change) {
    Artifact artifact = test::scaleArtifact();
    change(artifact);
    Status status = checkArtifact(artifact, "x.mta");
    return status ? std::string("fine") : status.errors().str();
  };
  auto expect = [&](const char *words, auto change) {
    EXPECT_NE(problem(change).find(words), std::string::npos) << problem(change);
  };
  EXPECT_EQ(problem([](Artifact &) {}), "fine");
  expect("two arguments are called 'a'", [](Artifact &a) { a.arguments[1].name = "a"; });
  expect("has 9 axes", [](Artifact &a) { a.arguments[0].rank = 9; });
  expect("is no view", [](Artifact &a) { a.arguments[2].rank = 1; });
  expect("argument 7", [](Artifact &a) { a.facts = {{Fact::Kind::aligned, 7, 0, 4}}; });
  expect("axis 3", [](Artifact &a) { a.facts = {{Fact::Kind::sizeEquals, 0, 3, 4}}; });
  expect("of another kind", [](Artifact &a) { a.facts = {{Fact::Kind::scalarEquals, 0, 0, 4}}; });
  expect("divides by 0", [](Artifact &a) { a.facts = {{Fact::Kind::sizeDivisible, 0, 0, 0}}; });
  expect("axis 1", [](Artifact &a) { a.steps[0].grid[1] = SizeExpr::size(0, 1); });
  expect("lacks operands",
         [](Artifact &a) { a.steps[0].grid[1] = {{{SizeExpr::Kind::add, 0, 0, 0}}}; });
  expect("left over", [](Artifact &a) {
    a.steps[0].programCost = {
        {{SizeExpr::Kind::constant, 1, 0, 0}, {SizeExpr::Kind::constant, 1, 0, 0}}};
  });
  expect("too deeply", [](Artifact &a) {
    a.steps[0].grid[0].terms.assign(maxExpressionDepth + 1, {SizeExpr::Kind::constant, 1, 0, 0});
  });
  expect("no entry point", [](Artifact &a) { a.steps[0].entry.clear(); });
  expect("an alignment of 24", [](Artifact &a) {
    a.workspaces = {{"w", Workspace::Scope::worker, SizeExpr::constant(8), 24}};
  });
}

} // namespace metile
