// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/HtmlPlots.h"

#include "Bench/RecordView.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace metile::bench {
namespace {

/// From a range of values to a range of pixels, linear or logarithmic.
class Axis {
public:
  Axis(double low, double high, double from, double to, bool logarithmic)
      : logarithmic(logarithmic), low(map(low)), high(map(high)), from(from), to(to) {}

  double at(double value) const { return from + (map(value) - low) / (high - low) * (to - from); }
  double clamped(double value) const {
    return std::clamp(at(value), std::min(from, to), std::max(from, to));
  }

private:
  double map(double value) const { return logarithmic ? std::log(value) : value; }

  bool logarithmic;
  double low, high, from, to;
};

/// Round ratios inside the range that leave room for their labels.
std::vector<double> ratioTicks(double low, double high, const Axis &axis, double room) {
  // From the most to the least telling, so that a crowded axis keeps the better ones.
  constexpr double candidates[] = {1,   2,   0.5,  1.1, 0.9,  1.05, 0.95, 1.02, 0.98, 1.01, 0.99,
                                   1.2, 0.8, 1.5,  0.7, 5,    0.2,  10,   0.1,  1.3,  0.6,  3,
                                   0.3, 20,  0.05, 50,  0.02, 100,  0.01, 1000, 1e-3, 1e4,  1e-4};
  std::vector<double> ticks;
  for (double candidate : candidates) {
    bool fits = candidate >= low && candidate <= high;
    for (double taken : ticks)
      fits = fits && std::abs(axis.at(taken) - axis.at(candidate)) >= room;
    if (fits)
      ticks.push_back(candidate);
  }
  std::sort(ticks.begin(), ticks.end());
  return ticks;
}

/// 1, 2 or 5 times a power of ten, so that about `count` steps fill the range.
double niceStep(double range, int count) {
  double raw = range / count;
  double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw)
      return factor * power;
  return 10 * power;
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Ratios from `range` with some air, and the band of the margin always in view.
Range withMargin(Range range, double margin) {
  range.add(std::pow(1 + margin, 2.5));
  range.add(std::pow(1 + margin, -2.5));
  double air = std::pow(range.high / range.low, 0.05);
  return {range.low / air, range.high * air};
}

std::string text(double x, double y, const char *style, std::string_view content,
                 const char *anchor = "start") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>", x,
                     y, style, anchor, escapeHtml(content));
}

std::string line(double x1, double y1, double x2, double y2, const char *style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
                     "class=\"{}\"/>",
                     x1, y1, x2, y2, style);
}

std::string open(double width, double height, std::string_view label) {
  return fmt::format("<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\" "
                     "style=\"max-width:{0:.0f}px\">",
                     width, height, escapeHtml(label));
}

std::string tickText(double ratio) { return fmt::format("{:g}×", ratio); }

bool hasInterval(const Json &measure) { return measure["interval"].size() == 2; }

} // namespace

