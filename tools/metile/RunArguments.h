// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the words of `metile run` to a case: shapes from a named case, from .npy files or as
// written, contents from files or random. Must not know how a kernel is compiled or run.
#pragma once

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
};

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

/// Copies `array` into the memory of `argument`, which has its dtype and sizes.
void fill(bench::Argument &argument, const NpyArray &array);
/// The elements of `argument`, row-major.
NpyArray gather(const bench::Argument &argument);

} // namespace metile::tools
