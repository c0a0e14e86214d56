// RUN: metile-opt %s -canonicalize -split-input-file | FileCheck %s

// Nothing traps, and what has no quotient is 0.
// CHECK-LABEL: func.func @by_zero
func.func @by_zero(%x: i32, %xs: tensor<8xi32>) -> (i32, i32, tensor<8xi32>, i32, i32) {
  // CHECK-DAG: %[[Z:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[ZS:.*]] = arith.constant dense<0> : tensor<8xi32>
  // CHECK: return %[[Z]], %[[Z]], %[[ZS]], %[[Z]], %[[Z]]
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %0 = tile.div floor %x, %zero : i32
  %1 = tile.rem ceil %x, %zero : i32
  %2 = tile.div trunc unsigned %xs, %zeros : tensor<8xi32>
  %3 = tile.div ceil %zero, %x : i32
  %4 = tile.rem trunc %zero, %x : i32
  return %0, %1, %2, %3, %4 : i32, i32, tensor<8xi32>, i32, i32
}

// -----

// CHECK-LABEL: func.func @neutral
// CHECK-SAME: %[[X:[^:]*]]: i32, %[[XS:.*]]: tensor<8xi32>
func.func @neutral(%x: i32, %xs: tensor<8xi32>) -> (i32, tensor<8xi32>, i32, i32, tensor<8xi32>) {
  // CHECK-DAG: %[[ZS:.*]] = arith.constant dense<0> : tensor<8xi32>
  // CHECK: return %[[X]], %[[XS]], %[[X]], %[[X]], %[[ZS]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1> : tensor<8xi32>
  %0 = tile.div floor %x, %one : i32
  %1 = tile.div ceil unsigned %xs, %ones : tensor<8xi32>
  %2 = tile.shl %x, %zero : i32
  %3 = tile.shr unsigned %x, %zero : i32
  %4 = tile.rem floor %xs, %ones : tensor<8xi32>
  return %0, %1, %2, %3, %4 : i32, tensor<8xi32>, i32, i32, tensor<8xi32>
}

// -----

// CHECK-LABEL: func.func @quotients
func.func @quotients() -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<[2, -2, -2, 2, 0, -128, -64, 0]>
  // CHECK-DAG: %[[F:.*]] = arith.constant dense<[2, -3, -3, 2, 0, -128, -64, -1]>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<[3, -2, -2, 3, 0, -128, -64, 0]>
  // CHECK-DAG: %[[U:.*]] = arith.constant dense<[2, 83, 0, 0, 0, 0, 64, 85]>
  // CHECK-DAG: %[[V:.*]] = arith.constant dense<[3, 83, 1, 1, 0, 1, 64, 85]>
  // CHECK: return %[[T]], %[[F]], %[[C]], %[[U]], %[[V]]
  %x = arith.constant dense<[7, -7, 7, -7, 100, -128, -128, -1]> : tensor<8xi8>
  %y = arith.constant dense<[3, 3, -3, -3, 0, -1, 2, 3]> : tensor<8xi8>
  %0 = tile.div trunc %x, %y : tensor<8xi8>
  %1 = tile.div floor %x, %y : tensor<8xi8>
  %2 = tile.div ceil %x, %y : tensor<8xi8>
  %3 = tile.div floor unsigned %x, %y : tensor<8xi8>
  %4 = tile.div ceil unsigned %x, %y : tensor<8xi8>
  return %0, %1, %2, %3, %4 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// -----

// CHECK-LABEL: func.func @remainders
func.func @remainders() -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<[1, -1, 1, -1, 0, 0, 0, -1]>
  // CHECK-DAG: %[[F:.*]] = arith.constant dense<[1, 2, -2, -1, 0, 0, 0, 2]>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<[-2, -1, 1, 2, 0, 0, 0, -1]>
  // CHECK-DAG: %[[U:.*]] = arith.constant dense<[1, 0, 7, -7, 0, -128, 0, 0]>
  // CHECK-DAG: %[[V:.*]] = arith.constant dense<[-2, 0, 10, -4, 0, -127, 0, 0]>
  // CHECK: return %[[T]], %[[F]], %[[C]], %[[U]], %[[V]]
  %x = arith.constant dense<[7, -7, 7, -7, 100, -128, -128, -1]> : tensor<8xi8>
  %y = arith.constant dense<[3, 3, -3, -3, 0, -1, 2, 3]> : tensor<8xi8>
  %0 = tile.rem trunc %x, %y : tensor<8xi8>
  %1 = tile.rem floor %x, %y : tensor<8xi8>
  %2 = tile.rem ceil %x, %y : tensor<8xi8>
  %3 = tile.rem trunc unsigned %x, %y : tensor<8xi8>
  %4 = tile.rem ceil unsigned %x, %y : tensor<8xi8>
  return %0, %1, %2, %3, %4 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// -----

