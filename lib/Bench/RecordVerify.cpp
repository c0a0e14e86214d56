// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/RecordVerify.h"

#include "Bench/Record.h"
#include "Bench/RecordDerive.h"

#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

namespace metile::bench {
namespace {

constexpr double agreement = 1e-12;

bool agrees(double found, double derived) {
  return found == derived || std::abs(found - derived) <= agreement * std::abs(derived);
}

std::string shown(const Json &json) {
  std::string text = json.dump();
  return text.size() > 80 ? text.substr(0, 77) + "…" : text;
}

class Verifier {
public:
  explicit Verifier(const Json &record) : record(record) {}

  RecordVerdict run() {
    if (!record.isObject() || !record["comparisons"].isArray() || !record["samples"].isObject()) {
      result.foreign = true;
      find("", "is no benchmark record: it has no 'samples' and 'comparisons'");
      return result;
    }
    const Json *version = record.find("schema_version");
    if (!version) {
      verifyGeometricMeans();
    } else if (version->asInteger() != recordSchemaVersion) {
      result.foreign = true;
      find("schema_version", fmt::format("is {}; this build reads version {} and records without "
                                         "one; use the build that wrote it",
                                         shown(*version), recordSchemaVersion));
    } else {
      verifyBlocks();
    }
    return result;
  }

private:
  void find(std::string path, std::string text) {
    result.findings.push_back({std::move(path), std::move(text)});
  }
  void note(std::string text) { result.notes.push_back(std::move(text)); }

  /// Names every place where `found` differs from `derived`; members that only `found` has are not
  /// derived and not looked at.
  void compare(const Json &found, const Json &derived, const std::string &path) {
    if (derived.isObject() && found.isObject()) {
      for (const Json::Member &member : derived.members()) {
        const Json *other = found.find(member.key);
        if (!other)
          find(path + "." + member.key, "is missing");
        else
          compare(*other, member.value, path + "." + member.key);
      }
      return;
    }
    if (derived.isArray() && found.isArray()) {
      if (found.size() != derived.size())
        return find(path, fmt::format("holds {} elements; {} follow from the samples", found.size(),
                                      derived.size()));
      for (size_t i = 0; i < derived.size(); ++i)
        compare(found[i], derived[i], fmt::format("{}[{}]", path, i));
      return;
    }
    bool same = derived.isNumber() && found.isNumber()
                    ? agrees(found.asNumber(), derived.asNumber())
                    : found == derived;
    if (!same)
      find(path, fmt::format("is {}; {} follows from the rest of the record", shown(found),
                             shown(derived)));
  }

  /// The cases of one side by name, in each of its passes.
  std::vector<std::map<std::string, const Json *>> passes(const std::string &side) {
    std::vector<std::map<std::string, const Json *>> result;
    const Json &list = record["samples"][side];
    if (list.elements().empty())
      find("samples." + side, "holds no measurements");
    for (size_t pass = 0; pass < list.size(); ++pass) {
      std::map<std::string, const Json *> byName;
      const Json &cases = list[pass]["cases"];
      for (size_t i = 0; i < cases.size(); ++i)
        if (!byName.emplace(cases[i]["name"].asString(), &cases[i]).second)
          find(fmt::format("samples.{}[{}].cases[{}].name", side, pass, i),
               fmt::format("'{}' stands there twice", cases[i]["name"].asString()));
      result.push_back(std::move(byName));
    }
    return result;
  }

  void verifyGeometricMeans();
  void verifyMetric(const Json &comparison, const std::string &at, const std::string &metric);
  void verifyBlocks();
  void verifyBlockCase(const Json &comparison, const std::string &at, double margin,
                       int64_t blocks);
  void verifySides(const Json &comparison, const std::string &at, const std::vector<Block> &blocks);

