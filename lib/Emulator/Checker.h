// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checker: what one worker knows of its threadgroup's memory, and the findings it made. It sees
// every access, barrier and fence in the order in which the worker runs them. Must not know fibers.
#pragma once

#include "Emulator/Findings.h"
#include "Emulator/LaunchMemory.h"
#include "Emulator/Shadow.h"

#include <memory>
#include <string>
#include <vector>

namespace metile::emulator {

/// The threadgroup memory of one worker: each argument and variable apart from the next, so that an
/// index beyond one does not reach another.
class ThreadgroupArena {
public:
  static constexpr size_t granuleBytes = 64;
  /// Between two pieces.
  static constexpr size_t gapBytes = 512;

  /// Takes [memory, memory + bytes).
  void adopt(void *memory, size_t bytes);
  /// Forgets all pieces.
  void reset();
  /// Space for a piece and its index; null if the arena is full.
  void *add(size_t bytes, unsigned &piece);
  /// Writes `byte` to all pieces.
  void fill(unsigned char byte);
  /// The piece at `address`, or none.
  static constexpr unsigned none = ~0u;
  unsigned pieceAt(uint64_t address) const {
    uint64_t granule = (address - first) / granuleBytes;
    return granule < owners.size() && owners[granule] ? owners[granule] - 1u : none;
  }
  /// The piece nearest to `address`, for messages; none if there is no piece.
  unsigned pieceNear(uint64_t address) const;
  size_t used() const { return usedBytes; }
  size_t capacity() const { return bytes; }

private:
  struct Piece {
    uint64_t address;
    size_t bytes;
  };
  uint64_t first = 0;
  size_t bytes = 0;
  size_t next = 0;
  size_t usedBytes = 0;
  std::vector<uint8_t> owners; ///< Piece + 1 of each granule, 0 for none.
  std::vector<Piece> pieces;
};

class Checker {
public:
  /// Begins a launch. `regions`: the shadow of each buffer by window, null where there is none.
  /// `isSerial`: no other worker runs groups, so device memory holds what these groups stored.
  void begin(const LaunchMemory *memory, std::vector<ShadowRegion *> regions, unsigned workerWindow,
             const ThreadgroupArena *arena, Extent groups, bool isSerial);
  void end();
  /// Makes the shadow of a piece of threadgroup memory.
  void addPiece(unsigned piece, const std::string &name, uint64_t address, uint64_t bytes);

  void startGroup(uint32_t linear);
  /// A barrier of the whole group that orders the memory named by `flags`.
  void barrier(unsigned flags, Site site);
  void simdBarrier(unsigned simdgroup, unsigned flags);
  /// A fence of device memory for the whole device.
  void fence() {
    hasFenced = true;
    fenced[groupLinear] = true;
  }

  /// An access by `thread`; `flags` as in AccessFlags. `aligned`: what the address must be a
  /// multiple of. False if the memory behind it cannot be touched.
  bool access(unsigned thread, uint64_t address, uint64_t bytes, unsigned aligned, unsigned flags,
              Site site);

  void report(const RawFinding &finding) { list.add(finding); }
  FindingList &findings() {
    settle();
    return list;
  }
  Extent position() const { return groupPosition; }
  /// Whether each group, by linear index, fenced device memory.
  const std::vector<bool> &fencedGroups() const { return fenced; }
  /// One side of a finding on device memory, from what the shadow knows.
  Actor actorOf(const Stamp &stamp, bool wrote) const;

private:
  struct Clock {
    uint32_t epoch = 1;
    uint32_t groupFirst = 1;
    uint16_t simd[maxThreads / simdWidth] = {};
    Site weakBarrier = 0; ///< The last barrier since that does not order this memory.
    void advance();
  };

  /// Judges the last write over another thread's, which has happened by now.
  void settle() {
    if (overwrite.bytes) [[unlikely]]
      judgeOverwrite();
  }
  void judgeOverwrite();
  void noteOverwrite(const RawFinding &finding, uint64_t address, uint64_t bytes);

  RawFinding describe(const ShadowRegion *region, uint64_t address, uint64_t bytes, unsigned thread,
                      unsigned flags, Site site) const;
  Extent positionOf(uint32_t linear) const;

  const LaunchMemory *memory = nullptr;
  std::vector<ShadowRegion *> buffers;
  std::vector<std::unique_ptr<ShadowRegion>> pieces;
  const ThreadgroupArena *arena = nullptr;
  unsigned workerWindow = 0;
  Extent groups;
  Clock clocks[2]; ///< Of device memory and of threadgroup memory.
  uint32_t groupLinear = 0;
  Extent groupPosition;
  bool serial = false;
  bool hasFenced = false;
  std::vector<bool> fenced;
  /// A write over what another thread wrote. It is about to happen, and is a race
  /// unless it leaves the same value there, as when all threads store one result.
  struct Overwrite {
    RawFinding finding;
    uint64_t address = 0, bytes = 0;
    unsigned char before[64];
  } overwrite;
  FindingList list;
};

} // namespace metile::emulator
