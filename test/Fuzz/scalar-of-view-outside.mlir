// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=484 specials=0
// fuzz: view in0 i32 sizes=0x0 strides=5x1 value=0 in=1 out=0
// fuzz: view out0 bf16 sizes=1 strides=1 value=0 in=0 out=1
// fuzz: view out1 i32 sizes=1 strides=1 value=0 in=0 out=1
// fuzz: scalar target_count i64 sizes=- strides=- value=32 in=0 out=0

module {
  func.func @fuzzed(%arg0: !tile.view<?x?xi32, [5, 1]> {tile.name = "in0", tile.role = "in"}, %arg1: !tile.view<?xbf16, [1]> {tile.name = "out0", tile.role = "out"}, %arg2: !tile.view<?xi32, [1]> {tile.name = "out1", tile.role = "out"}, %arg3: i64 {tile.name = "target_count"}) attributes {tile.kernel} {
    %0 = tile.view_size %arg1, 0 : !tile.view<?xbf16, [1]>
    tile.grid free %0
    %c0_i64 = arith.constant 0 : i64
    %1 = tile.view_at %arg0[%arg3] : !tile.view<?x?xi32, [5, 1]> -> !tile.view<?xi32, [1]>
    %c0_i64_0 = arith.constant 0 : i64
    %2 = tile.view_load %1[%c0_i64_0] : !tile.view<?xi32, [1]> -> tensor<1xi32>
    tile.view_store %2, %arg2[%c0_i64] : tensor<1xi32>, !tile.view<?xi32, [1]>
    return
  }
}

