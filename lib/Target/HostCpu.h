// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this machine's processor offers, asked of the processor and the operating system. Must not
// know the rows of KnownTargets.
#pragma once

#include "Target/TargetDesc.h"

namespace metile {

/// Features that processor and operating system support, under LLVM's names, sorted; only those
/// that HostCpu.cpp knows how to ask for.
std::vector<std::string> detectFeatures();

/// Overwrites the caches that the operating system describes.
void detectCaches(std::array<CacheDesc, 3> &caches);

/// Processors that this process may run on.
unsigned detectCores();

} // namespace metile
