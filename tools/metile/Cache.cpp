// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile cache: where compiled kernels are kept.

#include "CommandLine.h"
#include "Describe.h"

#include "Driver/Cache.h"
#if METILE_EMULATOR
#include "Emulator/BuildCache.h"
#endif
#include "Support/Json.h"
#include "Support/Nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace metile::tools {

namespace {

/// Something that is kept, in whatever cache.
struct KeptEntry {
  std::string path;
  uintmax_t bytes = 0;
  std::string description;
};

std::string describeFile(const std::string &path) {
  Result<std::string> file = readFile(path);
  Result<Artifact> artifact =
      file ? parseArtifact(*file, path) : Result<Artifact>(file.takeErrors());
  // A damaged entry is listed too: compile() replaces it.
  return artifact ? describeArtifact(*artifact)
                  : "damaged: " + std::filesystem::path(path).filename().string();
}

/// The artifacts of the compiler in `store`, and the kernels that the emulator built.
std::vector<KeptEntry> entriesOf(const ArtifactCache &store, const std::string &directory) {
  std::vector<KeptEntry> kept;
  for (const ArtifactCache::Entry &entry : store.entries())
    kept.push_back({entry.path.string(), entry.bytes, describeFile(entry.path.string())});
#if METILE_EMULATOR
  for (const emulator::BuildCache::Entry &entry : emulator::BuildCache(directory).entries())
    kept.push_back(
        {entry.path.string(), entry.bytes,
         entry.kernel.empty() ? "headers of metal-emu" : entry.kernel + " for metal-emu"});
#else
  (void)directory;
#endif
  return kept;
}

size_t clearAll(const ArtifactCache &store, const std::string &directory) {
  size_t removed = store.clear();
#if METILE_EMULATOR
  removed += emulator::BuildCache(directory).clear();
#else
  (void)directory;
#endif
  return removed;
}

} // namespace

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
    size_t removed = clearAll(store, directory);
    if (line.json)
      fmt::print("{}\n", Json::object({{"directory", path}, {"removed", removed}}).dump(2));
    else
      fmt::print("removed {} entries from {}\n", removed, path);
    return exitFine;
  }
  std::vector<KeptEntry> entries = entriesOf(store, directory);
  uintmax_t bytes = 0;
  for (const KeptEntry &entry : entries)
    bytes += entry.bytes;
  if (line.json) {
    Json list = Json::array();
    for (const KeptEntry &entry : entries)
      list.push(Json::object({{"file", entry.path}, {"bytes", entry.bytes}}));
    fmt::print("{}\n",
               Json::object({{"directory", path}, {"entries", list}, {"bytes", bytes}}).dump(2));
    return exitFine;
  }
  if (action == "dir")
    fmt::print("{}\n", path);
  else if (action == "size")
    fmt::print("{}: {} entries, {}\n", path, entries.size(), formatBytes(bytes));
  if (action == "list")
    for (const KeptEntry &entry : entries)
      fmt::print("{:>10}  {}\n", formatBytes(entry.bytes), entry.description);
  return exitFine;
}

} // namespace metile::tools
