// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CommandLine: the words of one verb, parsed by CLI11 but explained in our own way. Must not know
// kernels.
#pragma once

#include "Verb.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace metile::tools {

class CommandLine {
public:
  CommandLine(std::string_view verb, std::string_view summary);

  /// Where a verb declares its options.
  CLI::App app;
  /// --json, which every verb has.
  bool json = false;

  /// An option that may be given several times, with one value each time.
  void addRepeated(const std::string &name, std::vector<std::string> &values,
                   const std::string &help);

  /// Reads `words`. Nothing if the verb may go on, else the exit code: help was asked for, or
  /// something is wrong and has been said.
  std::optional<int> parse(const Words &words);

private:
  std::vector<std::string> optionNames() const;
};

/// Takes "NAME=VALUE" apart; `what` stands in the message if there is no '=' or no name.
Result<std::pair<std::string, std::string>> splitAssignment(const std::string &text,
                                                            std::string_view what);

/// Reads the whole of `text` as a number.
std::optional<int64_t> parseInteger(std::string_view text);
std::optional<double> parseReal(const std::string &text);

} // namespace metile::tools