// CHECK-LABEL: func.func @lowest_by_minus_one
func.func @lowest_by_minus_one() -> (i64, i64, tensor<4xi32>) {
  // CHECK-DAG: %[[Q:.*]] = arith.constant -9223372036854775808 : i64
  // CHECK-DAG: %[[R:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[S:.*]] = arith.constant dense<-2147483648> : tensor<4xi32>
  // CHECK: return %[[Q]], %[[R]], %[[S]]
  %min = arith.constant -9223372036854775808 : i64
  %minus = arith.constant -1 : i64
  %mins = arith.constant dense<-2147483648> : tensor<4xi32>
  %minuses = arith.constant dense<-1> : tensor<4xi32>
  %0 = tile.div trunc %min, %minus : i64
  %1 = tile.rem trunc %min, %minus : i64
  %2 = tile.div floor %mins, %minuses : tensor<4xi32>
  return %0, %1, %2 : i64, i64, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @shifts
func.func @shifts() -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  // CHECK-DAG: %[[L:.*]] = arith.constant dense<[10, -128, 0, 0, -128, 0, 0, 0]>
  // CHECK-DAG: %[[R:.*]] = arith.constant dense<[2, -3, 0, 0, 0, -1, -1, -1]>
  // CHECK-DAG: %[[U:.*]] = arith.constant dense<[2, 125, 0, 0, 0, 0, 0, 1]>
  // CHECK: return %[[L]], %[[R]], %[[U]]
  %x = arith.constant dense<[5, -6, 5, 5, 1, -6, -6, -128]> : tensor<8xi8>
  %y = arith.constant dense<[1, 1, 8, -1, 7, 8, -128, 7]> : tensor<8xi8>
  %z = arith.constant dense<[1, 6, 8, -1, 7, 8, -128, 7]> : tensor<8xi8>
  %0 = tile.shl %x, %z : tensor<8xi8>
  %1 = tile.shr %x, %y : tensor<8xi8>
  %2 = tile.shr unsigned %x, %y : tensor<8xi8>
  return %0, %1, %2 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// -----

// CHECK-LABEL: func.func @to_int
func.func @to_int() -> (tensor<8xi8>, tensor<8xi8>) {
  // CHECK-DAG: %[[S:.*]] = arith.constant dense<[1, -1, 127, -128, 0, 127, -128, 127]>
  // CHECK-DAG: %[[U:.*]] = arith.constant dense<[1, 0, -56, 0, 0, -1, 0, -1]>
  // CHECK: return %[[S]], %[[U]]
  %x = arith.constant dense<[1.75, -1.75, 200.0, -200.0, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0e30]> : tensor<8xf32>
  %0 = tile.to_int %x : tensor<8xf32> -> tensor<8xi8>
  %1 = tile.to_int unsigned %x : tensor<8xf32> -> tensor<8xi8>
  return %0, %1 : tensor<8xi8>, tensor<8xi8>
}

// -----

// 2^24 + 1 lies between two floats and goes to the even one; 2^24 + 3 goes up; 65520 is infinite in
// f16, 65519 the largest number; true is 1.
// CHECK-LABEL: func.func @from_int
func.func @from_int() -> (tensor<4xf32>, tensor<2xf16>, f32, f32, f32) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<[0x4B800000, 0x4B800002, -1.000000e+00, -2.14748365E+9]>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<[0x7C00, 6.550400e+04]> : tensor<2xf16>
  // CHECK-DAG: %[[C:.*]] = arith.constant 4.2949673E+9 : f32
  // CHECK-DAG: %[[D:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-DAG: %[[E:.*]] = arith.constant -1.000000e+00 : f32
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  %x = arith.constant dense<[16777217, 16777219, -1, -2147483648]> : tensor<4xi32>
  %y = arith.constant dense<[65520, 65519]> : tensor<2xi32>
  %minus = arith.constant -1 : i32
  %true = arith.constant true
  %0 = tile.from_int %x : tensor<4xi32> -> tensor<4xf32>
  %1 = tile.from_int %y : tensor<2xi32> -> tensor<2xf16>
  %2 = tile.from_int unsigned %minus : i32 -> f32
  %3 = tile.from_int unsigned %true : i1 -> f32
  %4 = tile.from_int %minus : i32 -> f32
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<2xf16>, f32, f32, f32
}

