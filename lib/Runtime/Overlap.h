// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes a strided view covers, and whether two views can meet. Knows nothing of launches.
#pragma once

#include "metile/runtime.h"

namespace metile {

/// The bytes [low, high) that the view's elements lie in, relative to its data pointer; (0, 0) for
/// an empty view. False if a distance, or the number of elements, does not fit 64 bits.
bool byteExtent(const Argument &view, int64_t &low, int64_t &high);

/// True unless the elements of the two views are certainly apart. Both must have passed byteExtent
/// and overlap in extent. Two views that step by a common distance, as two column ranges of one
/// matrix do, are apart if their positions within that distance are.
bool mayShareBytes(const Argument &a, const Argument &b);

} // namespace metile
