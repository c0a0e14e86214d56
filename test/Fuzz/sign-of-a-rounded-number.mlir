// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=5030375 specials=0
// fuzz: view out0 f16 sizes=3x2 strides=14x1 value=0 in=0 out=1

module {
  func.func @fuzzed(%arg0: !tile.view<?x?xf16, [?, 1]> {tile.name = "out0", tile.role = "out"}) attributes {tile.kernel} {
    %c0_i64 = arith.constant 1 : i64
    %c0_i64_0 = arith.constant 0 : i64
    tile.grid %c0_i64, %c0_i64
    %c0_i64_1 = arith.constant 0 : i64
    %c0_i64_2 = arith.constant 0 : i64
    %cst = arith.constant dense<3.000000e+00> : tensor<4x1xf64>
    %cst_3 = arith.constant dense<2.000000e+00> : tensor<1x1xf64>
    %cst_4 = arith.constant dense<3.000000e+00> : tensor<4x1xf64>
    %0 = tile.dot %cst, %cst_3, %cst_4 : tensor<4x1xf64>, tensor<1x1xf64> -> tensor<4x1xf64>
    %1 = tile.round %0 : tensor<4x1xf64> -> tensor<4x1xf32>
    %2 = math.tanh %1 : tensor<4x1xf32>
    %3 = tile.round %2 : tensor<4x1xf32> -> tensor<4x1xf16>
    tile.view_store %3, %arg0[%c0_i64_2, %c0_i64_1] : tensor<4x1xf16>, !tile.view<?x?xf16, [?, 1]>
    return
  }
}

