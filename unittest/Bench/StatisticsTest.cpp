// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Statistics.h"
#include "Bench/Verdict.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

namespace metile::bench {
namespace {

constexpr int seeds = 600;
constexpr unsigned blocks = 20;
constexpr double margin = 0.01;

/// A normal deviate by Box and Muller's transformation.
double normal(Random &random) {
  double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::acos(-1.0) * random.uniform());
}

/// Gives the time of one burst: of which side, and the how manieth of the run.
using Machine = std::function<double(Side side, unsigned burst)>;

std::vector<double> simulate(uint64_t seed, unsigned count, const Machine &machine) {
  std::vector<double> values;
  for (unsigned block = 0; block < count; ++block) {
    BlockOrder order = flipOrder(seed, block);
    std::array<std::array<double, 2>, 2> times{};
    std::array<size_t, 2> next{};
    for (unsigned position = 0; position < 4; ++position) {
      auto side = static_cast<size_t>(sideAt(order, position));
      times[side][next[side]++] = machine(sideAt(order, position), 4 * block + position);
    }
    values.push_back(blockValue(times[0], times[1]));
  }
  return values;
}

struct Tally {
  int faster = 0, slower = 0, same = 0, undecided = 0;
  double part(int count) const { return static_cast<double>(count) / seeds; }
};

/// Runs `make(seed)` as the machine of both sides and of its control over many seeds.
Tally tally(const std::function<Machine(Random &random)> &make,
            const std::function<Machine(Random &random)> &makeControl) {
  Tally result;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed * 7919 + 1);
    std::vector<double> values = simulate(seed, blocks, make(random));
    std::vector<double> control = simulate(~seed, blocks, makeControl(random));
    switch (judge(values, control, margin).verdict) {
    case Verdict::faster:
      ++result.faster;
      break;
    case Verdict::slower:
      ++result.slower;
      break;
    case Verdict::same:
      ++result.same;
      break;
    case Verdict::undecided:
      ++result.undecided;
      break;
    }
  }
  return result;
}

/// Times of about 100 µs with noise of `sigma`; the current side takes `slowdown` times as long.
std::function<Machine(Random &)> noisy(double sigma, double slowdown) {
  return [=](Random &random) -> Machine {
    return [=, &random](Side side, unsigned) {
      return 100 * (side == Side::current ? slowdown : 1) * std::exp(sigma * normal(random));
    };
  };
}

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(median(std::array{3.0, 1.0, 2.0}), 2);
  EXPECT_EQ(median(std::array{4.0, 1.0, 2.0, 3.0}), 2.5);
  EXPECT_EQ(median(std::array{7.0}), 7);
}

TEST(Statistics, GeometricMean) { EXPECT_NEAR(geometricMean(std::array{2.0, 8.0}), 4, 1e-15); }

TEST(Statistics, OrdersPlaceTheSides) {
  auto sides = [](BlockOrder order) {
    std::string text;
    for (unsigned i = 0; i < 4; ++i)
      text += sideAt(order, i) == Side::baseline ? 'A' : 'B';
    return text;
  };
  EXPECT_EQ(sides(BlockOrder::abba), "ABBA");
  EXPECT_EQ(sides(BlockOrder::baab), "BAAB");
}

TEST(Statistics, TheCoinIsFairAndOfTheSeed) {
  int heads = 0, changes = 0;
  for (uint64_t i = 0; i < 4000; ++i) {
    heads += flipOrder(431, i) == BlockOrder::abba;
    changes += flipOrder(431, i) != flipOrder(432, i);
    EXPECT_EQ(flipOrder(431, i), flipOrder(431, i));
  }
  // Four standard deviations of 4000 coins are 126.
  EXPECT_NEAR(heads, 2000, 130);
  EXPECT_NEAR(changes, 2000, 130);
}

TEST(Statistics, BlockValueIsTheLogarithmOfTheRatio) {
  EXPECT_NEAR(blockValue({110, 110}, {100, 100}), std::log(1.1), 1e-14);
  EXPECT_NEAR(blockValue({100, 121}, {110, 110}), 0, 1e-14);
}

TEST(Statistics, IntervalNeedsSixValues) {
  std::vector<double> values(5);
  std::iota(values.begin(), values.end(), 1);
  EXPECT_FALSE(medianInterval(values));
  values.push_back(6);
  std::optional<Interval> interval = medianInterval(values);
  ASSERT_TRUE(interval);
  // All six values on one side of the median: twice in 2⁶.
  EXPECT_EQ(interval->low, 1);
  EXPECT_EQ(interval->high, 6);
  EXPECT_NEAR(interval->coverage, 1 - 2.0 / 64, 1e-15);
}

TEST(Statistics, IntervalRanksOfTwentyValues) {
  std::vector<double> values(20);
  std::iota(values.begin(), values.end(), 1);
  std::reverse(values.begin(), values.end());
  std::optional<Interval> interval = medianInterval(values);
  ASSERT_TRUE(interval);
  // Ranks 6 and 15, as in any table of the sign test: P = 1 − 2·(1+20+190+1140+4845+15504)/2²⁰.
  EXPECT_EQ(interval->low, 6);
  EXPECT_EQ(interval->high, 15);
  EXPECT_NEAR(interval->coverage, 1 - 2 * 21700.0 / 1048576, 1e-12);
}

TEST(Statistics, IntervalCoversTheMedianAsOftenAsItSays) {
  constexpr int trials = 4000;
  int covered = 0;
  Random random(5);
  double coverage = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(13);
    for (double &value : values) // Skewed on purpose: the interval assumes no distribution.
      value = std::exp(2 * normal(random));
    std::optional<Interval> interval = medianInterval(values);
    ASSERT_TRUE(interval);
    coverage = interval->coverage;
    covered += interval->low <= 1 && 1 <= interval->high;
  }
  EXPECT_GE(coverage, 0.95);
  EXPECT_NEAR(static_cast<double>(covered) / trials, coverage, 4 * std::sqrt(.05 * .95 / trials));
}

