// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/SourceMap.h"

#include <gtest/gtest.h>

namespace metile::emulator {

static SourceMap sample() {
  SourceMap map;
  map.files = {"a", "b"};
  map.add(1, 1, {0, 10, 5});
  map.add(1, 4, {0, 10, 8}); // Goes on character by character.
  map.add(1, 20, {1, 3, 7}, true);
  map.add(2, 1, {0, 11, 1});
  return map;
}

TEST(SourceMap, FindsCharacters) {
  SourceMap map = sample();
  EXPECT_EQ(map.find(1, 6).str(), "a:10:10");
  EXPECT_EQ(map.find(1, 25).str(), "b:3:7");
  EXPECT_EQ(map.find(2, 3).str(), "a:11:3");
  EXPECT_FALSE(map.find(0, 1).known());
}

TEST(SourceMap, SurvivesTheDisk) {
  std::string bytes = sample().serialize();
  std::optional<SourceMap> map = SourceMap::parse(bytes);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->find(1, 6).str(), "a:10:10");
  EXPECT_FALSE(SourceMap::parse(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(SourceMap::parse("nonsense"));
  EXPECT_FALSE(SourceMap::parse(""));
  EXPECT_TRUE(SourceMap::parse("0 0\n"));
  // The lengths, taken together, wrap around to that of the text.
  EXPECT_FALSE(SourceMap::parse("4 14757395258967641292\na\n"));
  EXPECT_FALSE(SourceMap::parse("-24 1\n"));
}

} // namespace metile::emulator
