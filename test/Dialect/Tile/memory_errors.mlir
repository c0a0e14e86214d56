// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @f(%p: tensor<64x!tile.ptr<f32>>, %i: i64) {
  // expected-error @+1 {{pointer is 'tensor<64x!tile.ptr<f32>>' and offset is 'i64'; both have one shape}}
  %0 = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>>, i64
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %i: i1) {
  // expected-error @+1 {{operand #1 must be integer or tile of them, but got 'i1'}}
  %0 = tile.addptr %p, %i : !tile.ptr<f32>, i1
  return
}

// -----

func.func @f(%p: tensor<64x!tile.ptr<f32>>) {
  // expected-error @+1 {{pointer is 'tensor<64x!tile.ptr<f32>>' and result is 'tensor<32xf32>'; both have one shape}}
  %0 = tile.load %p : tensor<64x!tile.ptr<f32>> -> tensor<32xf32>
  return
}

// -----

func.func @f(%p: tensor<64x!tile.ptr<f32>>) {
  // expected-error @+1 {{result holds 'f16' and the pointer points to 'f32'; memory is read and written as what it holds}}
  %0 = tile.load %p : tensor<64x!tile.ptr<f32>> -> tensor<64xf16>
  return
}

// -----

func.func @f(%p: tensor<64x!tile.ptr<f32>>, %m: i1) {
  // expected-error @+1 {{pointer is 'tensor<64x!tile.ptr<f32>>' and mask is 'i1'; both have one shape}}
  %0 = tile.load %p, %m : tensor<64x!tile.ptr<f32>> -> tensor<64xf32> mask i1
  return
}

// -----

func.func @f(%p: tensor<64x!tile.ptr<f32>>, %m: tensor<64xi1>, %x: f32) {
  // expected-error @+1 {{other is 'f32' and the result is 'tensor<64xf32>'; both have one type}}
  %0 = tile.load %p, %m, %x : tensor<64x!tile.ptr<f32>> -> tensor<64xf32> mask tensor<64xi1> other f32
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{has `other` without a mask; it is what masked elements equal}}
  %0 = "tile.load"(%p, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tile.ptr<f32>, f32) -> f32
  return
}

// -----

func.func @f(%p: tensor<64x!tile.ptr<f32>>, %x: f32) {
  // expected-error @+1 {{pointer is 'tensor<64x!tile.ptr<f32>>' and value is 'f32'; both have one shape}}
  tile.store %p, %x : tensor<64x!tile.ptr<f32>>, f32
  return
}

// -----

func.func @f(%p: tensor<16x!tile.ptr<f32>>, %i: vector<16xi64>) {
  // expected-error @+1 {{pointer is 'tensor<16x!tile.ptr<f32>>' and offset is 'vector<16xi64>'; both have one shape}}
  %0 = tile.addptr %p, %i : tensor<16x!tile.ptr<f32>>, vector<16xi64>
  return
}

// -----

func.func @f(%p: !tile.ptr<i1>, %x: i8) {
  // expected-error @+1 {{value holds 'i8' and the pointer points to 'i1'}}
  tile.store %p, %x : !tile.ptr<i1>, i8
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>) {
  // expected-error @+1 {{names axis 1; allowed are 0 to 0}}
  %0 = tile.view_size %x, 1 : !tile.view<?xf32, [1]>
  return
}

// -----

func.func @f(%x: !tile.view<f32, []>) {
  // expected-error @+1 {{names axis 0 of something that has no axes}}
  %0 = tile.view_stride %x, 0 : !tile.view<f32, []>
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>, %i: i64) {
  // expected-error @+1 {{has 2 indices for a view of rank 1; it fixes 1 to 1 axes}}
  %0 = tile.view_at %x[%i, %i] : !tile.view<?xf32, [1]> -> !tile.view<f32, []>
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>) {
  // expected-error @+1 {{has 0 indices for a view of rank 1; it fixes 1 to 1 axes}}
  %0 = tile.view_at %x[] : !tile.view<?xf32, [1]> -> !tile.view<?xf32, [1]>
  return
}

// -----

func.func @f(%x: !tile.view<?x64xf32, [?, 1]>, %i: i64) {
  // expected-error @+1 {{makes '!tile.view<?xf32, [1]>'; what is left of '!tile.view<?x64xf32, [?, 1]>' is '!tile.view<64xf32, [1]>'}}
  %0 = tile.view_at %x[%i] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<?xf32, [1]>
  return
}

