// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Checker.h"

#include <algorithm>
#include <cstring>

namespace metile::emulator {

//===--- Threadgroup memory ---===//

void ThreadgroupArena::adopt(void *memory, size_t count) {
  first = reinterpret_cast<uint64_t>(memory);
  bytes = count;
  owners.assign(count / granuleBytes, 0);
  reset();
}

void ThreadgroupArena::reset() {
  std::fill(owners.begin(), owners.end(), uint8_t(0));
  pieces.clear();
  next = 0;
  usedBytes = 0;
}

void *ThreadgroupArena::add(size_t count, unsigned &piece) {
  size_t granules = (count + granuleBytes - 1) / granuleBytes;
  if (next + granules * granuleBytes + gapBytes > bytes || pieces.size() >= 254)
    return nullptr;
  uint64_t address = first + next;
  piece = static_cast<unsigned>(pieces.size());
  pieces.push_back({address, count});
  for (size_t i = 0; i < granules; ++i)
    owners[next / granuleBytes + i] = static_cast<uint8_t>(piece + 1);
  next += granules * granuleBytes + gapBytes;
  usedBytes += count;
  return reinterpret_cast<void *>(address);
}

void ThreadgroupArena::fill(unsigned char byte) {
  for (const Piece &piece : pieces)
    std::memset(reinterpret_cast<void *>(piece.address), byte, piece.bytes);
}

unsigned ThreadgroupArena::pieceNear(uint64_t address) const {
  // An index runs off the end of its array more often than off its start.
  unsigned nearest = none;
  for (unsigned i = 0; i < pieces.size(); ++i)
    if (pieces[i].address <= address || nearest == none)
      nearest = i;
  return nearest;
}

//===--- A launch ---===//

void Checker::begin(const LaunchMemory *launchMemory, std::vector<ShadowRegion *> regions,
                    unsigned window, const ThreadgroupArena *threadgroupArena, Extent grid,
                    bool isSerial) {
  memory = launchMemory;
  buffers = std::move(regions);
  buffers.resize(LaunchMemory::bufferWindows, nullptr);
  workerWindow = window;
  arena = threadgroupArena;
  groups = grid;
  serial = isSerial;
  pieces.clear();
  clocks[0] = {};
  clocks[1] = {};
  fenced.assign(uint64_t(grid.x) * grid.y * grid.z, false);
  list.clear();
}

void Checker::end() {
  overwrite.bytes = 0;
  pieces.clear();
  buffers.clear();
}

void Checker::addPiece(unsigned piece, const std::string &name, uint64_t address, uint64_t bytes) {
  if (pieces.size() <= piece)
    pieces.resize(piece + 1);
  auto region = std::make_unique<ShadowRegion>();
  region->address = address;
  region->bytes = bytes;
  region->name = name;
  region->uninitialised = true;
  region->track();
  pieces[piece] = std::move(region);
}

Extent Checker::positionOf(uint32_t linear) const {
  return {linear % groups.x, linear / groups.x % groups.y, linear / groups.x / groups.y};
}

void Checker::Clock::advance() {
  ++epoch;
  weakBarrier = 0;
  std::fill(std::begin(simd), std::end(simd), uint16_t(0));
}

void Checker::startGroup(uint32_t linear) {
  settle();
  groupLinear = linear;
  groupPosition = positionOf(linear);
  for (Clock &clock : clocks) {
    clock.advance();
    clock.groupFirst = clock.epoch;
  }
  hasFenced = false;
}

void Checker::barrier(unsigned flags, Site site) {
  settle();
  for (unsigned kind = 0; kind < 2; ++kind) {
    if (flags & (kind ? memoryThreadgroup : memoryDevice))
      clocks[kind].advance();
    else
      clocks[kind].weakBarrier = site;
  }
}

void Checker::simdBarrier(unsigned simdgroup, unsigned flags) {
  for (unsigned kind = 0; kind < 2; ++kind)
    if (flags & (kind ? memoryThreadgroup : memoryDevice))
      ++clocks[kind].simd[simdgroup];
}

//===--- Accesses ---===//

Actor Checker::actorOf(const Stamp &stamp, bool wrote) const {
  Actor actor;
  actor.threadgroup = positionOf(stamp.group);
  actor.thread = stamp.thread();
  actor.collective = stamp.isCollective();
  actor.atomic = stamp.isAtomic();
  actor.write = wrote;
  actor.site = stamp.site;
  return actor;
}

RawFinding Checker::describe(const ShadowRegion *region, uint64_t address, uint64_t bytes,
                             unsigned thread, unsigned flags, Site site) const {
  RawFinding finding;
  finding.bytes = bytes;
  if (region) {
    finding.variable = region->name;
    finding.onDevice = region->onDevice;
    finding.offset = static_cast<int64_t>(address - region->address);
    finding.size = region->bytes;
  }
  finding.first.threadgroup = groupPosition;
  finding.first.thread = thread;
  finding.first.collective = flags & accessCollective;
  finding.first.write = flags & accessWrite;
  finding.first.atomic = flags & accessAtomic;
  finding.first.site = site;
  return finding;
}

void Checker::noteOverwrite(const RawFinding &finding, uint64_t address, uint64_t bytes) {
  overwrite.finding = finding;
  overwrite.address = address;
  overwrite.bytes = bytes;
  std::memcpy(overwrite.before, reinterpret_cast<const void *>(address), bytes);
}

void Checker::judgeOverwrite() {
  const void *now = reinterpret_cast<const void *>(overwrite.address);
  if (std::memcmp(overwrite.before, now, overwrite.bytes) != 0)
    list.add(overwrite.finding);
  overwrite.bytes = 0;
}

bool Checker::access(unsigned thread, uint64_t address, uint64_t bytes, unsigned aligned,
                     unsigned flags, Site site) {
  settle();
  if (bytes == 0)
    return true;
  unsigned window = memory->windowOf(address);
  bool onDevice = window < LaunchMemory::bufferWindows;
  ShadowRegion *region = nullptr;
  bool exact = true;
  if (onDevice) {
    region = buffers[window];
  } else if (window == workerWindow) {
    unsigned piece = arena->pieceAt(address);
    exact = piece != ThreadgroupArena::none;
    if (!exact)
      piece = arena->pieceNear(address);
    if (piece < pieces.size())
      region = pieces[piece].get();
  }
  uint64_t offset = region ? address - region->address : 0;
  bool inside = region && exact && offset < region->bytes && bytes <= region->bytes - offset;
  if (!inside) [[unlikely]] {
    RawFinding finding = describe(region, address, bytes, thread, flags, site);
    finding.kind = FindingKind::outOfBounds;
    finding.onDevice = onDevice;
    list.add(finding);
    return const_cast<LaunchMemory *>(memory)->openAround(address, bytes);
  }
  if (aligned > 1 && address % aligned) [[unlikely]] {
    RawFinding finding = describe(region, address, bytes, thread, flags, site);
    finding.kind = FindingKind::misaligned;
    finding.detail = std::to_string(aligned);
    list.add(finding);
  }
  // What is const to the kernel gets its cells when a cast lets it be written.
  if (!region->isTracked() && (!(flags & accessWrite) || !region->track()))
    return true;

  Clock &clock = clocks[onDevice ? 0 : 1];
  Stamp now;
  now.epoch = clock.epoch;
  now.simdEpoch = clock.simd[thread / simdWidth];
  now.actor = static_cast<uint16_t>(
      flags & accessCollective ? (thread & ~(simdWidth - 1)) | Stamp::collectiveBit : thread);
  if (flags & accessAtomic)
    now.actor |= Stamp::atomicBit;
  now.group = groupLinear;
  now.site = site;
  ShadowView view{onDevice ? 1 : clock.groupFirst, onDevice};
  auto cells = region->cellsOf(offset, bytes);
  ConflictFound found = flags & accessWrite ? writeCells(cells, now, view)
                                            : readCells(cells, now, view, region->uninitialised);
  if (found.kind == Conflict::none) [[likely]]
    return true;
  if (found.kind == Conflict::groupRace && hasFenced && fenced[found.other.group])
    return true;
  RawFinding finding = describe(region, address, bytes, thread, flags, site);
  finding.kind = found.kind == Conflict::race        ? FindingKind::race
                 : found.kind == Conflict::groupRace ? FindingKind::threadgroupRace
                                                     : FindingKind::uninitialised;
  if (found.kind != Conflict::uninitialised) {
    finding.hasSecond = true;
    finding.second = actorOf(found.other, found.otherWrote);
    finding.acrossSimdgroups = finding.second.thread / simdWidth != thread / simdWidth;
    finding.related = found.kind == Conflict::race ? clock.weakBarrier : 0;
  }
  bool isOverwrite = found.otherWrote && finding.first.write;
  if (isOverwrite && (found.kind == Conflict::race || serial) && bytes <= sizeof(overwrite.before))
    noteOverwrite(finding, address, bytes);
  else
    list.add(finding);
  return true;
}

} // namespace metile::emulator
