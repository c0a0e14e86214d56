// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/ShardMerge.h"

#include <algorithm>

namespace metile::emulator {

void mergeShards(const ShadowRegion &a, const Checker &checkerA, const ShadowRegion &b,
                 const Checker &checkerB, FindingList &into) {
  if (!a.isTracked() || !b.isTracked())
    return;
  unsigned shift = std::min(a.shift(), b.shift());
  uint64_t count = (a.bytes + (uint64_t(1) << shift) - 1) >> shift;
  auto report = [&](uint64_t cell, const Stamp &mine, bool mineWrote, const Checker &checkerOfMine,
                    const Stamp &other, bool otherWrote, const Checker &checkerOfOther) {
    if (mine.epoch == 0 || other.epoch == 0 || (mine.isAtomic() && other.isAtomic()))
      return;
    if (checkerOfMine.fencedGroups()[mine.group] && checkerOfOther.fencedGroups()[other.group])
      return;
    RawFinding finding;
    finding.kind = FindingKind::threadgroupRace;
    finding.variable = a.name;
    finding.onDevice = true;
    finding.offset = static_cast<int64_t>(cell << shift);
    finding.bytes = uint64_t(1) << shift;
    finding.size = a.bytes;
    finding.hasSecond = true;
    finding.first = checkerOfMine.actorOf(mine, mineWrote);
    finding.second = checkerOfOther.actorOf(other, otherWrote);
    into.add(finding);
  };
  for (uint64_t i = 0; i < count; ++i) {
    const ShadowCell &x = a.cell(i, shift), &y = b.cell(i, shift);
    if (x.write.epoch) {
      // The later group is the one that was executing.
      report(i, y.write, true, checkerB, x.write, true, checkerA);
      for (const Stamp &read : y.reads)
        report(i, read, false, checkerB, x.write, true, checkerA);
    }
    if (y.write.epoch)
      for (const Stamp &read : x.reads)
        report(i, y.write, true, checkerB, read, false, checkerA);
  }
}

} // namespace metile::emulator
