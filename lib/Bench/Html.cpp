// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Html.h"

#include "Bench/HtmlPlots.h"
#include "Bench/RecordView.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace metile::bench {
namespace {

constexpr std::string_view styleSheet = R"css(
:root { color-scheme: light dark; --ground: #fbfbfa; --card: #ffffff; --ink: #1d2126; --soft: #646c76;
  --rule: #e3e5e8; --a: #b4540a; --b: #1f5fd0; --band: #8a94a626; --stripe: #8a94a612;
  --faster: #13803b; --slower: #c2261d; --same: #0f766e; --undecided: #8a6a00; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --card: #1b1f24; --ink: #e6e8eb;
  --soft: #98a1ad; --rule: #2e343b; --a: #f0a35e; --b: #7fb0ff; --band: #9aa6b830; --stripe: #9aa6b812;
  --faster: #5ecb83; --slower: #ff8078; --same: #5cc8bd; --undecided: #e0b84a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 12px; }
h3 { font-size: 16px; margin: 0; font-variant-numeric: tabular-nums; }
p { margin: 6px 0; max-width: 76ch; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 18px 20px;
  margin: 0 0 16px; }
.head { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: baseline;
  justify-content: space-between; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; margin: 14px 0 18px; }
.chip { border: 1px solid currentColor; border-radius: 999px; padding: 1px 11px; font-weight: 600;
  font-size: 13.5px; }
.v-faster { color: var(--faster); } .v-slower { color: var(--slower); } .v-same { color: var(--same); }
.v-undecided, .v-incomplete { color: var(--undecided); } .v-refused { color: var(--slower); }
.key-a { color: var(--a); } .key-b { color: var(--b); } .key-a, .key-b { font-weight: 600; }
.plots { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 12px;
  margin-top: 10px; }
@media (max-width: 760px) { .plots { grid-template-columns: minmax(0, 1fr); } }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12.5px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .tick, svg .hint { fill: var(--soft); font-size: 11.5px; }
svg .name { font-size: 13px; } svg a { text-decoration: none; }
svg .number { white-space: pre; } svg .verdict { fill: currentColor; font-weight: 600; }
svg .grid { stroke: var(--rule); } svg .axis { stroke: var(--soft); }
svg .band { fill: var(--band); } svg .stripe { fill: var(--stripe); }
svg .interval { stroke: currentColor; stroke-width: 4; stroke-linecap: round; opacity: .55; }
svg .control { stroke: var(--soft); stroke-width: 2; stroke-linecap: round; opacity: .6; }
svg .dot { fill: currentColor; } svg .span { fill: currentColor; opacity: .16; }
svg .cross { stroke: var(--soft); stroke-width: 1.2; fill: none; }
svg .sample { fill: none; stroke-width: 2.4; stroke-linecap: round; opacity: .32; }
svg .mark { fill: none; stroke-width: 2.4; }
svg .a { stroke: var(--a); } svg .b { stroke: var(--b); }
.scroll { overflow-x: auto; } .scroll > svg { min-width: 620px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: left; padding: 5px 14px 5px 0; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 500; white-space: nowrap; }
td.n, th.n { text-align: right; }
td.v { font-weight: 600; }
.numbers td, .numbers th { white-space: nowrap; }
tr:last-child > td, tr:last-child > th { border-bottom: 0; }
details { margin-top: 10px; } summary { cursor: pointer; color: var(--soft); }
pre { white-space: pre-wrap; background: var(--ground); border: 1px solid var(--rule);
  border-radius: 8px; padding: 10px 12px; font-size: 13px; }
code { font-size: 13px; overflow-wrap: anywhere; }
.decision { border-left: 3px solid var(--rule); padding: 2px 0 2px 12px; margin: 12px 0; }
.decision b { font-weight: 600; }
)css";

std::string escaped(const Json &json) {
  return escapeHtml(json.isString() ? json.asString() : json.dump());
}

/// A value for people: lists of numbers as 64 × 64, objects as key = value.
std::string shown(const Json &json) {
  if (json.isNull())
    return "–";
  if (json.isObject()) {
    std::vector<std::string> parts;
    for (const Json::Member &member : json.members())
      parts.push_back(fmt::format("{} = {}", escapeHtml(member.key), escaped(member.value)));
    return parts.empty() ? "–" : fmt::format("{}", fmt::join(parts, ", "));
  }
  return escaped(json);
}

std::string row(std::string_view name, std::string_view html) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escapeHtml(name), html);
}

