// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of layouts: the tile as a grid, and in each cell the place of that element. Must not
// know where the picture goes.
#pragma once

#include "Layout/SharedLayout.h"

namespace metile {

/// How much of a grid is drawn; what is left out is said below it.
struct GridLimits {
  int64_t rows = 32;
  int64_t columns = 16;
};

/// The last out-dim runs to the right, all others downwards. A cell has the coordinates of the
/// place in the in-dims that the first line names, "lane:register", or '.' if no place holds the
/// element.
std::string drawGrid(const LinearLayout &layout, GridLimits limits = {});
/// The offset of each element, in elements, padding included.
std::string drawGrid(const SharedLayout &layout, GridLimits limits = {});

} // namespace metile
