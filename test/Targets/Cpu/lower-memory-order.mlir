// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s
// RUN: sed 's/xchg release/xchg relaxed/; s/"inout"/"out"/' %s | %metile-opt --metile-cpu-lower | FileCheck %s --check-prefix=RELAXED

// What is loaded before the lock is given back is read before, though it is used after.
// CHECK-LABEL: func.func @release
// CHECK: llvm.load %{{.*}} -> vector<64xf32>
// CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} release
// CHECK: llvm.store %{{.*}} : vector<64xf32>

// A relaxed operation on memory that is not that of x orders nothing.
// RELAXED-LABEL: func.func @release
// RELAXED: llvm.atomicrmw
// RELAXED: llvm.load %{{.*}} -> vector<64xf32>
func.func @release(%x: !tile.ptr<f32> {tile.role = "pointer", tile.name = "x"},
                   %lock: !tile.view<1xi32, [1]> {tile.role = "inout", tile.name = "lock"},
                   %y: !tile.view<64xf32, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %i = tile.arange 0 : tensor<64xi64>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %t = tile.load %xp : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
  %p, %inside = tile.view_pointers %lock[%c0] : !tile.view<1xi32, [1]> -> tensor<1x!tile.ptr<i32>>, tensor<1xi1>
  %open = arith.constant dense<0> : tensor<1xi32>
  %old = tile.atomic_rmw xchg release %p, %open : tensor<1x!tile.ptr<i32>>, tensor<1xi32>
  tile.view_store %t, %y[%c0] : tensor<64xf32>, !tile.view<64xf32, [1]>
  return
}