std::string variantOf(const Json &record, const char *side) {
  const Json &first = record["samples"][side][0];
  for (const char *key : {"variant", "root"})
    if (!first[key].asString().empty())
      return first[key].asString();
  return side;
}

std::string summaryChips(const Json &record) {
  std::vector<std::pair<std::string, int>> counts;
  for (const Json &comparison : record["comparisons"].elements()) {
    std::string verdict = verdictText(comparison);
    auto known = std::find_if(counts.begin(), counts.end(),
                              [&](const auto &entry) { return entry.first == verdict; });
    if (known == counts.end())
      counts.emplace_back(verdict, 1);
    else
      ++known->second;
  }
  std::string html = "<div class=\"chips\">";
  for (const auto &[verdict, count] : counts)
    html += fmt::format("<span class=\"chip v-{0}\">{1} {0}</span>", verdict, count);
  return html + "</div>\n";
}

std::string resultRows(const Json &record) {
  std::string html = "<div class=\"scroll\"><table class=\"numbers\"><tr><th>case</th><th "
                     "class=\"n\">baseline</th>"
                     "<th class=\"n\">current</th><th class=\"n\">ratio</th>"
                     "<th class=\"n\">95 % interval</th><th class=\"n\">GFLOP/s baseline</th>"
                     "<th class=\"n\">GFLOP/s current</th><th>verdict</th></tr>\n";
  for (const Json &comparison : record["comparisons"].elements()) {
    const Json &measure = judgedMeasure(comparison);
    double baseline = measure["baseline"].asNumber(), current = measure["current"].asNumber();
    const Json &interval = measure["interval"];
    html += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"v v-{}\">{}</td></tr>\n",
        escaped(comparison["name"]), formatTime(baseline), formatTime(current),
        measure.isNull() ? "–" : fmt::format("{:.3f}", measure["speedup"].asNumber()),
        interval.size() == 2
            ? fmt::format("{:.3f} – {:.3f}", interval[0].asNumber(), interval[1].asNumber())
            : "–",
        flopRate(comparison, baseline), flopRate(comparison, current), verdictText(comparison),
        verdictText(comparison));
  }
  return html + "</table></div>\n";
}

std::string costText(const Json &cost, const Json &unit) {
  if (!cost.isNumber())
    return {};
  return fmt::format("{} {}", threeDigits(cost.asNumber()), escapeHtml(unit.asString()));
}

std::string decisionHtml(const Json &decision) {
  std::string html = "<div class=\"decision\">";
  const std::string &question = decision["question"].asString();
  html += fmt::format("<div class=\"soft\">{}{}</div>",
                      question.empty() ? escaped(decision["id"]) : escapeHtml(question),
                      decision["subject"].asString().empty()
                          ? ""
                          : fmt::format(" · {}", escaped(decision["subject"])));
  html += fmt::format("<div><b>{}</b>", shown(decision["chosen"]));
  if (std::string cost = costText(decision["cost"], decision["unit"]); !cost.empty())
    html += fmt::format(" <span class=\"soft\">({})</span>", cost);
  if (decision["requested"].asBool())
    html += " <span class=\"soft\">(asked for by the schedule)</span>";
  if (!decision["reason"].asString().empty())
    html += fmt::format(" — {}", escaped(decision["reason"]));
  html += "</div>";
  const Json::Array &alternatives = decision["alternatives"].elements();
  if (!alternatives.empty()) {
    html += fmt::format("<details><summary>{} alternative{}</summary><table>", alternatives.size(),
                        alternatives.size() == 1 ? "" : "s");
    for (const Json &alternative : alternatives) {
      std::string why = alternative["violated"].isNull()
                            ? costText(alternative["cost"], decision["unit"])
                            : escaped(alternative["violated"]);
      html += fmt::format("<tr><td>{}</td><td>{}</td></tr>", shown(alternative["choice"]), why);
    }
    html += "</table></details>";
  }
  if (!decision["would_change"].asString().empty())
    html += fmt::format("<div class=\"soft\">Would change it: {}</div>",
                        escaped(decision["would_change"]));
  return html + "</div>\n";
}

