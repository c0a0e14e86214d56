// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs another program and waits for it. Knows nothing of clang.
#pragma once

#include "metile/result.h"

#include <string>
#include <vector>

namespace metile::emulator {

struct ProgramResult {
  int exitCode = 0; ///< 128 + the signal's number if one ended it.
  std::string output, errors;
};

/// Runs `words`, the first of which is a path, with an empty standard input. A program that cannot
/// be started is an error.
Result<ProgramResult> runProgram(const std::vector<std::string> &words);

/// The path of the program called `name` in $PATH; empty if there is none. A name with a slash is a
/// path itself.
std::string findProgram(const std::string &name);

} // namespace metile::emulator
