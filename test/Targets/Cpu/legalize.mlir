// RUN: %metile-opt %s --cpu-legalize | FileCheck %s
// RUN: %metile-opt %s --cpu-legalize=target=cpu:x86-64-v3 | FileCheck %s --check-prefix=AVX2

// A divisor that may be zero is replaced, and so is its result.
// CHECK-LABEL: @div_scalar
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i32
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[B]] : i32
// CHECK: %[[Q:.*]] = arith.divsi %[[A]], %[[SAFE]] : i32
// CHECK: arith.select %[[ZERO]], %{{.*}}, %[[Q]] : i32
func.func @div_scalar(%a: i32, %b: i32) -> i32 {
  %0 = tile.div trunc %a, %b : i32
  return %0 : i32
}

// Vectors of 32-bit numbers are divided as f64.
// CHECK-LABEL: @div_vector
// CHECK: arith.divf %{{.*}}, %{{.*}} : vector<16xf64>
// CHECK: arith.fptosi %{{.*}} : vector<16xf64> to vector<16xi32>
// CHECK-NOT: arith.divsi
func.func @div_vector(%a: vector<16xi32>, %b: vector<16xi32>) -> vector<16xi32> {
  %0 = tile.div floor %a, %b : vector<16xi32>
  return %0 : vector<16xi32>
}

// Powers of two need no division.
// CHECK-LABEL: @div_by_eight
// CHECK-NOT: div
// CHECK: arith.shrsi
// CHECK-LABEL: @rem_by_eight
// CHECK-NOT: div
// CHECK: arith.andi
func.func @div_by_eight(%a: vector<8xi64>) -> vector<8xi64> {
  %eight = arith.constant dense<8> : vector<8xi64>
  %0 = tile.div trunc %a, %eight : vector<8xi64>
  return %0 : vector<8xi64>
}
func.func @rem_by_eight(%a: i64) -> i64 {
  %eight = arith.constant 8 : i64
  %0 = tile.rem floor %a, %eight : i64
  return %0 : i64
}

// Wide lanes are divided one by one only if one of them is large.
// CHECK-LABEL: @div_wide
// CHECK: vector.reduction <or>
// CHECK: scf.if
// CHECK: arith.divsi %{{.*}} : vector<8xi64>
// CHECK: } else {
// CHECK: arith.divf %{{.*}} : vector<8xf64>
func.func @div_wide(%a: vector<8xi64>, %b: vector<8xi64>) -> vector<8xi64> {
  %0 = tile.div trunc %a, %b : vector<8xi64>
  return %0 : vector<8xi64>
}

// CHECK-LABEL: @shl
// CHECK: %[[S:.*]] = arith.shli
// CHECK: %[[FITS:.*]] = arith.cmpi ult
// CHECK: arith.select %[[FITS]], %[[S]]
func.func @shl(%a: vector<16xi32>, %b: vector<16xi32>) -> vector<16xi32> {
  %0 = tile.shl %a, %b : vector<16xi32>
  return %0 : vector<16xi32>
}

// bf16 is rounded by integer arithmetic, f16 by the instruction.
// CHECK-LABEL: @round_bf16
// CHECK-NOT: arith.truncf
// CHECK: arith.shrui
// CHECK: arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
// CHECK-LABEL: @round_f16
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xf16>
func.func @round_bf16(%a: vector<16xf32>, %p: !llvm.ptr) {
  %0 = tile.round %a : vector<16xf32> -> vector<16xbf16>
  llvm.store %0, %p {alignment = 2 : i64} : vector<16xbf16>, !llvm.ptr
  return
}
func.func @round_f16(%a: vector<16xf32>) -> vector<16xf16> {
  %0 = tile.round %a : vector<16xf32> -> vector<16xf16>
  return %0 : vector<16xf16>
}

// Half arithmetic happens in f32.
// CHECK-LABEL: @half
// CHECK: %[[W:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: arith.truncf %[[W]]
func.func @half(%a: vector<16xf16>, %b: vector<16xf16>) -> vector<16xf16> {
  %0 = arith.mulf %a, %b fastmath<contract> : vector<16xf16>
  return %0 : vector<16xf16>
}

// CHECK-LABEL: @exp
// CHECK-NOT: math.exp
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// AVX2-LABEL: @exp
// AVX2-NOT: math.exp
// AVX2-NOT: avx512
// AVX2: return
func.func @exp(%a: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %a : vector<16xf32>
  return %0 : vector<16xf32>
}

// One instruction orders signed zeros; NaN is put back.
// CHECK-LABEL: @max
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
// CHECK: arith.cmpf uno
// AVX2-LABEL: @max
// AVX2: arith.maximumf
func.func @max(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
  %0 = arith.maximumf %a, %b : vector<16xf32>
  return %0 : vector<16xf32>
}
