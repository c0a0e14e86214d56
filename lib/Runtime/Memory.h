// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AlignedMemory: a block that grows and is kept for reuse. Contents are lost when it grows.
// Knows nothing of who uses it.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace metile {

class AlignedMemory {
public:
  AlignedMemory() = default;
  AlignedMemory(AlignedMemory &&other) noexcept
      : block(std::exchange(other.block, nullptr)), bytes(std::exchange(other.bytes, 0)),
        alignment(other.alignment) {}
  AlignedMemory &operator=(AlignedMemory &&other) noexcept {
    std::swap(block, other.block);
    std::swap(bytes, other.bytes);
    std::swap(alignment, other.alignment);
    return *this;
  }
  ~AlignedMemory() { release(); }

  /// At least `size` bytes at a multiple of `align` (a power of two; at least 64 is given). Null if
  /// `size` is 0 or memory ran out.
  void *ensure(size_t size, size_t align) {
    if (size <= bytes && align <= alignment)
      return size ? block : nullptr;
    release();
    if (size > mostBytes)
      return nullptr;
    alignment = align > alignment ? align : alignment;
    block = ::operator new(size, std::align_val_t(alignment), std::nothrow);
    bytes = block ? size : 0;
    return block;
  }

private:
  /// What a process can address; allocators treat sizes beyond it as a bug of the program.
  static constexpr size_t mostBytes = size_t(1) << 47;

  void release() {
    if (block)
      ::operator delete(block, std::align_val_t(alignment));
    block = nullptr;
    bytes = 0;
  }

  void *block = nullptr;
  size_t bytes = 0;
  size_t alignment = 64;
};

} // namespace metile
