// RUN: metile-opt %s -cse | FileCheck %s

// Equal loads with no store between them are one; a store keeps them apart, through whatever view.
// CHECK-LABEL: func.func @loads
func.func @loads(%x: !tile.view<?xf32, [1]>, %y: !tile.view<?xf32, [1]>, %i: i64)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[A:.*]] = tile.view_load
  // CHECK-NEXT: tile.view_store %[[A]]
  // CHECK-NEXT: %[[B:.*]] = tile.view_load
  // CHECK-NEXT: return %[[A]], %[[A]], %[[B]]
  %0 = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  %1 = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  tile.view_store %1, %y[%i] : tensor<8xf32>, !tile.view<?xf32, [1]>
  %2 = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @roundings
func.func @roundings(%x: i64, %y: i64) -> (i64, i64, i64) {
  // CHECK-NEXT: %[[A:.*]] = tile.div trunc %
  // CHECK-NEXT: %[[B:.*]] = tile.div trunc unsigned
  // CHECK-NEXT: return %[[A]], %[[B]], %[[A]]
  %0 = tile.div trunc %x, %y : i64
  %1 = tile.div trunc unsigned %x, %y : i64
  %2 = tile.div trunc %x, %y : i64
  return %0, %1, %2 : i64, i64, i64
}
