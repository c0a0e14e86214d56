// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Settle.h"

#include <time.h>

#ifdef __APPLE__
#include <libproc.h>
#include <mach/mach_time.h>
#endif

namespace metile::bench {
namespace {

int64_t read(clockid_t clock) {
  timespec time;
  if (clock_gettime(clock, &time) != 0)
    return 0;
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

} // namespace

int64_t nowNs() { return read(CLOCK_MONOTONIC); }

int64_t processCpuNs() { return read(CLOCK_PROCESS_CPUTIME_ID); }

int64_t processCpuNs(int64_t processId) {
#ifdef __APPLE__
  rusage_info_v2 usage;
  if (proc_pid_rusage(static_cast<int>(processId), RUSAGE_INFO_V2,
                      reinterpret_cast<rusage_info_t *>(&usage)) != 0)
    return 0;
  mach_timebase_info_data_t base;
  mach_timebase_info(&base);
  return static_cast<int64_t>((usage.ri_user_time + usage.ri_system_time) * base.numer /
                              base.denom);
#else
  clockid_t clock;
  if (clock_getcpuclockid(static_cast<pid_t>(processId), &clock) != 0)
    return 0;
  return read(clock);
#endif
}

SettleResult settle(double limitMs, const std::function<int64_t()> &otherCpuNs) {
  constexpr timespec window{0, 500'000};
  constexpr int quietWindows = 2;
  constexpr int64_t busyPart = 20;
  auto cpu = [&] { return processCpuNs() + (otherCpuNs ? otherCpuNs() : 0); };

  int64_t start = nowNs();
  int64_t lastWall = start, lastCpu = cpu();
  SettleResult result;
  for (int quiet = 0; quiet < quietWindows;) {
    nanosleep(&window, nullptr);
    int64_t wall = nowNs(), used = cpu();
    quiet = (used - lastCpu) * busyPart < wall - lastWall ? quiet + 1 : 0;
    lastWall = wall;
    lastCpu = used;
    result.waitedNs = wall - start;
    if (static_cast<double>(result.waitedNs) > limitMs * 1e6 && quiet < quietWindows)
      return result;
  }
  result.quiet = true;
  return result;
}

} // namespace metile::bench
