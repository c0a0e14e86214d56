// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StridedView: a tensor in device memory as shape and strides, known or not, and what follows for
// accesses of several elements. Must not know where the facts come from or what code uses them.
#pragma once

#include "Layout/LinearLayout.h"

namespace metile {

/// A number that a launch brings: known, or known to be a multiple of something.
struct KnownNumber {
  std::optional<int64_t> value;
  int64_t divisor = 1; ///< Without a value: the number is a multiple of this.

  static KnownNumber exactly(int64_t value) { return {value, 1}; }
  static KnownNumber multipleOf(int64_t divisor) { return {std::nullopt, divisor}; }
  bool isMultipleOf(int64_t n) const { return value.value_or(divisor) % n == 0; }
  bool is(int64_t n) const { return value == n; }
};

struct StridedView {
  struct Axis {
    std::string name;
    KnownNumber size;   ///< In elements.
    KnownNumber stride; ///< In elements; may be zero or negative.
  };

  std::vector<Axis> axes;
  unsigned elementBits = 8;
  int64_t alignment = 1; ///< Bytes that the address of the first element is a multiple of.

  /// The largest power of two n, at most `maxBytes` in size, such that n elements at coordinates
  /// along axis `index` that begin at a multiple of n are consecutive and aligned in memory, at
  /// whatever coordinates along the other axes.
  int64_t alignedElements(size_t index, int64_t maxBytes) const;

  /// The bits of `register` that one access covers, as in LinearLayout::contiguousBits(), when the
  /// tile that `registers` leads into lies in this view. `origin` says for each axis what the tile
  /// begins at a multiple of. Out-dims of `registers` bear the names of axes.
  std::vector<unsigned> accessBits(const LinearLayout &registers,
                                   const std::vector<int64_t> &origin, int64_t maxBytes) const;
  /// The axis along which accesses may be wide: the one of stride 1, if it is known.
  std::optional<size_t> contiguousAxis() const;
  /// Whether an access of `elements` along axis `index`, aligned in the view, lies inside or
  /// outside as a whole, so that one comparison guards it.
  bool edgeCutsNone(size_t index, int64_t elements) const {
    return axes[index].size.isMultipleOf(elements);
  }
};

} // namespace metile