TEST(Verdict, NamesGoBothWays) {
  for (Verdict v : {Verdict::faster, Verdict::slower, Verdict::same, Verdict::undecided})
    EXPECT_EQ(parseVerdict(name(v)), v);
  EXPECT_FALSE(parseVerdict("maybe"));
}

TEST(Verdict, WholeIntervalBeyondTheMargin) {
  std::vector<double> values(20, std::log(1.02));
  EXPECT_EQ(judge(values, margin).verdict, Verdict::faster);
  EXPECT_NEAR(judge(values, margin).ratio, 1.02, 1e-12);
  for (double &value : values)
    value = -value;
  EXPECT_EQ(judge(values, margin).verdict, Verdict::slower);
}

TEST(Verdict, TheMarginItselfIsNotBeyond) {
  EXPECT_EQ(judge(std::vector<double>(20, std::log1p(margin)), margin).verdict, Verdict::same);
  EXPECT_EQ(judge(std::vector<double>(20, -std::log1p(margin)), margin).verdict, Verdict::same);
  EXPECT_EQ(judge(std::vector<double>(20, std::log1p(margin) * 1.0001), margin).verdict,
            Verdict::faster);
}

TEST(Verdict, IntervalAcrossTheMarginIsUndecided) {
  std::vector<double> values(20);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = 0.001 * static_cast<double>(i);
  Judgement judgement = judge(values, margin);
  EXPECT_EQ(judgement.verdict, Verdict::undecided);
  EXPECT_NE(judgement.reason.find("crosses"), std::string::npos);
}

TEST(Verdict, SameNeedsThreeQuartersInsideTwiceTheMargin) {
  // The interval is [0, 0] as long as ranks 6 to 15 are zeros; the ends are far outside.
  auto withOutside = [](int outside) {
    std::vector<double> values(20, 0.0);
    for (int i = 0; i < outside; ++i)
      values[static_cast<size_t>(i)] = i % 2 ? 0.05 : -0.05;
    return values;
  };
  EXPECT_EQ(judge(withOutside(5), margin).verdict, Verdict::same);
  EXPECT_EQ(judge(withOutside(6), margin).verdict, Verdict::undecided);
  EXPECT_NEAR(judge(withOutside(6), margin).insideTwiceMargin, 0.7, 1e-12);
}

TEST(Verdict, FewBlocksAreUndecided) {
  for (size_t count : {0, 1, 5})
    EXPECT_EQ(judge(std::vector<double>(count, 1.0), margin).verdict, Verdict::undecided);
  EXPECT_EQ(judge(std::vector<double>(6, 1.0), margin).verdict, Verdict::faster);
}

TEST(Verdict, AControlThatClaimsADifferenceDecides) {
  std::vector<double> fast(20, 0.1), quiet(20, 0.0);
  EXPECT_EQ(judge(fast, quiet, margin).verdict, Verdict::faster);
  EXPECT_EQ(judge(fast, fast, margin).verdict, Verdict::undecided);
  EXPECT_EQ(judge(fast, std::vector<double>(20, -0.1), margin).verdict, Verdict::undecided);
  EXPECT_EQ(judge(fast, {}, margin).verdict, Verdict::undecided);
}

TEST(Noise, AnEqualPairIsHardlyEverTakenForDifferent) {
  Tally t = tally(noisy(0.02, 1), noisy(0.02, 1));
  EXPECT_GE(t.part(t.same + t.undecided), 0.95);
}

TEST(Noise, FivePercentSlowerIsFound) {
  Tally t = tally(noisy(0.02, 1.05), noisy(0.02, 1));
  EXPECT_GE(t.part(t.slower), 0.90);
  EXPECT_EQ(t.faster, 0);
}

TEST(Noise, FivePercentFasterIsFound) {
  Tally t = tally(noisy(0.02, 1 / 1.05), noisy(0.02, 1));
  EXPECT_GE(t.part(t.faster), 0.90);
  EXPECT_EQ(t.slower, 0);
}

TEST(Noise, AQuietEqualPairIsTheSame) {
  Tally t = tally(noisy(0.003, 1), noisy(0.003, 1));
  EXPECT_GE(t.part(t.same), 0.95);
}

TEST(Noise, SteadyDriftCancels) {
  // A machine that loses half a percent of its speed from burst to burst.
  auto drifting = [](double sigma) {
    return [sigma](Random &random) -> Machine {
      return [sigma, &random](Side, unsigned burst) {
        return 100 * std::exp(0.005 * burst + sigma * normal(random));
      };
    };
  };
  Random random(1);
  for (double value : simulate(431, blocks, drifting(0)(random)))
    EXPECT_NEAR(value, 0, 1e-13);
  Tally t = tally(drifting(0.003), drifting(0.003));
  EXPECT_GE(t.part(t.same), 0.95);
  EXPECT_EQ(t.faster + t.slower, 0);
}

TEST(Noise, TwoStatesAreUndecided) {
  auto bimodal = [](Random &random) -> Machine {
    return [&random](Side, unsigned) {
      double state = random.uniform() < 0.5 ? 1.1 : 1.0;
      return 100 * state * std::exp(0.005 * normal(random));
    };
  };
  Tally t = tally(bimodal, bimodal);
  EXPECT_GE(t.part(t.undecided), 0.95);
}

} // namespace
} // namespace metile::bench
