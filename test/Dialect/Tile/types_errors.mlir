// RUN: metile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{pointer to 'index'; it may point to i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 and f64}}
func.func private @f(!tile.ptr<index>)

// -----

// expected-error @+1 {{pointer to 'si32'; it may point to}}
func.func private @f(!tile.ptr<si32>)

// -----

// expected-error @+1 {{pointer to '!tile.ptr<f32>'; it may point to}}
func.func private @f(!tile.ptr<!tile.ptr<f32>>)

// -----

// expected-error @+1 {{view of 'i7'; its elements may be}}
func.func private @f(!tile.view<?xi7, [1]>)

// -----

// expected-error @+1 {{view has 2 axes and 1 strides; there is one stride an axis}}
func.func private @f(!tile.view<?x?xf32, [1]>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @f(!tile.view<?xf32>)

// -----

// expected-error @+1 {{expected integer value}}
func.func private @f(!tile.view<?xf32, [x]>)

// -----

func.func @rank0(%x: f32) {
  // expected-error @+1 {{result 0: tile 'tensor<f32>' has rank 0; a single value is written as the scalar 'f32'}}
  %0 = tile.splat %x : f32 -> tensor<f32>
  return
}

// -----

func.func @unknown(%x: f32) {
  // expected-error @+1 {{tile 'tensor<?xf32>' has an unknown extent on axis 0; the shape of a tile is known at compile time}}
  %0 = tile.splat %x : f32 -> tensor<?xf32>
  return
}

// -----

func.func @empty(%x: f32) {
  // expected-error @+1 {{has no elements on axis 1; an axis holds 1 or more}}
  %0 = tile.splat %x : f32 -> tensor<4x0xf32>
  return
}

// -----

func.func @odd(%x: f32) {
  // expected-error @+1 {{has extent 48 on axis 1; an axis is a power of two, the nearest are 32 and 64}}
  %0 = tile.splat %x : f32 -> tensor<4x48xf32>
  return
}

// -----

func.func @operand(%x: tensor<6xf32>) {
  // expected-error @+1 {{operand 0: tile 'tensor<6xf32>' has extent 6 on axis 0; an axis is a power of two, the nearest are 4 and 8}}
  %0 = tile.reshape %x : tensor<6xf32> -> tensor<8xf32>
  return
}

// -----

func.func @large(%x: f32) {
  %largest = tile.splat %x : f32 -> tensor<1024x1024xf32>
  // expected-error @+1 {{is too large; a tile has at most 1048576 elements}}
  %0 = tile.splat %x : f32 -> tensor<1024x2048xf32>
  return
}

// -----

// The product of these extents wraps round to 0 in 64 bits.
func.func @huge(%x: f32) {
  // expected-error @+1 {{is too large}}
  %0 = tile.splat %x : f32 -> tensor<4294967296x4294967296xf32>
  return
}

// -----

func.func @encoding(%x: f32) {
  // expected-error @+1 {{has an encoding; tiles have none in this dialect}}
  %0 = tile.splat %x : f32 -> tensor<4xf32, 1 : i64>
  return
}
