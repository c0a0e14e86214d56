// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s
// RUN: %metile-opt --metile-cpu-lower=scratch-everything=true %s | FileCheck %s --check-prefix=SCRATCH

// Along the lanes: four steps of doubling distance in a register, then what the last lane carries.
// CHECK-LABEL: func.func @along_lanes
// CHECK: vector.shuffle %{{.*}} [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
// CHECK: vector.shuffle %{{.*}} [0, 1, 0, 1, 2,
// CHECK: vector.shuffle %{{.*}} [0, 1, 2, 3, 0, 1,
// CHECK: vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 0, 1,
// CHECK: vector.extract %{{.*}}[15] : i32 from vector<16xi32>
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (i32)
// CHECK: vector.broadcast %[[CARRIED]] : i32 to vector<16xi32>

// Kept in scratch, it is one element after another.
// SCRATCH-LABEL: func.func @along_lanes
// SCRATCH: scf.for {{.*}} step %c1_i64 iter_args(%{{.*}}) -> (i32)
// SCRATCH-NOT: vector.shuffle
func.func @along_lanes(%x: !tile.view<8x256xi32, [256, 1]> {tile.role = "in", tile.name = "x"},
                       %y: !tile.view<8x256xi32, [256, 1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0, %c0] : !tile.view<8x256xi32, [256, 1]> -> tensor<8x256xi32>
  %s = tile.scan(%t) axis 1 : (tensor<8x256xi32>) -> tensor<8x256xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  tile.view_store %s, %y[%c0, %c0] : tensor<8x256xi32>, !tile.view<8x256xi32, [256, 1]>
  return
}
