// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=1 specials=0
// fuzz: view in0 f32 sizes=3x5 strides=5x1 value=0 in=1 out=0
// fuzz: view out0 i64 sizes=4 strides=1 value=0 in=0 out=1

// A view that an index left keeps its sizes.
module {
  func.func @fuzzed(%in: !tile.view<?x?xf32, [?, 1]> {tile.name = "in0", tile.role = "in"}, %out: !tile.view<?xi64, [1]> {tile.name = "out0", tile.role = "out"}) attributes {tile.kernel} {
    %c1 = arith.constant 1 : i64
    tile.grid %c1
    %c0 = arith.constant 0 : i64
    %c7 = arith.constant 7 : i64
    %row = tile.view_at %in[%c7] : !tile.view<?x?xf32, [?, 1]> -> !tile.view<?xf32, [1]>
    %size = tile.view_size %row, 0 : !tile.view<?xf32, [1]>
    %sizes = tile.splat %size : i64 -> tensor<4xi64>
    tile.view_store %sizes, %out[%c0] : tensor<4xi64>, !tile.view<?xi64, [1]>
    return
  }
}
