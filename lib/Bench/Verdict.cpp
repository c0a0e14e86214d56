// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace metile::bench {
namespace {

constexpr std::string_view verdictNames[] = {"faster", "slower", "same", "undecided"};
/// `same` needs this part of the blocks within twice the margin: two speeds that take turns (a
/// machine with two states) have a quiet median but no single ratio.
constexpr double neededInside = 0.75;

} // namespace

std::string_view name(Verdict verdict) { return verdictNames[static_cast<size_t>(verdict)]; }

std::optional<Verdict> parseVerdict(std::string_view text) {
  for (size_t i = 0; i < std::size(verdictNames); ++i)
    if (verdictNames[i] == text)
      return static_cast<Verdict>(i);
  return std::nullopt;
}

Judgement judge(std::span<const double> blockValues, double margin) {
  Judgement result;
  if (blockValues.empty()) {
    result.reason = "no block was measured";
    return result;
  }
  double band = std::log1p(margin);
  result.ratio = std::exp(median(blockValues));
  auto inside = std::count_if(blockValues.begin(), blockValues.end(),
                              [&](double value) { return std::abs(value) <= 2 * band; });
  result.insideTwiceMargin = static_cast<double>(inside) / static_cast<double>(blockValues.size());

  std::optional<Interval> interval = medianInterval(blockValues);
  if (!interval) {
    result.reason = fmt::format("{} block{} cannot give a 95 % interval; 6 can", blockValues.size(),
                                blockValues.size() == 1 ? "" : "s");
    return result;
  }
  result.interval = Interval{std::exp(interval->low), std::exp(interval->high), interval->coverage};
  if (interval->low > band) {
    result.verdict = Verdict::faster;
    result.reason = "the whole interval lies above the margin";
  } else if (interval->high < -band) {
    result.verdict = Verdict::slower;
    result.reason = "the whole interval lies below the margin";
  } else if (interval->low < -band || interval->high > band) {
    result.reason = "the interval crosses the margin";
  } else if (result.insideTwiceMargin < neededInside) {
    result.reason = fmt::format("the interval lies inside the margin, but only {:.0f} % of the "
                                "blocks inside twice the margin: the times are not of one kind",
                                100 * result.insideTwiceMargin);
  } else {
    result.verdict = Verdict::same;
    result.reason = "the interval lies inside the margin";
  }
  return result;
}

Judgement judge(std::span<const double> blockValues, std::span<const double> controlValues,
                double margin) {
  Judgement result = judge(blockValues, margin);
  if (controlValues.empty()) {
    result.verdict = Verdict::undecided;
    result.reason = "the baseline was not measured against itself";
    return result;
  }
  Judgement control = judge(controlValues, margin);
  if (control.verdict == Verdict::faster || control.verdict == Verdict::slower) {
    result.verdict = Verdict::undecided;
    result.reason = fmt::format("the baseline against itself measures as {} (ratio {:.4f})",
                                name(control.verdict), control.ratio);
  }
  return result;
}

} // namespace metile::bench
