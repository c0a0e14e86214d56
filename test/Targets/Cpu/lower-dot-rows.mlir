// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s
// RUN: sed 's/^  %unread = math.absf/  tile.probe "s"/' %s | %metile-opt --metile-cpu-lower | FileCheck %s --check-prefix=READ

// Rows that the only store clips are not multiplied.
// CHECK-LABEL: func.func @gemm
// CHECK: %[[PAST:.*]] = arith.subi %{{.*}}, %[[FIRST:.*]] : i64
// CHECK: %[[ROWS:.*]] = arith.maxsi %{{.*}}, %[[PAST]]
// CHECK: %[[KEPT:.*]] = arith.minsi %[[ROWS]], %c64_i64
// CHECK: %[[END:.*]] = arith.minsi %c60_i64, %[[KEPT]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[END]] step %c6_i64
// CHECK: arith.cmpi sgt, %[[KEPT]], %c60_i64

// Where somebody else sees them, they are.
// READ-LABEL: func.func @gemm
// READ: scf.for %{{.*}} = %c0_i64 to %c60_i64 step %c6_i64
func.func @gemm(%a: !tile.view<?x32xf32, [32, 1]> {tile.role = "in", tile.name = "a"},
                %b: !tile.view<32x64xf32, [64, 1]> {tile.role = "in", tile.name = "b"},
                %c: !tile.view<?x64xf32, [64, 1]> {tile.role = "out", tile.name = "c"})
    attributes {tile.kernel} {
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %m = tile.view_size %c, 0 : !tile.view<?x64xf32, [64, 1]>
  %gm = tile.div ceil %m, %c64 : i64
  tile.grid %gm
  %pm = tile.program_id 0
  %om = arith.muli %pm, %c64 : i64
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.view_load %a[%om, %c0] : !tile.view<?x32xf32, [32, 1]> -> tensor<64x32xf32>
  %y = tile.view_load %b[%c0, %c0] : !tile.view<32x64xf32, [64, 1]> -> tensor<32x64xf32>
  %s = tile.dot %x, %y, %z : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %unread = math.absf %s : tensor<64x64xf32>
  %r = arith.addf %s, %s : tensor<64x64xf32>
  tile.view_store %r, %c[%om, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32, [64, 1]>
  return
}
