// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BuildCache: kernels that were built, on disk. An entry is a folder named by a hash of everything
// that went into it, made aside and renamed, so a reader never sees half of one; it lists the
// headers that were read with their checksums, and its own files with theirs. What is stale or
// damaged counts as absent. Knows nothing of how kernels are built.
#pragma once

#include "Emulator/SourceMap.h"

#include <filesystem>
#include <optional>
#include <string>

namespace metile::emulator {

/// 32 hexadecimal digits that tell `text` from any other text one is likely to meet.
std::string contentKey(std::string_view text);

/// The whole file, or nothing.
std::optional<std::string> readWholeFile(const std::filesystem::path &path);

/// A kernel as it lies in a folder.
struct BuiltKernel {
  std::filesystem::path library;
  std::string libraryBytes;
  SourceMap map;
  std::string kernel; ///< Its host name.
};

class BuildCache {
public:
  /// Entries lie below `folder`. Empty: the usual one, see cacheFolder(); without one there is no
  /// cache.
  explicit BuildCache(const std::string &folder);

  bool isOn() const { return !root.empty(); }
  const std::filesystem::path &folder() const { return root; }

  /// The entry under `key`; nothing if there is none, or none that can be used.
  std::optional<BuiltKernel> find(const std::string &key) const;
  /// A new folder for files that are to become an entry; an error if the disk refuses.
  Result<std::filesystem::path> scratchFolder() const;
  /// Makes the scratch folder `made`, which holds module.so, the entry under `key`. Returns where
  /// it lies now: in the cache, or still aside if the cache refuses it. `headers`: files it was
  /// made of.
  std::filesystem::path insert(const std::string &key, const std::filesystem::path &made,
                               const SourceMap &map, const std::string &kernel,
                               const std::vector<std::string> &headers) const;

  struct Entry {
    std::filesystem::path path;
    uintmax_t bytes = 0;
    std::string kernel; ///< Its host name; empty for the emulator's own headers.
  };
  /// All that is kept, sorted by path.
  std::vector<Entry> entries() const;
  /// Removes everything and returns how many entries there were.
  size_t clear() const;

private:
  std::filesystem::path root;
};

} // namespace metile::emulator