/// What the execution report of one side says: its decisions, else the plan's reasons.
std::string reportHtml(const Json &one, const char *side) {
  const Json &report = one["execution_report"];
  if (!report.isObject())
    return {};
  std::string inner;
  for (const Json &decision : report["decisions"].elements())
    inner += decisionHtml(decision);
  for (const Json &reason : report["plan"]["reasons"].elements())
    inner += fmt::format("<p>{}</p>", escaped(reason));
  std::string facts;
  for (const char *key : {"backend", "tile_shape", "threadgroup_size", "staging", "vector_width",
                          "double_buffer", "outer_bounds_proven"})
    if (!report["plan"][key].isNull())
      facts += row(key, shown(report["plan"][key]));
  if (!report["passes"].elements().empty()) {
    std::vector<std::string> names;
    for (const Json &pass : report["passes"].elements())
      names.push_back(escaped(pass));
    facts += row("passes", fmt::format("{}", fmt::join(names, ", ")));
  }
  if (!facts.empty())
    inner += "<div class=\"scroll\"><table>" + facts + "</table></div>";
  return fmt::format("<details><summary>What the compiler decided for the {} ({} decisions)"
                     "</summary>{}</details>\n",
                     side, report["decisions"].size(), inner);
}

std::string caseCard(const Json &record, const Json &comparison, size_t index) {
  const std::string &name = comparison["name"].asString();
  double margin = record["configuration"]["margin"].asNumber(0.01);
  std::string verdict = verdictText(comparison);
  std::string html = fmt::format("<section class=\"card\" id=\"case-{}\"><div class=\"head\">"
                                 "<h3>{}</h3><span class=\"chip v-{}\">{}</span></div>\n",
                                 index, escapeHtml(name), verdict, verdict);
  const Json &measure = judgedMeasure(comparison);
  if (!measure.isNull()) {
    double baseline = measure["baseline"].asNumber(), current = measure["current"].asNumber();
    html += fmt::format(
        "<p><span class=\"key-a\">baseline {}</span> · <span class=\"key-b\">current {}</span> · "
        "ratio {:.4f}{}</p>\n",
        formatTime(baseline), formatTime(current), measure["speedup"].asNumber(),
        measure["interval"].size() == 2
            ? fmt::format(", 95 % interval {:.4f} – {:.4f}", measure["interval"][0].asNumber(),
                          measure["interval"][1].asNumber())
            : "");
    html += fmt::format("<p class=\"soft\">{}: {}.</p>\n", verdict,
                        escaped(comparison["reason"].isNull()
                                    ? Json("two samples a side decide nothing")
                                    : comparison["reason"]));
  }
  std::string samples = samplePlot(comparison), blocks = blockPlot(comparison, margin);
  if (!samples.empty())
    html += fmt::format("<div class=\"plots\"><div class=\"scroll\">{}</div><div>{}</div></div>\n",
                        samples, blocks);
  std::string facts;
  for (const char *side : {"baseline", "current"}) {
    const Json &one = sideCase(record, side, name);
    if (!one["error"].isNull())
      html += fmt::format("<p>The {} was refused and has no time:</p><pre>{}</pre>\n", side,
                          escaped(one["error"]));
    const Json &correctness = one["correctness"];
    std::string check =
        fmt::format("largest error {:.3g}", correctness["max_absolute_error"].asNumber());
    if (correctness["max_error_over_bound"].isNumber())
      check += fmt::format(", {:.1f} % of what rounding may cause",
                           100 * correctness["max_error_over_bound"].asNumber());
    std::string line = fmt::format("{} · schedule {} · {} samples", check, shown(one["schedule"]),
                                   one["timing"]["samples"].asInteger());
    if (one["threads"].isNumber())
      line += fmt::format(" · {} thread{}", one["threads"].asInteger(),
                          one["threads"].asInteger() == 1 ? "" : "s");
    for (const Json &note : one["notes"].elements())
      line += fmt::format("<br><span class=\"soft\">{}</span>", escaped(note));
    facts += row(side, line);
  }
  if (!comparison["control"]["ratio"].isNull())
    facts += row("control", fmt::format("baseline against itself: ratio {:.4f}, {}",
                                        comparison["control"]["ratio"].asNumber(1),
                                        escaped(comparison["control"]["verdict"])));
  html += "<div class=\"scroll\"><table>" + facts + "</table></div>\n";
  for (const char *side : {"baseline", "current"})
    html += reportHtml(sideCase(record, side, name), side);
  return html + "</section>\n";
}

