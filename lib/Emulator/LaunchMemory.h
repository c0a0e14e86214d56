// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LaunchMemory: the addresses that a kernel's shared memory has while it runs. Each buffer, and the
// threadgroup memory of each worker, lies in a window of its own, so far from all others that a
// wrong index stays in its window. Knows nothing of what is checked.
#pragma once

#include "metile/result.h"

#include <cstddef>
#include <cstdint>

namespace metile::emulator {

class LaunchMemory {
public:
  static constexpr unsigned windowBits = 33;
  static constexpr uint64_t windowBytes = uint64_t(1) << windowBits;
  static constexpr unsigned bufferWindows = 32;
  static constexpr unsigned workerWindows = 16;
  /// Where in its window the memory begins, or ends if it is pushed against a closed page.
  static constexpr uint64_t startOffset = uint64_t(1) << 32;
  static constexpr uint64_t mostBufferBytes = uint64_t(1) << 32;

  LaunchMemory() = default;
  LaunchMemory(const LaunchMemory &) = delete;
  LaunchMemory &operator=(const LaunchMemory &) = delete;
  ~LaunchMemory();

  /// Reserves the addresses, once; fails if the system has not as many.
  Status reserve();
  uint64_t first() const { return reinterpret_cast<uint64_t>(base); }
  static constexpr uint64_t bytes() { return windowBytes * (bufferWindows + workerWindows); }

  /// Opens `bytes` of window `window`, from the start offset on, or with `atEnd` so that they end
  /// at a closed page (16-byte steps). Null if memory ran out.
  void *open(unsigned window, size_t bytes, bool atEnd);
  /// Opens the pages around [address, address + bytes) too, for an access that was reported.
  bool openAround(uint64_t address, uint64_t bytes);
  /// Ends the use of the window. Its memory is kept for the next one unless it is much, or pages of
  /// it were opened for a wrong access.
  void close(unsigned window);

  unsigned windowOf(uint64_t address) const {
    return static_cast<unsigned>((address - first()) >> windowBits);
  }

private:
  /// What a window keeps between launches at most.
  static constexpr uint64_t keptBytes = uint64_t(32) << 20;

  struct Window {
    uint64_t open = 0; ///< Bytes from the start offset on that are open.
    bool torn = false; ///< Other pages are open too.
  };
  Window windows[bufferWindows + workerWindows];
  std::byte *base = nullptr;
};

} // namespace metile::emulator
