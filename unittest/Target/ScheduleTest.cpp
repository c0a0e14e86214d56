// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target/Schedule.h"

#include <gtest/gtest.h>

using namespace metile;

namespace {

const ConstantChoice constants[] = {{"BLOCK_M", {32, 64, 128}}, {"BLOCK_N", {32, 64}}};

Result<Schedule> parse(std::string_view text, TargetKind kind = TargetKind::cpu) {
  return Schedule::parse(text, constants, kind);
}

TEST(Schedule, ReadsEveryType) {
  Result<Schedule> schedule = parse(
      " BLOCK_M=64, unroll=4,math=fast,register_tile=6x64, threads=2,RELAXED_PRECISION=False,");
  ASSERT_TRUE(schedule) << schedule.errors().str();
  EXPECT_EQ(schedule->constants(), (std::vector<std::pair<std::string, int64_t>>{{"BLOCK_M", 64}}));
  EXPECT_EQ(schedule->number(ScheduleField::unroll), 4);
  EXPECT_EQ(schedule->number(ScheduleField::threads), 2);
  EXPECT_EQ(schedule->choice(ScheduleField::math), "fast");
  EXPECT_EQ(schedule->flag(ScheduleField::relaxedPrecision), false);
  EXPECT_EQ(schedule->pair(ScheduleField::registerTile), (std::pair<int64_t, int64_t>(6, 64)));
  EXPECT_FALSE(schedule->has(ScheduleField::repack));
  EXPECT_FALSE(schedule->choice(ScheduleField::repack).has_value());
}

TEST(Schedule, NormalSpellingParsesToItself) {
  Result<Schedule> schedule = parse("unroll=04,BLOCK_N=32,scratch_everything=1,BLOCK_M=32");
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->str(), "BLOCK_M=32,BLOCK_N=32,scratch_everything=true,unroll=4");
  EXPECT_EQ(parse(schedule->str())->str(), schedule->str());
  EXPECT_TRUE(parse("")->empty());
  EXPECT_EQ(parse(" ")->str(), "");
}

struct Mistake {
  const char *text;
  const char *found;
  const char *hint; ///< In what is allowed or to be changed.
};

class ScheduleMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ScheduleMistake, IsNamed) {
  Result<Schedule> schedule = parse(GetParam().text);
  ASSERT_FALSE(schedule);
  ASSERT_EQ(schedule.errors().diagnostics.size(), 1u);
  const Diagnostic &mistake = schedule.errors().diagnostics[0];
  EXPECT_NE(mistake.found.find(GetParam().found), std::string::npos) << mistake.found;
  EXPECT_NE((mistake.allowed + mistake.change).find(GetParam().hint), std::string::npos)
      << mistake.allowed << mistake.change;
}

const Mistake mistakes[] = {
    {"BLOK_M=64", "unknown field 'BLOK_M'", "did you mean BLOCK_M"},
    {"unrol=2", "unknown field 'unrol'", "did you mean unroll?"},
    {"BLOCK_M=48", "'48' is no value", "32, 64 or 128"},
    {"unroll=3", "'3' is no value of unroll", "powers of two from 1 to 16"},
    {"unroll=32", "'32' is no value of unroll", "powers of two from 1 to 16"},
    {"threads=0", "'0' is no value of threads", "1 to 4096"},
    {"threads=99999999999999999999", "is no value of threads", "1 to 4096"},
    {"math=exact", "'exact' is no value of math", "strict, default or fast"},
    {"register_tile=6", "'6' is no value of register_tile", "4x2"},
    {"register_tile=6x64x2", "is no value of register_tile", "4x2"},
    {"scratch_everything=yes", "'yes' is no value", "true or false"},
    {"stages=2", "field 'stages' does not exist on cpu", "metal and cuda"},
    {"unroll=2,unroll=2", "'unroll' is given twice", "once"},
    {"unroll", "'unroll' is no field", "KEY=VALUE"},
    {"=2", "'=2' is no field", "KEY=VALUE"},
    {"unroll=", "'unroll=' is no field", "KEY=VALUE"},
};
INSTANTIATE_TEST_SUITE_P(All, ScheduleMistake, testing::ValuesIn(mistakes));

TEST(Schedule, AllMistakesComeBackTogether) {
  Result<Schedule> schedule = parse("unroll=3,nonsense=1,math=exact,threads=1");
  ASSERT_FALSE(schedule);
  EXPECT_EQ(schedule.errors().diagnostics.size(), 3u);
}

TEST(Schedule, FieldsDependOnTheTarget) {
  EXPECT_TRUE(parse("stages=3,simdgroup_grid=2x2", TargetKind::metal));
  EXPECT_FALSE(parse("register_tile=6x64", TargetKind::cuda));
}

TEST(Schedule, EveryFieldExistsSomewhere) {
  for (const ScheduleFieldInfo &field : scheduleFields()) {
    bool exists = false;
    for (TargetKind kind : {TargetKind::cpu, TargetKind::cuda, TargetKind::metal})
      exists |= field.existsOn(kind);
    EXPECT_TRUE(exists) << field.name;
    EXPECT_FALSE(field.range().empty()) << field.name;
    EXPECT_FALSE(field.meaning.empty()) << field.name;
  }
}

} // namespace
