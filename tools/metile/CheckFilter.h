// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which findings of `metile check` a user wants to hear of: by kind, by comments in the source, by
// a file of rules, by a baseline of findings that were accepted. Must not know how findings are
// made.
#pragma once

#include "Verb.h"

#include "metile/emulator.h"

#include <map>
#include <set>

namespace metile::tools {

class FindingFilter {
public:
  /// Rules, one a line: "KIND", "KIND FILE", "KIND FILE:LINE" or "KIND 'VARIABLE'"; a KIND is a
  /// finding's name, its category, or *; what follows # is a comment.
  Status addRules(const std::string &path);
  /// A file that writeBaseline() wrote.
  Status addBaseline(const std::string &path);
  /// The same of files that were read; `path` stands in messages.
  Status addRules(const std::string &text, const std::string &path);
  Status addBaseline(const std::string &text, const std::string &path);

  /// Whether to speak of `finding`. `only`: categories asked for; empty: all.
  bool keeps(const emulator::Finding &finding, const std::vector<std::string> &only);
  /// Findings that keeps() turned down for another reason than `only`.
  size_t suppressed() const { return turnedDown; }

private:
  struct Rule {
    std::string kind, file, variable;
    uint32_t line = 0;
  };
  bool isIgnoredInSource(const Location &at, const emulator::Finding &finding);

  std::vector<Rule> rules;
  std::set<std::string> accepted;
  std::map<std::string, std::vector<std::string>> sources;
  size_t turnedDown = 0;
};

/// Tells a finding apart by its kind, kernel, variable and the text of its lines, so that it stays
/// the same when lines move.
std::string fingerprint(const emulator::Finding &finding);

Status writeBaseline(const std::string &path, const std::vector<emulator::Finding> &findings);

} // namespace metile::tools
