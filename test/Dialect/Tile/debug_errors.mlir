// RUN: metile-opt %s --split-input-file --verify-diagnostics

func.func @flags(%x: tensor<4xi32>, %n: i64) {
  // expected-error @below {{'tile.print' op has 1 flags in isUnsigned; one a value, so 2}}
  tile.print "x", %x, %n : tensor<4xi32>, i64 {isUnsigned = array<i1: true>}
  return
}

// -----

func.func @pointer(%p: !tile.ptr<f32>) {
  // expected-error @below {{operand #0 must be}}
  tile.probe "p" %p : !tile.ptr<f32>
  return
}
