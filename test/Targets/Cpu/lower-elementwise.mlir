// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower %s | FileCheck %s
// RUN: sed 's/"in"/"pointer"/; s/"out"/"pointer"/' %s | %metile-opt --metile-cpu-lower | FileCheck %s --check-prefix=ALIAS
// RUN: %metile-opt --metile-cpu-lower=target=cpu:x86-64-v3 %s | FileCheck %s --check-prefix=V3

// One test a step tells pieces inside the bound from those at its edge.
// CHECK-LABEL: func.func @scale(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr) -> i32
// CHECK-NOT: metile.alloc
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[INSIDE:.*]] = arith.andi
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<128xf32>
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : vector<128xf32>
// CHECK: llvm.store %[[Y]], %{{.*}} {alignment = 4
// CHECK: } else {
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store

// Where x and y may overlap, all of the tile is read before any of it is written.
// ALIAS-LABEL: func.func @scale
// ALIAS: metile.alloc = {element_type = f32, elements = 256 : i64, name =
// ALIAS: scf.for
// ALIAS: scf.for
// ALIAS: llvm.intr.masked.load
// ALIAS-NOT: llvm.intr.masked.store
// ALIAS: scf.for
// ALIAS: llvm.intr.masked.store

// V3-LABEL: func.func @scale
// V3: llvm.load %{{.*}} -> vector<8xf32>
// V3-NOT: vector<16xf32>
func.func @scale(%x: !tile.ptr<f32> {tile.role = "in", tile.name = "x"},
                 %y: !tile.ptr<f32> {tile.role = "out", tile.name = "y"},
                 %n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %size = arith.constant 256 : i64
  %g = tile.div ceil %n, %size : i64
  tile.grid %g
  %p = tile.program_id 0
  %o = arith.muli %p, %size : i64
  %r = tile.arange 0 : tensor<256xi64>
  %os = tile.splat %o : i64 -> tensor<256xi64>
  %i = arith.addi %os, %r : tensor<256xi64>
  %ns = tile.splat %n : i64 -> tensor<256xi64>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi64>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi64>
  %yp = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi64>
  %v = tile.load %xp, %m : tensor<256x!tile.ptr<f32>> -> tensor<256xf32> mask tensor<256xi1>
  %w = arith.addf %v, %v : tensor<256xf32>
  tile.store %yp, %w, %m : tensor<256x!tile.ptr<f32>>, tensor<256xf32> mask tensor<256xi1>
  return
}
