// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Envelope: between which numbers the elements of a result may lie, learnt from several evaluations
// whose roundings went different ways (Dither). Must not know where the result lies or which
// operations made it.
#pragma once

#include "metile/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace metile::interpreter {

class Envelope {
public:
  explicit Envelope(DType dtype) : dtype(dtype) {}

  /// Takes one more evaluation into account: all elements, as they lie in memory. The first one is
  /// the nominal one.
  void add(std::span<const std::byte> elements);
  /// What element `index` should be, "1.5" or "1.5 to 1.50001", if it may not be what it is in
  /// `elements`.
  std::optional<std::string> mismatch(std::span<const std::byte> elements, int64_t index) const;

private:
  struct Range {
    uint64_t bits = 0; ///< Of the nominal result.
    double low = 0, high = 0;
    bool isOpen = false; ///< Evaluations do not agree whether it is finite, or NaN.
  };

  DType dtype;
  std::vector<Range> ranges;
  bool isInexact = false; ///< Evaluations differ in some element.
};

} // namespace metile::interpreter
