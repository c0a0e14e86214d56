// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @f(%a: f32) {
  // expected-error @+1 {{operand #0 must be integer or tile of them, but got 'f32'}}
  %0 = tile.div trunc %a, %a : f32
  return
}

// -----

func.func @f(%a: i1) {
  // expected-error @+1 {{operand #0 must be integer or tile of them, but got 'i1'}}
  %0 = tile.shl %a, %a : i1
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'rounding' [trunc, floor, ceil]}}
  %0 = tile.div nearest %a, %a : i32
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  // expected-error @+1 {{all of {lhs, rhs, result} have same type}}
  %0 = "tile.shr"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error @+1 {{result #0 must be integer or tile of them, but got 'tensor<8xi1>'}}
  %0 = tile.to_int %a : tensor<8xf32> -> tensor<8xi1>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = tile.to_int %a : tensor<8xf32> -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: i1) {
  // expected-error @+1 {{reads i1 as signed, where true is -1; i1 is converted with `unsigned`}}
  %0 = tile.from_int %a : i1 -> f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{goes from 'f32' to 'f64'; it goes to fewer bits, and arith.extf to more}}
  %0 = tile.round %a : f32 -> f64
  return
}

// -----

func.func @f(%a: f16) {
  // expected-error @+1 {{goes from 'f16' to 'bf16'; it goes to fewer bits}}
  %0 = tile.round %a : f16 -> bf16
  return
}
