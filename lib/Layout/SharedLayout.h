// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SharedLayout: where in threadgroup memory each element of a tile lies. A linear layout from
// offsets to elements, one to one, and behind it optional padding. Must not know a target, nor why
// a layout was chosen.
#pragma once

#include "Layout/LinearLayout.h"

namespace metile {

/// Behind every `interval` elements `pad` are unused. No padding: pad 0.
struct Padding {
  int64_t interval = 1;
  int64_t pad = 0;
  bool operator==(const Padding &) const = default;
};

/// The four layouts that copy and matrix units read by descriptor. A tile is cut into strips as
/// wide as the swizzle's span, 16, 32, 64 or 128 bytes, one behind the other; in a strip the chunks
/// of 16 bytes change places so that the same chunk of 8 consecutive rows hits all banks: of the
/// byte address, bits 4, 5, 6 are XORed with bits 7, 8, 9, as many of them as the span has chunks.
enum class Swizzle : uint8_t { none, b32, b64, b128 };

/// "none", "32B", "64B", "128B".
std::string_view name(Swizzle swizzle);
/// Bytes of a row in one strip.
int64_t spanBytes(Swizzle swizzle);

class SharedLayout {
public:
  /// `elements` maps the one in-dim `offset` to the tile, one to one. `elementBits` is a power of
  /// two from 4 to 128; `alignment` of the first element is one in bytes. Anything else is an
  /// error.
  static Result<SharedLayout> create(LinearLayout elements, unsigned elementBits,
                                     Padding padding = {}, int64_t alignment = 16);
  /// The last dim of `tile` is contiguous.
  static Result<SharedLayout> rowMajor(const LayoutSpace &tile, unsigned elementBits,
                                       Padding padding = {}, int64_t alignment = 16);
  /// `tile` has two dims, the last of them contiguous, with at least 8 rows and one span. Aligned
  /// to 8 spans: 128, 256, 512 or 1024 bytes.
  static Result<SharedLayout> hardware(Swizzle swizzle, const LayoutSpace &tile,
                                       unsigned elementBits);

  /// From offsets without padding to elements of the tile.
  const LinearLayout &elements() const { return offsetToElement; }
  /// From elements of the tile to offsets without padding.
  const LinearLayout &offsets() const { return elementToOffset; }
  const LayoutSpace &tile() const { return offsetToElement.outs(); }
  unsigned elementBits() const { return bitsPerElement; }
  const Padding &padding() const { return unused; }
  /// Bytes that the address of the first element is a multiple of.
  int64_t alignment() const { return baseAlignment; }

  /// Where the element without padding at `offset` lies, in elements.
  int64_t padded(int64_t offset) const { return offset + offset / unused.interval * unused.pad; }
  /// Where the element with these coordinates lies, in elements.
  int64_t offsetOf(const std::vector<int64_t> &coordinates) const {
    return padded(offsets().at(coordinates)[0]);
  }
  /// What to allocate. The last padding counts, so that buffers can stand one behind the other.
  int64_t bytes() const;

  /// The swizzle that this is an instance of, with either dim contiguous, if there is one.
  std::optional<Swizzle> hardwareSwizzle() const;

  /// The bits of `register` that one access of at most `maxBytes` covers, as in
  /// LinearLayout::contiguousBits(): where places of `registers` are read or written, the elements
  /// in these registers are consecutive and aligned in memory too. Requires that `registers` leads
  /// into this tile.
  std::vector<unsigned> accessBits(const LinearLayout &registers, int64_t maxBytes) const;

  bool operator==(const SharedLayout &) const = default;

private:
  SharedLayout() = default;

  LinearLayout offsetToElement, elementToOffset;
  unsigned bitsPerElement = 8;
  Padding unused;
  int64_t baseAlignment = 1;
};

} // namespace metile
