// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/SourceMap.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace metile::emulator {

void SourceMap::add(uint32_t line, uint32_t column, Place place, bool whole) {
  if (!entries.empty()) {
    const Entry &last = entries.back();
    bool follows = !last.whole && !whole && last.line == line && last.place.file == place.file &&
                   last.place.line == place.line &&
                   place.column - last.place.column == column - last.column;
    if (follows)
      return;
  }
  entries.push_back({line, column, place, whole});
}

Location SourceMap::find(uint32_t line, uint32_t column) const {
  auto after = std::upper_bound(entries.begin(), entries.end(), std::pair(line, column),
                                [](const std::pair<uint32_t, uint32_t> &at, const Entry &entry) {
                                  return at < std::pair(entry.line, entry.column);
                                });
  if (after == entries.begin())
    return {};
  const Entry &entry = *std::prev(after);
  if (entry.place.line == 0)
    return {};
  uint32_t beyond = entry.line == line && !entry.whole ? column - entry.column : 0;
  return {files[entry.place.file], entry.place.line, entry.place.column + beyond, {}};
}

std::string SourceMap::serialize() const {
  static_assert(std::is_trivially_copyable_v<Entry>);
  std::string names;
  for (const std::string &file : files)
    names += file + '\n';
  std::string bytes = std::to_string(names.size()) + ' ' + std::to_string(entries.size()) + '\n';
  bytes += names;
  bytes.append(reinterpret_cast<const char *>(entries.data()), entries.size() * sizeof(Entry));
  return bytes;
}

std::optional<SourceMap> SourceMap::parse(std::string_view bytes) {
  size_t nameBytes = 0, count = 0;
  size_t head = bytes.find('\n');
  if (head == bytes.npos ||
      std::sscanf(std::string(bytes.substr(0, head)).c_str(), "%zu %zu", &nameBytes, &count) != 2)
    return std::nullopt;
  size_t rest = bytes.size() - head - 1;
  if (nameBytes > rest || (rest - nameBytes) / sizeof(Entry) != count ||
      (rest - nameBytes) % sizeof(Entry) != 0)
    return std::nullopt;
  SourceMap map;
  std::string_view names = bytes.substr(head + 1, nameBytes);
  while (!names.empty()) {
    size_t end = names.find('\n');
    if (end == names.npos)
      return std::nullopt;
    map.files.emplace_back(names.substr(0, end));
    names.remove_prefix(end + 1);
  }
  map.entries.resize(count);
  if (count)
    std::memcpy(map.entries.data(), bytes.data() + head + 1 + nameBytes, count * sizeof(Entry));
  for (const Entry &entry : map.entries)
    if (entry.place.file >= map.files.size())
      return std::nullopt;
  return map;
}

} // namespace metile::emulator
