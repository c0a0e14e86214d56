// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @integers
func.func @integers(%a: i8, %b: tensor<64x2xi16>, %c: vector<16xi32>) {
  // CHECK: tile.div trunc %{{.*}}, %{{.*}} : i8
  %0 = tile.div trunc %a, %a : i8
  // CHECK: tile.div floor unsigned %{{.*}}, %{{.*}} : tensor<64x2xi16>
  %1 = tile.div floor unsigned %b, %b : tensor<64x2xi16>
  // CHECK: tile.div ceil %{{.*}}, %{{.*}} : vector<16xi32>
  %2 = tile.div ceil %c, %c : vector<16xi32>
  // CHECK: tile.rem trunc unsigned %{{.*}}, %{{.*}} : i8
  %3 = tile.rem trunc unsigned %a, %a : i8
  // CHECK: tile.rem floor %{{.*}}, %{{.*}} : vector<16xi32>
  %4 = tile.rem floor %c, %c : vector<16xi32>
  // CHECK: tile.shl %{{.*}}, %{{.*}} : tensor<64x2xi16>
  %5 = tile.shl %b, %b : tensor<64x2xi16>
  // CHECK: tile.shr %{{.*}}, %{{.*}} : i8
  %6 = tile.shr %a, %a : i8
  // CHECK: tile.shr unsigned %{{.*}}, %{{.*}} : vector<16xi32>
  %7 = tile.shr unsigned %c, %c : vector<16xi32>
  return
}

// CHECK-LABEL: func.func @conversions
func.func @conversions(%a: f32, %b: tensor<8xbf16>, %c: vector<16xf64>, %d: i1, %e: tensor<8xi64>) {
  // CHECK: tile.to_int %{{.*}} : f32 -> i8
  %0 = tile.to_int %a : f32 -> i8
  // CHECK: tile.to_int unsigned %{{.*}} : tensor<8xbf16> -> tensor<8xi64>
  %1 = tile.to_int unsigned %b : tensor<8xbf16> -> tensor<8xi64>
  // CHECK: tile.from_int unsigned %{{.*}} : i1 -> f16
  %2 = tile.from_int unsigned %d : i1 -> f16
  // CHECK: tile.from_int %{{.*}} : tensor<8xi64> -> tensor<8xf32>
  %3 = tile.from_int %e : tensor<8xi64> -> tensor<8xf32>
  // CHECK: tile.round %{{.*}} : vector<16xf64> -> vector<16xf16>
  %4 = tile.round %c : vector<16xf64> -> vector<16xf16>
  // CHECK: tile.round %{{.*}} : f32 -> bf16
  %5 = tile.round %a : f32 -> bf16
  return
}

// CHECK-LABEL: func.func @upper
func.func @upper(%x: tensor<8xi32>, %f: tensor<8xf32>) {
  // CHECK: tile.mulhi unsigned %{{.*}}, %{{.*}} : tensor<8xi32>
  %0 = tile.mulhi unsigned %x, %x : tensor<8xi32>
  // CHECK: tile.mulhi %{{.*}}, %{{.*}} : tensor<8xi32>
  %1 = tile.mulhi %x, %x : tensor<8xi32>
  // CHECK: tile.round %{{.*}} : tensor<8xf32> -> tensor<8xf8E4M3FN>
  %2 = tile.round %f : tensor<8xf32> -> tensor<8xf8E4M3FN>
  return
}
