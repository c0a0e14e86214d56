// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/result.h"

#include <gtest/gtest.h>

namespace metile {

TEST(Location, PrintsWhatIsKnown) {
  EXPECT_EQ((Location{"a.cpp", 3, 7, {}}.str()), "a.cpp:3:7");
  EXPECT_EQ((Location{"a.cpp", 3, 0, {}}.str()), "a.cpp:3");
  EXPECT_EQ((Location{"a.cpp", 0, 0, {}}.str()), "a.cpp");
  EXPECT_EQ(Location{}.str(), "");
}

TEST(Diagnostic, JoinsItsParts) {
  EXPECT_EQ(error("found 3", "2 is allowed", "use 2").str(), "error: found 3; 2 is allowed; use 2");
  EXPECT_EQ(error("found 3", "", "use 2").str(), "error: found 3; use 2");
  Location place{"k.cpp", 9, 2, {{"h.h", 4, 1, {}}, {"main.cpp", 1, 1, {}}}};
  EXPECT_EQ(error(place, "x").str(), "k.cpp:9:2: error: x\n"
                                     "h.h:4:1: note: called from here\n"
                                     "main.cpp:1:1: note: called from here");
}

TEST(Diagnostic, SpellsOutWhatWouldSteerATerminal) {
  Location place{"\x1b]0;k\a.cpp", 1, 0, {}};
  EXPECT_EQ(
      error(place, "'\x1b[31m\x7f' and \xc2\x9b", "tab\t, line\n, größer ≥ 😀", "\xff\xe2\x82")
          .str(),
      "\\x1b]0;k\\x07.cpp:1: error: '\\x1b[31m\\x7f' and \\xc2\\x9b; tab\t, line\n, größer ≥ 😀; "
      "\\xff\\xe2\\x82");
}

TEST(Errors, ShowsTwentyAndCountsTheRest) {
  Errors errors;
  for (int i = 0; i < 23; ++i)
    errors.diagnostics.push_back({{}, "e" + std::to_string(i), {}, {}});
  std::string text = errors.str();
  EXPECT_NE(text.find("e19"), std::string::npos);
  EXPECT_EQ(text.find("e20"), std::string::npos);
  EXPECT_NE(text.find("... and 3 more"), std::string::npos);
}

TEST(Result, HoldsEither) {
  Result<int> good = 5;
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 5);
  Result<int> bad = error("no");
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.errors().str(), "error: no");
  EXPECT_EQ(std::move(good).orExit(), 5);
}

TEST(ResultDeathTest, OrExitLeavesWithTwo) {
  EXPECT_EXIT(Result<int>(error("no way")).orExit(), testing::ExitedWithCode(2), "no way");
}

} // namespace metile
