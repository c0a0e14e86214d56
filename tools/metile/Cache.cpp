// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile cache: where compiled kernels are kept.

#include "CommandLine.h"
#include "Describe.h"

#include "Driver/Cache.h"
#include "Support/Json.h"
#include "Support/Nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace metile::tools {

int cache(const Registry &, const Words &words) {
  CommandLine line("cache", "Shows or clears the cache of compiled kernels.");
  std::string action = "size", directory;
  std::vector<std::string> actions = {"dir", "size", "list", "clear"};
  line.app.add_option("ACTION", action, "one of " + listNames(actions) + "; size if missing");
  line.app.add_option("--dir", directory, "another directory than the usual one");
  if (auto code = line.parse(words))
    return *code;
  if (std::find(actions.begin(), actions.end(), action) == actions.end())
    return fail(unknownName("action on the cache", action, actions), line.json);
  ArtifactCache store(directory);
  std::string path = store.directory().string();
  if (path.empty())
    return fail(
        error("there is no cache: neither METILE_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set", "",
              "set METILE_CACHE_DIR to a directory"),
        line.json);

  if (action == "clear") {
    size_t removed = store.clear();
    if (line.json)
      fmt::print("{}\n", Json::object({{"directory", path}, {"removed", removed}}).dump(2));
    else
      fmt::print("removed {} entries from {}\n", removed, path);
    return exitFine;
  }
  std::vector<ArtifactCache::Entry> entries = store.entries();
  uintmax_t bytes = 0;
  for (const ArtifactCache::Entry &entry : entries)
    bytes += entry.bytes;
  if (line.json) {
    Json list = Json::array();
    for (const ArtifactCache::Entry &entry : entries)
      list.push(Json::object({{"file", entry.path.string()}, {"bytes", entry.bytes}}));
    fmt::print("{}\n",
               Json::object({{"directory", path}, {"entries", list}, {"bytes", bytes}}).dump(2));
    return exitFine;
  }
  if (action == "dir")
    fmt::print("{}\n", path);
  else if (action == "size")
    fmt::print("{}: {} entries, {}\n", path, entries.size(), formatBytes(bytes));
  for (const ArtifactCache::Entry &entry : entries) {
    if (action != "list")
      break;
    Result<std::string> file = readFile(entry.path.string());
    Result<Artifact> artifact =
        file ? parseArtifact(*file, entry.path.string()) : Result<Artifact>(file.takeErrors());
    // A damaged entry is listed too: compile() replaces it.
    fmt::print("{:>10}  {}\n", formatBytes(entry.bytes),
               artifact ? describeArtifact(*artifact)
                        : fmt::format("damaged: {}", entry.path.filename().string()));
  }
  return exitFine;
}

} // namespace metile::tools
