// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target/KnownTargets.h"

#include "Support/Nearest.h"
#include "Target/HostCpu.h"

#include <optional>

namespace metile {

std::string_view name(TargetKind kind) {
  switch (kind) {
  case TargetKind::cpu:
    return "cpu";
  case TargetKind::cuda:
    return "cuda";
  case TargetKind::metal:
    return "metal";
  case TargetKind::reference:
    return "reference";
  }
  return {};
}

std::string TargetDesc::featureList() const {
  std::string list;
  for (const std::string &feature : features)
    list += (list.empty() ? "" : ",") + feature;
  return list;
}

namespace {

#if defined(__APPLE__)
constexpr const char *armTriple = "arm64-apple-macosx11.0.0";
constexpr const char *x86Triple = "x86_64-apple-macosx11.0.0";
#else
constexpr const char *armTriple = "aarch64-unknown-linux-gnu";
constexpr const char *x86Triple = "x86_64-unknown-linux-gnu";
#endif

std::vector<TargetDesc> makeRows() {
  std::vector<TargetDesc> rows;

  TargetDesc arm;
  arm.name = "cpu:armv8.2";
  arm.summary = "64-bit ARM with NEON";
  arm.triple = armTriple;
  arm.llvmCpu = "generic";
  arm.features = {"crc", "fp-armv8", "lse", "neon", "rdm"};
  arm.vectorBytes = 16;
  arm.vectorRegisters = 32;
  arm.hasFma = true;
  arm.caches = {{{64 << 10, 4, 1}, {1 << 20, 8, 1}, {32 << 20, 16, 16}}};
  arm.cores = 4;
  rows.push_back(arm);

  // Levels of the x86-64 psABI.
  TargetDesc v3;
  v3.name = "cpu:x86-64-v3";
  v3.summary = "x86-64 with AVX2 and FMA";
  v3.triple = x86Triple;
  v3.llvmCpu = "x86-64-v3";
  v3.features = {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"};
  v3.vectorBytes = 32;
  v3.vectorRegisters = 16;
  // vmaskmov needs no faulting lane either, but exists for 32- and 64-bit lanes only and stores
  // slowly.
  v3.hasMaskedMemory = false;
  v3.hasFma = true;
  v3.caches = {{{32 << 10, 8, 1}, {512 << 10, 8, 1}, {16 << 20, 16, 8}}};
  v3.cores = 4;
  rows.push_back(v3);

  TargetDesc v4 = v3;
  v4.name = "cpu:x86-64-v4";
  v4.summary = "x86-64 with AVX-512 (F, BW, CD, DQ, VL)";
  v4.llvmCpu = "x86-64-v4";
  v4.features = {"avx",  "avx2", "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "bmi",
                 "bmi2", "f16c", "fma",      "lzcnt",    "movbe",    "popcnt",  "sse4.2"};
  v4.vectorBytes = 64;
  v4.vectorRegisters = 32;
  v4.hasMaskedMemory = true;
  v4.caches = {{{48 << 10, 12, 1}, {1 << 20, 16, 1}, {32 << 20, 16, 8}}};
  rows.push_back(v4);
  return rows;
}

bool runsHere(const TargetDesc &row) {
#if defined(__x86_64__)
  if (row.triple.compare(0, 6, "x86_64") != 0)
    return false;
#elif defined(__aarch64__)
  if (row.triple.compare(0, 6, "x86_64") == 0)
    return false;
#else
  return false;
#endif
  return row.kind == TargetKind::cpu && std::includes(hostFeatures().begin(), hostFeatures().end(),
                                                      row.features.begin(), row.features.end());
}

const std::vector<TargetDesc> &rows() {
  static const std::vector<TargetDesc> all = [] {
    std::vector<TargetDesc> made = makeRows();
    std::array<CacheDesc, 3> caches{};
    detectCaches(caches);
    for (TargetDesc &row : made) {
      if (!runsHere(row))
        continue;
      for (size_t level = 0; level < caches.size(); ++level)
        if (caches[level].bytes)
          row.caches[level] = caches[level];
      row.cores = detectCores();
    }
    return made;
  }();
  return all;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    size_t comma = std::min(list.find(','), list.size());
    if (comma > 0)
      parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

} // namespace

std::span<const TargetDesc> knownTargets() { return rows(); }

const std::vector<std::string> &hostFeatures() {
  static const std::vector<std::string> features = detectFeatures();
  return features;
}

std::vector<std::string> missingFeatures(std::string_view features) {
  std::vector<std::string> missing;
  for (const std::string &feature : split(features))
    if (!std::binary_search(hostFeatures().begin(), hostFeatures().end(), feature))
      missing.push_back(feature);
  return missing;
}

Result<TargetDesc> hostTarget() {
  std::optional<TargetDesc> best;
  for (const TargetDesc &row : rows())
    if (runsHere(row))
      best = row;
  if (best)
    return *best;
  std::vector<std::string> names;
  for (const TargetDesc &row : rows())
    names.push_back(row.name + " (needs " + row.featureList() + ")");
  return error("this machine's processor is none that meTile compiles for", listNames(names),
               "name one of them to compile for another machine");
}

TargetDesc referenceTarget() {
  TargetDesc reference;
  reference.kind = TargetKind::reference;
  reference.name = "reference";
  reference.summary = "plain loops that find what a kernel does wrong; slow";
  return reference;
}

Result<TargetDesc> findTarget(std::string_view name) {
  if (name == "cpu")
    return hostTarget();
  if (name == "reference")
    return referenceTarget();
  std::vector<std::string> names = {"cpu", "reference"};
  for (const TargetDesc &row : rows()) {
    if (row.name == name)
      return row;
    names.push_back(row.name);
  }
  std::vector<std::string> nearest = nearestNames(name, names, 1);
  return error("unknown target '" + std::string(name) + "'", "known are " + listNames(names, "and"),
               nearest.empty() ? "" : "did you mean '" + nearest[0] + "'?");
}

} // namespace metile
