// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/SharedLayout.h"

#include "Layout/Spelling.h"

#include <algorithm>
#include <cassert>

namespace metile {

static constexpr Swizzle swizzles[] = {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128};
static constexpr int64_t chunkBytes = 16, atomRows = 8;

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && std::has_single_bit(static_cast<uint64_t>(value));
}

static unsigned log2Of(int64_t value) {
  return static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(value)));
}

std::string_view name(Swizzle swizzle) {
  constexpr std::string_view names[] = {"none", "32B", "64B", "128B"};
  return names[static_cast<size_t>(swizzle)];
}

int64_t spanBytes(Swizzle swizzle) { return chunkBytes << static_cast<unsigned>(swizzle); }

static Status checkElement(unsigned elementBits) {
  if (elementBits < 4 || elementBits > 128 || !isPowerOfTwo(elementBits))
    return error("elements of " + std::to_string(elementBits) + " bits",
                 "4, 8, 16, 32, 64 or 128 bits");
  return Done();
}

Result<SharedLayout> SharedLayout::create(LinearLayout elements, unsigned elementBits,
                                          Padding padding, int64_t alignment) {
  if (Status status = checkElement(elementBits); !status)
    return status.takeErrors();
  if (elements.ins().rank() != 1 || !elements.ins().find(dims::offset))
    return error("a layout from " + spell(elements.ins()), "memory has the one in-dim offset");
  if (!isPowerOfTwo(padding.interval) || padding.pad < 0 || padding.pad > int64_t(1) << 20)
    return error("padding [" + std::to_string(padding.interval) + ":+" +
                     std::to_string(padding.pad) + "]",
                 "an interval that is a power of two, and from 0 to 2^20 elements behind it");
  if (!isPowerOfTwo(alignment))
    return error("an alignment of " + std::to_string(alignment) + " bytes", "a power of two");
  Result<LinearLayout> inverse = elements.inverse();
  if (!inverse)
    return inverse.takeErrors();
  SharedLayout layout;
  layout.offsetToElement = std::move(elements);
  layout.elementToOffset = std::move(*inverse);
  layout.bitsPerElement = elementBits;
  layout.unused = padding.pad ? padding : Padding();
  layout.baseAlignment = alignment;
  return layout;
}

Result<SharedLayout> SharedLayout::rowMajor(const LayoutSpace &tile, unsigned elementBits,
                                            Padding padding, int64_t alignment) {
  LayoutSpace offsets{{dims::offset, tile.size()}};
  return create({offsets, tile, linkByName(offsets, offsets)}, elementBits, padding, alignment);
}

Result<SharedLayout> SharedLayout::hardware(Swizzle swizzle, const LayoutSpace &tile,
                                            unsigned elementBits) {
  if (Status status = checkElement(elementBits); !status)
    return status.takeErrors();
  int64_t span = spanBytes(swizzle) * 8 / elementBits;
  if (tile.rank() != 2 || tile[0].size() < atomRows || tile[1].size() < span)
    return error("swizzle " + std::string(name(swizzle)) + " of the tile " + spell(tile),
                 "with elements of " + std::to_string(elementBits) +
                     " bits it takes two dims, the "
                     "first of at least " +
                     std::to_string(atomRows) + ", the second of at least " + std::to_string(span),
                 "make the tile larger or the swizzle narrower");
  std::string_view row = tile[0].name, col = tile[1].name;
  LinearLayout strips = LinearLayout::identity(dims::offset, col, tile[1].size() / span) *
                        LinearLayout::identity(dims::offset, row, tile[0].size()) *
                        LinearLayout::identity(dims::offset, col, span);
  BitMatrix exchanged = linkByName(strips.ins(), strips.ins());
  unsigned chunkBit = log2Of(chunkBytes * 8 / elementBits);
  for (unsigned i = 0; i < static_cast<unsigned>(swizzle); ++i)
    exchanged[chunkBit + log2Of(atomRows) + i] ^= uint64_t(1) << (chunkBit + i);
  LinearLayout elements = strips.transposeOuts({row, col});
  return create({elements.ins(), tile, elements.matrix() * exchanged}, elementBits, {},
                atomRows * spanBytes(swizzle));
}

int64_t SharedLayout::bytes() const {
  int64_t count = tile().size();
  return ((count + (count + unused.interval - 1) / unused.interval * unused.pad) * bitsPerElement +
          7) /
         8;
}

std::optional<Swizzle> SharedLayout::hardwareSwizzle() const {
  if (unused.pad || tile().rank() != 2)
    return std::nullopt;
  for (Swizzle swizzle : swizzles)
    for (const LayoutSpace &order : {tile(), tile().select({tile()[1].name, tile()[0].name})}) {
      Result<SharedLayout> instance = hardware(swizzle, order, bitsPerElement);
      if (instance && instance->elements().isSameMap(elements()) &&
          alignment() % instance->alignment() == 0)
        return swizzle;
    }
  return std::nullopt;
}

std::vector<unsigned> SharedLayout::accessBits(const LinearLayout &registers,
                                               int64_t maxBytes) const {
  Result<LinearLayout> touched = registers.then(elementToOffset);
  assert(touched.ok() && "the layout leads into another tile");
  std::vector<unsigned> bits = touched->contiguousBits(dims::reg, dims::offset);
  auto fits = [&](size_t count) {
    int64_t elements = int64_t(1) << count, size = elements * bitsPerElement;
    return size <= 8 * std::min(maxBytes, baseAlignment) && unused.pad % elements == 0 &&
           (unused.pad == 0 || unused.interval % elements == 0);
  };
  while (!bits.empty() && !fits(bits.size()))
    bits.pop_back();
  return bits;
}

} // namespace metile
