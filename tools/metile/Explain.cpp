// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile explain KERNEL: compiles (or reads what was compiled) and says what came out and why.

#include "CompileOptions.h"
#include "Describe.h"

#include <fmt/format.h>

namespace metile::tools {

/// The artifact of the case called `caseName`; if that is empty, of the first one, which it then
/// names.
static Result<Artifact> compiledArtifact(const Registry &registry, const std::string &kernel,
                                         std::string &caseName, const CompileRequest &request) {
  Result<Compiled> compiled = compileForCase(registry, kernel, caseName, request);
  if (!compiled)
    return compiled.takeErrors();
  caseName = compiled->made.name;
  return std::move(compiled->artifact);
}

int explain(const Registry &registry, const Words &words) {
  CommandLine line("explain", "Says what the compiler made of a kernel, and why.");
  std::string kernel, caseName;
  CompileRequest request;
  line.app.add_option("KERNEL", kernel, "a kernel, ./library.so:NAME, or FILE.metile");
  line.app.add_option("--case", caseName, "sizes and dtype; the kernel's first case if missing");
  addCompileOptions(line, request);
  if (auto code = line.parse(words))
    return *code;
  Result<Artifact> artifact = isArtifactFile(kernel)
                                  ? readArtifact(kernel, caseName, request)
                                  : compiledArtifact(registry, kernel, caseName, request);
  if (!artifact)
    return fail(artifact.errors(), line.json);
  Result<Json> report = parseJson(artifact->report, "the report");
  if (!report)
    return fail(report.errors(), line.json);
  if (line.json)
    fmt::print("{}\n", report->dump(2));
  else
    fmt::print("{}{}", caseName.empty() ? "" : fmt::format("case {}\n", caseName),
               explainReport(*artifact, *report));
  return exitFine;
}

} // namespace metile::tools
