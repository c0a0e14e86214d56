// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operations of the tile dialect; the language reference is generated from these files.

#ifndef METILE_DIALECT_TILE_TILEOPS_TD
#define METILE_DIALECT_TILE_TILEOPS_TD

include "TileOpsGrid.td"
include "TileOpsShape.td"
include "TileOpsMemory.td"
include "TileOpsAtomic.td"
include "TileOpsMath.td"
include "TileOpsCompute.td"
include "TileOpsSort.td"
include "TileOpsDebug.td"

#endif
