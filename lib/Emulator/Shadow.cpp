// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Shadow.h"

#include <sys/mman.h>

namespace metile::emulator {

bool ShadowRegion::track() {
  release();
  if (bytes == 0)
    return true;
  // Enough for granules of one byte; the system gives memory for what is touched alone.
  mapped = (bytes + 8) * sizeof(ShadowCell);
  void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    mapped = 0;
    return false;
  }
  cells = static_cast<ShadowCell *>(memory);
  granuleShift = 2;
  return true;
}

void ShadowRegion::release() {
  if (cells)
    munmap(cells, mapped);
  cells = nullptr;
  mapped = 0;
}

void ShadowRegion::refine(uint64_t offset, uint64_t size) {
  unsigned wanted = (offset | size) & 1 ? 0 : 1;
  uint64_t count = (bytes + (uint64_t(1) << granuleShift) - 1) >> granuleShift;
  unsigned pieces = 1u << (granuleShift - wanted);
  for (uint64_t i = count; i-- > 0;) {
    ShadowCell cell = cells[i];
    bool isEmpty = cell.write.epoch == 0 && cell.reads[0].epoch == 0;
    // Pages that nobody touched stay untouched.
    for (unsigned piece = pieces; piece-- > 0;) {
      ShadowCell &to = cells[i * pieces + piece];
      if (!isEmpty || to.write.epoch || to.reads[0].epoch)
        to = cell;
    }
  }
  granuleShift = wanted;
}

} // namespace metile::emulator
