// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @pointers
func.func @pointers(%p: !tile.ptr<f32>, %i: i64, %ps: tensor<64x!tile.ptr<f32>>, %is: tensor<64xi32>,
                    %x: f32, %xs: tensor<64xf32>, %m: i1, %ms: tensor<64xi1>) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<f32>, i64
  %0 = tile.addptr %p, %i : !tile.ptr<f32>, i64
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %1 = tile.addptr %ps, %is : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  // CHECK: tile.load %{{.*}} : !tile.ptr<f32> -> f32
  %2 = tile.load %p : !tile.ptr<f32> -> f32
  // CHECK: tile.load %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>> -> tensor<64xf32> mask tensor<64xi1>
  %3 = tile.load %1, %ms : tensor<64x!tile.ptr<f32>> -> tensor<64xf32> mask tensor<64xi1>
  // CHECK: tile.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>> -> tensor<64xf32> mask tensor<64xi1> other tensor<64xf32>
  %4 = tile.load %1, %ms, %xs : tensor<64x!tile.ptr<f32>> -> tensor<64xf32> mask tensor<64xi1> other tensor<64xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<f32>, f32
  tile.store %p, %x : !tile.ptr<f32>, f32
  // CHECK: tile.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>, tensor<64xf32> mask tensor<64xi1>
  tile.store %ps, %4, %ms : tensor<64x!tile.ptr<f32>>, tensor<64xf32> mask tensor<64xi1>
  return
}

// A target lowers tiles in pieces, which are vectors.
// CHECK-LABEL: func.func @pieces
func.func @pieces(%p: vector<16x!tile.ptr<f32>>, %i: vector<16xi64>, %m: vector<16xi1>) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : vector<16x!tile.ptr<f32>>, vector<16xi64>
  %0 = tile.addptr %p, %i : vector<16x!tile.ptr<f32>>, vector<16xi64>
  // CHECK: tile.load %{{.*}}, %{{.*}} : vector<16x!tile.ptr<f32>> -> vector<16xf32> mask vector<16xi1>
  %1 = tile.load %0, %m : vector<16x!tile.ptr<f32>> -> vector<16xf32> mask vector<16xi1>
  // CHECK: tile.store %{{.*}}, %{{.*}}, %{{.*}} : vector<16x!tile.ptr<f32>>, vector<16xf32> mask vector<16xi1>
  tile.store %0, %1, %m : vector<16x!tile.ptr<f32>>, vector<16xf32> mask vector<16xi1>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%x: !tile.view<?x64xf32, [?, 1]>, %i: i64, %fill: f32) {
  // CHECK: tile.view_size %{{.*}}, 0 : !tile.view<?x64xf32, [?, 1]>
  %0 = tile.view_size %x, 0 : !tile.view<?x64xf32, [?, 1]>
  // CHECK: tile.view_stride %{{.*}}, 1 : !tile.view<?x64xf32, [?, 1]>
  %1 = tile.view_stride %x, 1 : !tile.view<?x64xf32, [?, 1]>
  // CHECK: tile.view_at %{{.*}}[%{{.*}}] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64xf32, [1]>
  %2 = tile.view_at %x[%i] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64xf32, [1]>
  // CHECK: tile.view_at %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<f32, []>
  %3 = tile.view_at %x[%i, %i] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<f32, []>
  // CHECK: tile.view_transpose %{{.*}}, [1, 0] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64x?xf32, [1, ?]>
  %4 = tile.view_transpose %x, [1, 0] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64x?xf32, [1, ?]>
  // CHECK: tile.view_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<?x64xf32, [?, 1]> -> tensor<8x32xf32>
  %5 = tile.view_load %x[%i, %i] : !tile.view<?x64xf32, [?, 1]> -> tensor<8x32xf32>
  // CHECK: tile.view_load %{{.*}}[%{{.*}}, %{{.*}}] fill %{{.*}} : f32 in_bounds [false, true] : !tile.view<?x64xf32, [?, 1]> -> tensor<8x32xf32>
  %6 = tile.view_load %x[%i, %i] fill %fill : f32 in_bounds [false, true] : !tile.view<?x64xf32, [?, 1]> -> tensor<8x32xf32>
  // CHECK: tile.view_load %{{.*}}[] : !tile.view<f32, []> -> f32
  %7 = tile.view_load %3[] : !tile.view<f32, []> -> f32
  // CHECK: tile.view_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x32xf32>, !tile.view<?x64xf32, [?, 1]>
  tile.view_store %5, %x[%i, %i] : tensor<8x32xf32>, !tile.view<?x64xf32, [?, 1]>
  // CHECK: tile.view_store %{{.*}}, %{{.*}}[%{{.*}}] in_bounds [true] : tensor<8xf32>, !tile.view<64xf32, [1]>
  %8 = tile.view_load %2[%i] : !tile.view<64xf32, [1]> -> tensor<8xf32>
  tile.view_store %8, %2[%i] in_bounds [true] : tensor<8xf32>, !tile.view<64xf32, [1]>
  return
}

// CHECK-LABEL: func.func @view_pointers
func.func @view_pointers(%x: !tile.view<?x?xf16, [?, 1]>, %v: !tile.view<f32, []>, %m: i64) {
  // CHECK: tile.view_pointers %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<?x?xf16, [?, 1]> -> tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi1>
  %0, %1 = tile.view_pointers %x[%m, %m] : !tile.view<?x?xf16, [?, 1]>
      -> tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi1>
  // CHECK: tile.view_pointers %{{.*}}[] : !tile.view<f32, []> -> !tile.ptr<f32>, i1
  %2, %3 = tile.view_pointers %v[] : !tile.view<f32, []> -> !tile.ptr<f32>, i1
  return
}