std::string escapeHtml(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

std::string ratioPlot(const Json &record) {
  constexpr double width = 980, rowHeight = 34, top = 34, left = 210, right = 700;
  double margin = record["configuration"]["margin"].asNumber(0.01);
  const Json::Array &comparisons = record["comparisons"].elements();
  Range range;
  for (const Json &comparison : comparisons) {
    const Json &measure = judgedMeasure(comparison);
    if (measure.isNull())
      continue;
    range.add(measure["speedup"].asNumber(1));
    for (const Json *bounds : {&measure["interval"], &comparison["control"]["interval"]})
      for (const Json &bound : bounds->elements())
        range.add(bound.asNumber(1));
  }
  range = withMargin(range, margin);
  Axis axis(range.low, range.high, left, right, true);
  double bottom = top + rowHeight * static_cast<double>(comparisons.size());
  std::string svg = open(width, bottom + 30, "Ratios of all cases with their intervals");
  double bandLow = axis.at(1 / (1 + margin)), bandHigh = axis.at(1 + margin);
  svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                     "class=\"band\"/>",
                     bandLow, top - 8, bandHigh - bandLow, bottom - top + 8);
  for (double tick : ratioTicks(range.low, range.high, axis, 52)) {
    svg += line(axis.at(tick), top - 8, axis.at(tick), bottom, tick == 1 ? "axis" : "grid");
    svg += text(axis.at(tick), bottom + 16, "tick", tickText(tick), "middle");
  }
  svg += text(left, 16, "hint", "← current is slower");
  svg += text(right, 16, "hint", "current is faster →", "end");
  for (size_t i = 0; i < comparisons.size(); ++i) {
    const Json &comparison = comparisons[i];
    const Json &measure = judgedMeasure(comparison);
    double y = top + rowHeight * (static_cast<double>(i) + 0.5);
    std::string verdict = verdictText(comparison);
    svg += fmt::format("<g class=\"v-{}\">", verdict);
    svg += fmt::format("<a href=\"#case-{}\">{}</a>", i,
                       text(left - 16, y + 4, "name", comparison["name"].asString(), "end"));
    const Json &control = comparison["control"];
    if (hasInterval(control))
      svg += line(axis.clamped(control["interval"][0].asNumber()), y + 9,
                  axis.clamped(control["interval"][1].asNumber()), y + 9, "control");
    std::string numbers = "no time";
    if (!measure.isNull()) {
      double ratio = measure["speedup"].asNumber(1);
      numbers = fmt::format("{:.3f}", ratio);
      if (hasInterval(measure)) {
        double low = measure["interval"][0].asNumber(), high = measure["interval"][1].asNumber();
        svg += line(axis.clamped(low), y, axis.clamped(high), y, "interval");
        numbers += fmt::format("  [{:.3f}, {:.3f}]", low, high);
      }
      svg +=
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" class=\"dot\"><title>{}: "
                      "{}</title></circle>",
                      axis.clamped(ratio), y, escapeHtml(comparison["name"].asString()), numbers);
    }
    svg += text(right + 20, y + 4, "number", numbers);
    svg += text(width - 4, y + 4, "verdict", verdict, "end");
    svg += "</g>";
  }
  return svg + "</svg>";
}

std::string samplePlot(const Json &comparison) {
  constexpr double width = 640, height = 250, left = 64, right = 630, top = 26, bottom = 216;
  const Json::Array &blocks = comparison["blocks"].elements();
  if (blocks.empty())
    return {};
  std::vector<double> all;
  auto perLaunch = [](const Json &burst, const Json &ns) {
    return ns.asNumber() / std::max(1.0, burst["launches_per_sample"].asNumber(1)) / 1e3;
  };
  for (const Json &block : blocks)
    for (const Json &burst : block["bursts"].elements())
      for (const Json &ns : burst["sample_ns"].elements())
        all.push_back(perLaunch(burst, ns));
  if (all.empty())
    return {};
  std::sort(all.begin(), all.end());
  // Interrupted samples must not squeeze all others into a line: the bursts' values set the scale.
  double usual = all[all.size() * 3 / 4];
  for (const Json *list : {&comparison["wall_us"]["samples"]["baseline"],
                           &comparison["wall_us"]["samples"]["current"]})
    for (const Json &value : list->elements())
      usual = std::max(usual, value.asNumber());
  double range = std::max(usual - all.front(), 0.02 * usual);
  double low = std::max(0.0, all.front() - 0.15 * range), high = usual + 0.25 * range;
  Axis y(low, high, bottom, top, false);
  double slot = (right - left) / static_cast<double>(4 * blocks.size());

  std::string svg = open(width, height, "Samples of every burst in the order of measuring");
  double step = niceStep(high - low, 4);
  for (double tick = std::ceil(low / step) * step; tick <= high; tick += step) {
    svg += line(left, y.at(tick), right, y.at(tick), "grid");
    svg += text(left - 8, y.at(tick) + 4, "tick", tick > 0 ? formatTime(tick) : "0", "end");
  }
  std::string dots[2], marks[2];
  size_t above = 0;
  for (size_t b = 0; b < blocks.size(); ++b) {
    double start = left + slot * 4 * static_cast<double>(b);
    if (b % 2 == 1)
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\" "
                         "class=\"stripe\"/>",
                         start, top, 4 * slot, bottom - top);
    const Json::Array &bursts = blocks[b]["bursts"].elements();
    for (size_t position = 0; position < bursts.size(); ++position) {
      const Json &burst = bursts[position];
      bool isCurrent = burst["side"].asString() == "current";
      const Json::Array &samples = burst["sample_ns"].elements();
      std::vector<double> values;
      for (size_t i = 0; i < samples.size(); ++i) {
        double value = perLaunch(burst, samples[i]);
        values.push_back(value);
        above += value > high;
        double x = start + slot * (static_cast<double>(position) + 0.1 +
                                   0.8 * (static_cast<double>(i) + 0.5) /
                                       static_cast<double>(samples.size()));
        dots[isCurrent] += fmt::format("M{:.1f} {:.1f}h0", x, y.clamped(value));
      }
      std::sort(values.begin(), values.end());
      if (!values.empty()) {
        size_t half = values.size() / 2;
        double middle = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
        double x = start + slot * (static_cast<double>(position) + 0.1);
        marks[isCurrent] += fmt::format("M{:.1f} {:.1f}h{:.1f}", x, y.clamped(middle), 0.8 * slot);
      }
    }
  }
  constexpr const char *sides[] = {"a", "b"};
  for (size_t side = 0; side < 2; ++side)
    svg += fmt::format("<path d=\"{}\" class=\"sample {}\"/>", dots[side], sides[side]);
  for (size_t side = 0; side < 2; ++side)
    svg += fmt::format("<path d=\"{}\" class=\"mark {}\"/>", marks[side], sides[side]);
  svg += line(left, bottom, right, bottom, "axis");
  svg +=
      text(left, 14, "hint", "time of one launch; a dot is a sample, a bar the median of a burst");
  std::string below = fmt::format("{} blocks of 4 bursts, in order of measuring", blocks.size());
  if (above)
    below += fmt::format("; {} sample{} above the top", above, above == 1 ? "" : "s");
  svg += text(left, height - 12, "hint", below);
  return svg + "</svg>";
}

