// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @dots
func.func @dots(%h: tensor<4x8xf16>, %b: tensor<2x4x8xbf16>, %bt: tensor<2x8x1xbf16>, %ht: tensor<8x4xf16>, %s: tensor<8x8xf32>,
                %d: tensor<8x8xf64>, %i: tensor<8x8xi8>, %si: tensor<8x8xi32>, %acc: tensor<4x4xf32>, %bacc: tensor<2x4x1xf32>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<8x4xf16> -> tensor<4x4xf32>
  %0 = tile.dot %h, %ht, %acc : tensor<4x8xf16>, tensor<8x4xf16> -> tensor<4x4xf32>
  // CHECK: tile.dot %{{.*}} : tensor<2x4x8xbf16>, tensor<2x8x1xbf16> -> tensor<2x4x1xf32>
  %1 = tile.dot %b, %bt, %bacc : tensor<2x4x8xbf16>, tensor<2x8x1xbf16> -> tensor<2x4x1xf32>
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : tensor<8x8xf32>
  %2 = tile.dot %s, %s, %s precision ieee : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: tile.dot %{{.*}} precision tf32 : tensor<8x8xf32>
  %3 = tile.dot %s, %s, %s precision tf32 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: tile.dot %{{.*}} : tensor<8x8xf64>, tensor<8x8xf64> -> tensor<8x8xf64>
  %4 = tile.dot %d, %d, %d : tensor<8x8xf64>, tensor<8x8xf64> -> tensor<8x8xf64>
  // CHECK: tile.dot %{{.*}} unsigned_lhs unsigned_rhs : tensor<8x8xi8>, tensor<8x8xi8> -> tensor<8x8xi32>
  %5 = tile.dot %i, %i, %si unsigned_lhs unsigned_rhs : tensor<8x8xi8>, tensor<8x8xi8> -> tensor<8x8xi32>
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} unsigned_rhs :
  %6 = tile.dot %i, %i, %si unsigned_rhs : tensor<8x8xi8>, tensor<8x8xi8> -> tensor<8x8xi32>
  return
}

// CHECK-LABEL: func.func @reductions
// CHECK-SAME: %[[SCALE:[^ ]*]]: f32
func.func @reductions(%scale: f32, %x: tensor<8x4xf32>, %i: tensor<8x4xi64>) {
  // CHECK: tile.reduce(%{{.*}}) axis 0 : (tensor<8x4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[C:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK-NEXT: %[[D:.*]] = arith.mulf %[[C]], %[[SCALE]]
  // CHECK-NEXT: tile.yield %[[D]] : f32
  %0 = tile.reduce(%x) axis 0 : (tensor<8x4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    %d = arith.mulf %c, %scale : f32
    tile.yield %d : f32
  }
  // CHECK: tile.reduce(%{{.*}}, %{{.*}}) axis 1 : (tensor<8x4xf32>, tensor<8x4xi64>) -> (tensor<8xf32>, tensor<8xi64>)
  %1:2 = tile.reduce(%x, %i) axis 1 : (tensor<8x4xf32>, tensor<8x4xi64>) -> (tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%a: f32, %ia: i64, %b: f32, %ib: i64):
    %zero = arith.constant 0.0 : f32
    %more = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %more, %a, %b : f32
    %w = arith.maximumf %v, %zero : f32
    %at = arith.select %more, %ia, %ib : i64
    tile.yield %w, %at : f32, i64
  }
  // CHECK: tile.reduce(%{{.*}}) axis 0 : (tensor<8xi64>) -> i64
  %2 = tile.reduce(%1#1) axis 0 : (tensor<8xi64>) -> i64 {
  ^bb0(%a: i64, %b: i64):
    %c = tile.div floor %a, %b : i64
    tile.yield %c : i64
  }
  return
}

// CHECK-LABEL: func.func @scans
func.func @scans(%x: tensor<8x4xf32>, %i: tensor<8x4xi64>, %a: tensor<8x4xf8E5M2>,
                 %b: tensor<4x8xf8E5M2>, %acc: tensor<8x8xf32>) {
  // CHECK: tile.scan(%{{.*}}) axis 1 : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = tile.scan(%x) axis 1 : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%before: f32, %next: f32):
    %sum = arith.addf %before, %next : f32
    tile.yield %sum : f32
  }
  // CHECK: tile.scan(%{{.*}}, %{{.*}}) axis 0 reverse : (tensor<8x4xf32>, tensor<8x4xi64>) -> (tensor<8x4xf32>, tensor<8x4xi64>) {
  %1:2 = tile.scan(%x, %i) axis 0 reverse
      : (tensor<8x4xf32>, tensor<8x4xi64>) -> (tensor<8x4xf32>, tensor<8x4xi64>) {
  ^bb0(%xa: f32, %ia: i64, %xb: f32, %ib: i64):
    tile.yield %xb, %ia : f32, i64
  }
  // CHECK: tile.dot %{{.*}} : tensor<8x4xf8E5M2>, tensor<4x8xf8E5M2> -> tensor<8x8xf32>
  %2 = tile.dot %a, %b, %acc : tensor<8x4xf8E5M2>, tensor<4x8xf8E5M2> -> tensor<8x8xf32>
  return
}
