// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine a benchmark runs on, for its record: what cannot be found out is said to be unknown.
// Knows nothing of what is measured.
#pragma once

#include "Support/Json.h"

#include <string>

namespace metile::bench {

/// "AMD EPYC 9355", the processor's own name; "unknown" if the system does not tell.
std::string processorName();
/// "Linux-6.1.0-x86_64"
std::string platformName();
/// "2026-12-01T12:30:00.123456+00:00"
std::string timestamp();
/// The path of this program; empty if unknown.
std::string programPath();
/// The path of the shared library or program that holds this code; empty if unknown.
std::string ownLibraryPath();

/// Processor, CPUs that may be used, clock and its governor, load, memory.
Json describeEnvironment();

} // namespace metile::bench
