// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Table.h"

#include "Bench/RecordView.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace metile::bench {
namespace {

using Row = std::vector<std::string>;

/// Columns of a terminal that a text takes: code points, since nothing wide is printed here.
size_t width(const std::string &text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string interval(const Json &measure) {
  const Json &bounds = measure["interval"];
  if (bounds.size() != 2)
    return "no interval";
  return fmt::format("{:.3f} – {:.3f}", bounds[0].asNumber(), bounds[1].asNumber());
}

const char *colorOf(const std::string &verdict) {
  static const std::map<std::string, const char *> colors = {
      {"faster", "\033[32m"}, {"slower", "\033[31m"}, {"same", "\033[36m"}};
  auto found = colors.find(verdict);
  return found == colors.end() ? "\033[33m" : found->second;
}

std::string layOut(const std::vector<Row> &rows, bool color) {
  std::vector<size_t> widths(rows[0].size());
  for (const Row &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (size_t i = 0; i < rows[r].size(); ++i) {
      const std::string &cell = rows[r][i];
      std::string space(widths[i] - width(cell), ' ');
      bool left = i == 0 || i + 1 == rows[r].size();
      std::string shown = cell;
      if (color && i + 1 == rows[r].size() && r > 0)
        shown = colorOf(cell) + cell + "\033[0m";
      line += (i ? "  " : "") + (left ? shown + space : space + shown);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (r == 0) {
      size_t total = 0;
      for (size_t w : widths)
        total += w + 2;
      for (size_t i = 2; i < total; ++i)
        text += "─";
      text += "\n";
    }
  }
  return text;
}

/// Notes of both sides, each once, with the cases where not all share it.
std::string notes(const Json &record) {
  std::string text;
  for (const char *side : {"baseline", "current"}) {
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    const Json &cases = record["samples"][side][0]["cases"];
    for (const Json &one : cases.elements())
      for (const Json &note : one["notes"].elements()) {
        auto known = std::find_if(all.begin(), all.end(), [&](const auto &entry) {
          return entry.first == note.asString();
        });
        if (known == all.end())
          known = all.insert(all.end(), {note.asString(), {}});
        known->second.push_back(one["name"].asString());
      }
    for (const auto &[note, names] : all) {
      std::string where;
      if (names.size() < cases.size())
        where = names.size() <= 2 ? fmt::format(" ({})", fmt::join(names, ", "))
                                  : fmt::format(" ({} of {} cases)", names.size(), cases.size());
      text += fmt::format("  {}: {}{}\n", side, note, where);
    }
  }
  return text;
}

} // namespace

std::string resultTable(const Json &record, bool color) {
  const std::string &a = record["samples"]["baseline"][0]["variant"].asString();
  const std::string &b = record["samples"]["current"][0]["variant"].asString();
  std::vector<Row> rows = {
      {"case", "baseline", "current", "ratio", "95 % interval", "GFLOP/s", "verdict"}};
  std::string remarks;
  for (const Json &comparison : record["comparisons"].elements()) {
    const Json &measure = judgedMeasure(comparison);
    const std::string &name = comparison["name"].asString();
    const std::string &status = comparison["status"].asString();
    if (measure.isNull()) {
      rows.push_back({name, "–", "–", "–", "–", "–", verdictText(comparison)});
    } else {
      double baseline = measure["baseline"].asNumber(), current = measure["current"].asNumber();
      const std::string &verdict = comparison["verdict"].asString();
      rows.push_back(
          {name, formatTime(baseline), formatTime(current),
           fmt::format("{:.3f}", measure["speedup"].asNumber()), interval(measure),
           fmt::format("{} → {}", flopRate(comparison, baseline), flopRate(comparison, current)),
           verdictText(comparison)});
      if (verdict == "undecided")
        remarks += fmt::format("  {}: undecided, {}\n", name, comparison["reason"].asString());
      if (status == "incomplete")
        remarks +=
            fmt::format("  {}: incomplete, {} of {} blocks\n", name, comparison["blocks"].size(),
                        record["configuration"]["blocks"].asInteger());
    }
    for (const char *side : {"baseline", "current"})
      if (const Json &error = sideCase(record, side, name)["error"]; !error.isNull())
        remarks += fmt::format("  {}: {} refused: {}\n", name, side, error.asString());
  }
  std::string text = layOut(rows, color);
  text += "\n";
  if (!a.empty())
    text += fmt::format("baseline: {} · current: {} · {} · {} thread{}\n", a, b,
                        record["samples"]["current"][0]["device"].asString(),
                        record["configuration"]["threads"].asInteger(),
                        record["configuration"]["threads"].asInteger() == 1 ? "" : "s");
  double margin = record["configuration"]["margin"].asNumber();
  if (margin > 0)
    text += fmt::format("ratio: time of baseline / time of current, above 1 current is faster; "
                        "same means within ±{:g} %\n",
                        100 * margin);
  text += remarks;
  text += notes(record);
  if (record["status"].asString() == "incomplete")
    text += "  interrupted: what was measured until then is shown\n";
  return text;
}

} // namespace metile::bench
