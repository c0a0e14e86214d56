// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Environment.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#else
#include <sched.h>
#endif

namespace metile::bench {
namespace {

constexpr const char *unknown = "unknown";

std::string firstLine(const char *path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

int64_t usableCpus() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
#endif
  return std::thread::hardware_concurrency();
}

/// In MHz, as the system sees it now.
Json currentClock() {
  std::string khz = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
  if (khz.empty())
    return unknown;
  return std::strtod(khz.c_str(), nullptr) / 1e3;
}

} // namespace

std::string processorName() {
#ifdef __APPLE__
  std::array<char, 256> brand{};
  size_t length = brand.size() - 1;
  if (sysctlbyname("machdep.cpu.brand_string", brand.data(), &length, nullptr, 0) == 0)
    return brand.data();
#else
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  }
#endif
  return unknown;
}

std::string platformName() {
  utsname system;
  if (uname(&system) != 0)
    return unknown;
  return fmt::format("{}-{}-{}", system.sysname, system.release, system.machine);
}

std::string timestamp() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto micro = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  std::time_t seconds = micro / 1'000'000;
  std::tm parts;
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}+00:00", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     micro % 1'000'000);
}

std::string programPath() {
  std::array<char, 4096> buffer{};
#ifdef __APPLE__
  auto size = static_cast<uint32_t>(buffer.size());
  return _NSGetExecutablePath(buffer.data(), &size) == 0 ? buffer.data() : "";
#else
  ssize_t length = readlink("/proc/self/exe", buffer.data(), buffer.size() - 1);
  return length > 0 ? std::string(buffer.data(), static_cast<size_t>(length)) : "";
#endif
}

std::string ownLibraryPath() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void *>(&ownLibraryPath), &info) == 0 || !info.dli_fname)
    return {};
  // The main program is listed under the name it was called by, which need not be a path.
  return info.dli_fname[0] == '/' ? info.dli_fname : programPath();
}

Json describeEnvironment() {
  Json result = Json::object();
  result["processor"] = processorName();
  result["platform"] = platformName();
  result["usable_cpus"] = usableCpus();
  result["clock_mhz"] = currentClock();
  std::string governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  result["clock_governor"] = governor.empty() ? Json(unknown) : Json(governor);
  double load = 0;
  result["load_average"] = getloadavg(&load, 1) == 1 ? Json(load) : Json(unknown);
  result["memory_bytes"] =
      static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<int64_t>(sysconf(_SC_PAGESIZE));
  return result;
}

} // namespace metile::bench
