// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/Json.h"

#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace metile {

static std::string failure(std::string_view text) {
  Result<Json> result = parseJson(text, "f.json");
  return result ? "parsed: " + result->dump() : result.errors().str();
}

TEST(Json, KeepsOrderAndKinds) {
  Json json = Json::object({{"z", 1}, {"a", 2.0}, {"m", Json::array({nullptr, true, "x"})}});
  json["late"] = Json::list(std::vector<int>{1, 2});
  EXPECT_EQ(json.dump(), R"({"z": 1, "a": 2.0, "m": [null, true, "x"], "late": [1, 2]})");
  Result<Json> again = parseJson(json.dump(2), "again");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, json);
  EXPECT_TRUE((*again)["z"].isInteger());
  EXPECT_FALSE((*again)["a"].isInteger());
}

TEST(Json, IndentsEachLevel) {
  EXPECT_EQ(Json::object({{"a", Json::array({1})}, {"b", Json::object()}}).dump(2),
            "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}");
}

TEST(Json, DoublesReadBackAsTheSameBits) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    auto value = std::bit_cast<double>(random());
    if (value != value || value - value != 0)
      continue;
    Result<Json> back = parseJson(Json(value).dump(), "double");
    ASSERT_TRUE(back) << Json(value).dump();
    ASSERT_EQ(std::bit_cast<uint64_t>(back->asNumber()), std::bit_cast<uint64_t>(value));
  }
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(-0.0).dump(), "-0.0");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, IntegersAreExact) {
  for (int64_t value : {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()})
    EXPECT_EQ(parseJson(Json(value).dump(), "n")->asInteger(), value);
  EXPECT_EQ(parseJson("18446744073709551615", "n")->asNumber(), 0x1p64);
}

TEST(Json, TextSurvives) {
  std::string text = "quote \" slash \\ tab \t bell \a caf\xc3\xa9 \xf0\x9f\x99\x82";
  EXPECT_EQ(parseJson(Json(text).dump(), "t")->asString(), text);
  // What is not UTF-8 is replaced, so that the output is always JSON.
  EXPECT_EQ(parseJson(Json("a\xff").dump(), "t")->asString(), "a\xef\xbf\xbd");
}

TEST(Json, MissingThingsAreNull) {
  const Json json = Json::object({{"a", Json::array({1})}});
  EXPECT_TRUE(json["b"].isNull());
  EXPECT_TRUE(json["a"][5].isNull());
  EXPECT_TRUE(json["a"]["b"].isNull());
  EXPECT_EQ(json["a"].asInteger(-1), -1);
  EXPECT_EQ(json["a"][0].asNumber(), 1.0);
}

TEST(Json, ErrorsHavePlaces) {
  EXPECT_EQ(failure("{\"a\": 1,\n  \"b\": }").substr(0, 17), "f.json:2:8: error");
  EXPECT_EQ(failure("").substr(0, 17), "f.json:1:1: error");
  EXPECT_EQ(failure("[1] x").substr(0, 17), "f.json:1:5: error");
  EXPECT_NE(failure("{\"a\": 1, \"a\": 2}").find("two members called \"a\""), std::string::npos);
  EXPECT_NE(failure("[1e999]").find("number overflow"), std::string::npos);
  EXPECT_NE(failure("[\"\xff\"]").find("UTF-8"), std::string::npos);
}

TEST(Json, EveryTruncationIsAnError) {
  std::string text = R"({"a": [1, -2.5e3, "x\u00e9", {"b": null}], "c": true})";
  ASSERT_TRUE(parseJson(text, "t"));
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(parseJson(std::string_view(text).substr(0, length), "t")) << length;
}

TEST(Json, DeepNestingIsRefused) {
  EXPECT_TRUE(parseJson(std::string(200, '[') + std::string(200, ']'), "t"));
  EXPECT_NE(failure(std::string(100000, '[')).find("nested deeper"), std::string::npos);
}

} // namespace metile
