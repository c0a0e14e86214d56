// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that make tiles or move their elements. None computes anything.

include "TileOpBase.td"

def Tile_ArangeOp : Tile_Op<"arange", [Pure]> {
  let summary = "start, start + 1, … along one axis";
  let description = [{
    ```mlir
    func.func @indices() -> tensor<64xi64> {
      %i = tile.arange 0 : tensor<64xi64>
      return %i : tensor<64xi64>
    }
    ```
  }];
  let arguments = (ins I64Attr:$start);
  let results = (outs RankedTensorOf<[I64]>:$result);
  let assemblyFormat = "$start attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tile whose elements all equal a scalar";
  let description = [{
    The scalar is a number or a pointer.

    ```mlir
    func.func @splat(%x: f32, %p: !tile.ptr<f32>)
        -> (tensor<64x32xf32>, tensor<64x!tile.ptr<f32>>) {
      %xs = tile.splat %x : f32 -> tensor<64x32xf32>
      %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      return %xs, %ps : tensor<64x32xf32>, tensor<64x!tile.ptr<f32>>
    }
    ```
  }];
  let arguments = (ins Tile_Element:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure]> {
  let summary = "inserts an axis of extent 1, which becomes axis `axis` of the result";
  let description = [{
    ```mlir
    func.func @column(%x: tensor<64xf32>) -> tensor<64x1xf32> {
      %column = tile.expand_dims %x, 1 : tensor<64xf32> -> tensor<64x1xf32>
      return %column : tensor<64x1xf32>
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats axes of extent 1 up to the result's extent";
  let description = [{
    The rank stays; every other axis keeps its extent.

    ```mlir
    func.func @repeat(%column: tensor<64x1xf32>) -> tensor<64x32xf32> {
      %tile = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x32xf32>
      return %tile : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements, in row-major order, under another shape";
  let description = [{
    A tile of one element may become a scalar, and a scalar such a tile.

    ```mlir
    func.func @rows(%x: tensor<64xf32>, %one: tensor<1x1xf32>) -> (tensor<4x16xf32>, f32) {
      %rows = tile.reshape %x : tensor<64xf32> -> tensor<4x16xf32>
      %value = tile.reshape %one : tensor<1x1xf32> -> f32
      return %rows, %value : tensor<4x16xf32>, f32
    }
    ```
  }];
  let arguments = (ins Tile_ElementLike:$source);
  let results = (outs Tile_ElementLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "permutes axes";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    ```mlir
    func.func @flip(%x: tensor<64x32xf32>) -> tensor<32x64xf32> {
      %t = tile.transpose %x, [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
      return %t : tensor<32x64xf32>
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source `,` $permutation attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "two tiles side by side along a new last axis of extent 2";
  let description = [{
    Element […, 0] of the result is that of `lhs`, […, 1] that of `rhs`. Two scalars make a tile of
    two elements.

    ```mlir
    func.func @join(%re: tensor<64xf32>, %im: tensor<64xf32>) -> tensor<64x2xf32> {
      %z = tile.join %re, %im : tensor<64xf32> -> tensor<64x2xf32>
      return %z : tensor<64x2xf32>
    }
    ```
  }];
  let arguments = (ins Tile_ElementLike:$lhs, Tile_ElementLike:$rhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "the two halves along a last axis of extent 2";
  let description = [{
    What `tile.join` would make the source of.

    ```mlir
    func.func @split(%z: tensor<64x2xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %re, %im = tile.split %z : tensor<64x2xf32> -> tensor<64xf32>
      return %re, %im : tensor<64xf32>, tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_ElementLike:$lhs, Tile_ElementLike:$rhs);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs)";
  let hasVerifier = 1;
}

def Tile_FlipOp : Tile_Op<"flip", [Pure, SameOperandsAndResultType]> {
  let summary = "reverses the order along an axis";
  let description = [{
    ```mlir
    func.func @flip(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %y = tile.flip %x, 1 : tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure]> {
  let summary = "picks elements along an axis by index";
  let description = [{
    Element […, i, …] of the result is element […, index[…, i, …], …] of the source, both along
    `axis`; other axes of source and indices are equal. An index that names no element gives zero.

    ```mlir
    func.func @pick(%x: tensor<64x32xf32>, %at: tensor<16x32xi64>) -> tensor<16x32xf32> {
      %y = tile.gather %x[%at] axis 0 : tensor<64x32xf32>, tensor<16x32xi64> -> tensor<16x32xf32>
      return %y : tensor<16x32xf32>
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[Tile_Number]>:$source, RankedTensorOf<[I64]>:$index,
                       I64Attr:$axis);
  let results = (outs RankedTensorOf<[Tile_Number]>:$result);
  let assemblyFormat = [{
    $source `[` $index `]` `axis` $axis attr-dict `:` type($source) `,` type($index)
    `->` type($result)
  }];
  let hasVerifier = 1;
}