std::string setting(const Json &record) {
  std::string html = "<div class=\"card\"><div class=\"scroll\"><table>";
  html += row("recorded", shown(record["recorded_at"]));
  for (const char *side : {"baseline", "current"}) {
    const Json &first = record["samples"][side][0];
    html += row(side, fmt::format("{} on {}, {}<br><span class=\"soft\">{}</span>",
                                  escapeHtml(variantOf(record, side)), shown(first["device"]),
                                  shown(first["platform"]), shown(first["tools"])));
  }
  for (const Json::Member &member : record["environment"].members())
    html += row(member.key, shown(member.value));
  for (const Json::Member &member : record["configuration"].members())
    html += row(member.key, shown(member.value));
  html += row("benchmark SHA-256",
              fmt::format("<code>{}</code>", shown(record["benchmark_source_sha256"])));
  return html + "</table></div></div>\n";
}

} // namespace

std::string htmlPage(const Json &record) {
  const Json::Array &comparisons = record["comparisons"].elements();
  std::string kernel = comparisons.empty() ? "" : comparisons[0]["kernel"].asString();
  std::string a = variantOf(record, "baseline"), b = variantOf(record, "current");
  double margin = record["configuration"]["margin"].asNumber(0.01);
  std::string title = fmt::format("{}{} against {}", kernel.empty() ? "" : kernel + ": ", b, a);
  std::string html =
      fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>{0}</title>\n<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n",
                  escapeHtml(title), styleSheet);
  html +=
      fmt::format("<p class=\"soft\">Paired benchmark · <span class=\"key-a\">baseline {}</span>"
                  " · <span class=\"key-b\">current {}</span> · {}</p>\n",
                  escapeHtml(a), escapeHtml(b), shown(record["samples"]["current"][0]["device"]));
  if (record["status"].asString() == "incomplete")
    html += "<p class=\"v-undecided\">The run was interrupted; what was measured until then is "
            "shown.</p>\n";
  html += summaryChips(record);
  html += "<div class=\"card\"><div class=\"scroll\">" + ratioPlot(record) + "</div>\n";
  html += fmt::format(
      "<p class=\"soft\">Ratio = time of the baseline / time of the current side; above 1 current "
      "is faster. Thick bars: 95 % interval of the ratio. Thin grey bars: the baseline against "
      "itself. Shaded: ±{:g} %, inside of which a difference counts as none.</p></div>\n",
      100 * margin);
  html += "<h2>Results</h2>\n<div class=\"card\">" + resultRows(record) + "</div>\n";
  html += "<h2>Cases</h2>\n";
  for (size_t i = 0; i < comparisons.size(); ++i)
    html += caseCard(record, comparisons[i], i);
  html += "<h2>How it was measured</h2>\n" + setting(record);
  return html + "</main></body></html>\n";
}

} // namespace metile::bench
