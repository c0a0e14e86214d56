// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations about the grid of programs.

include "TileOpBase.td"

def Tile_GridOp : Tile_Op<"grid"> {
  let summary = "declares how many programs a launch runs";
  let description = [{
    One to three extents, x first, computed from the kernel's arguments alone, because a launch
    evaluates them before any program runs. A kernel has exactly one grid, in its entry block. An
    extent of 0 or less runs no program. With `free` the compiler may visit the programs in any order
    it likes; without it x runs fastest.

    ```mlir
    func.func @clear(%x: !tile.view<?xf32, [1]> {tile.name = "x", tile.role = "out"})
        attributes {tile.kernel} {
      %block = arith.constant 64 : i64
      %size = tile.view_size %x, 0 : !tile.view<?xf32, [1]>
      %programs = tile.div ceil %size, %block : i64
      tile.grid free %programs
      return
    }
    ```
  }];
  let arguments = (ins Variadic<I64>:$extents, UnitAttr:$free);
  let assemblyFormat = "(`free` $free^)? $extents attr-dict";
  let hasVerifier = 1;
}

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "index of this program along an axis of the grid";
  let description = [{
    From 0 to the extent less 1; 0 on an axis that the grid does not have.

    ```mlir
    func.func @first() -> i64 {
      %block = arith.constant 64 : i64
      %x = tile.program_id 0
      %first = arith.muli %x, %block : i64
      return %first : i64
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<2>]>:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "extent of the grid along an axis";
  let description = [{
    1 on an axis that the grid does not have.

    ```mlir
    func.func @is_last() -> i1 {
      %one = arith.constant 1 : i64
      %x = tile.program_id 0
      %next = arith.addi %x, %one : i64
      %programs = tile.num_programs 0
      %last = arith.cmpi eq, %next, %programs : i64
      return %last : i1
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<2>]>:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}
