// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target/KnownTargets.h"

#include <gtest/gtest.h>
#include <set>

using namespace metile;

namespace {

TEST(KnownTargets, RowsAreWellFormed) {
  std::set<std::string> names;
  for (const TargetDesc &row : knownTargets()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.rfind(std::string(name(row.kind)) + ":", 0), 0u) << row.name;
    EXPECT_TRUE(std::is_sorted(row.features.begin(), row.features.end())) << row.name;
    EXPECT_GE(row.lanes(f64), 2u) << row.name;
    EXPECT_EQ(row.lanes(u8), row.vectorBytes) << row.name;
    for (const CacheDesc &cache : row.caches)
      EXPECT_GT(cache.bytes, 0) << row.name;
    EXPECT_LT(row.caches[0].bytes, row.caches[1].bytes) << row.name;
  }
}

TEST(KnownTargets, FindsByName) {
  Result<TargetDesc> row = findTarget("cpu:x86-64-v3");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->vectorBytes, 32u);
  EXPECT_TRUE(row->has("avx2"));
  EXPECT_FALSE(row->has("avx512f"));
  EXPECT_EQ(row->featureList().substr(0, 8), "avx,avx2");
}

TEST(KnownTargets, UnknownNameListsTheKnownOnes) {
  Result<TargetDesc> row = findTarget("cpu:x86-64-v9");
  ASSERT_FALSE(row);
  const Diagnostic &mistake = row.errors().diagnostics.at(0);
  EXPECT_EQ(mistake.found, "unknown target 'cpu:x86-64-v9'");
  for (const TargetDesc &known : knownTargets())
    EXPECT_NE(mistake.allowed.find(known.name), std::string::npos) << mistake.allowed;
  EXPECT_NE(mistake.change.find("cpu:x86-64-v"), std::string::npos) << mistake.change;
  EXPECT_FALSE(findTarget(""));
  EXPECT_FALSE(findTarget("cuda:sm_9999"));
}

TEST(KnownTargets, TheHostRunsItsOwnRow) {
  Result<TargetDesc> host = findTarget("cpu");
  if (!host)
    GTEST_SKIP() << host.errors().str();
  EXPECT_TRUE(missingFeatures(host->featureList()).empty());
  EXPECT_GE(host->cores, 1u);
  Result<TargetDesc> again = findTarget(host->name);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->features, host->features);
}

TEST(KnownTargets, MissingFeaturesAreNamed) {
  EXPECT_EQ(missingFeatures("no-such-feature,neither-this"),
            (std::vector<std::string>{"no-such-feature", "neither-this"}));
  EXPECT_TRUE(missingFeatures("").empty());
}

} // namespace
