// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=2410 specials=0
// fuzz: view in0 f32 sizes=5x2x17 strides=187x17x1 value=0 in=1 out=0
// fuzz: view out0 i8 sizes=1x0 strides=8x1 value=0 in=0 out=1
// fuzz: view out1 f32 sizes=1x1x8 strides=88x11x1 value=0 in=0 out=1

module {
  func.func @fuzzed(%arg0: !tile.view<?x?x17xf32, [?, ?, ?]> {tile.name = "in0", tile.role = "in"}, %arg1: !tile.view<1x?xi8, [?, 1]> {tile.name = "out0", tile.role = "out"}, %arg2: !tile.view<?x?x8xf32, [?, 11, 1]> {tile.name = "out1", tile.role = "out"}) attributes {tile.kernel} {
    %0 = tile.view_size %arg1, 0 : !tile.view<1x?xi8, [?, 1]>
    tile.grid %0
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c0_i64_0 = arith.constant 0 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i64_1 = arith.constant 0 : i64
    %c0_i64_2 = arith.constant 0 : i64
    %cst = arith.constant -1.000000e+00 : f32
    %1 = tile.view_load %arg0[%c4_i64, %c0_i64_1, %c0_i64_2] fill %cst : f32 : !tile.view<?x?x17xf32, [?, ?, ?]> -> tensor<16x2x8xf32>
    %2 = tile.round %1 : tensor<16x2x8xf32> -> tensor<16x2x8xf16>
    %cst_3 = arith.constant dense<-3.750000e-01> : tensor<16x8x1xf16>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<16x2x1xf32>
    %3 = tile.dot %2, %cst_3, %cst_4 : tensor<16x2x8xf16>, tensor<16x8x1xf16> -> tensor<16x2x1xf32>
    tile.view_store %3, %arg2[%c0_i64, %c-1_i64, %c0_i64_0] : tensor<16x2x1xf32>, !tile.view<?x?x8xf32, [?, 11, 1]>
    return
  }
}

