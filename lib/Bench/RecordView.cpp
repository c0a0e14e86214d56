// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/RecordView.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace metile::bench {

const Json &judgedMeasure(const Json &comparison) {
  const std::string &metric = comparison["metric"].asString();
  if (!metric.empty())
    return comparison[metric];
  return comparison["gpu_us"].isNull() ? comparison["wall_us"] : comparison["gpu_us"];
}

const Json &sideCase(const Json &record, std::string_view side, std::string_view name) {
  static const Json none;
  for (const Json &one : record["samples"][side][0]["cases"].elements())
    if (one["name"].asString() == name)
      return one;
  return none;
}

std::string verdictText(const Json &comparison) {
  const std::string &status = comparison["status"].asString();
  if (judgedMeasure(comparison).isNull() && status != "ok")
    return status;
  const std::string &verdict = comparison["verdict"].asString();
  return verdict.empty() ? "undecided" : verdict;
}

std::string threeDigits(double value) {
  if (value == 0 || !std::isfinite(value))
    return "0";
  int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  return fmt::format("{:.{}f}", value, std::min(digits, 6));
}

std::string flopRate(const Json &comparison, double microseconds) {
  double flops = comparison["flops"].asNumber();
  if (!(flops > 0) || !(microseconds > 0))
    return "–";
  return threeDigits(flops / microseconds / 1e3);
}

std::string formatTime(double us) {
  if (!(us > 0))
    return "–";
  if (us < 1)
    return threeDigits(us * 1e3) + " ns";
  if (us < 1e3)
    return threeDigits(us) + " µs";
  if (us < 1e6)
    return threeDigits(us / 1e3) + " ms";
  return threeDigits(us / 1e6) + " s";
}

} // namespace metile::bench
