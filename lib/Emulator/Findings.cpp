// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Findings.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace metile::emulator {

static auto groupKey(const RawFinding &finding) {
  const Extent &group = finding.first.threadgroup;
  return std::tuple(group.z, group.y, group.x, finding.first.thread);
}

FindingList::Key FindingList::keyOf(const RawFinding &finding) {
  return {finding.kind, finding.first.site, finding.hasSecond ? finding.second.site : 0,
          finding.variable};
}

void FindingList::add(const RawFinding &finding) {
  auto [entry, isNew] = order.try_emplace(keyOf(finding), Entry{finding, 1});
  if (isNew)
    return;
  ++entry->second.count;
  entry->second.finding.acrossSimdgroups |= finding.acrossSimdgroups;
}

void FindingList::merge(const FindingList &other) {
  for (const auto &[key, entry] : other.order) {
    auto [mine, isNew] = order.try_emplace(key, entry);
    if (isNew)
      continue;
    mine->second.count += entry.count;
    bool across = mine->second.finding.acrossSimdgroups || entry.finding.acrossSimdgroups;
    if (groupKey(entry.finding) < groupKey(mine->second.finding))
      mine->second.finding = entry.finding;
    mine->second.finding.acrossSimdgroups = across;
  }
}

void FindingList::clear() { order.clear(); }

bool FindingList::hasUnspecified() const {
  return std::any_of(order.begin(), order.end(),
                     [](const auto &entry) { return isUnspecified(entry.second); });
}

void FindingList::dropUnspecified() {
  std::erase_if(order, [](const auto &entry) { return isUnspecified(entry.second); });
}

bool FindingList::hasGroupOverwrites() const {
  return std::any_of(order.begin(), order.end(), [](const auto &entry) {
    const RawFinding &finding = entry.second.finding;
    return finding.kind == FindingKind::threadgroupRace && finding.first.write &&
           finding.second.write;
  });
}

void FindingList::replaceGroupRaces(const FindingList &other) {
  auto isGroupRace = [](const auto &entry) {
    return entry.second.finding.kind == FindingKind::threadgroupRace;
  };
  std::erase_if(order, isGroupRace);
  std::copy_if(other.order.begin(), other.order.end(), std::inserter(order, order.end()),
               isGroupRace);
}

std::vector<FindingList::Entry> FindingList::sorted() const {
  std::vector<Entry> entries;
  for (const auto &[key, entry] : order)
    entries.push_back(entry);
  return entries;
}

} // namespace metile::emulator
