// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=1001041 specials=0
// fuzz: view out1 f32 sizes=2x2 strides=1x2 value=0 in=0 out=1

module {
  func.func @fuzzed(%arg0: !tile.view<?x?xf32, [?, ?]> {tile.name = "out1", tile.role = "out"}) attributes {tile.kernel} {
    %c0_i64 = arith.constant 0 : i64
    %c0_i64_0 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    tile.grid %c1_i64, %c1_i64
    %c0_i64_1 = arith.constant 0 : i64
    %c0_i64_2 = arith.constant 0 : i64
    %cst = arith.constant dense<2.500000e+00> : tensor<1x2xf32>
    %cst_3 = arith.constant dense<0> : tensor<1x2xi64>
    %0 = tile.gather %cst[%cst_3] axis 0 : tensor<1x2xf32>, tensor<1x2xi64> -> tensor<1x2xf32>
    tile.view_store %0, %arg0[%c0_i64_1, %c0_i64_2] : tensor<1x2xf32>, !tile.view<?x?xf32, [?, ?]>
    return
  }
}

