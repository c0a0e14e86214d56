// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of artifacts on disk. One file an artifact, named by the hash of everything that went
// into it, so an entry is never stale; written aside and renamed, so a reader never sees half of
// one. A damaged or foreign entry counts as absent. Knows nothing of kernels or targets.
#pragma once

#include "metile/artifact.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metile {

class ArtifactCache {
public:
  /// Keeps its entries in `directory`, which is made on the first write. Empty: the usual one, see
  /// cacheFolder(); without one nothing is kept.
  explicit ArtifactCache(const std::string &directory);

  const std::filesystem::path &directory() const { return root; }

  /// The artifact stored under `key`; nothing if there is none, or none that can be read.
  std::optional<Artifact> find(std::string_view key) const;
  /// Stores `artifact` under `key`. A full or read-only disk is no error: the cache only saves
  /// time.
  void insert(std::string_view key, const Artifact &artifact) const;

  struct Entry {
    std::filesystem::path path;
    uintmax_t bytes = 0;
  };
  /// All entries, sorted by path.
  std::vector<Entry> entries() const;
  /// Removes all entries and returns how many there were.
  size_t clear() const;

private:
  std::filesystem::path pathOf(std::string_view key) const;

  std::filesystem::path root;
};

} // namespace metile
