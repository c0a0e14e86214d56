// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks of the benchmark, and waiting until a process is quiet: worker threads of a library
// spin for a while after their work and would steal time from whoever is measured next. Knows
// nothing of which threads those are; it watches the CPU time of the process.
#pragma once

#include <cstdint>
#include <span>

namespace metile::bench {

/// Monotonic wall clock in nanoseconds.
int64_t nowNs();
/// CPU time of all threads of this process so far.
int64_t processCpuNs();
/// CPU time of all threads of another process so far; 0 if the system does not tell.
int64_t processCpuNs(int64_t processId);

struct SettleResult {
  bool quiet = false;
  int64_t waitedNs = 0;
};

/// Sleeps in windows of half a millisecond until in two in a row our process and `others` used less
/// than a twentieth of one CPU and (where the system tells) none of their threads waits for one; at
/// most `limitMs` long.
SettleResult settle(double limitMs, std::span<const int64_t> others = {});

} // namespace metile::bench
