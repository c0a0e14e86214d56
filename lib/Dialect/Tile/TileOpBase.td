// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef METILE_DIALECT_TILE_TILEOPBASE_TD
#define METILE_DIALECT_TILE_TILEOPBASE_TD

include "TileDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

/// Every tensor among the operands and results is a tile: static, powers of two, of rank 1 or more.
def Tile_WellFormedTiles : NativeOpTrait<"WellFormedTiles"> {
  let cppNamespace = "::metile::tile";
}

class Tile_Op<string mnemonic, list<Trait> traits = []>
  : Op<Tile_Dialect, mnemonic, traits # [Tile_WellFormedTiles]>;

#endif
