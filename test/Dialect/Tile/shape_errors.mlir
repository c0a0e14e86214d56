// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error @+1 {{makes 'tensor<4x4xi64>'; it makes a tile of one axis}}
  %0 = tile.arange 0 : tensor<4x4xi64>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{result #0 must be ranked tensor of 64-bit signless integer values}}
  %0 = tile.arange 0 : tensor<4xi32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{value holds 'f32' and result holds 'f16'; both hold the same type}}
  %0 = tile.splat %x : f32 -> tensor<4xf16>
  return
}

// -----

func.func @f(%x: index) {
  // expected-error @+1 {{operand #0 must be number or pointer, but got 'index'}}
  %0 = tile.splat %x : index -> tensor<4xindex>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{names axis 2; allowed are 0 to 1}}
  %0 = tile.expand_dims %x, 2 : tensor<4xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{makes 'tensor<1x4xf32>' of 'tensor<4xf32>'; with axis 1 it makes 'tensor<4x1xf32>'}}
  %0 = tile.expand_dims %x, 1 : tensor<4xf32> -> tensor<1x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x1xf32>) {
  // expected-error @+1 {{changes axis 0 from 4 to 8; only an axis of extent 1 is repeated}}
  %0 = tile.broadcast %x : tensor<4x1xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{the rank stays, tile.expand_dims adds axes}}
  %0 = tile.broadcast %x : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1xf32>) {
  // expected-error @+1 {{source holds 'f32' and result holds 'f64'; both hold the same type}}
  %0 = tile.broadcast %x : tensor<1xf32> -> tensor<4xf64>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{makes 16 elements of 8; their number stays}}
  %0 = tile.reshape %x : tensor<8xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{makes 1 elements of 8; their number stays}}
  %0 = tile.reshape %x : tensor<8xf32> -> f32
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{source holds 'f32' and result holds 'i32'; both hold the same type}}
  %0 = tile.reshape %x : tensor<8xf32> -> tensor<8xi32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has permutation [1, 1]; it names each axis from 0 to 1 once}}
  %0 = tile.transpose %x, [1, 1] : tensor<4x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has permutation [1, 0, 2]; it names each axis from 0 to 1 once}}
  %0 = tile.transpose %x, [1, 0, 2] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has permutation [-1, 0]; it names each axis from 0 to 1 once}}
  %0 = tile.transpose %x, [-1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{permuted by [1, 0] it is 'tensor<8x4xf32>'}}
  %0 = tile.transpose %x, [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{makes 'tensor<2x8xf32>' of two of 'tensor<8xf32>'; it makes 'tensor<8x2xf32>'}}
  %0 = tile.join %x, %x : tensor<8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{splits 'tensor<8x4xf32>', whose last axis has extent 4; it has extent 2}}
  %0, %1 = tile.split %x : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{makes 'tensor<8x1xf32>' of 'tensor<8x2xf32>'; it makes two of 'tensor<8xf32>'}}
  %0, %1 = tile.split %x : tensor<8x2xf32> -> tensor<8x1xf32>
  return
}

// -----

func.func @f(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{names axis 2; allowed are 0 to 1}}
  %0 = tile.flip %x, 2 : tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8xi64>) {
  // expected-error @+1 {{source and indices have one rank}}
  %0 = tile.gather %x[%i] axis 0 : tensor<8x4xf32>, tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8x2xi64>) {
  // expected-error @+1 {{has extent 4 in the source and 2 in the indices on axis 1; they differ on the gathered axis alone}}
  %0 = tile.gather %x[%i] axis 0 : tensor<8x4xf32>, tensor<8x2xi64> -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<2x4xi64>) {
  // expected-error @+1 {{makes 'tensor<8x4xf32>' of 'tensor<8x4xf32>'; it makes 'tensor<2x4xf32>'}}
  %0 = tile.gather %x[%i] axis 0 : tensor<8x4xf32>, tensor<2x4xi64> -> tensor<8x4xf32>
  return
}
