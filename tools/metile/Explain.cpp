// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile explain KERNEL: compiles and says what came out and why.

#include "CompileOptions.h"
#include "Describe.h"

#include <fmt/format.h>

namespace metile::tools {

int explain(const Registry &registry, const Words &words) {
  CommandLine line("explain", "Says what the compiler made of a kernel, and why.");
  std::string kernel, caseName;
  CompileRequest request;
  addKernel(line, kernel);
  line.app.add_option("--case", caseName, "sizes and dtype; the kernel's first case if missing");
  addCompileOptions(line, request);
  if (auto code = line.parse(words))
    return *code;
  Result<Compiled> compiled = compileForCase(registry, kernel, caseName, request);
  if (!compiled)
    return fail(compiled.errors(), line.json);
  Result<Json> report = parseJson(compiled->artifact.report, "the report");
  if (!report)
    return fail(report.errors(), line.json);
  if (line.json)
    fmt::print("{}\n", report->dump(2));
  else
    fmt::print("case {}\n{}", compiled->made.name, explainReport(compiled->artifact, *report));
  return exitFine;
}

} // namespace metile::tools
