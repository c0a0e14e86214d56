// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_fact(
// CHECK-SAME: tile.alignment = 16 : i64
// CHECK-SAME: tile.name = "x"
// CHECK-SAME: tile.role = "in"
// CHECK-SAME: tile.size_divisibility = array<i64: 1, 32>
// CHECK-SAME: tile.stride_divisibility = array<i64: 8, 1>
// CHECK-SAME: tile.role = "out"
// CHECK-SAME: tile.role = "inout"
// CHECK-SAME: tile.role = "pointer"
// CHECK-SAME: tile.divisibility = 4 : i64
// CHECK-SAME: attributes {tile.kernel}
func.func @every_fact(
    %x: !tile.view<?x64xf32, [?, 1]> {tile.name = "x", tile.role = "in", tile.alignment = 16 : i64,
        tile.size_divisibility = array<i64: 1, 32>, tile.stride_divisibility = array<i64: 8, 1>},
    %y: !tile.view<?xf32, [1]> {tile.name = "y", tile.role = "out"},
    %z: !tile.view<?xf32, [1]> {tile.name = "z", tile.role = "inout"},
    %p: !tile.ptr<f16> {tile.name = "p", tile.role = "pointer", tile.alignment = 2 : i64},
    %n: i32 {tile.name = "n", tile.divisibility = 4 : i64},
    %factor: f32 {tile.name = "factor"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  return
}
