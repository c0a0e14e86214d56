// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=250 specials=0
// fuzz: view in1 bf16 sizes=0x5x7 strides=35x7x1 value=0 in=1 out=0
// fuzz: view out0 bool sizes=1x1 strides=1x5 value=0 in=0 out=1
// fuzz: view out1 f32 sizes=15x1 strides=3x1 value=0 in=0 out=1

module {
  func.func @fuzzed(%arg0: !tile.view<?x5x7xbf16, [?, ?, 1]> {tile.name = "in1", tile.role = "in"}, %arg1: !tile.view<?x?xi1, [?, ?]> {tile.name = "out0", tile.role = "out"}, %arg2: !tile.view<15x?xf32, [?, 1]> {tile.name = "out1", tile.role = "out"}) attributes {tile.kernel} {
    %0 = tile.view_size %arg1, 0 : !tile.view<?x?xi1, [?, ?]>
    %1 = tile.view_size %arg1, 1 : !tile.view<?x?xi1, [?, ?]>
    tile.grid %0, %1
    %c0_i64 = arith.constant 0 : i64
    %c0_i64_0 = arith.constant 0 : i64
    %c0_i64_1 = arith.constant 0 : i64
    %2 = tile.view_at %arg0[%c0_i64_1] : !tile.view<?x5x7xbf16, [?, ?, 1]> -> !tile.view<5x7xbf16, [?, 1]>
    %c33_i64 = arith.constant 33 : i64
    %c0_i64_2 = arith.constant 0 : i64
    %3 = tile.view_load %2[%c33_i64, %c0_i64_2] : !tile.view<5x7xbf16, [?, 1]> -> tensor<16x1xbf16>
    %4 = arith.extf %3 : tensor<16x1xbf16> to tensor<16x1xf32>
    tile.view_store %4, %arg2[%c0_i64, %c0_i64_0] : tensor<16x1xf32>, !tile.view<15x?xf32, [?, 1]>
    return
  }
}

