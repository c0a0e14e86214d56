// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts and reports in words for people. Must not know how they were made.
#pragma once

#include "Support/Json.h"

#include "metile/artifact.h"

#include <cstdint>
#include <string>

namespace metile::tools {

/// "512 B", "3.4 MiB".
std::string formatBytes(uint64_t bytes);

/// "gemm for cpu:x86-64-v4: BLOCK_M=64 BLOCK_N=64".
std::string describeArtifact(const Artifact &artifact);

/// What the compiler made of a kernel and why: several lines from the report's plan, loops,
/// allocations and decisions.
std::string explainReport(const Artifact &artifact, const Json &report);

} // namespace metile::tools
