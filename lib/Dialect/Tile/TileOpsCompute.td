// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot and reductions.

include "TileOpBase.td"

def Tile_Precision : I32EnumAttr<"Precision", "how exact a dot of f32 is", [
    I32EnumAttrCase<"Ieee", 0, "ieee">, I32EnumAttrCase<"Tf32", 1, "tf32">]> {
  let cppNamespace = "::metile::tile";
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "acc + lhs · rhs";
  let description = [{
    `lhs` is […, M, K], `rhs` […, K, N], `acc` […, M, N] with equal leading axes. Products are exact
    and are summed in the accumulator's type, in any order: f32 for f16, bf16 and f32 operands, f64 for
    f64, i32 for i8. With `unsigned_lhs` or `unsigned_rhs` that integer operand is zero-extended.
    `tf32` allows f32 operands to be rounded to 10 fraction bits.

    ```mlir
    %c = tile.dot %a, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
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
    The region takes two partial results (all sources of the first, then of the second) and yields
    their combination; it must be associative and commutative, and pure. The sources have one shape;
    the results lack the reduced axis and are scalars where nothing is left.

    ```mlir
    %m = tile.reduce(%x) axis 1 : (tensor<64x32xf32>) -> tensor<64xf32> {
    ^bb0(%a: f32, %b: f32):
      %r = arith.maximumf %a, %b : f32
      tile.yield %r : f32
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
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp"]>]> {
  let summary = "ends a combine region with its results";
  let arguments = (ins Variadic<Tile_Number>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