  const Json &record;
  RecordVerdict result;
  std::map<std::string, std::vector<std::map<std::string, const Json *>>> sides;
};

void Verifier::verifyMetric(const Json &comparison, const std::string &at,
                            const std::string &metric) {
  const Json &measure = comparison[metric];
  if (measure.isNull())
    return;
  std::string path = at + "." + metric;
  std::map<std::string, double> means;
  for (const char *side : {"baseline", "current"}) {
    std::vector<double> times;
    const Json &listed = measure["samples"][side];
    const auto &measured = sides[side];
    for (size_t pass = 0; pass < measured.size(); ++pass) {
      auto found = measured[pass].find(comparison["name"].asString());
      double time =
          found == measured[pass].end() ? 0 : (*found->second)["timing"][metric].asNumber();
      if (!(time > 0)) {
        find(path, fmt::format("compares a case without a time in samples.{}[{}]", side, pass));
        return;
      }
      times.push_back(time);
    }
    if (times.empty())
      return;
    compare(listed, Json::list(times), fmt::format("{}.samples.{}", path, side));
    means[side] = geometricMean(times);
    compare(measure[side], means[side], path + "." + side);
  }
  double speedup = means["baseline"] / means["current"];
  size_t before = result.findings.size();
  compare(measure["speedup"], speedup, path + ".speedup");
  if (result.findings.size() == before)
    ++result.speedupsReproduced;
}

void Verifier::verifyGeometricMeans() {
  sides["baseline"] = passes("baseline");
  sides["current"] = passes("current");
  const Json &comparisons = record["comparisons"];
  if (comparisons.size() == 0)
    find("comparisons", "is empty");
  int speedups = 0;
  for (size_t i = 0; i < comparisons.size(); ++i) {
    const Json &comparison = comparisons[i];
    std::string at = fmt::format("comparisons[{}]", i);
    if (comparison["status"].asString() != "ok")
      continue;
    for (const char *metric : {"gpu_us", "wall_us"}) {
      speedups += !comparison[metric].isNull();
      verifyMetric(comparison, at, metric);
    }
    for (const char *side : {"baseline", "current"})
      for (size_t pass = 0; pass < sides[side].size(); ++pass) {
        auto found = sides[side][pass].find(comparison["name"].asString());
        if (found == sides[side][pass].end())
          continue;
        const Json &measured = *found->second;
        compare(comparison["source_sha256"][side], measured["source_sha256"],
                fmt::format("{}.source_sha256.{}", at, side));
        compare(comparison["shape"], measured["shape"], at + ".shape");
        compare(comparison["dtype"], measured["dtype"], at + ".dtype");
      }
    std::set<std::string> inputs;
    for (const char *side : {"baseline", "current"})
      for (const auto &pass : sides[side])
        if (auto found = pass.find(comparison["name"].asString()); found != pass.end())
          inputs.insert((*found->second)["input_sha256"].asString());
    if (inputs.size() > 1)
      find(at, "the sides ran on different inputs (input_sha256 differs)");
  }
  note("record without schema_version: speed-ups are ratios of geometric means");
  note(fmt::format("{} of {} speed-ups reproduced to 1e-12", result.speedupsReproduced, speedups));
  size_t samples = std::min(sides["baseline"].size(), sides["current"].size());
  if (samples < 6)
    note(fmt::format("{} sample{} a side decide{} nothing: no interval at 95 % exists with fewer "
                     "than 6, so every verdict is undecided",
                     samples == 2 ? "two" : fmt::format("{}", samples), samples == 1 ? "" : "s",
                     samples == 1 ? "s" : ""));
}

void Verifier::verifySides(const Json &comparison, const std::string &at,
                           const std::vector<Block> &blocks) {
  const std::string &name = comparison["name"].asString();
  std::set<std::string> inputs;
  for (Side side : {Side::baseline, Side::current}) {
    const char *sideText = side == Side::baseline ? "baseline" : "current";
    if (sides[sideText].empty())
      continue;
    auto found = sides[sideText][0].find(name);
    if (found == sides[sideText][0].end()) {
      find(at, fmt::format("case '{}' is not in samples.{}[0].cases", name, sideText));
      continue;
    }
    const Json &measured = *found->second;
    std::string where = fmt::format("samples.{}[0].cases[{}]", sideText,
                                    &measured - &record["samples"][sideText][0]["cases"][0]);
    inputs.insert(measured["input_sha256"].asString());
    compare(comparison["source_sha256"][sideText], measured["source_sha256"],
            fmt::format("{}.source_sha256.{}", at, sideText));
    compare(measured["shape"], comparison["shape"], where + ".shape");
    compare(measured["dtype"], comparison["dtype"], where + ".dtype");
    if (blocks.empty()) {
      if (!measured["timing"].isNull())
        find(where + ".timing", "stands there without any block");
      continue;
    }
    compare(measured["timing"], deriveTiming(blocks, side), where + ".timing");
    const Json &correctness = measured["correctness"];
    if (!correctness["right_before"].asBool(false))
      find(where + ".correctness.right_before", "is not true, yet the case has times");
    if (comparison["status"].asString() == "ok" && !correctness["right_after"].asBool(false))
      find(where + ".correctness.right_after", "is not true, yet the case counts as ok");
    if (correctness["max_error_over_bound"].asNumber() > 1)
      find(where + ".correctness.max_error_over_bound",
           "is above 1, yet the result counts as right");
  }
  if (inputs.size() > 1)
    find(at, "the sides ran on different inputs (input_sha256 differs)");
}

void Verifier::verifyBlockCase(const Json &comparison, const std::string &at, double margin,
                               int64_t blockCount) {
  std::vector<std::pair<std::string, std::string>> mistakes;
  std::vector<Block> blocks = blocksFromJson(comparison["blocks"], at + ".blocks", mistakes);
  std::vector<Block> control =
      blocksFromJson(comparison["control"]["blocks"], at + ".control.blocks", mistakes);
  if (!mistakes.empty()) {
    for (auto &[path, text] : mistakes)
      find(path, text);
    return;
  }
  auto seed = static_cast<uint64_t>(comparison["seed"].asInteger());
  for (size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].order != flipOrder(seed, i))
      find(fmt::format("{}.blocks[{}].order", at, i),
           fmt::format("is {}; the seed {} gives the other", name(blocks[i].order), seed));
  const std::string &status = comparison["status"].asString();
  auto count = static_cast<int64_t>(blocks.size());
  if (status == "ok" && count != blockCount)
    find(at + ".blocks", fmt::format("holds {} blocks; configuration.blocks is {} and the case "
                                     "counts as ok",
                                     count, blockCount));
  if (status == "refused" && count != 0)
    find(at + ".blocks", "holds times of a case that was refused");
  verifySides(comparison, at, blocks);
  if (status == "refused")
    return;
  Metric metric = decidingMetric(blocks, control);
  bool gpu = metric == Metric::gpu;
  compare(comparison["metric"], gpu ? "gpu_us" : "wall_us", at + ".metric");
  if (!blocks.empty()) {
    size_t before = result.findings.size();
    compare(comparison["wall_us"], deriveMeasure(blocks, Metric::wall, margin), at + ".wall_us");
    result.speedupsReproduced += result.findings.size() == before;
    if (gpu) {
      before = result.findings.size();
      compare(comparison["gpu_us"], deriveMeasure(blocks, Metric::gpu, margin), at + ".gpu_us");
      result.speedupsReproduced += result.findings.size() == before;
    }
  }
  Json verdict = deriveVerdict(blocks, control, metric, margin);
  compare(comparison["verdict"], verdict["verdict"], at + ".verdict");
  compare(comparison["control"], verdict["control"], at + ".control");
}

void Verifier::verifyBlocks() {
  sides["baseline"] = passes("baseline");
  sides["current"] = passes("current");
  const Json &configuration = record["configuration"];
  double margin = configuration["margin"].asNumber();
  if (!(margin > 0 && margin < 1))
    return find("configuration.margin", "is no number between 0 and 1");
  int64_t blocks = configuration["blocks"].asInteger();
  const Json &comparisons = record["comparisons"];
  bool complete = true;
  for (size_t i = 0; i < comparisons.size(); ++i) {
    complete &= comparisons[i]["status"].asString() != "incomplete";
    verifyBlockCase(comparisons[i], fmt::format("comparisons[{}]", i), margin, blocks);
  }
  if (!complete && record["status"].asString() == "complete")
    find("status", "is 'complete', but a case is incomplete");
  if (record["status"].asString() != "complete")
    note("the run was interrupted: the record is incomplete");
  note(fmt::format("{} of {} speed-ups reproduced from the raw samples to 1e-12",
                   result.speedupsReproduced, comparisons.size()));
  if (blocks < 6)
    note(fmt::format("{} blocks decide nothing: a 95 % interval needs 6", blocks));
}

} // namespace

