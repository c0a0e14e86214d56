// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: the only ones with both an effect and a value.

include "TileOpBase.td"

def Tile_AtomicKind : I32EnumAttr<"AtomicKind", "what becomes of the old value and the operand", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"And", 3, "and">,
    I32EnumAttrCase<"Or", 4, "or">, I32EnumAttrCase<"Xor", 5, "xor">,
    I32EnumAttrCase<"Xchg", 6, "xchg">]> {
  let cppNamespace = "::metile::tile";
}

def Tile_MemoryOrder : I32EnumAttr<"MemoryOrder", "what other accesses an atomic one orders", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]> {
  let cppNamespace = "::metile::tile";
}

def Tile_AtomicRmwOp : Tile_Op<"atomic_rmw", [AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads, combines and writes each element indivisibly";
  let description = [{
    The result is what was there before. Where the mask is false nothing is accessed and the result
    is zero. Elements of one operation that share an address are combined one after the other, in any
    order. `add` wraps for integers and rounds once for floats; `max` and `min` propagate NaN, and
    with `unsigned` read integers as unsigned; `and`, `or` and `xor` are for integers and i1. The
    order (`acq_rel` where none is given) is seen by all programs of the launch.

    ```mlir
    func.func @count(%p: tensor<64x!tile.ptr<i32>>, %one: tensor<64xi32>, %mask: tensor<64xi1>)
        -> tensor<64xi32> {
      %old = tile.atomic_rmw add relaxed %p, %one, %mask
          : tensor<64x!tile.ptr<i32>>, tensor<64xi32> mask tensor<64xi1>
      return %old : tensor<64xi32>
    }
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind, UnitAttr:$isUnsigned,
    DefaultValuedAttr<Tile_MemoryOrder, "::metile::tile::MemoryOrder::AcqRel">:$order,
    Tile_PtrLike:$ptr, Tile_NumberLike:$value, Optional<Tile_BoolLike>:$mask);
  let results = (outs Tile_NumberLike:$result);
  let assemblyFormat = [{
    $kind (`unsigned` $isUnsigned^)? ($order^)? $ptr `,` $value (`,` $mask^)? attr-dict
    `:` type($ptr) `,` type($value) (`mask` type($mask)^)?
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCasOp : Tile_Op<"atomic_cas", [AllTypesMatch<["expected", "desired", "result"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes each element indivisibly if it holds what was expected";
  let description = [{
    The result is what was there before; the write took place where it has the bits of `expected`.
    Mask and order are those of `tile.atomic_rmw`.

    ```mlir
    func.func @lock(%p: !tile.ptr<i32>, %open: i32, %taken: i32) -> i32 {
      %old = tile.atomic_cas acquire %p, %open, %taken : !tile.ptr<i32>, i32
      return %old : i32
    }
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<Tile_MemoryOrder, "::metile::tile::MemoryOrder::AcqRel">:$order,
    Tile_PtrLike:$ptr, Tile_NumberLike:$expected, Tile_NumberLike:$desired,
    Optional<Tile_BoolLike>:$mask);
  let results = (outs Tile_NumberLike:$result);
  let assemblyFormat = [{
    ($order^)? $ptr `,` $expected `,` $desired (`,` $mask^)? attr-dict
    `:` type($ptr) `,` type($expected) (`mask` type($mask)^)?
  }];
  let hasVerifier = 1;
}
