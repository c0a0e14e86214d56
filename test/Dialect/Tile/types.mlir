// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @pointers(
// CHECK-SAME: !tile.ptr<i1>, {{.*}}: !tile.ptr<i8>, {{.*}}: !tile.ptr<i16>, {{.*}}: !tile.ptr<i32>, {{.*}}: !tile.ptr<i64>
// CHECK-SAME: !tile.ptr<f16>, {{.*}}: !tile.ptr<bf16>, {{.*}}: !tile.ptr<f32>, {{.*}}: !tile.ptr<f64>
func.func @pointers(%b: !tile.ptr<i1>, %i8: !tile.ptr<i8>, %i16: !tile.ptr<i16>, %i32: !tile.ptr<i32>, %i64: !tile.ptr<i64>,
                    %f16: !tile.ptr<f16>, %bf16: !tile.ptr<bf16>, %f32: !tile.ptr<f32>, %f64: !tile.ptr<f64>) {
  return
}

// CHECK-LABEL: func.func @views(
// CHECK-SAME: !tile.view<?x64xf32, [?, 1]>
// CHECK-SAME: !tile.view<?xf16, [-2]>
// CHECK-SAME: !tile.view<4x0x?xi1, [0, ?, 3]>
// CHECK-SAME: !tile.view<f32, []>
func.func @views(%a: !tile.view<?x64xf32, [?, 1]>, %b: !tile.view<?xf16, [-2]>, %c: !tile.view<4x0x?xi1, [0, ?, 3]>,
                 %d: !tile.view<f32, []>) {
  return
}

// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: tensor<64x32x!tile.ptr<f16>>
func.func @tiles(%a: tensor<64x32x!tile.ptr<f16>>) {
  return
}
