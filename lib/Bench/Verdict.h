// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From block values to a verdict: faster, slower, same or undecided. Pure functions; knows nothing
// of how the values were measured.
#pragma once

#include "Bench/Statistics.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace metile::bench {

/// Of the current side against the baseline.
enum class Verdict : uint8_t { faster, slower, same, undecided };

std::string_view name(Verdict verdict);
std::optional<Verdict> parseVerdict(std::string_view text);

/// What the blocks say. Ratios are baseline time over current time: above 1 current is faster.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  /// exp of the median block value; 1 if there are no blocks.
  double ratio = 1;
  /// 95 % interval of the ratio; nothing with fewer than 6 blocks.
  std::optional<Interval> interval;
  /// The fraction of the blocks whose value lies within twice the margin.
  double insideTwiceMargin = 0;
  /// Why the verdict is what it is, as one sentence for people.
  std::string reason;
};

/// `margin` is relative: 0.01 means a band of ±ln(1.01) about zero.
///  faster, slower  the whole interval lies beyond the band
///  same            the interval lies inside the band, and at least three quarters of the blocks
///                  inside twice the band
///  undecided       everything else
Judgement judge(std::span<const double> blockValues, double margin);

/// The same, unless the control (the baseline against itself) claims a difference: then a
/// difference proves nothing here and the verdict is undecided. An empty control counts as none
/// measured, which is undecided too.
Judgement judge(std::span<const double> blockValues, std::span<const double> controlValues,
                double margin);

} // namespace metile::bench
