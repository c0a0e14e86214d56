// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Record.h"
#include "Bench/Html.h"
#include "Bench/RecordVerify.h"
#include "Bench/RecordView.h"
#include "Bench/Table.h"
#include "TestCases.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

namespace metile::bench {
namespace {

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string m5Path() { return std::string(METILE_TEST_DATA) + "/m5-gemm-paired-record.json"; }

Json m5() { return readRecord(m5Path()).orExit(); }

/// A record of ours: one case with times, one refused.
const Json &ours() {
  static const Json record = [] {
    PairedOptions options;
    options.blocks = 6;
    options.warmupMs = 0.1;
    options.repMs = 0.2;
    VariantSource current = addSource("self", 15'000, [](std::span<const Argument> arguments) {
      Argument c = arguments[2];
      if (c.count() == 4)
        c.write(3, 7);
    });
    RunResult run = runPaired(options, {addCase(DType::f32, 4, 4), addCase(DType::f32, 2, 2)},
                              addSource("base", 30'000), current)
                        .orExit();
    RecordInfo info;
    info.command = {"metile", "bench", "add"};
    return parseJson(makeRecord(run, info).dump(1), "ours").orExit();
  }();
  return record;
}

/// The member at a path like "comparisons[0].wall_us.speedup".
Json &at(Json &record, const std::string &path) {
  Json *place = &record;
  for (size_t i = 0; i < path.size();) {
    if (path[i] == '[') {
      size_t end = path.find(']', i);
      place = &place->elements()[std::stoul(path.substr(i + 1, end - i - 1))];
      i = end + 1;
      continue;
    }
    i += path[i] == '.';
    size_t end = path.find_first_of(".[", i);
    place = place->find(path.substr(i, end - i));
    EXPECT_NE(place, nullptr) << path;
    i = end == std::string::npos ? path.size() : end;
  }
  return *place;
}

std::string pathsOf(const RecordVerdict &verdict) {
  std::string text;
  for (const RecordFinding &finding : verdict.findings)
    text += finding.path + "\n";
  return text;
}

TEST(RecordVerify, ReproducesAllSpeedupsOfTheM5Record) {
  RecordVerdict verdict = verifyRecord(m5());
  EXPECT_TRUE(verdict.consistent()) << verdict.str();
  EXPECT_EQ(verdict.speedupsReproduced, 16);
  EXPECT_EQ(verdict.exitCode(), 0);
  EXPECT_TRUE(contains(verdict.str(), "16 of 16 speed-ups reproduced to 1e-12"));
  EXPECT_TRUE(contains(verdict.str(), "two samples a side decide nothing"));
}

TEST(RecordVerify, NoticesTamperingWithTheM5Record) {
  struct Change {
    const char *path;
    double factor;
  };
  for (const Change &change : {Change{"comparisons[3].gpu_us.speedup", 1 + 1e-11},
                               Change{"comparisons[0].wall_us.baseline", 1.001},
                               Change{"comparisons[7].gpu_us.samples.current[1]", 0.9},
                               Change{"samples.baseline[1].cases[2].timing.wall_us", 1.0001}}) {
    Json record = m5();
    Json &number = at(record, change.path);
    number = number.asNumber() * change.factor;
    RecordVerdict verdict = verifyRecord(record);
    EXPECT_EQ(verdict.exitCode(), 1) << change.path;
  }
  Json record = m5();
  at(record, "comparisons[3].gpu_us.speedup") = 1.5;
  EXPECT_EQ(pathsOf(verifyRecord(record)), "comparisons[3].gpu_us.speedup\n");
  EXPECT_EQ(verifyRecord(record).speedupsReproduced, 15);
}

TEST(RecordVerify, NoticesOtherInputsAndOtherCode) {
  Json record = m5();
  at(record, "samples.current[0].cases[4].input_sha256") = "0000";
  EXPECT_TRUE(contains(verifyRecord(record).str(), "comparisons[4]: the sides ran on different"));
  record = m5();
  at(record, "samples.current[1].cases[4].source_sha256") = "0000";
  EXPECT_EQ(pathsOf(verifyRecord(record)), "comparisons[4].source_sha256.current\n");
}

TEST(Record, HasTheKeysOfTheM5Record) {
  // Every key that stands in the older record stands in ours at the same place; values that are
  // null on this target (a schedule, a report, times of a GPU) end the comparison.
  std::function<void(const Json &, const Json &, const std::string &)> compare =
      [&](const Json &old, const Json &now, const std::string &path) {
        if (now.isNull() || path.ends_with(".schedule") || path.ends_with(".execution_report"))
          return;
        if (old.isObject()) {
          for (const Json::Member &member : old.members()) {
            const Json *other = now.find(member.key);
            EXPECT_NE(other, nullptr) << path << "." << member.key;
            if (other)
              compare(member.value, *other, path + "." + member.key);
          }
        } else if (old.isArray() && old.size() && old[0].isObject() && now.size()) {
          compare(old[0], now[0], path + "[0]");
        }
      };
  compare(m5(), ours(), "");
}

TEST(Record, HoldsWhatWasMeasured) {
  const Json &record = ours();
  EXPECT_EQ(record["schema_version"].asInteger(), recordSchemaVersion);
  EXPECT_EQ(record["status"].asString(), "complete");
  EXPECT_EQ(record["benchmark_source_sha256"].asString().size(), 64u);
  const Json &comparison = record["comparisons"][0];
  EXPECT_EQ(comparison["blocks"].size(), 6u);
  EXPECT_EQ(comparison["control"]["blocks"].size(), 6u);
  EXPECT_GE(comparison["wall_us"]["baseline"].asNumber(), 30);
  EXPECT_EQ(comparison["wall_us"]["samples"]["baseline"].size(), 12u);
  EXPECT_TRUE(comparison["gpu_us"].isNull());
  const Json &side = record["samples"]["current"][0]["cases"][0];
  EXPECT_EQ(side["schedule"]["BLOCK"].asInteger(), 4);
  EXPECT_TRUE(side["execution_report"].isNull());
  EXPECT_TRUE(side["correctness"]["right_after"].asBool());
  EXPECT_EQ(side["input_sha256"].asString().size(), 64u);
}

TEST(Record, ARefusedCaseHasNoTime) {
  const Json &comparison = ours()["comparisons"][1];
  EXPECT_EQ(comparison["status"].asString(), "refused");
  EXPECT_TRUE(comparison["wall_us"].isNull());
  EXPECT_EQ(comparison["blocks"].size(), 0u);
  const Json &side = ours()["samples"]["current"][0]["cases"][1];
  EXPECT_TRUE(side["timing"].isNull());
  EXPECT_EQ(side["status"].asString(), "refused");
  EXPECT_TRUE(contains(side["error"].asString(), "1 of 4 elements"));
}

TEST(RecordVerify, OursIsConsistent) {
  RecordVerdict verdict = verifyRecord(ours());
  EXPECT_TRUE(verdict.consistent()) << verdict.str();
  EXPECT_EQ(verdict.speedupsReproduced, 1);
}

TEST(RecordVerify, NoticesTamperingWithOurs) {
  struct Change {
    const char *path;
    Json value;
    const char *named; ///< A path that must be among the findings.
  };
  const Change changes[] = {
      {"comparisons[0].wall_us.speedup", 3.0, "comparisons[0].wall_us.speedup"},
      {"comparisons[0].wall_us.interval[0]", 1.9, "comparisons[0].wall_us.interval[0]"},
      {"comparisons[0].wall_us.block_values[2]", 0.1, "comparisons[0].wall_us.block_values[2]"},
      {"comparisons[0].verdict", "same", "comparisons[0].verdict"},
      {"comparisons[0].control.ratio", 1.2, "comparisons[0].control.ratio"},
      {"comparisons[0].control.verdict", "faster", "comparisons[0].control.verdict"},
      {"comparisons[0].control.blocks[1].bursts[0].sample_ns[0]", 0,
       "comparisons[0].control.blocks[1].bursts[0].sample_ns"},
      {"comparisons[0].blocks[0].bursts[3].launches_per_sample", 1000,
       "samples.baseline[0].cases[0].timing.wall_min_max_us"},
      {"comparisons[0].blocks[0].bursts[1].side", "nobody",
       "comparisons[0].blocks[0].bursts[1].side"},
      {"comparisons[0].blocks[4].order", "AABB", "comparisons[0].blocks[4].order"},
      {"comparisons[0].blocks[4].bursts", Json::array(), "comparisons[0].blocks[4].bursts"},
      {"comparisons[0].blocks", Json::array(), "comparisons[0].blocks"},
      {"comparisons[0].metric", "gpu_us", "comparisons[0].metric"},
      {"comparisons[0].name", "float32_9x9", "comparisons[0]"},
      {"comparisons[1].status", "ok", "comparisons[1].blocks"},
      {"samples.current[0].cases[0].timing.wall_us", 1.0,
       "samples.current[0].cases[0].timing.wall_us"},
      {"samples.current[0].cases[0].input_sha256", "00", "comparisons[0]"},
      {"samples.current[0].cases[0].source_sha256", "00", "comparisons[0].source_sha256.current"},
      {"samples.current[0].cases[0].correctness.right_before", false,
       "samples.current[0].cases[0].correctness.right_before"},
      {"samples.current[0].cases[0].correctness.max_error_over_bound", 1.5,
       "samples.current[0].cases[0].correctness.max_error_over_bound"},
      {"configuration.margin", 0, "configuration.margin"},
      {"configuration.blocks", 20, "comparisons[0].blocks"},
  };
  for (const Change &change : changes) {
    Json record = ours();
    at(record, change.path) = change.value;
    RecordVerdict verdict = verifyRecord(record);
    EXPECT_EQ(verdict.exitCode(), 1) << change.path;
    EXPECT_TRUE(contains(pathsOf(verdict), change.named)) << change.path << ":\n" << verdict.str();
  }
}

TEST(Record, ADeviceClockDecidesWhereThereIsOne) {
  PairedOptions options;
  options.blocks = 6;
  options.warmupMs = 0.1;
  options.repMs = 0.2;
  RunResult run = runPaired(options, {addCase(DType::f32, 4, 4)}, addSource("base", 20'000, {}, 3),
                            addSource("self", 20'000, {}, 2))
                      .orExit();
  Json record = parseJson(makeRecord(run, {}).dump(), "gpu").orExit();
  const Json &comparison = at(record, "comparisons[0]");
  EXPECT_EQ(comparison["metric"].asString(), "gpu_us");
  EXPECT_NEAR(comparison["gpu_us"]["speedup"].asNumber(), 1.5, 1e-12);
  EXPECT_EQ(comparison["verdict"].asString(), "faster");
  EXPECT_EQ(run.cases[0].judgement.verdict, Verdict::faster);
  RecordVerdict verdict = verifyRecord(record);
  EXPECT_TRUE(verdict.consistent()) << verdict.str();
  EXPECT_EQ(verdict.speedupsReproduced, 2);
  at(record, "comparisons[0].blocks[1].bursts[0].gpu_us[0]") = -1;
  EXPECT_TRUE(contains(pathsOf(verifyRecord(record)), "comparisons[0].blocks[1].bursts[0].gpu_us"));
}

TEST(Record, AnInterruptedRunIsIncompleteAndConsistent) {
  // Interrupted before the first block, in a control, and between blocks.
  for (int polls : {0, 6, 16}) {
    PairedOptions options;
    options.blocks = 6;
    options.warmupMs = 0.1;
    options.repMs = 0.2;
    options.interrupted = [&] { return polls-- <= 0; };
    RunResult run = runPaired(options, {addCase(DType::f32, 4, 4)}, addSource("base", 20'000),
                              addSource("self", 20'000))
                        .orExit();
    Json record = parseJson(makeRecord(run, {}).dump(), "incomplete").orExit();
    EXPECT_EQ(record["status"].asString(), "incomplete");
    EXPECT_EQ(at(record, "comparisons[0].status").asString(), "incomplete");
    RecordVerdict verdict = verifyRecord(record);
    EXPECT_TRUE(verdict.consistent()) << verdict.str();
    EXPECT_TRUE(contains(verdict.str(), "the record is incomplete"));
    EXPECT_TRUE(contains(resultTable(record), "interrupted")) << resultTable(record);
    EXPECT_TRUE(contains(htmlPage(record), "interrupted"));
    record["status"] = "complete";
    EXPECT_EQ(pathsOf(verifyRecord(record)), "status\n");
  }
}

TEST(RecordVerify, ASwappedOrderIsNoticedByTheSeed) {
  Json record = ours();
  Json &block = at(record, "comparisons[0].blocks[2]");
  bool wasAbba = block["order"].asString() == "ABBA";
  block["order"] = wasAbba ? "BAAB" : "ABBA";
  for (Json &burst : block["bursts"].elements())
    burst["side"] = burst["side"].asString() == "current" ? "baseline" : "current";
  EXPECT_TRUE(contains(pathsOf(verifyRecord(record)), "comparisons[0].blocks[2].order"));
}

TEST(RecordVerify, ForeignAndNewerDocumentsAreTold) {
  EXPECT_EQ(verifyRecord(Json::object({{"a", 1}})).exitCode(), 2);
  EXPECT_EQ(verifyRecord(Json(3)).exitCode(), 2);
  Json record = ours();
  record["schema_version"] = 99;
  RecordVerdict verdict = verifyRecord(record);
  EXPECT_EQ(verdict.exitCode(), 2);
  EXPECT_TRUE(contains(verdict.str(), "is 99")) << verdict.str();
}

TEST(RecordVerify, MissingAndTruncatedFiles) {
  std::string out;
  EXPECT_EQ(recordVerify("/nonexistent.json", false, out), 2);
  EXPECT_TRUE(contains(out, "/nonexistent.json")) << out;
  std::string path = (std::filesystem::path(testing::TempDir()) / "metile-truncated.json").string();
  std::string whole = ours().dump(1);
  for (size_t keep : {size_t(0), size_t(1), whole.size() / 2, whole.size() - 1}) {
    ASSERT_TRUE(writeFileWhole(path, whole.substr(0, keep)));
    EXPECT_EQ(recordVerify(path, false, out), 2) << keep;
    EXPECT_TRUE(contains(out, path)) << out;
  }
  ASSERT_TRUE(writeFileWhole(path, whole));
  EXPECT_EQ(recordVerify(path, true, out), 0);
  EXPECT_TRUE(parseJson(out, "verdict").orExit()["consistent"].asBool());
  std::filesystem::remove(path);
  EXPECT_FALSE(writeFileWhole("/nonexistent/record.json", whole));
}

TEST(RecordVerify, NoShapeOfDocumentBreaksIt) {
  // Each member of a small record in turn becomes something else.
  const Json replacements[] = {Json(), Json(-1), Json("x"), Json::array(), Json::object()};
  std::vector<std::string> paths;
  std::function<void(const Json &, const std::string &)> collect = [&](const Json &json,
                                                                       const std::string &path) {
    if (!path.empty())
      paths.push_back(path);
    for (const Json::Member &member : json.members())
      collect(member.value, path.empty() ? member.key : path + "." + member.key);
    for (size_t i = 0; i < std::min<size_t>(json.elements().size(), 1); ++i)
      collect(json[i], path + "[" + std::to_string(i) + "]");
  };
  collect(ours(), "");
  EXPECT_GT(paths.size(), 100u);
  for (const std::string &path : paths)
    for (const Json &replacement : replacements) {
      Json record = ours();
      at(record, path) = replacement;
      verifyRecord(record);
      EXPECT_FALSE(resultTable(record).empty());
    }
}

TEST(Table, ShowsTimesRatiosAndRefusals) {
  std::string table = resultTable(ours());
  EXPECT_TRUE(contains(table, "case ")) << table;
  EXPECT_TRUE(contains(table, "float32_4x4")) << table;
  EXPECT_TRUE(contains(table, "refused")) << table;
  EXPECT_TRUE(contains(table, "1 of 4 elements of 'c' are wrong")) << table;
  EXPECT_FALSE(contains(table, "\033"));
  EXPECT_TRUE(contains(resultTable(ours(), true), "\033[0m"));
  EXPECT_TRUE(contains(resultTable(m5()), "no interval"));
}

TEST(View, NumbersForPeople) {
  EXPECT_EQ(formatTime(0.5), "500 ns");
  EXPECT_EQ(formatTime(4.567), "4.57 µs");
  EXPECT_EQ(formatTime(12345), "12.3 ms");
  EXPECT_EQ(formatTime(2.5e6), "2.50 s");
  EXPECT_EQ(formatTime(0), "–");
  EXPECT_EQ(threeDigits(1234.5), "1234");
}

TEST(Html, IsOneSelfContainedPage) {
  for (const Json &record : {ours(), m5()}) {
    std::string page = htmlPage(record);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    for (const char *outside : {"http://", "https://", "src=", "@import", "url(", "<script"})
      EXPECT_FALSE(contains(page, outside)) << outside;
    for (const Json &comparison : record["comparisons"].elements())
      EXPECT_TRUE(contains(page, comparison["name"].asString()));
  }
  EXPECT_TRUE(contains(htmlPage(ours()), "class=\"sample a\""));
  EXPECT_TRUE(contains(htmlPage(ours()), "1 of 4 elements"));
}

TEST(Html, EscapesWhatComesFromOutside) {
  Json record = ours();
  at(record, "samples.current[0].variant") = "<script>alert(1)</script>";
  at(record, "comparisons[0].name") = "a\"b<c>";
  std::string page = htmlPage(record);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "b<c>"));
  EXPECT_TRUE(contains(page, "a&quot;b&lt;c&gt;"));
}

TEST(Html, ShowsDecisions) {
  Json record = ours();
  at(record, "samples.current[0].cases[0].execution_report") =
      parseJson(R"({"decisions": [{"id": "threads", "question": "How many?", "subject": "grid",
        "chosen": "2", "cost": 12.5, "unit": "us", "reason": "it is cheapest", "requested": false,
        "alternatives": [{"choice": "1", "cost": 20, "violated": null}],
        "would_change": "a smaller grid"}]})",
                "report")
          .orExit();
  std::string page = htmlPage(record);
  for (const char *part :
       {"How many?", "it is cheapest", "12.5 us", "1 alternative", "a smaller grid"})
    EXPECT_TRUE(contains(page, part)) << part;
}

} // namespace
} // namespace metile::bench
