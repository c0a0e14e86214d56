// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s

// The channel's address follows the grid's extents; what is shown lies in memory; a failed assertion
// is what the entry point returns, and nothing runs after it.
// CHECK: func.func @show(%[[SLOTS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr) -> i32
// CHECK: %[[STATUS:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[SLOTS]][6]
// CHECK: %[[CHANNEL:.*]] = llvm.load %[[AT]] {{.*}} -> !llvm.ptr
// CHECK: llvm.store %c0_i32, %[[STATUS]]
// CHECK: scf.for %[[ID:.*]] = %
// CHECK:   llvm.load %[[STATUS]]
// CHECK:   scf.if
// CHECK:     %[[LISTENS:.*]] = llvm.icmp "ne" %[[CHANNEL]]
// CHECK:     scf.if %[[LISTENS]] {
// CHECK:       %[[HOST:.*]] = llvm.load %[[CHANNEL]]
// CHECK:       llvm.call %{{.*}}(%[[HOST]], %c0_i32, %[[ID]], %c0_i64, %c0_i64, %{{.*}})
// CHECK:     vector.reduction <minui>
// CHECK:     scf.if
// CHECK:       llvm.store %c2_i32, %[[STATUS]]
// CHECK:     llvm.load %[[STATUS]]
// CHECK:     scf.if
// CHECK:       llvm.store %{{.*}} : vector<64xf32>
// CHECK: %[[RESULT:.*]] = llvm.load %[[STATUS]]
// CHECK: return %[[RESULT]]
func.func @show(%x: !tile.view<64xf32, [1]> {tile.role = "inout", tile.name = "x"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0] : !tile.view<64xf32, [1]> -> tensor<64xf32>
  tile.print "x", %t : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %ok = arith.cmpf oge, %t, %zero : tensor<64xf32>
  tile.assert %ok, "x is not negative" : tensor<64xi1>
  %y = arith.addf %t, %t : tensor<64xf32>
  tile.view_store %y, %x[%c0] : tensor<64xf32>, !tile.view<64xf32, [1]>
  return
}
