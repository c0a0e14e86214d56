// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/BuildCache.h"

#include "Runtime/Checksum.h"
#include "Support/CacheFolder.h"
#include "Support/Json.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace metile::emulator {

static std::string hex(uint64_t value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (size_t i = text.size(); i-- > 0; value >>= 4)
    text[i] = digits[value & 15];
  return text;
}

std::string contentKey(std::string_view text) {
  return hex(checksum(text, 1)) + hex(checksum(text, 2));
}

std::optional<std::string> readWholeFile(const fs::path &path) {
  std::error_code failed;
  if (fs::is_directory(path, failed))
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

BuildCache::BuildCache(const std::string &folder) : root(cacheFolder(folder)) {
  if (!root.empty())
    root /= "emulator";
}

static fs::path entryFolder(const fs::path &root, const std::string &key) {
  return root / key.substr(0, 2) / key.substr(2);
}

std::vector<BuildCache::Entry> BuildCache::entries() const {
  std::vector<Entry> found;
  std::error_code failed;
  auto add = [&](const fs::path &folder) {
    Entry entry;
    entry.path = folder;
    for (auto it = fs::recursive_directory_iterator(folder, failed);
         !failed && it != fs::recursive_directory_iterator(); it.increment(failed)) {
      std::error_code ignored;
      entry.bytes += it->is_regular_file(ignored) ? it->file_size(ignored) : 0;
    }
    std::optional<std::string> text = readWholeFile(folder / "entry.json");
    Result<Json> description = text ? parseJson(*text, "entry.json") : Result<Json>(Json());
    if (text && description)
      entry.kernel = (*description)["kernel"].asString();
    found.push_back(std::move(entry));
  };
  for (const fs::directory_entry &first : fs::directory_iterator(root, failed)) {
    // The emulator's headers, what a build left that was interrupted, or a folder of entries.
    if (first.path().filename().string().size() != 2) {
      add(first.path());
      continue;
    }
    std::error_code ignored;
    for (const fs::directory_entry &second : fs::directory_iterator(first.path(), ignored))
      add(second.path());
  }
  std::sort(found.begin(), found.end(),
            [](const Entry &a, const Entry &b) { return a.path < b.path; });
  return found;
}

size_t BuildCache::clear() const {
  size_t removed = entries().size();
  std::error_code failed;
  fs::remove_all(root, failed);
  return failed ? 0 : removed;
}

std::optional<BuiltKernel> BuildCache::find(const std::string &key) const {
  if (!isOn())
    return std::nullopt;
  fs::path folder = entryFolder(root, key);
  std::optional<std::string> text = readWholeFile(folder / "entry.json");
  if (!text)
    return std::nullopt;
  Result<Json> entry = parseJson(*text, "entry.json");
  if (!entry)
    return std::nullopt;
  for (const Json &header : (*entry)["headers"].elements()) {
    std::optional<std::string> contents = readWholeFile(header["path"].asString());
    if (!contents || contentKey(*contents) != header["contents"].asString())
      return std::nullopt;
  }
  BuiltKernel built;
  built.library = folder / "module.so";
  built.kernel = (*entry)["kernel"].asString();
  std::optional<std::string> library = readWholeFile(built.library);
  std::optional<std::string> map = readWholeFile(folder / "map");
  if (!library || !map || contentKey(*library) != (*entry)["module"].asString() ||
      contentKey(*map) != (*entry)["map"].asString())
    return std::nullopt;
  std::optional<SourceMap> parsed = SourceMap::parse(*map);
  if (!parsed)
    return std::nullopt;
  built.libraryBytes = std::move(*library);
  built.map = std::move(*parsed);
  return built;
}

Result<fs::path> BuildCache::scratchFolder() const {
  static std::atomic<unsigned> counter = 0;
  std::error_code failed;
  std::string name = "tmp." + std::to_string(getpid()) + "." + std::to_string(counter++);
  // A cache that cannot be written is no reason not to build.
  for (const fs::path &parent : {root, fs::temp_directory_path(failed) / "metile"}) {
    if (parent.empty())
      continue;
    fs::create_directories(parent, failed);
    if (fs::create_directory(parent / name, failed))
      return parent / name;
  }
  return error("cannot make a folder for temporary files", {}, "set TMPDIR to a folder with space");
}

fs::path BuildCache::insert(const std::string &key, const fs::path &made, const SourceMap &map,
                            const std::string &kernel,
                            const std::vector<std::string> &headers) const {
  std::optional<std::string> library = readWholeFile(made / "module.so");
  std::string mapBytes = map.serialize();
  if (!isOn() || !library)
    return made;
  Json list = Json::array();
  for (const std::string &header : headers)
    if (std::optional<std::string> contents = readWholeFile(header))
      list.push(Json::object({{"path", header}, {"contents", contentKey(*contents)}}));
  std::ofstream(made / "map", std::ios::binary) << mapBytes;
  std::ofstream(made / "entry.json", std::ios::binary)
      << Json::object({{"kernel", kernel},
                       {"module", contentKey(*library)},
                       {"map", contentKey(mapBytes)},
                       {"headers", list}})
             .dump(1);
  fs::path folder = entryFolder(root, key);
  std::error_code failed;
  for (const fs::directory_entry &file : fs::directory_iterator(made, failed)) {
    fs::path name = file.path().filename();
    if (name != "module.so" && name != "map" && name != "entry.json")
      fs::remove_all(file.path(), failed);
  }
  fs::create_directories(folder.parent_path(), failed);
  // What is there was of no use to find(), or another process was quicker with the same contents.
  fs::remove_all(folder, failed);
  fs::rename(made, folder, failed);
  return failed ? made : folder;
}

} // namespace metile::emulator
