// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion: how values get from the places of one layout to those of another, read off the two
// matrices. Must not know how a target moves values.
#pragma once

#include "Layout/LinearLayout.h"

namespace metile {

struct Conversion {
  /// The outermost in-dim that some value has to cross. Empty: every value is where it is needed.
  /// The innermost, register: registers are renamed, which needs no code. lane: lanes exchange
  /// values. Farther out: through memory that these places share.
  std::string crosses;
  /// From each place of the new layout to the place of the old one that it fetches from. It keeps
  /// all in-dims outside of `crosses`; of several such maps it is the one with the smallest places.
  LinearLayout source;
};

/// How to get from `from` to `to`. An error unless both have the same in-dims, in the same order
/// and, except for the last, of the same sizes, and every element of `to` is one of `from`.
Result<Conversion> convert(const LinearLayout &from, const LinearLayout &to);

} // namespace metile
