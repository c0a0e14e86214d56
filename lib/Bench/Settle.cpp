// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Settle.h"

#include <array>
#include <string>
#include <string_view>

#include <time.h>

#ifdef __linux__
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <libproc.h>
#include <mach/mach_time.h>
#endif

namespace metile::bench {
namespace {

/// Whether a thread of the process other than the calling one runs or waits for a CPU. On a busy
/// machine a spinning thread may get no CPU for a while, and then its CPU time does not show it.
bool hasRunnableThread(int64_t processId, bool isOurs) {
#ifdef __linux__
  std::string tasks = isOurs ? "/proc/self/task" : "/proc/" + std::to_string(processId) + "/task";
  DIR *directory = opendir(tasks.c_str());
  if (!directory)
    return false;
  std::string own = std::to_string(gettid());
  bool found = false;
  for (dirent *entry; !found && (entry = readdir(directory));) {
    if (entry->d_name[0] == '.' || (isOurs && own == entry->d_name))
      continue;
    std::string path = tasks + "/" + entry->d_name + "/stat";
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
      continue;
    std::array<char, 512> text;
    ssize_t length = ::read(file, text.data(), text.size());
    close(file);
    // "4711 (name) R ...": the name may hold anything, but no parenthesis follows it.
    std::string_view stat(text.data(), static_cast<size_t>(length > 0 ? length : 0));
    size_t end = stat.rfind(')');
    found = end != stat.npos && stat.substr(end + 1).starts_with(" R");
  }
  closedir(directory);
  return found;
#else
  return false;
#endif
}

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

SettleResult settle(double limitMs, std::span<const int64_t> others) {
  constexpr timespec window{0, 500'000};
  constexpr int quietWindows = 2;
  constexpr int64_t busyPart = 20;
  // What this thread spends on looking is not what it looks for.
  auto cpu = [&] {
    int64_t sum = processCpuNs() - read(CLOCK_THREAD_CPUTIME_ID);
    for (int64_t process : others)
      sum += processCpuNs(process);
    return sum;
  };
  auto runnable = [&] {
    bool any = hasRunnableThread(0, true);
    for (int64_t process : others)
      any = any || hasRunnableThread(process, false);
    return any;
  };

  int64_t start = nowNs();
  int64_t lastWall = start, lastCpu = cpu();
  SettleResult result;
  for (int quiet = 0; quiet < quietWindows;) {
    nanosleep(&window, nullptr);
    int64_t wall = nowNs(), used = cpu();
    bool isQuiet = (used - lastCpu) * busyPart < wall - lastWall && !runnable();
    quiet = isQuiet ? quiet + 1 : 0;
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
