// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow memory: for each granule of a buffer or threadgroup variable, who wrote it last and who
// read it. Two accesses conflict if no barrier lies between them, whichever came first, so the
// verdict does not depend on the order in which threads happen to run. Knows no threads or barriers
// beyond the epochs that stand in a stamp.
#pragma once

#include "Emulator/KernelAbi.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace metile::emulator {

/// One access. `epoch` counts the barriers of the threadgroup that order this kind of memory, and
/// never repeats in a worker; `simdEpoch` those of the simdgroup since.
struct Stamp {
  static constexpr uint16_t collectiveBit = 1 << 10;
  static constexpr uint16_t atomicBit = 1 << 15;

  uint32_t epoch = 0; ///< 0: nobody yet.
  uint16_t simdEpoch = 0;
  uint16_t actor = 0; ///< Thread in its group, with collectiveBit and atomicBit.
  uint32_t group = 0; ///< Linear in the grid.
  Site site = 0;

  unsigned thread() const { return actor & (collectiveBit - 1); }
  bool isCollective() const { return actor & collectiveBit; }
  bool isAtomic() const { return actor & atomicBit; }
};

/// Whether `before` is ordered before `now`; both of one group and epoch.
inline bool isOrdered(const Stamp &before, const Stamp &now) {
  uint16_t differ = before.actor ^ now.actor;
  if (!(differ & ~Stamp::atomicBit))
    return true; // The same thread.
  bool sameSimdgroup = !(differ & (Stamp::collectiveBit - 1) & ~(simdWidth - 1));
  return (sameSimdgroup && before.simdEpoch < now.simdEpoch) ||
         (before.actor & now.actor & Stamp::atomicBit);
}

struct ShadowCell {
  Stamp write;
  Stamp reads[2]; ///< The latest, and one by another thread (on device memory: threadgroup).
};

/// The shadow of one buffer or variable. Its granule is as fine as the accesses were so far, four
/// bytes at most.
class ShadowRegion {
public:
  ShadowRegion() = default;
  ShadowRegion(const ShadowRegion &) = delete;
  ShadowRegion &operator=(const ShadowRegion &) = delete;
  ~ShadowRegion() { release(); }

  uint64_t address = 0;
  uint64_t bytes = 0;
  std::string name;
  bool onDevice = false;
  bool uninitialised = false; ///< Holds nothing to be read before it is written in the launch.

  /// Makes cells for the region, all empty; false if memory ran out.
  bool track();
  bool isTracked() const { return cells; }
  void release();
  unsigned shift() const { return granuleShift; }
  /// Cell `index`, counted in granules of 1 << shift bytes, shift at most shift().
  const ShadowCell &cell(uint64_t index, unsigned shift) const {
    return cells[index >> (granuleShift - shift)];
  }

  /// The cells [first, end) of the bytes [offset, offset + size), which lie in the region.
  std::pair<ShadowCell *, ShadowCell *> cellsOf(uint64_t offset, uint64_t size) {
    uint64_t mask = (uint64_t(1) << granuleShift) - 1;
    if ((offset | size) & mask) [[unlikely]]
      refine(offset, size);
    return {cells + (offset >> granuleShift), cells + ((offset + size) >> granuleShift)};
  }

private:
  void refine(uint64_t offset, uint64_t size);

  ShadowCell *cells = nullptr;
  size_t mapped = 0;
  unsigned granuleShift = 2;
};

/// What a group may take for granted when it looks at a cell.
struct ShadowView {
  uint32_t firstEpoch = 1; ///< Of this group (threadgroup memory) or of the launch (device memory).
  bool acrossGroups = false; ///< Stamps of other groups count.
};

enum class Conflict : uint8_t { none, race, groupRace, uninitialised };

/// A conflict with a stamp that was in the cell.
struct ConflictFound {
  Conflict kind = Conflict::none;
  Stamp other;
  bool otherWrote = false;
};

namespace detail {

/// How `now` conflicts with an earlier access; one of the two wrote.
inline Conflict conflictWith(const Stamp &before, const Stamp &now, const ShadowView &view) {
  if (before.epoch < view.firstEpoch)
    return Conflict::none;
  if (before.group != now.group)
    return view.acrossGroups && !(before.actor & now.actor & Stamp::atomicBit) ? Conflict::groupRace
                                                                               : Conflict::none;
  return before.epoch != now.epoch || isOrdered(before, now) ? Conflict::none : Conflict::race;
}

} // namespace detail

/// Notes that `now` reads the cells and returns the first conflict. `mustBeWritten`: reading what
/// nobody wrote is one.
inline ConflictFound readCells(std::pair<ShadowCell *, ShadowCell *> range, const Stamp &now,
                               const ShadowView &view, bool mustBeWritten) {
  ConflictFound found;
  for (ShadowCell *cell = range.first; cell != range.second; ++cell) {
    if (cell->write.epoch < view.firstEpoch) {
      if (mustBeWritten && found.kind == Conflict::none)
        found = {Conflict::uninitialised, {}, false};
    } else if (found.kind == Conflict::none) {
      Conflict kind = detail::conflictWith(cell->write, now, view);
      if (kind != Conflict::none) [[unlikely]]
        found = {kind, cell->write, true};
    }
    Stamp &last = cell->reads[0];
    bool keep = last.epoch >= view.firstEpoch &&
                (view.acrossGroups && last.group != now.group ? true : last.actor != now.actor);
    // Another group's read is worth more than another thread's.
    if (keep && !(view.acrossGroups && last.group == now.group &&
                  cell->reads[1].epoch >= view.firstEpoch && cell->reads[1].group != now.group))
      cell->reads[1] = last;
    last = now;
  }
  return found;
}

/// Notes that `now` writes the cells and returns the first conflict.
inline ConflictFound writeCells(std::pair<ShadowCell *, ShadowCell *> range, const Stamp &now,
                                const ShadowView &view) {
  ConflictFound found;
  for (ShadowCell *cell = range.first; cell != range.second; ++cell) {
    if (found.kind == Conflict::none) [[likely]] {
      Conflict kind = detail::conflictWith(cell->write, now, view);
      if (kind != Conflict::none) [[unlikely]]
        found = {kind, cell->write, true};
      for (const Stamp &read : cell->reads)
        if (found.kind == Conflict::none) {
          kind = detail::conflictWith(read, now, view);
          if (kind != Conflict::none) [[unlikely]]
            found = {kind, read, false};
        }
    }
    cell->write = now;
  }
  return found;
}

} // namespace metile::emulator
