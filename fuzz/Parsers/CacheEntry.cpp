// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of the cache of artifacts.

#include "ParserTarget.h"

#include "Driver/Cache.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace metile::fuzz {

namespace {

/// A cache with one entry, removed with us.
struct OneEntry {
  static constexpr std::string_view key = "0123456789abcdef";

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("metile-fuzz." + std::to_string(getpid()));
  ArtifactCache cache{folder.string()};
  std::filesystem::path file;

  OneEntry() {
    cache.insert(key, {});
    file = cache.entries().front().path;
  }
  ~OneEntry() {
    std::error_code failed;
    std::filesystem::remove_all(folder, failed);
  }
};

} // namespace

void feedCacheEntry(std::string_view input) {
  static const OneEntry entry;
  std::ofstream(entry.file, std::ios::binary) << input;
  std::optional<Artifact> found = entry.cache.find(OneEntry::key);
  require(found.has_value() == parseArtifact(input, "input").ok(),
          "an entry that cannot be read counts as absent, any other is found");
  if (!found)
    return;
  entry.cache.insert(OneEntry::key, *found);
  std::optional<Artifact> again = entry.cache.find(OneEntry::key);
  require(again && serialize(*again) == serialize(*found), "what is stored is found");
}

} // namespace metile::fuzz
