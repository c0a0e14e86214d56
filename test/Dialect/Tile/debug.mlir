// RUN: metile-opt %s | metile-opt | FileCheck %s
// RUN: metile-opt %s --cse --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @debug
func.func @debug(%x: tensor<4xf32>, %n: i64, %ok: tensor<4xi1>) {
  // CHECK: tile.print "here"
  // CHECK-NEXT: arith.addi
  tile.print "here"
  %m = arith.addi %n, %n : i64
  // CHECK: tile.print "x and n", %{{.*}}, %{{.*}} : tensor<4xf32>, i64
  tile.print "x and n", %x, %m : tensor<4xf32>, i64
  // CHECK: tile.assert %{{.*}}, "in range" : tensor<4xi1>
  tile.assert %ok, "in range" : tensor<4xi1>
  // CHECK: tile.probe "x" %{{.*}} : tensor<4xf32>
  // CHECK: tile.probe "x" %{{.*}} : tensor<4xf32>
  tile.probe "x" %x : tensor<4xf32>
  tile.probe "x" %x : tensor<4xf32>
  // CHECK: tile.print "both", %{{.*}}, %{{.*}} : tensor<4xf32>, i64 {isUnsigned = array<i1: false, true>}
  tile.print "both", %x, %m : tensor<4xf32>, i64 {isUnsigned = array<i1: false, true>}
  // CHECK: tile.probe "m" unsigned %{{.*}} : i64
  tile.probe "m" unsigned %m : i64
  return
}
