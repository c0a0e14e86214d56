// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations about the grid of programs.

include "TileOpBase.td"

def Tile_GridOp : Tile_Op<"grid"> {
  let summary = "declares how many programs a launch runs";
  let description = [{
    One to three extents, x first, computed from arguments alone. A kernel has exactly one, in its
    entry block. With `free` the compiler may visit the programs in any order it likes; without it
    x runs fastest.

    ```mlir
    tile.grid free %tiles_n, %tiles_m
    ```
  }];
  let arguments = (ins Variadic<I64>:$extents, UnitAttr:$free);
  let assemblyFormat = "(`free` $free^)? $extents attr-dict";
  let hasVerifier = 1;
}

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "index of this program along an axis of the grid";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<2>]>:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "extent of the grid along an axis";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<2>]>:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}
