// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckFilter.h"
#include "CommandLine.h"

#include "Runtime/Checksum.h"
#include "Support/Json.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace metile::tools {

static std::vector<std::string> linesOf(const std::string &path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

static bool isOfKind(const emulator::Finding &finding, std::string_view kind) {
  return kind == "*" || kind == emulator::name(finding.kind) ||
         kind == emulator::category(finding.kind);
}

Status FindingFilter::addRules(const std::string &path) {
  Result<std::string> text = readFile(path);
  return text ? addRules(*text, path) : text.takeErrors();
}

Status FindingFilter::addBaseline(const std::string &path) {
  Result<std::string> text = readFile(path);
  return text ? addBaseline(*text, path) : text.takeErrors();
}

Status FindingFilter::addRules(const std::string &text, const std::string &path) {
  std::istringstream lines(text);
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    Rule rule;
    std::string place, more;
    if (!(words >> rule.kind))
      continue;
    words >> place;
    if (words >> more)
      return error(Location{path, number, 0, {}}, fmt::format("'{}' is one word too many", more),
                   "a rule is KIND, KIND FILE, KIND FILE:LINE or KIND 'VARIABLE'");
    if (place.size() > 2 && place.front() == '\'' && place.back() == '\'') {
      rule.variable = place.substr(1, place.size() - 2);
    } else if (!place.empty()) {
      size_t colon = place.rfind(':');
      std::optional<int64_t> at =
          colon == place.npos ? std::nullopt : parseInteger(place.substr(colon + 1));
      if (at && (*at < 1 || *at > std::numeric_limits<uint32_t>::max()))
        return error(Location{path, number, 0, {}}, fmt::format("'{}' names no line", place),
                     "lines count from 1", "name the file alone to mean all of it");
      rule.file = at ? place.substr(0, colon) : place;
      rule.line = at ? static_cast<uint32_t>(*at) : 0;
    }
    rules.push_back(std::move(rule));
  }
  return Done{};
}

Status FindingFilter::addBaseline(const std::string &text, const std::string &path) {
  Result<Json> json = parseJson(text, path);
  if (!json)
    return json.takeErrors();
  if (!(*json)["accepted"].isArray())
    return error(path + " is no baseline", {}, "write one with --write-baseline");
  for (const Json &entry : (*json)["accepted"].elements())
    accepted.insert(entry["fingerprint"].asString());
  return Done{};
}

/// A comment "metile-ignore", or "metile-ignore: race, bounds", on the line or the one above.
bool FindingFilter::isIgnoredInSource(const Location &at, const emulator::Finding &finding) {
  if (!at.known())
    return false;
  auto [lines, isNew] = sources.try_emplace(at.file);
  if (isNew)
    lines->second = linesOf(at.file);
  for (uint32_t line = at.line > 1 ? at.line - 1 : 1; line <= at.line; ++line) {
    if (line > lines->second.size())
      continue;
    const std::string &text = lines->second[line - 1];
    size_t found = text.find("metile-ignore");
    if (found == text.npos)
      continue;
    // A comment behind code is about that code alone.
    bool isAbove = line != at.line;
    if (isAbove && text.find_first_not_of(" \t") != text.find("//"))
      continue;
    std::string rest = text.substr(found + std::string_view("metile-ignore").size());
    if (rest.empty() || rest[0] != ':')
      return true;
    std::replace(rest.begin(), rest.end(), ',', ' ');
    std::istringstream words(rest.substr(1));
    for (std::string word; words >> word;)
      if (isOfKind(finding, word))
        return true;
  }
  return false;
}

bool FindingFilter::keeps(const emulator::Finding &finding, const std::vector<std::string> &only) {
  bool isWanted =
      only.empty() || std::any_of(only.begin(), only.end(),
                                  [&](const std::string &kind) { return isOfKind(finding, kind); });
  if (!isWanted)
    return false;
  bool ignored = isIgnoredInSource(finding.first.location, finding);
  for (const emulator::FindingSide &side : finding.others)
    ignored = ignored || isIgnoredInSource(side.location, finding);
  for (const Rule &rule : rules) {
    auto isAt = [&](const Location &at) {
      bool sameFile = at.file == rule.file || at.file.ends_with("/" + rule.file);
      return sameFile && (!rule.line || rule.line == at.line);
    };
    bool applies = isOfKind(finding, rule.kind) &&
                   (rule.variable.empty() || rule.variable == finding.variable) &&
                   (rule.file.empty() || isAt(finding.first.location) ||
                    std::any_of(finding.others.begin(), finding.others.end(),
                                [&](const auto &side) { return isAt(side.location); }));
    ignored = ignored || applies;
  }
  ignored = ignored || accepted.contains(fingerprint(finding));
  turnedDown += ignored;
  return !ignored;
}

std::string fingerprint(const emulator::Finding &finding) {
  std::string text = std::string(emulator::name(finding.kind)) + '\n' + finding.kernel + '\n' +
                     finding.variable + '\n';
  auto addLine = [&](const Location &at) {
    if (!at.known())
      return;
    std::vector<std::string> lines = linesOf(at.file);
    std::string line = at.line <= lines.size() ? lines[at.line - 1] : "";
    // Layout does not matter.
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    text += line + '\n';
  };
  addLine(finding.first.location);
  for (const emulator::FindingSide &side : finding.others)
    addLine(side.location);
  return fmt::format("{:016x}", checksum(text, 0));
}

Status writeBaseline(const std::string &path, const std::vector<emulator::Finding> &findings) {
  Json list = Json::array();
  for (const emulator::Finding &finding : findings)
    list.push(Json::object({{"fingerprint", fingerprint(finding)},
                            {"rule", emulator::name(finding.kind)},
                            {"kernel", finding.kernel},
                            {"at", finding.first.location.str()},
                            {"message", finding.message}}));
  std::ofstream file(path, std::ios::binary);
  file << Json::object({{"accepted", list}}).dump(2) << '\n';
  file.close();
  if (!file)
    return error("cannot write " + path);
  return Done{};
}

} // namespace metile::tools
