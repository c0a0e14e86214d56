// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s
// RUN: sed 's/array<i64: 32, 64>/array<i64: 32, 32>/' %s | %metile-opt --metile-cpu-lower | FileCheck %s --check-prefix=UNPROVEN

// Sizes that are multiples of the tile, visited by a grid of cdiv programs: no edge is left.
// CHECK-LABEL: func.func @copy
// CHECK-NOT: scf.if
// CHECK-NOT: masked
// CHECK: return
// UNPROVEN: scf.if
// UNPROVEN: llvm.intr.masked.store
func.func @copy(%x: !tile.view<?x?xf32, [?, 1]> {tile.role = "inout", tile.name = "x", tile.size_divisibility = array<i64: 32, 64>})
    attributes {tile.kernel} {
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %m = tile.view_size %x, 0 : !tile.view<?x?xf32, [?, 1]>
  %n = tile.view_size %x, 1 : !tile.view<?x?xf32, [?, 1]>
  %gm = tile.div ceil %m, %c32 : i64
  %gn = tile.div ceil %n, %c64 : i64
  tile.grid %gn, %gm
  %pn = tile.program_id 0
  %pm = tile.program_id 1
  %om = arith.muli %pm, %c32 : i64
  %on = arith.muli %pn, %c64 : i64
  %one = arith.constant dense<1.0> : tensor<32x64xf32>
  tile.view_store %one, %x[%om, %on] : tensor<32x64xf32>, !tile.view<?x?xf32, [?, 1]>
  return
}
