// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/DTypePrefix.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace metile {

TEST(DType, NamesParseBack) {
  std::set<std::string_view> names;
  for (DType d : allDTypes) {
    EXPECT_EQ(parseDType(name(d)), d);
    EXPECT_EQ(parseDType(longName(d)), d);
    names.insert(name(d));
  }
  EXPECT_EQ(names.size(), std::size(allDTypes));
  EXPECT_EQ(name(bf16), "bf16");
  EXPECT_EQ(longName(bf16), "bfloat16");
  EXPECT_EQ(longName(f8e4m3), "float8_e4m3fn");
  EXPECT_EQ(longName(f8e5m2), "float8_e5m2");
  EXPECT_EQ(parseDType("float"), std::nullopt);
  EXPECT_EQ(parseDType(""), std::nullopt);
}

TEST(DType, NamesAreTakenOffTheFront) {
  for (DType d : allDTypes) {
    std::string text = std::string(longName(d)) + "_3x4";
    std::string_view rest = text;
    EXPECT_EQ(takeDType(rest), d);
    EXPECT_EQ(rest, "3x4");
  }
  for (std::string_view text : {"float8_3x4", "f32", "3x4", ""}) {
    std::string_view rest = text;
    EXPECT_EQ(takeDType(rest), std::nullopt) << text;
    EXPECT_EQ(rest, text);
  }
}

TEST(DType, SizesMatchTheNames) {
  for (DType d : allDTypes) {
    if (d == boolean)
      continue;
    std::string digits(name(d).substr(name(d).find_first_of("0123456789")));
    EXPECT_EQ(8 * byteSize(d), std::stoul(digits)) << name(d);
    EXPECT_EQ(isFloat8(d), isFloat(d) && byteSize(d) == 1) << name(d);
    EXPECT_EQ(isFloat(d), longName(d).find("float") != std::string_view::npos) << name(d);
    EXPECT_EQ(isSigned(d), name(d)[0] != 'u') << name(d);
    EXPECT_NE(isInteger(d), isFloat(d)) << name(d);
  }
  EXPECT_EQ(byteSize(boolean), 1u);
}

} // namespace metile
