// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/RecordDerive.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace metile::bench {
namespace {

Json intervalJson(const Judgement &judgement) {
  if (!judgement.interval)
    return nullptr;
  return Json::array({judgement.interval->low, judgement.interval->high});
}

const char *sideName(Side side) { return side == Side::baseline ? "baseline" : "current"; }

} // namespace

Json deriveMeasure(const std::vector<Block> &blocks, Metric metric, double margin) {
  std::vector<double> baseline = burstValues(blocks, Side::baseline, metric);
  std::vector<double> current = burstValues(blocks, Side::current, metric);
  std::vector<double> values = blockValues(blocks, metric);
  Judgement judgement = judge(values, margin);
  Json result = Json::object();
  result["baseline"] = median(baseline);
  result["current"] = median(current);
  result["speedup"] = judgement.ratio;
  result["interval"] = intervalJson(judgement);
  result["coverage"] = judgement.interval ? Json(judgement.interval->coverage) : Json(nullptr);
  result["inside_twice_margin"] = judgement.insideTwiceMargin;
  result["block_values"] = Json::list(values);
  result["samples"] =
      Json::object({{"baseline", Json::list(baseline)}, {"current", Json::list(current)}});
  return result;
}

Json deriveVerdict(const std::vector<Block> &blocks, const std::vector<Block> &control,
                   Metric metric, double margin) {
  std::vector<double> controlValues = blockValues(control, metric);
  Judgement judgement = judge(blockValues(blocks, metric), controlValues, margin);
  Judgement same = judge(controlValues, margin);
  Json result = Json::object();
  result["verdict"] = name(judgement.verdict);
  result["reason"] = judgement.reason;
  Json inner = Json::object();
  inner["verdict"] = name(same.verdict);
  inner["ratio"] = same.ratio;
  inner["interval"] = intervalJson(same);
  inner["block_values"] = Json::list(controlValues);
  result["control"] = std::move(inner);
  return result;
}

Json deriveTiming(const std::vector<Block> &blocks, Side side) {
  int64_t count = 0;
  double wallLow = HUGE_VAL, wallHigh = 0, gpuLow = HUGE_VAL, gpuHigh = 0;
  for (const Block &block : blocks)
    for (const Burst &burst : block.bursts) {
      if (burst.side != side)
        continue;
      count += static_cast<int64_t>(burst.sampleNs.size());
      for (int64_t ns : burst.sampleNs) {
        double us = static_cast<double>(ns) / static_cast<double>(burst.launchesPerSample) / 1e3;
        wallLow = std::min(wallLow, us);
        wallHigh = std::max(wallHigh, us);
      }
      for (double us : burst.gpuUs) {
        gpuLow = std::min(gpuLow, us);
        gpuHigh = std::max(gpuHigh, us);
      }
    }
  bool gpu = hasGpuTimes(blocks);
  Json result = Json::object();
  result["samples"] = count;
  result["gpu_us"] = gpu ? Json(median(burstValues(blocks, side, Metric::gpu))) : Json(nullptr);
  result["wall_us"] = count ? Json(median(burstValues(blocks, side, Metric::wall))) : Json(nullptr);
  result["gpu_min_max_us"] = gpu ? Json::array({gpuLow, gpuHigh}) : Json(nullptr);
  result["wall_min_max_us"] = count ? Json::array({wallLow, wallHigh}) : Json(nullptr);
  return result;
}

Json blocksToJson(const std::vector<Block> &blocks) {
  Json result = Json::array();
  for (const Block &block : blocks) {
    Json bursts = Json::array();
    for (const Burst &burst : block.bursts) {
      Json one = Json::object();
      one["side"] = sideName(burst.side);
      one["launches_per_sample"] = burst.launchesPerSample;
      one["sample_ns"] = Json::list(burst.sampleNs);
      one["gpu_us"] = burst.gpuUs.empty() ? Json(nullptr) : Json::list(burst.gpuUs);
      one["overhead_ns"] = burst.overheadNs;
      one["settled"] = burst.settled;
      bursts.push(std::move(one));
    }
    result.push(Json::object({{"order", name(block.order)}, {"bursts", std::move(bursts)}}));
  }
  return result;
}

std::vector<Block> blocksFromJson(const Json &json, const std::string &path,
                                  std::vector<std::pair<std::string, std::string>> &mistakes) {
  std::vector<Block> result;
  auto mistake = [&](std::string where, std::string what) {
    mistakes.emplace_back(std::move(where), std::move(what));
  };
  if (!json.isArray())
    mistake(path, fmt::format("is {}, not an array of blocks", json.kindName()));
  for (size_t i = 0; i < json.elements().size(); ++i) {
    const Json &source = json[i];
    std::string at = fmt::format("{}[{}]", path, i);
    Block block;
    const std::string &order = source["order"].asString();
    if (order != "ABBA" && order != "BAAB") {
      mistake(at + ".order", fmt::format("is '{}', not ABBA or BAAB", order));
      continue;
    }
    block.order = order == "ABBA" ? BlockOrder::abba : BlockOrder::baab;
    const Json &bursts = source["bursts"];
    if (bursts.elements().size() != 4) {
      mistake(at + ".bursts", fmt::format("holds {} bursts, not 4", bursts.elements().size()));
      continue;
    }
    bool good = true;
    for (unsigned position = 0; position < 4; ++position) {
      const Json &one = bursts[static_cast<size_t>(position)];
      std::string burstAt = fmt::format("{}.bursts[{}]", at, position);
      Burst &burst = block.bursts[position];
      burst.side = sideAt(block.order, position);
      if (one["side"].asString() != sideName(burst.side)) {
        mistake(burstAt + ".side",
                fmt::format("is '{}', but the order {} puts the {} here", one["side"].asString(),
                            order, sideName(burst.side)));
        good = false;
      }
      burst.launchesPerSample = one["launches_per_sample"].asInteger();
      burst.overheadNs = one["overhead_ns"].asInteger();
      burst.settled = one["settled"].asBool(true);
      if (burst.launchesPerSample < 1) {
        mistake(burstAt + ".launches_per_sample", "is no positive integer");
        good = false;
      }
      for (const Json &ns : one["sample_ns"].elements()) {
        burst.sampleNs.push_back(ns.asInteger());
        if (burst.sampleNs.back() < 1) {
          mistake(burstAt + ".sample_ns", "holds something that is no positive integer");
          good = false;
          break;
        }
      }
      if (one["sample_ns"].elements().empty()) {
        mistake(burstAt + ".sample_ns", "holds no samples");
        good = false;
      }
      for (const Json &us : one["gpu_us"].elements()) {
        burst.gpuUs.push_back(us.asNumber());
        if (!(burst.gpuUs.back() > 0)) {
          mistake(burstAt + ".gpu_us", "holds something that is no positive number");
          good = false;
          break;
        }
      }
    }
    if (good)
      result.push_back(std::move(block));
  }
  return result;
}

} // namespace metile::bench
