// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where two recordings of one program part.

#include "tools/metile/ProbeComparison.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace metile;
using metile::tools::ProbeComparison;

namespace {

ProbeRecord record(std::string name, uint32_t line, const std::vector<float> &values) {
  ProbeRecord made;
  made.name = std::move(name);
  made.location = {"kernel.cpp", line, 1, {}};
  made.program = {0, 0, 0};
  made.dtype = f32;
  made.shape = {static_cast<int64_t>(values.size())};
  made.values.resize(values.size() * sizeof(float));
  std::memcpy(made.values.data(), values.data(), made.values.size());
  return made;
}

const float nan = std::numeric_limits<float>::quiet_NaN();

TEST(ProbeComparison, EqualRecordsDoNotPart) {
  ProbeComparison comparison({record("x", 1, {1, 2}), record("y", 2, {nan, -0.0f})});
  EXPECT_FALSE(comparison.parting({record("x", 1, {1, 2}), record("y", 2, {nan, 0.0f})}));
}

TEST(ProbeComparison, NamesTheFirstElementThatDiffers) {
  ProbeComparison comparison({record("x", 1, {1, 2}), record("y", 2, {3, 4, 5})});
  auto parting = comparison.parting({record("x", 1, {1, 2}), record("y", 2, {3, 4.5f, 6})});
  ASSERT_TRUE(parting);
  EXPECT_EQ(parting->record, 1u);
  EXPECT_EQ(parting->element, 1);
  EXPECT_EQ(parting->expected, "4");
}

TEST(ProbeComparison, AllowsWhatRoundingsMove) {
  ProbeComparison comparison({record("x", 1, {1})});
  comparison.widen({record("x", 1, {1.0000001f})});
  EXPECT_FALSE(comparison.parting({record("x", 1, {1.000001f})}));
  auto parting = comparison.parting({record("x", 1, {1.0001f})});
  ASSERT_TRUE(parting);
  EXPECT_EQ(parting->expected, "1 to 1.0000001192092896");
}

TEST(ProbeComparison, AnotherWayIsADifference) {
  ProbeComparison comparison({record("x", 1, {1}), record("then", 2, {1}), record("z", 4, {1})});
  auto parting = comparison.parting({record("x", 1, {1}), record("else", 3, {1})});
  ASSERT_TRUE(parting);
  EXPECT_EQ(parting->record, 1u);
  EXPECT_FALSE(parting->element);
  // One that ends early, and one that goes on.
  EXPECT_EQ(comparison.parting({record("x", 1, {1})})->record, 1u);
  EXPECT_EQ(comparison
                .parting({record("x", 1, {1}), record("then", 2, {1}), record("z", 4, {1}),
                          record("z", 4, {1})})
                ->record,
            3u);
}

TEST(ProbeComparison, LeavesOpenWhatRoundingsDecide) {
  ProbeComparison comparison({record("x", 1, {1}), record("then", 2, {1})});
  comparison.widen({record("x", 1, {1}), record("else", 3, {1})});
  EXPECT_FALSE(comparison.parting({record("x", 1, {1}), record("else", 3, {7})}));
  EXPECT_TRUE(comparison.parting({record("x", 1, {2}), record("else", 3, {7})}));
}

TEST(ProbeComparison, KnowsWhetherBothHaveNan) {
  ProbeComparison comparison({record("x", 1, {1, nan})});
  EXPECT_TRUE(comparison.hasNan(0, 1));
  EXPECT_FALSE(comparison.hasNan(0, 0));
  EXPECT_FALSE(comparison.hasNan(0, 2)); // The ways may part where roundings decide.
  EXPECT_FALSE(comparison.hasNan(1, 0));
}

TEST(ProbeComparison, FindsTheFirstNan) {
  EXPECT_FALSE(tools::firstNan({record("x", 1, {1, 2})}));
  auto nowhere = record("n", 1, {nan});
  nowhere.dtype = i32; // The same bits are a number.
  auto found = tools::firstNan({nowhere, record("x", 1, {1, 2}), record("y", 2, {3, nan, nan})});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (std::pair<size_t, int64_t>(2, 1)));
}

} // namespace
