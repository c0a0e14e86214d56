// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: what a run found wrong with a kernel. First as plain records with sites, gathered while
// threads run, then as text with places in the user's source. Knows nothing of how they are found.
#pragma once

#include "Emulator/KernelAbi.h"
#include "metile/emulator.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace metile::emulator {

/// Who did one side of it.
struct Actor {
  static constexpr unsigned everyone = ~0u;
  Extent threadgroup;
  unsigned thread = everyone; ///< Linear in its group; `everyone`: all of them.
  bool collective = false;    ///< The thread's simdgroup as a whole.
  bool write = false;
  bool atomic = false;
  Site site = 0;
};

/// A finding before its sites are looked up.
struct RawFinding {
  FindingKind kind = FindingKind::race;
  std::string variable;  ///< Name of the buffer or variable; may be empty.
  bool onDevice = false; ///< Device memory, else threadgroup memory.
  int64_t offset = 0;    ///< Bytes from the start of the variable.
  uint64_t bytes = 0;    ///< Of the access.
  uint64_t size = 0;     ///< Of the variable.
  Actor first;           ///< The one that was executing.
  Actor second;          ///< The other side, if there is one.
  bool hasSecond = false;
  bool acrossSimdgroups = false; ///< The sides are of two simdgroups, this time or another.
  /// A barrier that would not do, or where others waited, or the caller of what crashed.
  Site related = 0;
  std::string detail; ///< Words of the kind's own.
};

/// Keeps the first of each kind at the same sites, and counts the rest.
class FindingList {
public:
  void add(const RawFinding &finding);
  /// Adds what `other` has; of two equal findings the one of the lower threadgroup stays.
  void merge(const FindingList &other);
  bool empty() const { return order.empty(); }
  void clear();
  /// Whether there are values that Metal leaves open: of threadgroup memory that nothing has
  /// written, of divisions by zero; and without them.
  bool hasUnspecified() const;
  void dropUnspecified();
  /// Whether there are races in which one threadgroup writes over what another wrote.
  bool hasGroupOverwrites() const;
  /// Takes the races between threadgroups from `other` instead of those it has.
  void replaceGroupRaces(const FindingList &other);

  struct Entry {
    RawFinding finding;
    uint64_t count = 1;
  };
  /// In a fixed order: by first site, kind and second site.
  std::vector<Entry> sorted() const;

private:
  using Key = std::tuple<FindingKind, Site, Site, std::string>;
  static bool isUnspecified(const Entry &entry) {
    return entry.finding.kind == FindingKind::division ||
           (entry.finding.kind == FindingKind::uninitialised && !entry.finding.onDevice);
  }
  static Key keyOf(const RawFinding &finding);
  std::map<Key, Entry> order;
};

} // namespace metile::emulator
