// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/LaunchMemory.h"

#include <algorithm>
#include <sys/mman.h>

namespace metile::emulator {

static constexpr uint64_t pageBytes = 4096;

LaunchMemory::~LaunchMemory() {
  if (base)
    munmap(base, bytes());
}

Status LaunchMemory::reserve() {
  if (base)
    return Done{};
  void *mapped =
      mmap(nullptr, bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return error("cannot reserve " + std::to_string(bytes() >> 30) +
                     " GiB of addresses for the emulator's buffers",
                 "they cost no memory", "lift the limit on virtual memory (ulimit -v)");
  base = static_cast<std::byte *>(mapped);
  return Done{};
}

void *LaunchMemory::open(unsigned index, size_t count, bool atEnd) {
  std::byte *start = base + index * windowBytes + startOffset;
  uint64_t wanted = std::max((count + pageBytes - 1) / pageBytes * pageBytes, pageBytes);
  Window &window = windows[index];
  if (window.open < wanted &&
      mprotect(start + window.open, wanted - window.open, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  if (window.open > wanted) {
    madvise(start + wanted, window.open - wanted, MADV_DONTNEED);
    mprotect(start + wanted, window.open - wanted, PROT_NONE);
  }
  window.open = wanted;
  uint64_t used = (count + 15) / 16 * 16;
  return atEnd ? start + (wanted - used) : start;
}

bool LaunchMemory::openAround(uint64_t address, uint64_t count) {
  if (address < first() || address + count > first() + bytes() || count > (uint64_t(1) << 20))
    return false;
  windows[windowOf(address)].torn = true;
  uint64_t from = address / pageBytes * pageBytes;
  uint64_t to = (address + count + pageBytes - 1) / pageBytes * pageBytes;
  return mprotect(reinterpret_cast<void *>(from), to - from, PROT_READ | PROT_WRITE) == 0;
}

void LaunchMemory::close(unsigned index) {
  Window &window = windows[index];
  if (!window.torn && window.open <= keptBytes)
    return;
  mmap(base + index * windowBytes, windowBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  window = {};
}

} // namespace metile::emulator
