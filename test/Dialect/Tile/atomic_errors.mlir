// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @f(%p: tensor<8x!tile.ptr<f32>>, %x: tensor<4xf32>) {
  // expected-error @+1 {{pointer is 'tensor<8x!tile.ptr<f32>>' and value is 'tensor<4xf32>'; both have one shape}}
  %0 = tile.atomic_rmw add %p, %x : tensor<8x!tile.ptr<f32>>, tensor<4xf32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %x: f16) {
  // expected-error @+1 {{value holds 'f16' and the pointer points to 'f32'}}
  %0 = tile.atomic_rmw add %p, %x : !tile.ptr<f32>, f16
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{combines bits of 'f32'; and, or and xor are for integers}}
  %0 = tile.atomic_rmw xor %p, %x : !tile.ptr<f32>, f32
  return
}

// -----

func.func @f(%p: !tile.ptr<i1>, %x: i1) {
  // expected-error @+1 {{has kind add on i1; allowed are and, or, xor and xchg}}
  %0 = tile.atomic_rmw add %p, %x : !tile.ptr<i1>, i1
  return
}

// -----

func.func @f(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error @+1 {{is unsigned with kind add on 'i32'; max and min of integers may be}}
  %0 = tile.atomic_rmw add unsigned %p, %x : !tile.ptr<i32>, i32
  return
}

// -----

func.func @f(%p: !tile.ptr<f8E5M2>, %x: f8E5M2) {
  // expected-error @+1 {{updates 'f8E5M2'; floats of 8 bits are for storage}}
  %0 = tile.atomic_cas %p, %x, %x : !tile.ptr<f8E5M2>, f8E5M2
  return
}
