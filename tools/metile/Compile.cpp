// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile compile KERNEL -o DIR: what another program needs to run the kernel.

#include "CHeader.h"
#include "CompileOptions.h"
#include "Describe.h"

#include "Support/Json.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace fs = std::filesystem;

namespace metile::tools {

/// Writes all `files` into `directory` or, when something fails, none: they are written in a folder
/// aside and moved when all are complete.
static Status writeTogether(const fs::path &directory,
                            const std::vector<std::pair<std::string, std::string>> &files) {
  std::error_code failed;
  bool made = fs::create_directories(directory, failed);
  if (failed || !fs::is_directory(directory, failed))
    return error(fmt::format("cannot make the directory {}: {}", directory.string(),
                             failed ? failed.message() : "it is a file"));
  fs::path aside = directory / fmt::format(".metile-{}", getpid());
  auto giveUp = [&](const fs::path &file, const std::string &why) -> Status {
    std::error_code ignored;
    fs::remove_all(made ? directory : aside, ignored);
    return error(fmt::format("cannot write {}: {}", file.string(), why));
  };
  fs::create_directories(aside, failed);
  if (failed)
    return giveUp(directory, failed.message());
  for (const auto &[name, content] : files) {
    std::ofstream file(aside / name, std::ios::binary);
    file << content;
    file.close();
    if (!file)
      return giveUp(directory / name, "the disk may be full");
  }
  for (const auto &[name, content] : files) {
    fs::rename(aside / name, directory / name, failed);
    if (failed)
      return giveUp(directory / name, failed.message());
  }
  fs::remove_all(aside, failed);
  return Done{};
}

int compile(const Registry &registry, const Words &words) {
  CommandLine line("compile", "Writes what another program needs to run a kernel: an artifact for "
                              "the runtime, the report and, for a processor, object code with "
                              "its C header.");
  std::string kernel, caseName, directory;
  CompileRequest request;
  request.facts = "none";
  addKernel(line, kernel);
  line.app.add_option("-o,--output", directory, "directory for the files; made if missing");
  line.app.add_option("--case", caseName,
                      "dtypes and typical sizes; the kernel's first case if missing");
  addCompileOptions(line, request);
  if (auto code = line.parse(words))
    return *code;
  if (directory.empty())
    return fail(error("no directory for the files", "", "add -o DIR"), line.json);
  Result<Compiled> compiled = compileForCase(registry, kernel, caseName, request);
  if (!compiled)
    return fail(compiled.errors(), line.json);
  const Artifact &artifact = compiled->artifact;
  const std::string &name = artifact.kernel;
  std::vector<std::pair<std::string, std::string>> files;
  if (artifact.codeKind == CodeKind::object) {
    Result<std::string> header = cHeader(artifact);
    if (!header)
      return fail(header.errors(), line.json);
    files.emplace_back(name + ".o", artifact.code);
    files.emplace_back(name + ".h", std::move(*header));
  } else {
    files.emplace_back(name + ".mlir", artifact.code);
  }
  files.emplace_back(name + ".metile", serialize(artifact));
  files.emplace_back("report.json", artifact.report + "\n");
  if (Status written = writeTogether(directory, files); !written)
    return fail(written.errors(), line.json);
  if (line.json) {
    Json list = Json::array();
    for (const auto &[file, content] : files)
      list.push((fs::path(directory) / file).string());
    Json constants = Json::object();
    for (const auto &[constant, value] : artifact.constants)
      constants[constant] = value;
    fmt::print("{}\n", Json::object({{"kernel", name},
                                     {"target", artifact.target},
                                     {"constants", constants},
                                     {"files", list},
                                     {"compile_us", compiled->timings.totalUs},
                                     {"cache_hit", compiled->timings.cacheHit}})
                           .dump(2));
    return exitFine;
  }
  fmt::print(stderr, "{}, {:.1f} ms{}\n", describeArtifact(artifact),
             compiled->timings.totalUs / 1000,
             compiled->timings.cacheHit ? " (from the cache)" : "");
  for (const auto &[file, content] : files)
    fmt::print("{}\n", (fs::path(directory) / file).string());
  return exitFine;
}

} // namespace metile::tools
