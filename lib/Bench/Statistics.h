// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statistics of a paired benchmark: block values, medians, intervals. Pure functions over plain
// numbers. Knows nothing of clocks, variants or records.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace metile::bench {

/// Which side one burst belongs to: A is the baseline, B the current.
enum class Side : uint8_t { baseline, current };

/// The order of the four bursts of one block; both cancel a drift that is steady over the block.
enum class BlockOrder : uint8_t { abba, baab };

/// The side of burst `position` (0..3) of a block.
Side sideAt(BlockOrder order, unsigned position);
/// "ABBA" or "BAAB".
const char *name(BlockOrder order);

/// The coin of the block orders: the same seed gives the same orders on every machine.
BlockOrder flipOrder(uint64_t seed, uint64_t block);

/// The middle value; the mean of the two middle values of an even number. Requires values.
double median(std::span<const double> values);

/// exp of the mean of the logarithms. Requires positive values.
double geometricMean(std::span<const double> values);

/// ½(ln A₁ + ln A₂ − ln B₁ − ln B₂) of four positive times: the logarithm of how many times faster
/// the current side was in this block.
double blockValue(std::array<double, 2> baseline, std::array<double, 2> current);

/// An interval for the median of the distribution that `values` were drawn from.
struct Interval {
  double low = 0;
  double high = 0;
  /// The probability that such an interval holds the true median, at least the one asked for.
  double coverage = 0;
};

/// Distribution-free: between two order statistics, whose ranks follow from the binomial
/// distribution with ½ (the number of values under the true median). Nothing if there are too few
/// values to reach `confidence`: under 6 for 95 %.
std::optional<Interval> medianInterval(std::span<const double> values, double confidence = 0.95);

/// SplitMix64 (Steele, Lea, Flood 2014): a small generator that is the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// Uniform in [0, 1).
  double uniform();

private:
  uint64_t state;
};

} // namespace metile::bench
