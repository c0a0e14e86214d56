// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of the verbs that compile one kernel for one case. Must not know what is done with
// the result.
#pragma once

#include "CommandLine.h"
#include "Selection.h"

namespace metile::tools {

/// The positional KERNEL.
void addKernel(CommandLine &line, std::string &kernel);
/// --target, --schedule, --option, --facts, --threads, --no-cache.
void addCompileOptions(CommandLine &line, CompileRequest &request);

/// The kernel that `text` names; none at all is an error that lists what there is.
Result<Selection> selectKernel(const Registry &registry, const std::string &text);

struct Compiled {
  Selection selection;
  Case made;
  Artifact artifact;
  CompileTimings timings;
};

/// Compiles `kernel` for the case called `caseName`, or for its first one.
Result<Compiled> compileForCase(const Registry &registry, const std::string &kernel,
                                const std::string &caseName, const CompileRequest &request);

/// Whether `kernel` names a file that `metile compile` wrote rather than a kernel.
bool isArtifactFile(const std::string &kernel);
/// Reads such a file. Options that say how to compile are an error: it is compiled already.
Result<Artifact> readArtifact(const std::string &path, const std::string &caseName,
                              const CompileRequest &request);

} // namespace metile::tools
