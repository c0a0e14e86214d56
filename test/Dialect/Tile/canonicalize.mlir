// RUN: metile-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @splat_of_constant
func.func @splat_of_constant() -> (tensor<8xf32>, tensor<4x2xi1>) {
  // CHECK-DAG: arith.constant dense<1.500000e+00> : tensor<8xf32>
  // CHECK-DAG: arith.constant dense<true> : tensor<4x2xi1>
  // CHECK-NOT: tile.splat
  %x = arith.constant 1.5 : f32
  %b = arith.constant true
  %0 = tile.splat %x : f32 -> tensor<8xf32>
  %1 = tile.splat %b : i1 -> tensor<4x2xi1>
  return %0, %1 : tensor<8xf32>, tensor<4x2xi1>
}

// -----

// CHECK-LABEL: func.func @constant_moves
func.func @constant_moves() -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<16x8xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = arith.constant dense<2.0> : tensor<2x4xf32>
  %1 = tile.transpose %0, [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  %2 = tile.reshape %1 : tensor<4x2xf32> -> tensor<8xf32>
  %3 = tile.expand_dims %2, 0 : tensor<8xf32> -> tensor<1x8xf32>
  %4 = tile.broadcast %3 : tensor<1x8xf32> -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_of_constant
func.func @reshape_of_constant() -> (tensor<2x2xi32>, i32, tensor<1x1xi32>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK-DAG: %[[B:.*]] = arith.constant 7 : i32
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<7> : tensor<1x1xi32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = arith.constant dense<7> : tensor<1xi32>
  %2 = tile.reshape %0 : tensor<4xi32> -> tensor<2x2xi32>
  %3 = tile.reshape %1 : tensor<1xi32> -> i32
  %4 = tile.reshape %3 : i32 -> tensor<1x1xi32>
  return %2, %3, %4 : tensor<2x2xi32>, i32, tensor<1x1xi32>
}

// -----

// A constant of different elements is not one that can be repeated or permuted in place.
// CHECK-LABEL: func.func @uneven_constant
func.func @uneven_constant() -> (tensor<2x4xi32>, tensor<2x2xi32>) {
  // CHECK: tile.broadcast
  // CHECK: tile.transpose
  %0 = arith.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %1 = tile.broadcast %0 : tensor<2x1xi32> -> tensor<2x4xi32>
  %2 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %3 = tile.transpose %2, [1, 0] : tensor<2x2xi32> -> tensor<2x2xi32>
  return %1, %3 : tensor<2x4xi32>, tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @splat_moves
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>
func.func @splat_moves(%p: !tile.ptr<f32>) -> (tensor<16x8x!tile.ptr<f32>>, !tile.ptr<f32>) {
  // CHECK-NEXT: %[[S:.*]] = tile.splat %[[P]] : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  // CHECK-NEXT: return %[[S]], %[[P]]
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<2x4x!tile.ptr<f32>>
  %1 = tile.transpose %0, [1, 0] : tensor<2x4x!tile.ptr<f32>> -> tensor<4x2x!tile.ptr<f32>>
  %2 = tile.reshape %1 : tensor<4x2x!tile.ptr<f32>> -> tensor<8x!tile.ptr<f32>>
  %3 = tile.expand_dims %2, 0 : tensor<8x!tile.ptr<f32>> -> tensor<1x8x!tile.ptr<f32>>
  %4 = tile.broadcast %3 : tensor<1x8x!tile.ptr<f32>> -> tensor<16x8x!tile.ptr<f32>>
  %5 = tile.splat %p : !tile.ptr<f32> -> tensor<1x!tile.ptr<f32>>
  %6 = tile.reshape %5 : tensor<1x!tile.ptr<f32>> -> !tile.ptr<f32>
  return %4, %6 : tensor<16x8x!tile.ptr<f32>>, !tile.ptr<f32>
}

// -----

// CHECK-LABEL: func.func @scalar_to_tile
func.func @scalar_to_tile(%x: f32) -> tensor<1x1xf32> {
  // CHECK-NEXT: tile.splat %{{.*}} : f32 -> tensor<1x1xf32>
  // CHECK-NEXT: return
  %0 = tile.reshape %x : f32 -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func.func @nothing_moves
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
func.func @nothing_moves(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
  %0 = tile.broadcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.reshape %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tile.transpose %x, [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = tile.expand_dims %x, 1 : tensor<4x8xf32> -> tensor<4x1x8xf32>
  %4 = tile.reshape %3 : tensor<4x1x8xf32> -> tensor<2x16xf32>
  %5 = tile.reshape %4 : tensor<2x16xf32> -> tensor<4x8xf32>
  return %0, %1, %2, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The permutations do not commute: axis i of the result is axis first[second[i]] of the source.
// CHECK-LABEL: func.func @transpose_of_transpose
// CHECK-SAME: %[[X:.*]]: tensor<2x4x8xf32>
func.func @transpose_of_transpose(%x: tensor<2x4x8xf32>) -> (tensor<8x4x2xf32>, tensor<2x4x8xf32>) {
  // CHECK-NEXT: %[[T:.*]] = tile.transpose %[[X]], [2, 1, 0] : tensor<2x4x8xf32> -> tensor<8x4x2xf32>
  // CHECK-NEXT: return %[[T]], %[[X]]
  %0 = tile.transpose %x, [1, 2, 0] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %1 = tile.transpose %0, [1, 0, 2] : tensor<4x8x2xf32> -> tensor<8x4x2xf32>
  %2 = tile.transpose %0, [2, 0, 1] : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  return %1, %2 : tensor<8x4x2xf32>, tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_of_broadcast
// CHECK-SAME: %[[X:.*]]: tensor<1x1xf32>
func.func @broadcast_of_broadcast(%x: tensor<1x1xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[X]] : tensor<1x1xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[B]]
  %0 = tile.broadcast %x : tensor<1x1xf32> -> tensor<1x8xf32>
  %1 = tile.broadcast %0 : tensor<1x8xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @addptr_by_zero
// CHECK-SAME: %[[P:.*]]: tensor<8x!tile.ptr<f32>>
func.func @addptr_by_zero(%p: tensor<8x!tile.ptr<f32>>) -> tensor<8x!tile.ptr<f32>> {
  // CHECK-NEXT: return %[[P]]
  %0 = arith.constant dense<0> : tensor<8xi64>
  %1 = tile.addptr %p, %0 : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
  return %1 : tensor<8x!tile.ptr<f32>>
}

// -----

// CHECK-LABEL: func.func @constant_masks
// CHECK-SAME: %[[P:[^:]*]]: tensor<8x!tile.ptr<f32>>, %[[X:.*]]: tensor<8xf32>
func.func @constant_masks(%p: tensor<8x!tile.ptr<f32>>, %x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[L:.*]] = tile.load %[[P]] : tensor<8x!tile.ptr<f32>> -> tensor<8xf32>{{$}}
  // CHECK-NEXT: tile.store %[[P]], %[[X]] : tensor<8x!tile.ptr<f32>>, tensor<8xf32>{{$}}
  // CHECK-NEXT: return %[[L]], %[[X]], %[[Z]]
  %yes = arith.constant dense<true> : tensor<8xi1>
  %no = arith.constant dense<false> : tensor<8xi1>
  %0 = tile.load %p, %yes, %x : tensor<8x!tile.ptr<f32>> -> tensor<8xf32> mask tensor<8xi1> other tensor<8xf32>
  %1 = tile.load %p, %no, %x : tensor<8x!tile.ptr<f32>> -> tensor<8xf32> mask tensor<8xi1> other tensor<8xf32>
  %2 = tile.load %p, %no : tensor<8x!tile.ptr<f32>> -> tensor<8xf32> mask tensor<8xi1>
  tile.store %p, %x, %yes : tensor<8x!tile.ptr<f32>>, tensor<8xf32> mask tensor<8xi1>
  tile.store %p, %x, %no : tensor<8x!tile.ptr<f32>>, tensor<8xf32> mask tensor<8xi1>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @mixed_mask
func.func @mixed_mask(%p: tensor<2x!tile.ptr<f32>>) -> tensor<2xf32> {
  // CHECK: tile.load %{{.*}}, %{{.*}} mask
  %mask = arith.constant dense<[true, false]> : tensor<2xi1>
  %0 = tile.load %p, %mask : tensor<2x!tile.ptr<f32>> -> tensor<2xf32> mask tensor<2xi1>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @static_facts
// CHECK-SAME: %[[X:[^:]*]]: !tile.view<?x64x?xf32, [?, ?, 1]>
func.func @static_facts(%x: !tile.view<?x64x?xf32, [?, ?, 1]>, %i: i64) -> (i64, i64, i64, i64, i64) {
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[S2:.*]] = tile.view_size %[[X]], 2 : !tile.view<?x64x?xf32, [?, ?, 1]>
  // CHECK-DAG: %[[T1:.*]] = tile.view_stride %[[X]], 1 : !tile.view<?x64x?xf32, [?, ?, 1]>
  // CHECK-DAG: %[[S0:.*]] = tile.view_size %[[X]], 0 : !tile.view<?x64x?xf32, [?, ?, 1]>
  // CHECK: return %[[C64]], %[[C1]], %[[S2]], %[[T1]], %[[S0]]
  %0 = tile.view_size %x, 1 : !tile.view<?x64x?xf32, [?, ?, 1]>
  %1 = tile.view_stride %x, 2 : !tile.view<?x64x?xf32, [?, ?, 1]>
  %row = tile.view_at %x[%i] : !tile.view<?x64x?xf32, [?, ?, 1]> -> !tile.view<64x?xf32, [?, 1]>
  %flipped = tile.view_transpose %row, [1, 0] : !tile.view<64x?xf32, [?, 1]> -> !tile.view<?x64xf32, [1, ?]>
  %2 = tile.view_size %flipped, 0 : !tile.view<?x64xf32, [1, ?]>
  %3 = tile.view_stride %flipped, 1 : !tile.view<?x64xf32, [1, ?]>
  %4 = tile.view_size %x, 0 : !tile.view<?x64x?xf32, [?, ?, 1]>
  return %0, %1, %2, %3, %4 : i64, i64, i64, i64, i64
}

// -----

// CHECK-LABEL: func.func @view_transposes
// CHECK-SAME: %[[X:.*]]: !tile.view<2x3x5xf32, [15, 5, 1]>
func.func @view_transposes(%x: !tile.view<2x3x5xf32, [15, 5, 1]>)
    -> (!tile.view<5x3x2xf32, [1, 5, 15]>, !tile.view<2x3x5xf32, [15, 5, 1]>) {
  // CHECK-NEXT: %[[T:.*]] = tile.view_transpose %[[X]], [2, 1, 0]
  // CHECK-NEXT: return %[[T]], %[[X]]
  %0 = tile.view_transpose %x, [1, 2, 0] : !tile.view<2x3x5xf32, [15, 5, 1]> -> !tile.view<3x5x2xf32, [5, 1, 15]>
  %1 = tile.view_transpose %0, [1, 0, 2] : !tile.view<3x5x2xf32, [5, 1, 15]> -> !tile.view<5x3x2xf32, [1, 5, 15]>
  %2 = tile.view_transpose %0, [2, 0, 1] : !tile.view<3x5x2xf32, [5, 1, 15]> -> !tile.view<2x3x5xf32, [15, 5, 1]>
  return %1, %2 : !tile.view<5x3x2xf32, [1, 5, 15]>, !tile.view<2x3x5xf32, [15, 5, 1]>
}

// -----

// CHECK-LABEL: func.func @view_of_view
// CHECK-SAME: %[[X:[^:]*]]: !tile.view<?x?x?xf32, [?, ?, 1]>, %[[I:[^:]*]]: i64, %[[J:.*]]: i64
func.func @view_of_view(%x: !tile.view<?x?x?xf32, [?, ?, 1]>, %i: i64, %j: i64) -> !tile.view<?xf32, [1]> {
  // CHECK-NEXT: %[[R:.*]] = tile.view_at %[[X]][%[[I]], %[[J]]] : !tile.view<?x?x?xf32, [?, ?, 1]> -> !tile.view<?xf32, [1]>
  // CHECK-NEXT: return %[[R]]
  %0 = tile.view_at %x[%i] : !tile.view<?x?x?xf32, [?, ?, 1]> -> !tile.view<?x?xf32, [?, 1]>
  %1 = tile.view_at %0[%j] : !tile.view<?x?xf32, [?, 1]> -> !tile.view<?xf32, [1]>
  return %1 : !tile.view<?xf32, [1]>
}

// -----

// A single element is its own result, whatever the region does.
// CHECK-LABEL: func.func @reduce_one
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x1xf32>, %[[Y:.*]]: tensor<1xf32>
func.func @reduce_one(%x: tensor<8x1xf32>, %y: tensor<1xf32>) -> (tensor<8xf32>, f32) {
  // CHECK-NEXT: %[[A:.*]] = tile.reshape %[[X]] : tensor<8x1xf32> -> tensor<8xf32>
  // CHECK-NEXT: %[[B:.*]] = tile.reshape %[[Y]] : tensor<1xf32> -> f32
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0 = tile.reduce(%x) axis 1 : (tensor<8x1xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    tile.yield %c : f32
  }
  %1 = tile.reduce(%y) axis 0 : (tensor<1xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  return %0, %1 : tensor<8xf32>, f32
}

// -----

// Constants leave the region; it may use scalars from outside.
// CHECK-LABEL: func.func @reduce_with_constant
func.func @reduce_with_constant(%x: tensor<8xf32>) -> f32 {
  // CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.0
  // CHECK-NEXT: tile.reduce
  // CHECK: arith.minimumf %{{.*}}, %[[TWO]]
  %0 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %two = arith.constant 2.0 : f32
    %c = arith.maximumf %a, %b : f32
    %d = arith.minimumf %c, %two : f32
    tile.yield %d : f32
  }
  return %0 : f32
}

// -----

// Unused pure operations and loads go; stores, and loads across a store, stay.
// CHECK-LABEL: func.func @effects
func.func @effects(%x: !tile.view<?xf32, [1]>, %i: i64) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A:.*]] = tile.view_load
  // CHECK-NEXT: tile.view_store %[[A]]
  // CHECK-NEXT: %[[B:.*]] = tile.view_load
  // CHECK-NEXT: return %[[B]]
  %unused = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  %id = tile.program_id 0
  %0 = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  tile.view_store %0, %x[%i] : tensor<8xf32>, !tile.view<?xf32, [1]>
  %1 = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
