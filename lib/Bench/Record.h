// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of a paired run: a JSON document that holds every raw sample and everything that was
// concluded from them. Its keys are described in docs/benchmarking.md. Knows nothing of how a run
// is made or shown.
#pragma once

#include "Bench/Paired.h"
#include "Support/Json.h"
#include "metile/result.h"

#include <string>
#include <utility>
#include <vector>

namespace metile::bench {

/// The version this build writes. Records without a version are the older form, whose speed-ups are
/// ratios of geometric means.
inline constexpr int64_t recordSchemaVersion = 1;

/// What the record says beside the measurements.
struct RecordInfo {
  std::vector<std::string> command; ///< The words of the command line.
  std::string benchmarkSha256;      ///< Of the program that measured; empty: hashed here.
  std::string producer;             ///< Compiler build id.
};

/// Ratios in it are recomputed from the raw samples, by the same functions that verify uses.
Json makeRecord(const RunResult &run, const RecordInfo &info);

/// Reads a record. A missing, truncated or foreign file is an error that says which.
Result<Json> readRecord(const std::string &path);

/// Writes `text` to `path` so that a reader never sees half of it.
Status writeFileWhole(const std::string &path, std::string_view text);

} // namespace metile::bench
