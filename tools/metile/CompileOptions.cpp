// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileOptions.h"

#include "Support/Nearest.h"

#include <fmt/format.h>

namespace metile::tools {

void addKernel(CommandLine &line, std::string &kernel) {
  line.app.add_option("KERNEL", kernel, "name of a kernel, or ./library.so:NAME");
}

void addCompileOptions(CommandLine &line, CompileRequest &request) {
  line.app.add_option("--target", request.target,
                      "cpu, cpu:x86-64-v3, reference, … (metile list targets)");
  line.app.add_option("--schedule", request.schedule,
                      "K=V,…: fields and constants that must hold (metile list fields)");
  line.addRepeated("--option", request.options, "NAME=VALUE of an option of the kernel");
  line.app.add_option("--facts", request.facts,
                      "what of the sizes the code may rely on: none, divisibility or exact");
  line.app.add_option("--threads", request.threads, "threads to plan for; all if missing");
  line.app.add_flag("--no-cache", request.noCache, "compile even if the result is kept");
}

Result<Selection> selectKernel(const Registry &registry, const std::string &text) {
  if (text.empty())
    return error("no kernel is named",
                 fmt::format("known: {}", listNames(kernelNames(registry), "and")),
                 "or name one in a shared library: ./libmine.so:gemm");
  return select(registry, text);
}

Result<Compiled> compileForCase(const Registry &registry, const std::string &kernel,
                                const std::string &caseName, const CompileRequest &request) {
  Result<Selection> selection = selectKernel(registry, kernel);
  if (!selection)
    return selection.takeErrors();
  std::string name = caseName;
  if (name.empty()) {
    Result<std::string> first = selection->defaultCase();
    if (!first)
      return first.takeErrors();
    name = std::move(*first);
  }
  Result<Case> made = selection->parseCase(name);
  if (!made)
    return made.takeErrors();
  CompileTimings timings;
  Result<Artifact> artifact = compileCase(selection->kernel, *made, request, &timings);
  if (!artifact)
    return artifact.takeErrors();
  return Compiled{std::move(*selection), std::move(*made), std::move(*artifact), timings};
}

bool isArtifactFile(const std::string &kernel) { return kernel.ends_with(".metile"); }

Result<Artifact> readArtifact(const std::string &path, const std::string &caseName,
                              const CompileRequest &request) {
  const CompileRequest untouched;
  if (!caseName.empty() || !request.schedule.empty() || !request.options.empty() ||
      request.target != untouched.target || request.facts != untouched.facts)
    return error(fmt::format("{} is compiled already", path), "",
                 "leave out --case, --target, --schedule, --option and --facts");
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.takeErrors();
  return parseArtifact(*bytes, path);
}

} // namespace metile::tools
