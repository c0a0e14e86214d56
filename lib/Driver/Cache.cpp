// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Driver/Cache.h"

#include "Support/CacheFolder.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace metile {

static constexpr std::string_view entrySuffix = ".metile";

ArtifactCache::ArtifactCache(const std::string &directory) : root(cacheFolder(directory)) {}

fs::path ArtifactCache::pathOf(std::string_view key) const {
  // Two levels keep directories small.
  return root / key.substr(0, 2) / (std::string(key.substr(2)) + std::string(entrySuffix));
}

std::optional<Artifact> ArtifactCache::find(std::string_view key) const {
  if (root.empty())
    return std::nullopt;
  fs::path path = pathOf(key);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Result<Artifact> artifact = parseArtifact(bytes, path.string());
  if (!artifact)
    return std::nullopt;
  return std::move(*artifact);
}

void ArtifactCache::insert(std::string_view key, const Artifact &artifact) const {
  if (root.empty())
    return;
  static std::atomic<unsigned> counter = 0;
  fs::path path = pathOf(key);
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  fs::path aside = path;
  aside += "." + std::to_string(getpid()) + "." + std::to_string(counter++) + ".tmp";
  {
    std::ofstream file(aside, std::ios::binary);
    file << serialize(artifact);
    file.close();
    if (!file) {
      fs::remove(aside, failed);
      return;
    }
  }
  fs::rename(aside, path, failed);
  if (failed)
    fs::remove(aside, failed);
}

std::vector<ArtifactCache::Entry> ArtifactCache::entries() const {
  std::vector<Entry> found;
  std::error_code failed;
  if (root.empty() || !fs::is_directory(root, failed))
    return found;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && it != fs::recursive_directory_iterator(); it.increment(failed)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored) && it->path().extension() == entrySuffix)
      found.push_back({it->path(), it->file_size(ignored)});
  }
  std::sort(found.begin(), found.end(),
            [](const Entry &a, const Entry &b) { return a.path < b.path; });
  return found;
}

size_t ArtifactCache::clear() const {
  size_t removed = 0;
  std::error_code failed;
  for (const Entry &entry : entries())
    removed += fs::remove(entry.path, failed);
  return removed;
}

} // namespace metile