// -----

// CHECK-LABEL: func.func @round
// CHECK-SAME: %[[X:.*]]: tensor<8xbf16>
func.func @round(%x: tensor<8xbf16>) -> (tensor<4xbf16>, tensor<4xf16>, tensor<8xbf16>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<[1.000000e+00, 1.015630e+00, 0x7F80, 0x7FC0]> : tensor<4xbf16>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<[5.960460e-08, 0.000000e+00, 1.000980e+00, 0x7C00]> : tensor<4xf16>
  // CHECK: return %[[A]], %[[B]], %[[X]]
  // Ties go to the even neighbour, here down and up.
  %0 = arith.constant dense<[1.00390625, 1.01171875, 3.4028235e38, 0x7FC00000]> : tensor<4xf32>
  // The smallest f16; half of it; just above a tie, which two roundings would lose; too large.
  %1 = arith.constant dense<[0x3E70000000000000, 0x3E60000000000000, 0x3FF0020000000001, 65520.0]> : tensor<4xf64>
  %2 = tile.round %0 : tensor<4xf32> -> tensor<4xbf16>
  %3 = tile.round %1 : tensor<4xf64> -> tensor<4xf16>
  %wide = arith.extf %x : tensor<8xbf16> to tensor<8xf32>
  %4 = tile.round %wide : tensor<8xf32> -> tensor<8xbf16>
  return %2, %3, %4 : tensor<4xbf16>, tensor<4xf16>, tensor<8xbf16>
}

// -----

// CHECK-LABEL: func.func @unknown
func.func @unknown(%x: i32, %y: f32) -> (i32, i32, i32) {
  // CHECK: tile.div
  // CHECK: tile.shr
  // CHECK: tile.to_int
  %two = arith.constant 2 : i32
  %0 = tile.div floor %x, %two : i32
  %1 = tile.shr %two, %x : i32
  %2 = tile.to_int %y : f32 -> i32
  return %0, %1, %2 : i32, i32, i32
}

// -----

// Floats of 8 bits saturate, also from infinity; NaN stays NaN.
// CHECK-LABEL: func.func @saturate
func.func @saturate() -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2>) {
  // 465 is past the middle to a number that does not exist; the last is the smallest subnormal.
  // CHECK: arith.constant dense<[4.480000e+02, -4.480000e+02, 4.480000e+02, 1.953130e-03]> : tensor<4xf8E4M3FN>
  // CHECK: arith.constant dense<[5.734400e+04, -5.734400e+04, 0x7E, 1.525880e-05]> : tensor<4xf8E5M2>
  %x = arith.constant dense<[1.0e+9, 0xFF800000, 465.0, 0.001953125]> : tensor<4xf32>
  %y = arith.constant dense<[0x7F800000, -1.0e+9, 0x7FC00000, 0.0000152587890625]> : tensor<4xf32>
  %0 = tile.round %x : tensor<4xf32> -> tensor<4xf8E4M3FN>
  %1 = tile.round %y : tensor<4xf32> -> tensor<4xf8E5M2>
  return %0, %1 : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>
}

// -----

// What is stored as f8E4M3FN comes back; an infinite f8E5M2 becomes finite.
// CHECK-LABEL: func.func @round_widened
// CHECK-SAME: %[[X:.*]]: f8E4M3FN, %{{.*}}: f8E5M2
func.func @round_widened(%x: f8E4M3FN, %y: f8E5M2) -> (f8E4M3FN, f8E5M2) {
  // CHECK: %[[Y:.*]] = tile.round
  // CHECK: return %[[X]], %[[Y]]
  %0 = arith.extf %x : f8E4M3FN to f32
  %1 = tile.round %0 : f32 -> f8E4M3FN
  %2 = arith.extf %y : f8E5M2 to f32
  %3 = tile.round %2 : f32 -> f8E5M2
  return %1, %3 : f8E4M3FN, f8E5M2
}
