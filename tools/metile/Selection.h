// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection: the kernel a command line names, from this program or from a shared library, with its
// cases; and what compile() must be told to compile it for a case. Must not know verbs.
#pragma once

#include "metile/compile.h"
#include "metile/tool.h"

#include <string>
#include <vector>

namespace metile::tools {

struct Selection {
  Kernel kernel;
  const CaseFamily *family = nullptr; ///< Null if the kernel has no cases.
  std::string text;                   ///< As written: "./libmine.so:gemm".

  /// The case called `name`; an error if there are no cases.
  Result<Case> parseCase(std::string_view name) const;
  /// The name of the first default case; an error if there is none.
  Result<std::string> defaultCase() const;
  /// Names chosen by `--case` texts; an error if there are no cases.
  Result<std::vector<std::string>> selectCases(const std::vector<std::string> &texts) const;
};

/// "gemm", "./libmine.so:gemm", or "./libmine.so" if that library has one kernel. Libraries stay
/// loaded until the process ends.
Result<Selection> select(const Registry &registry, const std::string &text);

/// Whether `text` names a shared library and not a kernel of this program.
bool isLibraryPath(const std::string &text);
/// The kernels and cases of the shared library at `path`, which stays loaded until the process
/// ends.
Result<const Registry *> loadLibrary(const std::string &path);

/// The names of the kernels of `registry`.
std::vector<std::string> kernelNames(const Registry &registry);

/// How a verb wants a kernel compiled, as its options say.
struct CompileRequest {
  std::string target; ///< Empty: that of the device, or this machine's processor.
  std::string schedule;
  std::vector<std::string> options; ///< "NAME=VALUE"; they overrule those of a case.
  std::string facts = "divisibility";
  unsigned threads = 0; ///< 0: as many as this process may use.
  bool noCache = false;
  /// On which the code may rely, beyond the alignment of an element.
  unsigned alignment = 1;
  Probes probes = Probes::none;
};

/// What compile() is told of the arguments of `made`, checked against the kernel's parameters.
Result<std::vector<ArgumentSpec>> argumentSpecs(const Kernel &kernel, const Case &made,
                                                unsigned alignment);

Result<Artifact> compileCase(const Kernel &kernel, const Case &made, const CompileRequest &request,
                             CompileTimings *timings = nullptr);

/// `requested`, or the processors this process may use.
unsigned threadCount(unsigned requested);

} // namespace metile::tools
