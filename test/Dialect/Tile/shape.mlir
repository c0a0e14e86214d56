// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: f32, %p: !tile.ptr<f16>) {
  // CHECK: tile.arange 0 : tensor<64xi64>
  %0 = tile.arange 0 : tensor<64xi64>
  // CHECK: tile.arange -5 : tensor<1xi64>
  %1 = tile.arange -5 : tensor<1xi64>
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<64x32xf32>
  %2 = tile.splat %x : f32 -> tensor<64x32xf32>
  // CHECK: tile.splat %{{.*}} : !tile.ptr<f16> -> tensor<8x!tile.ptr<f16>>
  %3 = tile.splat %p : !tile.ptr<f16> -> tensor<8x!tile.ptr<f16>>
  // CHECK: tile.expand_dims %{{.*}}, 0 : tensor<64xi64> -> tensor<1x64xi64>
  %4 = tile.expand_dims %0, 0 : tensor<64xi64> -> tensor<1x64xi64>
  // CHECK: tile.expand_dims %{{.*}}, 1 : tensor<64xi64> -> tensor<64x1xi64>
  %5 = tile.expand_dims %0, 1 : tensor<64xi64> -> tensor<64x1xi64>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x64xi64> -> tensor<32x64xi64>
  %6 = tile.broadcast %4 : tensor<1x64xi64> -> tensor<32x64xi64>
  // CHECK: tile.reshape %{{.*}} : tensor<32x64xi64> -> tensor<8x4x64xi64>
  %7 = tile.reshape %6 : tensor<32x64xi64> -> tensor<8x4x64xi64>
  // CHECK: tile.reshape %{{.*}} : tensor<1xi64> -> i64
  %8 = tile.reshape %1 : tensor<1xi64> -> i64
  // CHECK: tile.reshape %{{.*}} : i64 -> tensor<1x1xi64>
  %9 = tile.reshape %8 : i64 -> tensor<1x1xi64>
  // CHECK: tile.reshape %{{.*}} : tensor<8x!tile.ptr<f16>> -> tensor<2x4x!tile.ptr<f16>>
  %10 = tile.reshape %3 : tensor<8x!tile.ptr<f16>> -> tensor<2x4x!tile.ptr<f16>>
  // CHECK: tile.transpose %{{.*}}, [2, 0, 1] : tensor<8x4x64xi64> -> tensor<64x8x4xi64>
  %11 = tile.transpose %7, [2, 0, 1] : tensor<8x4x64xi64> -> tensor<64x8x4xi64>
  return
}

// CHECK-LABEL: func.func @moves
func.func @moves(%a: tensor<8x4xf32>, %i: tensor<2x4xi64>, %s: i32, %p: tensor<8x!tile.ptr<f16>>) {
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<8x4xf32> -> tensor<8x4x2xf32>
  %0 = tile.join %a, %a : tensor<8x4xf32> -> tensor<8x4x2xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : i32 -> tensor<2xi32>
  %1 = tile.join %s, %s : i32 -> tensor<2xi32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f16>> -> tensor<8x2x!tile.ptr<f16>>
  %2 = tile.join %p, %p : tensor<8x!tile.ptr<f16>> -> tensor<8x2x!tile.ptr<f16>>
  // CHECK: tile.split %{{.*}} : tensor<8x4x2xf32> -> tensor<8x4xf32>
  %3, %4 = tile.split %0 : tensor<8x4x2xf32> -> tensor<8x4xf32>
  // CHECK: tile.split %{{.*}} : tensor<2xi32> -> i32
  %5, %6 = tile.split %1 : tensor<2xi32> -> i32
  // CHECK: tile.flip %{{.*}}, 1 : tensor<8x4xf32>
  %7 = tile.flip %a, 1 : tensor<8x4xf32>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis 0 : tensor<8x4xf32>, tensor<2x4xi64> -> tensor<2x4xf32>
  %8 = tile.gather %a[%i] axis 0 : tensor<8x4xf32>, tensor<2x4xi64> -> tensor<2x4xf32>
  return
}
