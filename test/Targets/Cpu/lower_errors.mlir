// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %metile-opt --metile-cpu-lower --split-input-file --verify-diagnostics %s

func.func @grid(%n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %c2 = arith.constant 2 : i64
  %g = tile.rem trunc %n, %c2 : i64
  // expected-error @+1 {{extent 0 of the grid is no sum, difference, product, cdiv, min or max of sizes and scalars}}
  tile.grid %g
  return
}

// -----

// expected-error @+1 {{the module holds no kernel}}
module {
  func.func @helper() {
    return
  }
}

// -----

func.func @first() attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  return
}
// expected-error @+1 {{a module holds one kernel, and 'first' is another}}
func.func @second() attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  return
}
