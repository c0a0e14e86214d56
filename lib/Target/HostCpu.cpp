// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target/HostCpu.h"

#include <fstream>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif
#endif

namespace metile {

std::vector<std::string> detectFeatures() {
  std::vector<std::string> features;
#if defined(__x86_64__)
  unsigned leaf1[4] = {}, leaf7[4] = {}, leafExt[4] = {};
  __get_cpuid(1, &leaf1[0], &leaf1[1], &leaf1[2], &leaf1[3]);
  __get_cpuid_count(7, 0, &leaf7[0], &leaf7[1], &leaf7[2], &leaf7[3]);
  __get_cpuid(0x80000001, &leafExt[0], &leafExt[1], &leafExt[2], &leafExt[3]);
  enum Register { ebx = 1, ecx = 2 };
  // The operating system must save the registers too: XCR0 says which it does.
  uint64_t saved = 0;
  if (leaf1[ecx] >> 27 & 1) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    saved = low | static_cast<uint64_t>(high) << 32;
  }
  const bool savesYmm = (saved & 0x06) == 0x06, savesZmm = (saved & 0xe6) == 0xe6;
  struct Row {
    const char *name;
    unsigned word, bit;
    bool usable;
  };
  const Row rows[] = {
      {"avx", leaf1[ecx], 28, savesYmm},      {"f16c", leaf1[ecx], 29, savesYmm},
      {"fma", leaf1[ecx], 12, savesYmm},      {"movbe", leaf1[ecx], 22, true},
      {"popcnt", leaf1[ecx], 23, true},       {"sse4.2", leaf1[ecx], 20, true},
      {"avx2", leaf7[ebx], 5, savesYmm},      {"bmi", leaf7[ebx], 3, true},
      {"bmi2", leaf7[ebx], 8, true},          {"avx512f", leaf7[ebx], 16, savesZmm},
      {"avx512dq", leaf7[ebx], 17, savesZmm}, {"avx512cd", leaf7[ebx], 28, savesZmm},
      {"avx512bw", leaf7[ebx], 30, savesZmm}, {"avx512vl", leaf7[ebx], 31, savesZmm},
      {"lzcnt", leafExt[ecx], 5, true},
  };
  for (const Row &row : rows)
    if (row.usable && (row.word >> row.bit & 1))
      features.push_back(row.name);
#elif defined(__aarch64__) && defined(__linux__)
  const unsigned long word = getauxval(AT_HWCAP);
  // Bits of AT_HWCAP as the kernel's documentation "elf_hwcaps" lists them.
  const struct {
    const char *name;
    unsigned bit;
  } rows[] = {{"fp-armv8", 0}, {"neon", 1}, {"crc", 7}, {"lse", 8}, {"rdm", 12}};
  for (auto &row : rows)
    if (word >> row.bit & 1)
      features.push_back(row.name);
#elif defined(__aarch64__) && defined(__APPLE__)
  // Every Apple silicon Mac implements ARMv8.4 or newer.
  features = {"crc", "fp-armv8", "lse", "neon", "rdm"};
#endif
  std::sort(features.begin(), features.end());
  return features;
}

void detectCaches(std::array<CacheDesc, 3> &caches) {
#if defined(__linux__)
  for (int index = 0; index < 8; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    auto read = [&](const char *file) {
      std::string text;
      std::ifstream(folder + file) >> text;
      return text;
    };
    auto number = [](const std::string &text) {
      int64_t value = 0;
      for (char c : text) {
        if (c < '0' || c > '9')
          return c == 'K' ? value << 10 : c == 'M' ? value << 20 : value;
        value = value * 10 + (c - '0');
      }
      return value;
    };
    int64_t level = number(read("level"));
    if (level == 0)
      break; // That was the last one.
    if (level > 3 || read("type") == "Instruction")
      continue;
    CacheDesc &cache = caches[level - 1];
    if (int64_t bytes = number(read("size")))
      cache.bytes = bytes;
    if (int64_t ways = number(read("ways_of_associativity")))
      cache.ways = ways;
    // "0-3,8-11"
    std::string shared = read("shared_cpu_list");
    unsigned sharers = 0;
    for (size_t begin = 0; begin < shared.size();) {
      size_t end = std::min(shared.find(',', begin), shared.size());
      std::string range = shared.substr(begin, end - begin);
      size_t dash = range.find('-');
      sharers += dash == std::string::npos
                     ? 1
                     : number(range.substr(dash + 1)) - number(range.substr(0, dash)) + 1;
      begin = end + 1;
    }
    if (sharers > 0)
      cache.sharers = sharers;
  }
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  // Containers may hide /sys.
  const int sizes[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  if (!std::ifstream("/sys/devices/system/cpu/cpu0/cache/index0/size"))
    for (int i = 0; i < 3; ++i)
      if (long bytes = sysconf(sizes[i]); bytes > 0)
        caches[i].bytes = bytes;
#endif
#endif
}

unsigned detectCores() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace metile
