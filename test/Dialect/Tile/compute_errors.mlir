// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @f(%a: tensor<8xf32>, %b: tensor<8x8xf32>) {
  // expected-error @+1 {{has operands of ranks 1, 2 and 2; the ranks are equal and 2 or more}}
  %0 = tile.dot %a, %b, %b : tensor<8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error @+1 {{has operands of ranks 1, 1 and 1; the ranks are equal and 2 or more}}
  %0 = tile.dot %a, %a, %a : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8x8xf32>, %b: tensor<4x8x8xf32>) {
  // expected-error @+1 {{all axes before the last two are equal}}
  %0 = tile.dot %a, %b, %a : tensor<2x8x8xf32>, tensor<4x8x8xf32> -> tensor<2x8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  // expected-error @+1 {{lhs has K = 4 and rhs K = 8; the last axis of lhs is the last but one of rhs}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x2xf32>, %c: tensor<2x8xf32>) {
  // expected-error @+1 {{accumulates into 2x8; the product is 8x2}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf16>, %b: tensor<8x8xbf16>, %c: tensor<8x8xf32>) {
  // expected-error @+1 {{multiplies 'f16' by 'bf16'; both are of one type, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or i8}}
  %0 = tile.dot %a, %b, %c : tensor<8x8xf16>, tensor<8x8xbf16> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xi32>) {
  // expected-error @+1 {{multiplies 'i32' by 'i32'; both are of one type}}
  %0 = tile.dot %a, %a, %a : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf16>) {
  // expected-error @+1 {{accumulates in 'f16'; products of 'f16' are summed in 'f32'}}
  %0 = tile.dot %a, %a, %a : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

func.func @f(%a: tensor<8x8xf16>, %c: tensor<8x8xf32>) {
  // expected-error @+1 {{asks for tf32 with operands of 'f16'; it is for f32}}
  %0 = tile.dot %a, %a, %c precision tf32 : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @+1 {{has unsigned operands of 'f32'; only i8 may be unsigned}}
  %0 = tile.dot %a, %a, %a unsigned_rhs : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{has no source; it combines one or more}}
  "tile.reduce"() <{axis = 0 : i64}> ({
    "tile.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{names axis 1; allowed are 0 to 0}}
  %0 = tile.reduce(%x) axis 1 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{has 1 sources and 2 results; there is one result a source}}
  %0:2 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> (f32, f32) {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{source 1 is 'tensor<4xf32>' and source 0 is 'tensor<8xf32>'; all sources have one shape}}
  %0:2 = tile.reduce(%x, %y) axis 0 : (tensor<8xf32>, tensor<4xf32>) -> (f32, f32) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %a, %c : f32, f32
  }
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{result 0 is 'tensor<4xf32>'; reduce of 'tensor<8x4xf32>' along axis 1 is 'tensor<8xf32>'}}
  %0 = tile.reduce(%x) axis 1 : (tensor<8x4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{has a combine region with 1 arguments; 1 sources need 2: a value of each, then the other value of each}}
  %0 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %i: tensor<8xi64>) {
  // expected-error @+1 {{has a combine region whose argument 1 is 'f32'; source 1 holds 'i64'}}
  %0:2 = tile.reduce(%x, %i) axis 0 : (tensor<8xf32>, tensor<8xi64>) -> (f32, i64) {
  ^bb0(%a: f32, %b: f32, %ia: i64, %ib: i64):
    tile.yield %a, %ia : f32, i64
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %p: !tile.ptr<f32>) {
  // expected-error @+1 {{combines with 'tile.load'; a combine region holds pure elementwise operations}}
  %0 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-note @+1 {{it is here}}
    %c = tile.load %p : !tile.ptr<f32> -> f32
    tile.yield %c : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %t: tensor<8xf32>) {
  // expected-error @+1 {{combines with a value of type 'tensor<8xf32>'; a combine region computes on scalars}}
  %0 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-note @+1 {{it is here}}
    %c = arith.addf %t, %t : tensor<8xf32>
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  %0 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{yields 2 values; 1 sources need 1}}
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  %0 = tile.reduce(%x) axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    // expected-error @+1 {{yields 'i1' for source 0, which holds 'f32'}}
    tile.yield %c : i1
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{expects parent op to be one of 'tile.reduce, tile.scan'}}
  tile.yield %x : f32
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{has a combine region that ends with 'llvm.unreachable'; it ends with tile.yield}}
  %0 = "tile.reduce"(%x) <{axis = 0 : i64}> ({
  ^bb0(%a: f32, %b: f32):
    "llvm.unreachable"() : () -> ()
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{expects a non-empty block}}
  %0 = "tile.reduce"(%x) <{axis = 0 : i64}> ({
  ^bb0(%a: f32, %b: f32):
  }) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{result 0 is 'tensor<8xf32>'; scan of 'tensor<8x4xf32>' along axis 1 is 'tensor<8x4xf32>'}}
  %0 = tile.scan(%x) axis 1 : (tensor<8x4xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{names axis 1; allowed are 0 to 0}}
  %0 = tile.scan(%x) axis 1 : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{has a combine region with 1 arguments; 1 sources need 2}}
  %0 = tile.scan(%x) axis 0 : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}
