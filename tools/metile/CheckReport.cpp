// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckReport.h"

#include "CheckFilter.h"

#include <fmt/format.h>

#include <set>

namespace metile::tools {

std::string checkText(const std::vector<CheckOutcome> &outcomes, size_t suppressed) {
  std::string text;
  for (const CheckOutcome &outcome : outcomes) {
    for (const emulator::Finding &finding : outcome.findings) {
      std::string shown = finding.str();
      // The line that is at fault stands below the message.
      std::string source = sourceLine(finding.first.location);
      size_t end = shown.find('\n');
      text +=
          shown.substr(0, end + 1) + (source.empty() ? "" : source + "\n") + shown.substr(end + 1);
      text += '\n';
    }
    for (const std::string &mismatch : outcome.mismatches)
      text += mismatch + "\n\n";
  }
  for (const CheckOutcome &outcome : outcomes)
    text += fmt::format(
        "{} {}: {}{}, {} in {:.1f} ms, built in {:.0f} ms{}\n", outcome.file, outcome.kernel,
        outcome.findings.empty() ? "clean"
                                 : fmt::format("{} finding{}", outcome.findings.size(),
                                               outcome.findings.size() == 1 ? "" : "s"),
        outcome.mismatches.empty() ? "" : ", wrong result",
        outcome.fast ? "run without checks" : "checked", outcome.runMilliseconds,
        outcome.buildMilliseconds, outcome.fromCache ? " (cached)" : "");
  if (suppressed)
    text += fmt::format("{} suppressed\n", suppressed);
  return text;
}

static Json placeJson(const Location &at) {
  if (!at.known())
    return {};
  return Json::object({{"file", at.file}, {"line", at.line}, {"column", at.column}});
}

Json checkJson(const std::vector<CheckOutcome> &outcomes, size_t suppressed) {
  Json checks = Json::array();
  for (const CheckOutcome &outcome : outcomes) {
    Json findings = Json::array();
    for (const emulator::Finding &finding : outcome.findings) {
      Json others = Json::array();
      for (const emulator::FindingSide &side : finding.others)
        others.push(Json::object({{"at", placeJson(side.location)}, {"text", side.text}}));
      findings.push(Json::object({{"rule", emulator::name(finding.kind)},
                                  {"category", emulator::category(finding.kind)},
                                  {"message", finding.message},
                                  {"variable", finding.variable},
                                  {"at", placeJson(finding.first.location)},
                                  {"text", finding.first.text},
                                  {"others", others},
                                  {"hint", finding.hint},
                                  {"count", finding.count},
                                  {"fingerprint", fingerprint(finding)}}));
    }
    checks.push(Json::object({{"file", outcome.file},
                              {"kernel", outcome.kernel},
                              {"mode", outcome.fast ? "fast" : "full"},
                              {"build_ms", outcome.buildMilliseconds},
                              {"from_cache", outcome.fromCache},
                              {"run_ms", outcome.runMilliseconds},
                              {"gpu_us", Json()},
                              {"findings", findings},
                              {"mismatches", Json::list(outcome.mismatches)}}));
  }
  return Json::object({{"schema_version", 1},
                       {"checks", checks},
                       {"suppressed", suppressed},
                       {"note", "times are of this CPU and say nothing of a GPU"}});
}

Json checkSarif(const std::vector<CheckOutcome> &outcomes) {
  auto location = [](const Location &at, const std::string &text) {
    Json region = Json::object({{"startLine", at.line}});
    if (at.column)
      region["startColumn"] = at.column;
    Json place = Json::object(
        {{"physicalLocation", Json::object({{"artifactLocation", Json::object({{"uri", at.file}})},
                                            {"region", region}})}});
    if (!text.empty())
      place["message"] = Json::object({{"text", text}});
    return place;
  };
  std::set<std::string> rules;
  Json results = Json::array();
  for (const CheckOutcome &outcome : outcomes)
    for (const emulator::Finding &finding : outcome.findings) {
      rules.insert(std::string(emulator::name(finding.kind)));
      Json related = Json::array();
      for (const emulator::FindingSide &side : finding.others)
        if (side.location.known())
          related.push(location(side.location, side.text));
      Json result = Json::object(
          {{"ruleId", emulator::name(finding.kind)},
           {"level", "error"},
           {"message",
            Json::object({{"text", finding.message + ". " + finding.first.text + "." +
                                       (finding.hint.empty() ? "" : " Hint: " + finding.hint)}})},
           {"locations", finding.first.location.known()
                             ? Json::array({location(finding.first.location, "")})
                             : Json::array()},
           {"relatedLocations", related},
           {"partialFingerprints", Json::object({{"metile/v1", fingerprint(finding)}})}});
      results.push(std::move(result));
    }
  Json ruleList = Json::array();
  for (const std::string &rule : rules)
    ruleList.push(Json::object({{"id", rule}}));
  Json driver =
      Json::object({{"name", "metile check"}, {"version", METILE_VERSION}, {"rules", ruleList}});
  Json run = Json::object({{"tool", Json::object({{"driver", driver}})}, {"results", results}});
  return Json::object({{"version", "2.1.0"},
                       {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"runs", Json::array({run})}});
}

/// As workflow commands want their values: `property` for what stands before the message.
static std::string escaped(const std::string &text, bool property) {
  std::string result;
  for (char c : text) {
    bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    result += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

std::string checkGithub(const std::vector<CheckOutcome> &outcomes) {
  std::string text;
  for (const CheckOutcome &outcome : outcomes) {
    for (const emulator::Finding &finding : outcome.findings) {
      const Location &at = finding.first.location;
      std::string place = at.known() ? fmt::format("file={},line={},col={},",
                                                   escaped(at.file, true), at.line, at.column)
                                     : "";
      std::string message = finding.message + "\n" + finding.first.text;
      for (const emulator::FindingSide &side : finding.others)
        message += "\n" + side.location.str() + ": " + side.text;
      if (!finding.hint.empty())
        message += "\nhint: " + finding.hint;
      text += fmt::format("::error {}title={}::{}\n", place,
                          escaped(std::string(emulator::name(finding.kind)), true),
                          escaped(message, false));
    }
    for (const std::string &mismatch : outcome.mismatches)
      text += fmt::format("::error file={},title=wrong result::{}\n", escaped(outcome.file, true),
                          escaped(mismatch, false));
  }
  return text;
}

} // namespace metile::tools