std::string RecordVerdict::str() const {
  std::string text;
  for (const RecordFinding &finding : findings)
    text += finding.path.empty() ? fmt::format("{}\n", finding.text)
                                 : fmt::format("{}: {}\n", finding.path, finding.text);
  for (const std::string &line : notes)
    text += line + "\n";
  if (!foreign)
    text += consistent() ? "consistent\n"
                         : fmt::format("not consistent: {} finding{}\n", findings.size(),
                                       findings.size() == 1 ? "" : "s");
  return text;
}

RecordVerdict verifyRecord(const Json &record) { return Verifier(record).run(); }

int recordVerify(const std::string &path, bool json, std::string &out) {
  Result<Json> record = readRecord(path);
  RecordVerdict verdict;
  if (!record) {
    verdict.foreign = true;
    verdict.findings.push_back({"", record.errors().str()});
  } else {
    verdict = verifyRecord(*record);
  }
  if (!json) {
    out = verdict.foreign && record ? path + ": " + verdict.str() : verdict.str();
    return verdict.exitCode();
  }
  Json findings = Json::array();
  for (const RecordFinding &finding : verdict.findings)
    findings.push(Json::object({{"path", finding.path}, {"text", finding.text}}));
  out = Json::object({{"consistent", verdict.consistent()},
                      {"speedups_reproduced", verdict.speedupsReproduced},
                      {"findings", std::move(findings)},
                      {"notes", Json::list(verdict.notes)}})
            .dump(2) +
        "\n";
  return verdict.exitCode();
}

} // namespace metile::bench
