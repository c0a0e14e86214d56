// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Shadow.h"

#include <gtest/gtest.h>

namespace metile::emulator {
namespace {

/// A region of 64 bytes of threadgroup memory.
struct Fixture {
  ShadowRegion region;
  ShadowView view{5, false};

  Fixture() {
    region.bytes = 64;
    region.track();
  }
  static Stamp stamp(unsigned thread, uint32_t epoch = 5, uint16_t simdEpoch = 0) {
    return {epoch, simdEpoch, static_cast<uint16_t>(thread), 0, 1};
  }
  Conflict write(uint64_t offset, uint64_t bytes, Stamp now) {
    return writeCells(region.cellsOf(offset, bytes), now, view).kind;
  }
  Conflict read(uint64_t offset, uint64_t bytes, Stamp now, bool mustBeWritten = false) {
    return readCells(region.cellsOf(offset, bytes), now, view, mustBeWritten).kind;
  }
};

} // namespace

TEST(Shadow, ThreadsOfOneIntervalConflict) {
  Fixture f;
  EXPECT_EQ(f.write(0, 4, f.stamp(1)), Conflict::none);
  EXPECT_EQ(f.read(0, 4, f.stamp(1)), Conflict::none);
  EXPECT_EQ(f.read(0, 4, f.stamp(2)), Conflict::race);
  EXPECT_EQ(f.read(4, 4, f.stamp(2)), Conflict::none);
  EXPECT_EQ(f.write(4, 4, f.stamp(3)), Conflict::race); // Read before written.
}

TEST(Shadow, TheOrderOfReadersDoesNotHideOne) {
  Fixture f;
  f.read(0, 4, f.stamp(1));
  f.read(0, 4, f.stamp(40));
  f.read(0, 4, f.stamp(2));
  EXPECT_EQ(f.write(0, 4, f.stamp(2)), Conflict::race);
}

TEST(Shadow, BarriersOrder) {
  Fixture f;
  f.write(0, 4, f.stamp(1, 5));
  EXPECT_EQ(f.read(0, 4, f.stamp(2, 6)), Conflict::none);
  f.write(8, 4, f.stamp(1, 6, 0));
  EXPECT_EQ(f.read(8, 4, f.stamp(2, 6, 1)), Conflict::none);  // simdgroup_barrier
  EXPECT_EQ(f.read(8, 4, f.stamp(33, 6, 1)), Conflict::race); // of another simdgroup
}

TEST(Shadow, AtomicsDoNotConflictWithEachOther) {
  Fixture f;
  auto atomic = [&](unsigned thread) {
    Stamp stamp = f.stamp(thread);
    stamp.actor |= Stamp::atomicBit;
    return stamp;
  };
  f.write(0, 4, atomic(1));
  EXPECT_EQ(f.write(0, 4, atomic(2)), Conflict::none);
  EXPECT_EQ(f.read(0, 4, f.stamp(3)), Conflict::race);
}

TEST(Shadow, WhatAnEarlierGroupLeftIsUninitialised) {
  Fixture f;
  f.write(0, 4, f.stamp(1, 4));
  EXPECT_EQ(f.read(0, 4, f.stamp(2, 5), true), Conflict::uninitialised);
  f.write(0, 4, f.stamp(2, 5));
  EXPECT_EQ(f.read(0, 4, f.stamp(2, 5), true), Conflict::none);
}

TEST(Shadow, GranulesBecomeAsFineAsTheAccesses) {
  Fixture f;
  f.write(0, 8, f.stamp(1, 5));
  EXPECT_EQ(f.write(9, 1, f.stamp(2, 6)), Conflict::none);
  EXPECT_EQ(f.region.shift(), 0u);
  EXPECT_EQ(f.read(3, 1, f.stamp(3, 5)), Conflict::race); // Written while granules were coarse.
  EXPECT_EQ(f.write(10, 1, f.stamp(3, 6)), Conflict::none);
  EXPECT_EQ(f.read(9, 1, f.stamp(3, 6)), Conflict::race);
}

TEST(Shadow, GroupsConflictOnDeviceMemory) {
  Fixture f;
  f.view = {1, true};
  Stamp first = f.stamp(1, 5), second = f.stamp(1, 9);
  second.group = 7;
  f.write(0, 4, first);
  EXPECT_EQ(f.read(0, 4, second), Conflict::groupRace);
  f.read(4, 4, first);
  f.read(4, 4, second);
  EXPECT_EQ(f.write(4, 4, second), Conflict::groupRace);
}

} // namespace metile::emulator
