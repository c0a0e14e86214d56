// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the words of `metile run` to a case: shapes from a named case, from .npy files or as
// written, contents from files or random. Must not know how a kernel is compiled or run.
#pragma once

#include "CommandLine.h"
#include "Selection.h"

#include "Bench/Argument.h"
#include "Support/Npy.h"

#include <map>

namespace metile::tools {

struct RunWords {
  std::string caseName;
  std::vector<std::string> inputs;  ///< "a=a.npy"
  std::vector<std::string> outputs; ///< "c=c.npy"
  std::vector<std::string> shapes;  ///< "c=float32_257x255"
  std::vector<std::string> scalars; ///< "n=5", "eps=float32:1e-5"
  bool random = false;
  uint64_t seed = 431; ///< Of random contents.

  /// Whether neither a case nor a file nor a shape says how large arguments are.
  bool namesNoShapes() const { return caseName.empty() && inputs.empty() && shapes.empty(); }
};

/// --case, --input, --shape, --scalar, --random, --seed.
void addRunOptions(CommandLine &line, RunWords &words);

struct RunArguments {
  Case made;
  std::map<std::string, NpyArray> contents; ///< Of arguments that come from files.
  std::map<std::string, std::string> files; ///< Where outputs go.
};

/// Reads the files and fits everything to the parameters of the kernel called `kernel`; all
/// mistakes come back together. `family` has its cases, null if there are none.
Result<RunArguments> runArguments(const std::string &kernel,
                                  const std::vector<Kernel::Parameter> &parameters,
                                  const CaseFamily *family, const RunWords &words);

/// Memory for one launch: contents from the files, else from `seed`; NaN or a pattern in outputs.
Result<bench::ArgumentSet> launchMemory(const RunArguments &arguments, uint64_t seed);
/// The elements of `argument`, row-major.
NpyArray gather(const bench::Argument &argument);

} // namespace metile::tools
