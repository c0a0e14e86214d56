// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Record.h"

#include "Bench/Environment.h"
#include "Bench/RecordDerive.h"
#include "Bench/Tolerance.h"
#include "Digest/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <unistd.h>

namespace metile::bench {
namespace {

Json orNull(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

/// A part of the record that came to us as text.
Json parsedOrNull(const std::string &text) {
  if (text.empty())
    return nullptr;
  Result<Json> parsed = parseJson(text, "report");
  return parsed ? std::move(*parsed) : Json(text);
}

std::string_view statusName(CaseStatus status) {
  switch (status) {
  case CaseStatus::ok:
    return "ok";
  case CaseStatus::refused:
    return "refused";
  case CaseStatus::incomplete:
    return "incomplete";
  }
  return "";
}

Json checkJson(const CaseResult &result, const SideResult &side) {
  Json json = Json::object();
  json["reference"] = "float64, every element";
  json["max_absolute_error"] =
      std::max(side.check.maxAbsoluteError, side.checkAfter.maxAbsoluteError);
  // The older form of a record states tolerances; ours are bounds for each element, so these two
  // are what the bound amounts to: a part of the value, and what does not depend on it.
  std::optional<DType> dtype = parseDType(result.dtype);
  bool isReal = dtype && isFloat(*dtype);
  json["rtol"] = isReal ? Json(unitRoundoff(*dtype)) : Json(0.0);
  json["atol"] = isReal ? Json(errorBound(result.tolerance, *dtype, 0)) : Json(0.0);
  json["bound"] = Json::object({{"depth", result.tolerance.depth},
                                {"magnitude", result.tolerance.magnitude},
                                {"relative_depth", result.tolerance.relativeDepth},
                                {"accumulator", longName(result.tolerance.accumulator)}});
  json["max_error_over_bound"] =
      std::max(side.check.maxErrorOverBound, side.checkAfter.maxErrorOverBound);
  auto outcome = [](const CheckResult &check) {
    return !check.done ? Json(nullptr) : Json(check.right);
  };
  json["right_before"] = outcome(side.check);
  json["right_after"] = outcome(side.checkAfter);
  return json;
}

Json sideCaseJson(const CaseResult &result, Side which) {
  const SideResult &side = which == Side::baseline ? result.baseline : result.current;
  Json json = Json::object();
  json["name"] = result.name;
  json["kernel"] = result.kernel;
  json["dtype"] = result.dtype;
  json["shape"] = Json::list(result.shape);
  json["seed"] = static_cast<int64_t>(result.seed);
  json["schedule"] = parsedOrNull(side.description.scheduleJson);
  json["input_sha256"] = orNull(result.inputSha256);
  json["correctness"] = checkJson(result, side);
  json["source_sha256"] = orNull(side.description.sourceSha256);
  json["execution_report"] = parsedOrNull(side.description.reportJson);
  json["timing"] = result.blocks.empty() ? Json(nullptr) : deriveTiming(result.blocks, which);
  json["status"] =
      side.ok() ? statusName(result.status == CaseStatus::refused ? CaseStatus::ok : result.status)
                : "refused";
  json["threads"] = side.description.threads;
  json["compile_us"] = side.description.compileUs;
  json["notes"] = Json::list(side.description.notes);
  json["error"] = orNull(side.error);
  return json;
}

Json sideJson(const RunResult &run, Side which) {
  VariantDescription described; // Of the first case that could be prepared.
  for (const CaseResult &result : run.cases) {
    const SideResult &side = which == Side::baseline ? result.baseline : result.current;
    if (!side.description.label.empty()) {
      described = side.description;
      break;
    }
  }
  Json json = Json::object();
  json["root"] = orNull(described.root);
  json["compiler_implementation_sha256"] = orNull(described.compilerSha256);
  json["device"] = described.device.empty() ? processorName() : described.device;
  json["metal_compiler"] = nullptr;
  json["platform"] = platformName();
  json["variant"] = which == Side::baseline ? run.baselineLabel : run.currentLabel;
  Json tools = Json::object();
  for (const auto &[tool, version] : described.tools)
    tools[tool] = version;
  json["tools"] = std::move(tools);
  Json cases = Json::array();
  for (const CaseResult &result : run.cases)
    cases.push(sideCaseJson(result, which));
  json["cases"] = std::move(cases);
  return json;
}

Json comparisonJson(const RunResult &run, const CaseResult &result) {
  Json json = Json::object();
  json["name"] = result.name;
  json["shape"] = Json::list(result.shape);
  json["dtype"] = result.dtype;
  json["status"] = statusName(result.status);
  Metric metric = decidingMetric(result.blocks, result.control);
  bool gpu = metric == Metric::gpu;
  double margin = run.options.margin;
  json["gpu_us"] = gpu ? deriveMeasure(result.blocks, Metric::gpu, margin) : Json(nullptr);
  json["wall_us"] =
      result.blocks.empty() ? Json(nullptr) : deriveMeasure(result.blocks, Metric::wall, margin);
  json["source_sha256"] =
      Json::object({{"baseline", orNull(result.baseline.description.sourceSha256)},
                    {"current", orNull(result.current.description.sourceSha256)}});
  json["kernel"] = result.kernel;
  json["seed"] = static_cast<int64_t>(result.seed);
  json["flops"] = result.flops;
  json["bytes"] = result.bytes;
  json["metric"] = gpu ? "gpu_us" : "wall_us";
  Json verdict =
      deriveVerdict(result.blocks, result.control, gpu ? Metric::gpu : Metric::wall, margin);
  if (result.status == CaseStatus::refused)
    verdict["reason"] = "refused: no time was taken";
  json["verdict"] = verdict["verdict"];
  json["reason"] = verdict["reason"];
  json["control"] = verdict["control"];
  json["control"]["blocks"] = blocksToJson(result.control);
  json["blocks"] = blocksToJson(result.blocks);
  return json;
}

} // namespace

Json makeRecord(const RunResult &run, const RecordInfo &info) {
  const PairedOptions &options = run.options;
  Json record = Json::object();
  record["schema_version"] = recordSchemaVersion;
  record["recorded_at"] = timestamp();
  record["benchmark_source_sha256"] =
      orNull(info.benchmarkSha256.empty() ? sha256OfFile(ownLibraryPath()) : info.benchmarkSha256);
  record["producer"] = orNull(info.producer);
  record["metric"] = "median time of one launch in a warmed burst; compilation and allocation "
                     "excluded; ratios are baseline time over current time";
  record["pair_order"] = Json::array({"baseline", "current", "current", "baseline"});
  record["pair_order_rule"] =
      "ABBA as above or its mirror BAAB, by a coin of the seed for each block; see blocks[].order";
  record["precision_comparison"] =
      Json::object({{"class", "same_storage_precision"},
                    {"same_weight_representation", true},
                    {"storage", "the same inputs and outputs in memory for both sides of a case"},
                    {"arithmetic", "each side's own; see its notes and schedule"},
                    {"reference", "float64, every element, before and after timing"},
                    {"bitwise_exact", false}});
  Json configuration = Json::object();
  configuration["warmup_ms"] = options.warmupMs;
  configuration["rep_ms"] = options.repMs;
  configuration["seed"] = static_cast<int64_t>(options.seed);
  configuration["cooldown_seconds"] = nullptr;
  configuration["settle"] = "until the process uses less than 5 % of one CPU";
  configuration["settle_max_ms"] = options.settleMaxMs;
  configuration["blocks"] = options.blocks;
  configuration["margin"] = options.margin;
  configuration["threads"] = options.threads;
  configuration["command"] = Json::list(info.command);
  record["configuration"] = std::move(configuration);
  record["status"] = run.interrupted ? "incomplete" : "complete";
  record["environment"] = describeEnvironment();
  record["samples"] = Json::object({{"baseline", Json::array({sideJson(run, Side::baseline)})},
                                    {"current", Json::array({sideJson(run, Side::current)})}});
  Json comparisons = Json::array();
  for (const CaseResult &result : run.cases)
    comparisons.push(comparisonJson(run, result));
  record["comparisons"] = std::move(comparisons);
  return record;
}

Result<Json> readRecord(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)),
                 "a record written by 'metile bench --record FILE'");
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad() || text.str().empty())
    return error(fmt::format("'{}' is empty or cannot be read", path),
                 "a record written by 'metile bench --record FILE'");
  return parseJson(text.str(), path);
}

Status writeFileWhole(const std::string &path, std::string_view text) {
  std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) {
      std::string reason = std::strerror(errno);
      std::remove(temporary.c_str());
      return error(fmt::format("cannot write '{}': {}", path, reason));
    }
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return error(fmt::format("cannot write '{}': {}", path, reason));
  }
  return Done{};
}

} // namespace metile::bench
