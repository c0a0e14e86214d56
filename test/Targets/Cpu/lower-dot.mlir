// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s
// RUN: sed '/%a[^n]/s/64x?xf32, \[?, 1\]/64x?xf32, [1, ?]/' %s | %metile-opt --metile-cpu-lower | FileCheck %s --check-prefix=TRANSPOSED

// The accumulator stays where it is from turn to turn, the left operand is read in place where it lies
// inside, the right one is packed in panels of the register tile.
// CHECK-LABEL: func.func @gemm
// CHECK-DAG: metile.alloc = {element_type = f32, elements = 2048 : i64, name = "shared_b_0"}
// CHECK-DAG: metile.alloc = {element_type = f32, elements = 4096 : i64, name = "carried"}
// CHECK: scf.for {{.*}} step %c32
// CHECK: scf.if {{.*}} -> (!llvm.ptr, i64, i64, i64)
// 6 x 4 sums in registers, then the 4 rows that are left of 64.
// CHECK: %[[SUMS:.*]]:24 = scf.for
// CHECK-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// CHECK: metile.loop = {induction_variable = "kk", origin = "dot0", step = 1 : i64}
// CHECK: llvm.store %[[SUMS]]#0
// CHECK: :16 = scf.for
// CHECK: metile.loop = {induction_variable = "kk", origin = "dot0", step = 1 : i64}
// CHECK: metile.loop = {induction_variable = "kb", origin = "loop0", step = 32 : i64}
// The result goes from the accumulator to memory.
// CHECK: llvm.intr.masked.store
// CHECK-NOT: tile.

// A left operand whose rows are contiguous is read in place all the same.
// TRANSPOSED: scf.if {{.*}} -> (!llvm.ptr, i64, i64, i64)
// TRANSPOSED-NEXT: scf.yield {{.*}}, %c1_i64, 
func.func @gemm(%a: !tile.view<64x?xf32, [?, 1]> {tile.role = "in", tile.name = "a"},
                %b: !tile.view<?x?xf32, [?, 1]> {tile.role = "in", tile.name = "b"},
                %c: !tile.view<64x?xf32, [?, 1]> {tile.role = "out", tile.name = "c"})
    attributes {tile.kernel} {
  %c64 = arith.constant 64 : i64
  %c32 = arith.constant 32 : i64
  %c0 = arith.constant 0 : i64
  %n = tile.view_size %c, 1 : !tile.view<64x?xf32, [?, 1]>
  %k = tile.view_size %a, 1 : !tile.view<64x?xf32, [?, 1]>
  %gn = tile.div ceil %n, %c64 : i64
  tile.grid %gn
  %pn = tile.program_id 0
  %on = arith.muli %pn, %c64 : i64
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %kk = %c0 to %k step %c32 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i64 {
    %x = tile.view_load %a[%c0, %kk] : !tile.view<64x?xf32, [?, 1]> -> tensor<64x32xf32>
    %y = tile.view_load %b[%kk, %on] : !tile.view<?x?xf32, [?, 1]> -> tensor<32x64xf32>
    %d = tile.dot %x, %y, %acc : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.view_store %s, %c[%c0, %on] : tensor<64x64xf32>, !tile.view<64x?xf32, [?, 1]>
  return
}
