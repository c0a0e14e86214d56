// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verb.h"

#include "Support/Json.h"
#include "Support/Nearest.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace metile::tools {

std::string sourceLine(const Location &location) {
  if (!location.known())
    return {};
  std::ifstream file(location.file);
  std::string line;
  for (uint32_t i = 0; i < location.line; ++i)
    if (!std::getline(file, line))
      return {};
  std::string text = "  " + line;
  if (location.column) {
    text += "\n  ";
    // Tabs stay tabs, so that the mark stands under its character.
    for (uint32_t i = 1; i < location.column && i <= line.size(); ++i)
      text += line[i - 1] == '\t' ? '\t' : ' ';
    text += '^';
  }
  return text;
}

int fail(const Errors &errors, bool json) {
  constexpr size_t shown = 20;
  Json list = Json::array();
  size_t count = 0;
  for (const Diagnostic &diagnostic : errors.diagnostics) {
    if (count++ == shown) {
      fmt::print(stderr, "... and {} more\n", errors.diagnostics.size() - shown);
      break;
    }
    std::string source = sourceLine(diagnostic.location);
    fmt::print(stderr, "{}\n", diagnostic.str());
    if (!source.empty())
      fmt::print(stderr, "{}\n", source);
    Json callers = Json::array();
    for (const Location &caller : diagnostic.location.calledFrom)
      callers.push(caller.str());
    const Location &at = diagnostic.location;
    list.push(Json::object({{"file", at.known() ? Json(at.file) : Json()},
                            {"line", at.known() ? Json(at.line) : Json()},
                            {"column", at.column ? Json(at.column) : Json()},
                            {"found", diagnostic.found},
                            {"allowed", diagnostic.allowed},
                            {"change", diagnostic.change},
                            {"called_from", callers}}));
  }
  if (json)
    fmt::print("{}\n", Json::object({{"errors", list}}).dump(2));
  return errors.isFinding ? exitFinding : exitUsage;
}

Errors unknownName(std::string_view kind, std::string_view name,
                   const std::vector<std::string> &candidates) {
  std::vector<std::string> near = nearestNames(name, candidates);
  return error(fmt::format("unknown {} '{}'", kind, name),
               candidates.empty() ? fmt::format("there is no {} here", kind)
                                  : fmt::format("known: {}", listNames(candidates, "and")),
               near.empty() ? "" : fmt::format("did you mean {}?", listNames(near)));
}

Result<std::string> readFile(const std::string &path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad() || errno == EISDIR)
    return error(fmt::format("cannot read {}: {}", path, std::strerror(errno ? errno : EIO)));
  return bytes;
}

} // namespace metile::tools
