// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "Support/Nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace metile::tools {

CommandLine::CommandLine(std::string_view verb, std::string_view summary)
    : app(std::string(summary), "metile " + std::string(verb)) {
  app.add_flag("--json", json, "print for machines on stdout");
  // Words that fit nowhere are explained by parse().
  app.allow_extras();
}

std::vector<std::string> CommandLine::optionNames() const {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

void CommandLine::addRepeated(const std::string &name, std::vector<std::string> &values,
                              const std::string &help) {
  app.add_option(name, values, help)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

std::optional<int> CommandLine::parse(const Words &words) {
  std::string usage = fmt::format("see {} --help", app.get_name());
  // What goes wrong while --json is still unread is told to machines too.
  bool wantsJson = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp &) {
    fmt::print("{}", app.help());
    return exitFine;
  } catch (const CLI::ParseError &mistake) {
    return fail(error(mistake.what(), "", usage), wantsJson);
  }
  Errors errors;
  bool mayBeValue = false;
  for (const std::string &word : app.remaining()) {
    bool isWord = word.size() < 2 || word[0] != '-';
    // What follows an unknown option may belong to it.
    if (isWord && std::exchange(mayBeValue, false))
      continue;
    if (isWord) {
      errors.diagnostics.push_back({{}, fmt::format("unexpected word '{}'", word), "", usage});
      continue;
    }
    mayBeValue = word.find('=') == word.npos;
    std::string name = word.substr(0, word.find('='));
    std::vector<std::string> near = nearestNames(name, optionNames());
    errors.diagnostics.push_back(
        {{},
         fmt::format("unknown option '{}' of {}", name, app.get_name()),
         "known: " + listNames(optionNames(), "and"),
         near.empty() ? usage : fmt::format("did you mean {}?", listNames(near))});
  }
  if (!errors.diagnostics.empty())
    return fail(errors, wantsJson);
  return std::nullopt;
}

Result<std::pair<std::string, std::string>> splitAssignment(const std::string &text,
                                                            std::string_view what) {
  size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size())
    return error(fmt::format("'{}' is no {}", text, what), fmt::format("it is written {}", what));
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

std::optional<int64_t> parseInteger(std::string_view text) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<double> parseReal(const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end)
    return std::nullopt;
  return value;
}

} // namespace metile::tools
