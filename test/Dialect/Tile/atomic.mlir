// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: !tile.ptr<i32>, %ps: tensor<8x!tile.ptr<f32>>, %i: i32, %x: tensor<8xf32>,
                   %mask: tensor<8xi1>, %b: !tile.ptr<i1>, %bit: i1) {
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32
  %0 = tile.atomic_rmw add %p, %i : !tile.ptr<i32>, i32
  // CHECK: tile.atomic_rmw max unsigned relaxed %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32
  %1 = tile.atomic_rmw max unsigned relaxed %p, %i : !tile.ptr<i32>, i32
  // CHECK: tile.atomic_rmw add release %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xf32> mask tensor<8xi1>
  %2 = tile.atomic_rmw add release %ps, %x, %mask
      : tensor<8x!tile.ptr<f32>>, tensor<8xf32> mask tensor<8xi1>
  // CHECK: tile.atomic_rmw xor %{{.*}}, %{{.*}} : !tile.ptr<i1>, i1
  %3 = tile.atomic_rmw xor acq_rel %b, %bit : !tile.ptr<i1>, i1
  // CHECK: tile.atomic_cas acquire %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32
  %4 = tile.atomic_cas acquire %p, %i, %0 : !tile.ptr<i32>, i32
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xf32> mask tensor<8xi1>
  %5 = tile.atomic_cas %ps, %x, %2, %mask
      : tensor<8x!tile.ptr<f32>>, tensor<8xf32> mask tensor<8xi1>
  return
}
