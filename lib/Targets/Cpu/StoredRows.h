// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows of a tile anybody reads: those that the stores which clip it keep. Reads the tile
// dialect; must not know how the tile is computed.
#pragma once

#include "Dialect/Tile/Tile.h"

#include <optional>

namespace metile::cpu {

/// The rows from `offset` on that lie before the end of axis `axis` of `view`.
struct RowEdge {
  mlir::Value view;
  unsigned axis;
  mlir::Value offset;
};

/// Where the rows (axis `axis`) of `value` end for everybody who uses it, now or in a later turn of
/// a loop: at the farthest of these edges, which are the same for the whole program. None if
/// somebody may read all rows.
std::optional<llvm::SmallVector<RowEdge>> storedRows(mlir::Value value, unsigned axis);

} // namespace metile::cpu
