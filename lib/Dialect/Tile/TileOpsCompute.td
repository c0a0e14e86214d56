// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot, reductions and scans.

include "TileOpBase.td"

def Tile_Precision : I32EnumAttr<"Precision", "how exact a dot of f32 is", [
    I32EnumAttrCase<"Ieee", 0, "ieee">, I32EnumAttrCase<"Tf32", 1, "tf32">]> {
  let cppNamespace = "::metile::tile";
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "acc + lhs · rhs";
  let description = [{
    `lhs` is […, M, K], `rhs` […, K, N], `acc` […, M, N] with equal leading axes. Both operands have
    one element type. Products are summed in the accumulator's type, in any order: f32 for operands of
    f32 and narrower floats, f64 for f64, i32 (wrapping) for i8. With `unsigned_lhs` or `unsigned_rhs` that
    i8 operand is zero-extended. `precision tf32` allows f32 operands to be rounded to 10 fraction
    bits.

    ```mlir
    func.func @dot(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %acc: tensor<64x64xf32>)
        -> tensor<64x64xf32> {
      %c = tile.dot %a, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      return %c : tensor<64x64xf32>
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs, Tile_Tile:$acc,
    DefaultValuedAttr<Tile_Precision, "::metile::tile::Precision::Ieee">:$precision,
    UnitAttr:$unsignedLhs, UnitAttr:$unsignedRhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`precision` $precision^)? (`unsigned_lhs` $unsignedLhs^)?
    (`unsigned_rhs` $unsignedRhs^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "combines all elements along an axis";
  let description = [{
    The region takes two partial results (all values of the first, then all of the second) and yields
    their combination, which must be associative and commutative. It holds pure elementwise
    operations on scalars and may use scalars from outside. The sources have one shape; the results
    lack the reduced axis and are scalars where nothing is left. A single element is its own result.

    ```mlir
    func.func @row_max(%x: tensor<64x32xf32>) -> tensor<64xf32> {
      %max = tile.reduce(%x) axis 1 : (tensor<64x32xf32>) -> tensor<64xf32> {
      ^bb0(%a: f32, %b: f32):
        %larger = arith.maximumf %a, %b : f32
        tile.yield %larger : f32
      }
      return %max : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$sources, I64Attr:$axis);
  let results = (outs Variadic<Tile_NumberLike>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    `(` $sources `)` `axis` $axis attr-dict `:` functional-type($sources, $results) $combine
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [Pure, SingleBlock]> {
  let summary = "running combination along an axis";
  let description = [{
    Element i of a result combines elements 0 to i of its source, with `reverse` those from the last
    down to i. The region is that of `tile.reduce`, but need not be commutative: its first values are
    those met earlier. Results have the shape of the sources.

    ```mlir
    func.func @cumsum(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %sums = tile.scan(%x) axis 1 : (tensor<64x32xf32>) -> tensor<64x32xf32> {
      ^bb0(%before: f32, %next: f32):
        %sum = arith.addf %before, %next : f32
        tile.yield %sum : f32
      }
      return %sums : tensor<64x32xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$sources, I64Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    `(` $sources `)` `axis` $axis (`reverse` $reverse^)? attr-dict
    `:` functional-type($sources, $results) $combine
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "ends a combine region with its results";
  let description = [{
    One value a source, of the source's element type. Here the larger value and where it stands:

    ```mlir
    func.func @argmax(%x: tensor<64xf32>, %i: tensor<64xi32>) -> (f32, i32) {
      %max, %at = tile.reduce(%x, %i) axis 0 : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32) {
      ^bb0(%a: f32, %ia: i32, %b: f32, %ib: i32):
        %more = arith.cmpf ogt, %a, %b : f32
        %same = arith.cmpf oeq, %a, %b : f32
        %before = arith.cmpi slt, %ia, %ib : i32
        %tie = arith.andi %same, %before : i1
        %first = arith.ori %more, %tie : i1
        %value = arith.select %first, %a, %b : f32
        %index = arith.select %first, %ia, %ib : i32
        tile.yield %value, %index : f32, i32
      }
      return %max, %at : f32, i32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Number>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