std::string blockPlot(const Json &comparison, double margin) {
  constexpr double width = 330, height = 250, left = 60, right = 320, top = 26, bottom = 216;
  const Json &measure = judgedMeasure(comparison);
  const Json::Array &values = measure["block_values"].elements();
  const Json::Array &controls = comparison["control"]["block_values"].elements();
  if (values.empty())
    return {};
  Range range;
  for (const Json::Array *list : {&values, &controls})
    for (const Json &value : *list)
      range.add(std::exp(value.asNumber()));
  range = withMargin(range, margin);
  Axis y(range.low, range.high, bottom, top, true);
  std::string svg = open(width, height, "Ratio of each block");
  svg +=
      fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" class=\"band\"/>",
                  left, y.at(1 + margin), right - left, y.at(1 / (1 + margin)) - y.at(1 + margin));
  for (double tick : ratioTicks(range.low, range.high, y, 22)) {
    svg += line(left, y.at(tick), right, y.at(tick), tick == 1 ? "axis" : "grid");
    svg += text(left - 8, y.at(tick) + 4, "tick", tickText(tick), "end");
  }
  double slot = (right - left) / static_cast<double>(std::max(values.size(), controls.size()));
  for (size_t i = 0; i < controls.size(); ++i) {
    double x = left + slot * (static_cast<double>(i) + 0.72);
    double at = y.clamped(std::exp(controls[i].asNumber()));
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}l3.2 3.2M{:.1f} {:.1f}l3.2 -3.2\" "
                       "class=\"cross\"/>",
                       x - 1.6, at - 1.6, x - 1.6, at + 1.6);
  }
  svg += fmt::format("<g class=\"v-{}\">", verdictText(comparison));
  if (hasInterval(measure)) {
    double low = y.clamped(measure["interval"][0].asNumber());
    double high = y.clamped(measure["interval"][1].asNumber());
    svg += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" "
                       "class=\"span\"/>",
                       left, high, right - left, std::max(1.0, low - high));
  }
  for (size_t i = 0; i < values.size(); ++i)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\" class=\"dot\"/>",
                       left + slot * (static_cast<double>(i) + 0.36),
                       y.clamped(std::exp(values[i].asNumber())));
  svg += "</g>";
  svg += text(left, 14, "hint", "ratio of each block, above 1 current is faster");
  svg += text(left, height - 12, "hint", "● blocks and interval   × control");
  return svg + "</svg>";
}

} // namespace metile::bench
