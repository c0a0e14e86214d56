// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting and counting.

include "TileOpBase.td"

def Tile_SortOp : Tile_Op<"sort", [Pure]> {
  let summary = "sorts along an axis by the first source";
  let description = [{
    Every line of the first source along the axis is put in ascending order, with `descending` in
    descending order, and the other sources move along with it. Equal keys keep their order. NaN
    counts as larger than every number, and -0 as equal to 0. With `unsigned` integer keys are read
    as unsigned; i1 always is. The extent of the results on the axis may be less than that of the
    sources: they hold the first elements of the sorted line.

    ```mlir
    func.func @top8(%x: tensor<4x64xf32>, %i: tensor<4x64xi32>)
        -> (tensor<4x8xf32>, tensor<4x8xi32>) {
      %largest, %at = tile.sort(%x, %i) axis 1 descending
          : (tensor<4x64xf32>, tensor<4x64xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
      return %largest, %at : tensor<4x8xf32>, tensor<4x8xi32>
    }
    ```
  }];
  let arguments = (ins Variadic<RankedTensorOf<[Tile_Number]>>:$sources, I64Attr:$axis,
                       UnitAttr:$isUnsigned, UnitAttr:$descending);
  let results = (outs Variadic<RankedTensorOf<[Tile_Number]>>:$results);
  let assemblyFormat = [{
    `(` $sources `)` `axis` $axis (`unsigned` $isUnsigned^)? (`descending` $descending^)? attr-dict
    `:` functional-type($sources, $results)
  }];
  let hasVerifier = 1;
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure]> {
  let summary = "counts how often each number occurs";
  let description = [{
    Element i of the result is the number of source elements that equal i, less those where the mask
    is false. Elements that name no bin are not counted. The source is read as signed.

    ```mlir
    func.func @count(%x: tensor<64xi32>, %mask: tensor<64xi1>) -> tensor<16xi32> {
      %counts = tile.histogram %x, %mask : tensor<64xi32> mask tensor<64xi1> -> tensor<16xi32>
      return %counts : tensor<16xi32>
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[Tile_Int]>:$source, Optional<RankedTensorOf<[I1]>>:$mask);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $source (`,` $mask^)? attr-dict `:` type($source) (`mask` type($mask)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}
