// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile doctor: what this machine offers, and what is missing.

#include "CommandLine.h"
#include "Describe.h"
#include "Launch.h"

#include "Bench/Environment.h"
#include "Bench/Libraries.h"
#include "Driver/Cache.h"
#include "Support/Json.h"
#include "Target/HostCpu.h"
#include "Target/KnownTargets.h"

#include "metile/compile.h"

#include <llvm-c/Core.h>

#include <fmt/format.h>

#include <unistd.h>

namespace metile::tools {

namespace {

enum class Health { fine, missing, broken };

/// One line of the report. `broken` is something that is needed; `missing` only narrows what can be
/// done.
struct Finding {
  std::string name;
  Health health;
  std::string text;
  std::string change; ///< What to do about it.
};

} // namespace

static std::string firstMessage(const Errors &errors) { return errors.diagnostics.front().found; }

static Finding cacheFinding() {
  ArtifactCache cache("");
  std::string directory = cache.directory().string();
  if (directory.empty())
    return {"cache", Health::missing, "none: every kernel is compiled anew",
            "set METILE_CACHE_DIR to a directory"};
  uintmax_t bytes = 0;
  std::vector<ArtifactCache::Entry> entries = cache.entries();
  for (const ArtifactCache::Entry &entry : entries)
    bytes += entry.bytes;
  // The directory is made on the first write: what counts is the nearest one that exists.
  std::error_code failed;
  std::filesystem::path existing = directory;
  while (!existing.empty() && !std::filesystem::exists(existing, failed))
    existing = existing.parent_path();
  if (access(existing.c_str(), W_OK) != 0)
    return {"cache", Health::missing, fmt::format("{} cannot be written", directory),
            "set METILE_CACHE_DIR to a directory of yours"};
  return {"cache", Health::fine,
          fmt::format("{}: {} entries, {}", directory, entries.size(), formatBytes(bytes)), ""};
}

static std::string joinNames(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " ") + name;
  return text.empty() ? "none" : text;
}

static std::vector<Finding> examine() {
  std::vector<Finding> findings;
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  findings.push_back({"compiler", Health::fine,
                      fmt::format("metile {} build {}", METILE_VERSION, compilerBuildId()), ""});
  findings.push_back({"llvm", Health::fine, fmt::format("{}.{}.{}", major, minor, patch), ""});
  findings.push_back({"processor", Health::fine, bench::processorName(), ""});
  findings.push_back({"features", Health::fine, joinNames(hostFeatures()), ""});
  Result<TargetDesc> host = hostTarget();
  if (host)
    findings.push_back(
        {"target", Health::fine, fmt::format("{} ({})", host->name, host->summary), ""});
  else
    findings.push_back({"target", Health::broken, firstMessage(host.errors()),
                        host.errors().diagnostics.front().change});
  findings.push_back({"threads", Health::fine, fmt::format("{}", detectCores()), ""});
  for (const std::string &name : Device::names()) {
    Result<Device> device = openDevice(name, 0);
    if (device)
      findings.push_back({"device " + name, Health::fine, "opens", ""});
    else
      findings.push_back({"device " + name, Health::broken, firstMessage(device.errors()), ""});
  }
  for (const std::string &name : bench::knownLibraries()) {
    Result<bench::VariantSource> library = bench::librarySource(name, 1);
    if (library)
      findings.push_back({name, Health::fine, "present, a variant of metile bench", ""});
    else
      findings.push_back({name, Health::missing, firstMessage(library.errors()),
                          library.errors().diagnostics.front().change});
  }
  findings.push_back(cacheFinding());
  return findings;
}

static std::string_view healthName(Health health) {
  return health == Health::fine ? "ok" : health == Health::missing ? "absent" : "BROKEN";
}

int doctor(const Registry &, const Words &words) {
  CommandLine line("doctor", "Says what this machine offers, and what is missing. Exit code 1 if "
                             "something that is needed does not work.");
  if (auto code = line.parse(words))
    return *code;
  std::vector<Finding> findings = examine();
  bool broken = false;
  Json list = Json::array();
  for (const Finding &finding : findings) {
    broken |= finding.health == Health::broken;
    if (line.json)
      list.push(Json::object({{"name", finding.name},
                              {"state", healthName(finding.health)},
                              {"text", finding.text},
                              {"change", finding.change}}));
    else
      fmt::print("{:<12} {:<7} {}{}\n", finding.name, healthName(finding.health), finding.text,
                 finding.change.empty() ? "" : "; " + finding.change);
  }
  if (line.json)
    fmt::print("{}\n", Json::object({{"healthy", !broken}, {"findings", list}}).dump(2));
  return broken ? exitFinding : exitFine;
}

} // namespace metile::tools
