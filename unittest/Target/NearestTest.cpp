// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Support/Nearest.h"

#include <gtest/gtest.h>

using namespace metile;

namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(editDistance("", ""), 0u);
  EXPECT_EQ(editDistance("abc", ""), 3u);
  EXPECT_EQ(editDistance("threads", "Threads"), 0u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("stags", "stages"), 1u);
  EXPECT_EQ(editDistance("satges", "stages"), 1u);
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"softmax", "gemm", "row_sum", "row_max", "layer_norm"};
  EXPECT_EQ(nearestNames("sofmax", names), std::vector<std::string>{"softmax"});
  EXPECT_EQ(nearestNames("row", names), (std::vector<std::string>{"row_sum", "row_max"}));
  EXPECT_EQ(nearestNames("norm", names), std::vector<std::string>{"layer_norm"});
  EXPECT_TRUE(nearestNames("quicksort", names).empty());
  EXPECT_EQ(nearestNames("row_sux", names, 1).size(), 1u);
}

TEST(Nearest, Lists) {
  EXPECT_EQ(listNames({}), "");
  EXPECT_EQ(listNames({"a"}), "a");
  EXPECT_EQ(listNames({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(listNames({"a", "b"}, "and"), "a and b");
}

} // namespace
