// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on addresses, views and memory.

include "TileOpBase.td"

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "advances addresses by offsets, in elements";
  let description = [{
    Pointer and offset are both scalars or tiles of one shape. Offsets are signed.

    ```mlir
    func.func @advance(%p: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi64>)
        -> tensor<64x!tile.ptr<f32>> {
      %q = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
      return %q : tensor<64x!tile.ptr<f32>>
    }
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_IntLike:$offset);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads through pointers";
  let description = [{
    Where the mask is false nothing is read and the element is `other`, or zero without one. Mask and
    `other` have the shape of the pointers.

    ```mlir
    func.func @read(%p: tensor<64x!tile.ptr<f32>>, %mask: tensor<64xi1>, %other: tensor<64xf32>)
        -> tensor<64xf32> {
      %x = tile.load %p, %mask, %other : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
          mask tensor<64xi1> other tensor<64xf32>
      return %x : tensor<64xf32>
    }
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

    ```mlir
    func.func @write(%p: tensor<64x!tile.ptr<f32>>, %x: tensor<64xf32>, %mask: tensor<64xi1>) {
      tile.store %p, %x, %mask : tensor<64x!tile.ptr<f32>>, tensor<64xf32> mask tensor<64xi1>
      return
    }
    ```
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
  let description = [{
    ```mlir
    func.func @rows(%x: !tile.view<?x64xf32, [?, 1]>) -> i64 {
      %rows = tile.view_size %x, 0 : !tile.view<?x64xf32, [?, 1]>
      return %rows : i64
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ViewStrideOp : Tile_Op<"view_stride", [Pure]> {
  let summary = "stride of a view along an axis, in elements";
  let description = [{
    ```mlir
    func.func @pitch(%x: !tile.view<?x64xf32, [?, 1]>) -> i64 {
      %pitch = tile.view_stride %x, 0 : !tile.view<?x64xf32, [?, 1]>
      return %pitch : i64
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ViewAtOp : Tile_Op<"view_at", [Pure]> {
  let summary = "fixes the leading axes of a view";
  let description = [{
    The result views the remaining axes, with their sizes and strides. Where an index is outside the
    view there is no memory behind the result: loads from it yield the fill value and stores do
    nothing, whatever its sizes say.

    ```mlir
    func.func @row(%x: !tile.view<?x?xf32, [?, 1]>, %i: i64) -> !tile.view<?xf32, [1]> {
      %row = tile.view_at %x[%i] : !tile.view<?x?xf32, [?, 1]> -> !tile.view<?xf32, [1]>
      return %row : !tile.view<?xf32, [1]>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$indices);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` attr-dict `:` qualified(type($view)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ViewTransposeOp : Tile_Op<"view_transpose", [Pure]> {
  let summary = "permutes the axes of a view without moving data";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    ```mlir
    func.func @flip(%x: !tile.view<?x64xf32, [?, 1]>) -> !tile.view<64x?xf32, [1, ?]> {
      %t = tile.view_transpose %x, [1, 0]
          : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64x?xf32, [1, ?]>
      return %t : !tile.view<64x?xf32, [1, ?]>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $view `,` $permutation attr-dict `:` qualified(type($view)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ViewLoadOp : Tile_Op<"view_load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads a tile out of a view";
  let description = [{
    The tile has the rank of the view and starts at the offsets, one an axis; an offset may be
    negative. Elements outside the view are not read and equal `fill`, or zero without one.
    `in_bounds` says of each axis whether the tile is known never to cross its edges; that is a fact
    on which code may rely. A view of rank 0 yields a scalar.

    ```mlir
    func.func @read(%a: !tile.view<?x?xf16, [?, 1]>, %m: i64, %k: i64)
        -> (tensor<64x32xf16>, tensor<64x32xf16>) {
      %one = arith.constant 1.0 : f16
      %t = tile.view_load %a[%m, %k] : !tile.view<?x?xf16, [?, 1]> -> tensor<64x32xf16>
      %u = tile.view_load %a[%m, %k] fill %one : f16 in_bounds [true, false]
          : !tile.view<?x?xf16, [?, 1]> -> tensor<64x32xf16>
      return %t, %u : tensor<64x32xf16>, tensor<64x32xf16>
    }
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
  let description = [{
    The counterpart of `tile.view_load`: elements outside the view are not written. A view of an
    argument whose role is "in" is not written to.

    ```mlir
    func.func @write(%t: tensor<64x32xf16>, %c: !tile.view<?x?xf16, [?, 1]>, %m: i64, %n: i64) {
      tile.view_store %t, %c[%m, %n] : tensor<64x32xf16>, !tile.view<?x?xf16, [?, 1]>
      return
    }
    ```
  }];
  let arguments = (ins Tile_NumberLike:$value, Tile_ViewType:$view, Variadic<I64>:$offsets,
                       OptionalAttr<DenseBoolArrayAttr>:$inBounds);
  let assemblyFormat = [{
    $value `,` $view `[` $offsets `]` (`in_bounds` $inBounds^)? attr-dict
    `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_ViewPointersOp : Tile_Op<"view_pointers", [Pure]> {
  let summary = "addresses of a tile of a view, and which of them are inside it";
  let description = [{
    The tile has the rank of the view and starts at the offsets. An address outside the view may be
    computed with but not accessed. A view of rank 0 yields scalars.

    ```mlir
    func.func @row(%x: !tile.view<?x?xf32, [?, 1]>, %m: i64, %n: i64)
        -> (tensor<1x64x!tile.ptr<f32>>, tensor<1x64xi1>) {
      %p, %inside = tile.view_pointers %x[%m, %n] : !tile.view<?x?xf32, [?, 1]>
          -> tensor<1x64x!tile.ptr<f32>>, tensor<1x64xi1>
      return %p, %inside : tensor<1x64x!tile.ptr<f32>>, tensor<1x64xi1>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$offsets);
  let results = (outs Tile_PtrLike:$ptr, Tile_BoolLike:$inside);
  let assemblyFormat = [{
    $view `[` $offsets `]` attr-dict `:` qualified(type($view)) `->` type($ptr) `,` type($inside)
  }];
  let hasVerifier = 1;
}
