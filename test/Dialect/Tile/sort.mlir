// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @sorts
func.func @sorts(%x: tensor<4x16xf32>, %i: tensor<4x16xi32>, %mask: tensor<4x16xi1>) {
  // CHECK: tile.sort(%{{.*}}) axis 0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = tile.sort(%x) axis 0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  // CHECK: tile.sort(%{{.*}}, %{{.*}}) axis 1 unsigned descending : (tensor<4x16xi32>, tensor<4x16xf32>) -> (tensor<4x2xi32>, tensor<4x2xf32>)
  %1:2 = tile.sort(%i, %x) axis 1 unsigned descending
      : (tensor<4x16xi32>, tensor<4x16xf32>) -> (tensor<4x2xi32>, tensor<4x2xf32>)
  // CHECK: tile.histogram %{{.*}} : tensor<4x16xi32> -> tensor<32xi32>
  %2 = tile.histogram %i : tensor<4x16xi32> -> tensor<32xi32>
  // CHECK: tile.histogram %{{.*}}, %{{.*}} : tensor<4x16xi32> mask tensor<4x16xi1> -> tensor<32xi32>
  %3 = tile.histogram %i, %mask : tensor<4x16xi32> mask tensor<4x16xi1> -> tensor<32xi32>
  return
}