// -----

func.func @f(%x: !tile.view<?x64xf32, [?, 1]>) {
  // expected-error @+1 {{has permutation [0]; it names each axis from 0 to 1 once}}
  %0 = tile.view_transpose %x, [0] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64x?xf32, [1, ?]>
  return
}

// -----

func.func @f(%x: !tile.view<?x64xf32, [?, 1]>) {
  // expected-error @+1 {{permuted by [1, 0] it is '!tile.view<64x?xf32, [1, ?]>'}}
  %0 = tile.view_transpose %x, [1, 0] : !tile.view<?x64xf32, [?, 1]> -> !tile.view<64x?xf32, [?, 1]>
  return
}

// -----

func.func @f(%x: !tile.view<?x64xf32, [?, 1]>, %i: i64) {
  // expected-error @+1 {{has 1 offsets for a view of rank 2; there is one an axis}}
  %0 = tile.view_load %x[%i] : !tile.view<?x64xf32, [?, 1]> -> tensor<8x32xf32>
  return
}

// -----

func.func @f(%x: !tile.view<?x64xf32, [?, 1]>, %i: i64) {
  // expected-error @+1 {{result has rank 1 and the view rank 2; they are equal, and a view of rank 0 holds a scalar}}
  %0 = tile.view_load %x[%i, %i] : !tile.view<?x64xf32, [?, 1]> -> tensor<32xf32>
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>, %i: i64) {
  // expected-error @+1 {{result holds 'f16' and the view 'f32'; memory is read and written as what it holds}}
  %0 = tile.view_load %x[%i] : !tile.view<?xf32, [1]> -> tensor<32xf16>
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>, %i: i64, %fill: f64) {
  // expected-error @+1 {{fill holds 'f64' and result holds 'f32'; both hold the same type}}
  %0 = tile.view_load %x[%i] fill %fill : f64 : !tile.view<?xf32, [1]> -> tensor<32xf32>
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>, %i: i64) {
  // expected-error @+1 {{in_bounds has 2 entries for a view of rank 1; there is one an axis}}
  %0 = tile.view_load %x[%i] in_bounds [true, false] : !tile.view<?xf32, [1]> -> tensor<32xf32>
  return
}

// -----

func.func @f(%x: !tile.view<?xf32, [1]>, %i: i64, %t: tensor<32xf16>) {
  // expected-error @+1 {{value holds 'f16' and the view 'f32'}}
  tile.view_store %t, %x[%i] : tensor<32xf16>, !tile.view<?xf32, [1]>
  return
}

// -----

// What an "in" argument views is never written to, however the view was made.
func.func @f(%x: !tile.view<?x?xf32, [?, 1]> {tile.role = "in"}, %i: i64, %t: tensor<32xf32>) {
  %0 = tile.view_transpose %x, [1, 0] : !tile.view<?x?xf32, [?, 1]> -> !tile.view<?x?xf32, [1, ?]>
  %1 = tile.view_at %0[%i] : !tile.view<?x?xf32, [1, ?]> -> !tile.view<?xf32, [?]>
  // expected-error @+1 {{writes to argument 0, whose role is "in"; "out" and "inout" are written to}}
  tile.view_store %t, %1[%i] : tensor<32xf32>, !tile.view<?xf32, [?]>
  return
}

// -----

func.func @f(%x: !tile.view<?x?xf16, [?, 1]>, %m: i64) {
  // expected-error @+1 {{has 1 offsets for a view of rank 2; there is one an axis}}
  %0, %1 = tile.view_pointers %x[%m] : !tile.view<?x?xf16, [?, 1]>
      -> tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi1>
  return
}

// -----

func.func @f(%x: !tile.view<?xf16, [1]>, %m: i64) {
  // expected-error @+1 {{pointer holds 'f32' and the view 'f16'}}
  %0, %1 = tile.view_pointers %x[%m] : !tile.view<?xf16, [1]>
      -> tensor<8x!tile.ptr<f32>>, tensor<8xi1>
  return
}

// -----

func.func @f(%x: !tile.view<?xf16, [1]>, %m: i64) {
  // expected-error @+1 {{pointer is 'tensor<8x!tile.ptr<f16>>' and inside is 'tensor<4xi1>'; both have one shape}}
  %0, %1 = tile.view_pointers %x[%m] : !tile.view<?xf16, [1]>
      -> tensor<8x!tile.ptr<f16>>, tensor<4xi1>
  return
}
