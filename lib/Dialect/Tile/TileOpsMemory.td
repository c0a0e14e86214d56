// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on addresses, views and memory.

include "TileOpBase.td"

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "advances addresses by offsets, in elements";
  let description = [{
    Pointer and offset are both scalars or tiles of one shape.

    ```mlir
    %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_IntLike:$offset);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads through pointers";
  let description = [{
    Where the mask is false nothing is read and the element is `other`, or zero without one. Mask and
    `other` have the shape of the pointers.

    ```mlir
    %x = tile.load %p, %mask, %other : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Optional<Tile_BoolLike>:$mask,
                       Optional<Tile_NumberLike>:$other);
  let results = (outs Tile_NumberLike:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^ (`,` $other^)?)? attr-dict `:` type($ptr) `->` type($result)
    (`mask` type($mask)^ (`other` type($other)^)?)?
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_StoreOp : Tile_Op<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes through pointers";
  let description = [{
    Where the mask is false nothing is written. Two elements of one store with the same address leave
    one of the two values.
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_NumberLike:$value, Optional<Tile_BoolLike>:$mask);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr) `,` type($value) (`mask` type($mask)^)?
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ViewSizeOp : Tile_Op<"view_size", [Pure]> {
  let summary = "extent of a view along an axis";
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ViewStrideOp : Tile_Op<"view_stride", [Pure]> {
  let summary = "stride of a view along an axis, in elements";
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ViewAtOp : Tile_Op<"view_at", [Pure]> {
  let summary = "fixes the leading axes of a view";
  let description = [{
    The result views the remaining axes. An index outside the view gives an empty view: loads from
    it yield the fill value and stores do nothing.

    ```mlir
    %row = tile.view_at %x[%i] : !tile.view<?x?xf32, [?, 1]> -> !tile.view<?xf32, [1]>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$indices);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ViewTransposeOp : Tile_Op<"view_transpose", [Pure]> {
  let summary = "permutes the axes of a view without moving data";
  let arguments = (ins Tile_ViewType:$view, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$view `,` $permutation attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ViewLoadOp : Tile_Op<"view_load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads a tile out of a view";
  let description = [{
    The tile starts at the offsets, one an axis; an offset may be negative. Elements outside the view
    are not read and equal `fill`, or zero without one. `inBounds[i]` states that the tile never
    crosses an edge of axis `i`.

    ```mlir
    %t = tile.view_load %a[%m, %k] : !tile.view<?x?xf16, [?, 1]> -> tensor<64x32xf16>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$offsets, Optional<Tile_Number>:$fill,
                       OptionalAttr<DenseBoolArrayAttr>:$inBounds);
  let results = (outs Tile_NumberLike:$result);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`fill` $fill^ `:` type($fill))? (`in_bounds` $inBounds^)? attr-dict
    `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ViewStoreOp : Tile_Op<"view_store",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes a tile into a view, clipped to it";
  let arguments = (ins Tile_NumberLike:$value, Tile_ViewType:$view, Variadic<I64>:$offsets,
                       OptionalAttr<DenseBoolArrayAttr>:$inBounds);
  let assemblyFormat = [{
    $value `,` $view `[` $offsets `]` (`in_bounds` $inBounds^)? attr-dict
    `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}
