// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checked launch is run in shards, each with a shadow of the buffers of its own. Here the shadows
// are laid over one another, which finds the conflicts between threadgroups of different shards.
#pragma once

#include "Emulator/Checker.h"

namespace metile::emulator {

/// Reports to `into` each conflict between `a` and `b`, the shadows of one buffer. `fencesA` and
/// `fencesB`: the checkers that know which groups fenced device memory.
void mergeShards(const ShadowRegion &a, const Checker &checkerA, const ShadowRegion &b,
                 const Checker &checkerB, FindingList &into);

} // namespace metile::emulator
