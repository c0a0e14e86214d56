// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verbs of the tool share: exit codes, their table, how they speak to people. Must not
// know what a verb does.
#pragma once

#include "metile/result.h"
#include "metile/tool.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metile::tools {

enum ExitCode : int {
  exitFine = 0,
  exitFinding = 1, ///< A finding, a regression asked about, a wrong result.
  exitUsage = 2,   ///< Wrong usage, or could not run.
  exitInterrupted = 130,
};

/// The words after the verb.
using Words = std::vector<std::string>;

struct Verb {
  std::string_view name;
  std::string_view summary; ///< Empty: not shown.
  int (*run)(const Registry &registry, const Words &words);
};

std::span<const Verb> verbs();

int bench(const Registry &registry, const Words &words);
int benchWorker(const Registry &registry, const Words &words);
/// Needs no kernels of ours, so that it exists without the compiler too.
int check(const Words &words);
int cache(const Registry &registry, const Words &words);
int compile(const Registry &registry, const Words &words);
int debug(const Registry &registry, const Words &words);
int doctor(const Registry &registry, const Words &words);
int explain(const Registry &registry, const Words &words);
int layout(const Registry &registry, const Words &words);
int list(const Registry &registry, const Words &words);
int record(const Registry &registry, const Words &words);
int run(const Registry &registry, const Words &words);

/// Prints `errors` for people on stderr with the source lines they are about, and with `json` as
/// {"errors": […]} on stdout. Returns exitFinding if they are findings, else exitUsage.
int fail(const Errors &errors, bool json = false);

/// The line of `location` in its file and a mark under the column; empty if it cannot be read.
std::string sourceLine(const Location &location);

/// What stands in place of a name nobody knows: "unknown KIND 'NAME'", the nearest names, else all.
Errors unknownName(std::string_view kind, std::string_view name,
                   const std::vector<std::string> &candidates);

/// The whole file; one that is missing or cannot be read is an error.
Result<std::string> readFile(const std::string &path);

} // namespace metile::tools
