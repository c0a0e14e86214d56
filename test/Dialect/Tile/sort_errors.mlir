// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error @+1 {{has no source; the first holds the keys}}
  tile.sort() axis 0 : () -> ()
  return
}

// -----

func.func @f(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{names axis 2; allowed are 0 to 1}}
  %0 = tile.sort(%x) axis 2 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{reads keys of 'f32' as unsigned; integers may be}}
  %0 = tile.sort(%x) axis 0 unsigned : (tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{keeps 32 elements of 16 on axis 0; it keeps as many or fewer}}
  %0 = tile.sort(%x) axis 0 : (tensor<16xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @f(%x: tensor<16xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{all sources have one shape}}
  %0:2 = tile.sort(%x, %y) axis 0 : (tensor<16xf32>, tensor<8xf32>) -> (tensor<16xf32>, tensor<8xf32>)
  return
}

// -----

func.func @f(%x: tensor<16xf32>, %y: tensor<16xi32>) {
  // expected-error @+1 {{result 1 is 'tensor<16xi32>'; it is 'tensor<8xi32>'}}
  %0:2 = tile.sort(%x, %y) axis 0 : (tensor<16xf32>, tensor<16xi32>) -> (tensor<8xf32>, tensor<16xi32>)
  return
}

// -----

func.func @f(%x: tensor<16xi32>) {
  // expected-error @+1 {{its bins lie along one axis}}
  %0 = tile.histogram %x : tensor<16xi32> -> tensor<4x4xi32>
  return
}

// -----

func.func @f(%x: tensor<16xi32>, %mask: tensor<8xi1>) {
  // expected-error @+1 {{both have one shape}}
  %0 = tile.histogram %x, %mask : tensor<16xi32> mask tensor<8xi1> -> tensor<4xi32>
  return
}
