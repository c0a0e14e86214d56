// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/StridedView.h"

#include "Layout/Spelling.h"

#include <gtest/gtest.h>

using namespace metile;

namespace {

constexpr auto exactly = KnownNumber::exactly;
constexpr auto multipleOf = KnownNumber::multipleOf;

StridedView matrix(KnownNumber rowStride, KnownNumber colStride, int64_t alignment = 256) {
  return {{{"row", multipleOf(1), rowStride}, {"col", multipleOf(8), colStride}}, 16, alignment};
}

TEST(KnownNumber, KnowsMultiples) {
  EXPECT_TRUE(exactly(48).isMultipleOf(16));
  EXPECT_FALSE(exactly(40).isMultipleOf(16));
  EXPECT_TRUE(exactly(0).isMultipleOf(16));
  EXPECT_TRUE(exactly(-32).isMultipleOf(16));
  EXPECT_TRUE(multipleOf(64).isMultipleOf(16));
  EXPECT_FALSE(multipleOf(24).isMultipleOf(16));
  EXPECT_FALSE(multipleOf(1).is(1));
}

TEST(StridedView, AlignsByWhatIsKnown) {
  auto along = [](StridedView view, size_t axis, int64_t maxBytes = 16) {
    return view.alignedElements(axis, maxBytes);
  };
  EXPECT_EQ(along(matrix(multipleOf(64), exactly(1)), 1), 8);
  EXPECT_EQ(along(matrix(multipleOf(64), exactly(1)), 1, 64), 32);
  EXPECT_EQ(along(matrix(multipleOf(64), exactly(1)), 0), 1);
  EXPECT_EQ(along(matrix(multipleOf(4), exactly(1)), 1), 4);
  EXPECT_EQ(along(matrix(multipleOf(1), exactly(1)), 1), 1);
  EXPECT_EQ(along(matrix(exactly(4096), exactly(1)), 1), 8);
  EXPECT_EQ(along(matrix(exactly(4099), exactly(1)), 1), 1);
  EXPECT_EQ(along(matrix(exactly(0), exactly(1)), 1), 8);
  EXPECT_EQ(along(matrix(exactly(-4096), exactly(1)), 1), 8);
  EXPECT_EQ(along(matrix(multipleOf(64), exactly(1), 4), 1), 2);
  EXPECT_EQ(along(matrix(multipleOf(64), exactly(1), 2), 1), 1);
  EXPECT_EQ(along(matrix(multipleOf(64), multipleOf(1)), 1), 1);
  EXPECT_EQ(along(matrix(exactly(1), multipleOf(64)), 0), 8);
  // A view of one row never steps along it.
  StridedView row = matrix(multipleOf(1), exactly(1));
  row.axes[0].size = exactly(1);
  EXPECT_EQ(along(row, 1), 8);
}

// Where it says n, every address that can come up is a multiple of n elements.
TEST(StridedView, AlignmentHoldsAtEveryCoordinate) {
  for (int64_t rowStride : {0, 1, 3, 4, 8, 12, 16, 20, 40})
    for (int64_t alignment : {2, 4, 8, 16, 32}) {
      StridedView view = matrix(exactly(rowStride), exactly(1), alignment);
      int64_t n = view.alignedElements(1, 32);
      auto alwaysAligned = [&](int64_t count) {
        for (int64_t row = 0; row < 16; ++row)
          for (int64_t col = 0; col < 64; col += count)
            if ((alignment + (row * rowStride + col) * 2) % (count * 2))
              return false;
        return true;
      };
      EXPECT_TRUE(alwaysAligned(n));
      EXPECT_TRUE(n == 16 || !alwaysAligned(2 * n)) << rowStride << " " << alignment;
    }
}

TEST(StridedView, FindsTheContiguousAxis) {
  EXPECT_EQ(matrix(multipleOf(64), exactly(1)).contiguousAxis(), 1u);
  EXPECT_EQ(matrix(exactly(1), multipleOf(64)).contiguousAxis(), 0u);
  EXPECT_FALSE(matrix(multipleOf(1), multipleOf(1)).contiguousAxis());
  // Of two axes with stride 1 the one that is longer than one element.
  StridedView column = matrix(exactly(1), exactly(1));
  column.axes[1].size = exactly(1);
  EXPECT_EQ(column.contiguousAxis(), 0u);
  column = matrix(exactly(1), exactly(1));
  column.axes[0].size = exactly(1);
  EXPECT_EQ(column.contiguousAxis(), 1u);
}

TEST(StridedView, AccessesByLayoutAndFacts) {
  LinearLayout rows = *parseLayout("(lane: [(0,4), (1,0), (2,0)], register: [(0,1), (0,2), (4,0)])"
                                   " -> (row: 8, col: 8)",
                                   "test");
  using Bits = std::vector<unsigned>;
  StridedView view = matrix(multipleOf(64), exactly(1));
  EXPECT_EQ(view.accessBits(rows, {1, 64}, 16), (Bits{0, 1}));
  EXPECT_EQ(view.accessBits(rows, {1, 64}, 4), (Bits{0}));
  EXPECT_EQ(view.accessBits(rows, {1, 2}, 16), (Bits{0}));
  EXPECT_EQ(view.accessBits(rows, {1, 1}, 16), (Bits{}));
  EXPECT_EQ(matrix(multipleOf(2), exactly(1)).accessBits(rows, {1, 64}, 16), (Bits{0}));
  // Contiguous the other way: the registers run along rows in one bit only, and not the lowest.
  EXPECT_EQ(matrix(exactly(1), multipleOf(64)).accessBits(rows, {64, 64}, 16), (Bits{}));
  EXPECT_EQ(matrix(multipleOf(1), multipleOf(1)).accessBits(rows, {64, 64}, 16), (Bits{}));
}

TEST(StridedView, GuardsWholeAccesses) {
  StridedView view = matrix(multipleOf(64), exactly(1));
  EXPECT_TRUE(view.edgeCutsNone(1, 8));
  EXPECT_FALSE(view.edgeCutsNone(1, 16));
  EXPECT_FALSE(view.edgeCutsNone(0, 2));
}

} // namespace
