// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from measured blocks, as the members of a record. The writer and the verifier of
// records both call it, so that a record says what its samples say. Knows nothing of files.
#pragma once

#include "Bench/Paired.h"
#include "Support/Json.h"

#include <string>
#include <vector>

namespace metile::bench {

/// {baseline, current, speedup, interval, coverage, inside_twice_margin, block_values, samples}:
/// the medians of the bursts' values, exp of the median block value and what belongs to it.
/// Requires blocks (and gpu times for that metric).
Json deriveMeasure(const std::vector<Block> &blocks, Metric metric, double margin);

/// {verdict, reason} of a case, the control taken into account, and {verdict, ratio, interval} of
/// the control as `control`.
Json deriveVerdict(const std::vector<Block> &blocks, const std::vector<Block> &control,
                   Metric metric, double margin);

/// {samples, gpu_us, wall_us, gpu_min_max_us, wall_min_max_us} of one side.
Json deriveTiming(const std::vector<Block> &blocks, Side side);

/// The blocks as they stand in a record, and back. A block that cannot be read adds to `mistakes`:
/// its path below `path`, a space and what is wrong with it.
Json blocksToJson(const std::vector<Block> &blocks);
std::vector<Block> blocksFromJson(const Json &json, const std::string &path,
                                  std::vector<std::pair<std::string, std::string>> &mistakes);

} // namespace metile::bench
