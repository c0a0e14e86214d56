// RUN: metile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{has tile.kernel = 1 : i64; it is a unit attribute of functions}}
func.func @f() attributes {tile.kernel = 1} {
  return
}

// -----

// expected-error @+1 {{it is a unit attribute of functions}}
module attributes {tile.kernel} {
}

// -----

// expected-error @+1 {{has the attribute 'tile.kernal'; the only attribute of this dialect on an operation is 'tile.kernel'}}
func.func @f() attributes {tile.kernal} {
  return
}

// -----

// expected-error @+1 {{is a kernel without a body}}
func.func private @f() attributes {tile.kernel}

// -----

// expected-error @+1 {{is a kernel with results; a kernel stores what it computes}}
func.func @f(%n: i64 {tile.name = "n"}) -> i64 attributes {tile.kernel} {
  return %n : i64
}

// -----

// expected-error @+1 {{kernel argument 0 is 'tensor<64xf32>'; allowed are !tile.view, !tile.ptr and the numbers i1, i8,}}
func.func @f(%x: tensor<64xf32> {tile.name = "x"}) attributes {tile.kernel} {
  return
}

// -----

// expected-error @+1 {{kernel argument 1 has no tile.name; every argument has one}}
func.func @f(%n: i64 {tile.name = "n"}, %m: i64) attributes {tile.kernel} {
  return
}

// -----

// expected-error @+1 {{kernel arguments 0 and 1 are both named "n"; names are unique}}
func.func @f(%n: i64 {tile.name = "n"}, %m: i64 {tile.name = "n"}) attributes {tile.kernel} {
  return
}

// -----

// expected-error @+1 {{kernel argument "x" has no tile.role; views and pointers have one}}
func.func @f(%x: !tile.ptr<f32> {tile.name = "x"}) attributes {tile.kernel} {
  return
}

// -----

// Operations of other dialects are held to the rules of tiles inside a kernel.
func.func @f(%n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  tile.grid %n
  // expected-error @+1 {{result 0: tile 'tensor<3xf32>' has extent 3 on axis 0}}
  %0 = arith.constant dense<1.0> : tensor<3xf32>
  return
}

// -----

// expected-error @+1 {{has the argument attribute 'tile.rôle'; function arguments may have tile.name, tile.role, tile.alignment, tile.divisibility, tile.size_divisibility, tile.stride_divisibility}}
func.func @f(%n: i64 {"tile.rôle" = "in"}) {
  return
}

// -----

// expected-error @+1 {{has tile.name = "" on argument 0; it is a string that is not empty}}
func.func @f(%n: i64 {tile.name = ""}) {
  return
}

// -----

// expected-error @+1 {{has tile.role = "input" on argument 0; it is "in", "out", "inout" or "pointer"}}
func.func @f(%p: !tile.ptr<f32> {tile.role = "input"}) {
  return
}

// -----

// expected-error @+1 {{has tile.role on argument 0 of type 'i64'; it belongs to views and pointers}}
func.func @f(%n: i64 {tile.role = "in"}) {
  return
}

// -----

// expected-error @+1 {{has tile.alignment = 24 : i64 on argument 0; it is a power of two of type i64, in bytes}}
func.func @f(%p: !tile.ptr<f32> {tile.alignment = 24 : i64}) {
  return
}

// -----

// expected-error @+1 {{has tile.alignment on argument 0 of type 'f32'; it belongs to views and pointers}}
func.func @f(%p: f32 {tile.alignment = 16 : i64}) {
  return
}

// -----

// expected-error @+1 {{has tile.divisibility = 0 : i64 on argument 0; it is a number of type i64, 1 or more}}
func.func @f(%n: i64 {tile.divisibility = 0 : i64}) {
  return
}

// -----

// expected-error @+1 {{has tile.divisibility on argument 0 of type 'f32'; it belongs to integer scalars}}
func.func @f(%x: f32 {tile.divisibility = 4 : i64}) {
  return
}

// -----

// expected-error @+1 {{has tile.size_divisibility = array<i64: 4> on '!tile.view<?x64xf32, [?, 1]>'; it is array<i64: …> with one number an axis, here 2}}
func.func @f(%x: !tile.view<?x64xf32, [?, 1]> {tile.size_divisibility = array<i64: 4>}) {
  return
}

// -----

// expected-error @+1 {{has the divisor 0 in tile.stride_divisibility; divisors are 1 or more}}
func.func @f(%x: !tile.view<?xf32, [?]> {tile.stride_divisibility = array<i64: 0>}) {
  return
}

// -----

// expected-error @+1 {{has the divisor 48 in tile.size_divisibility, but '!tile.view<64xf32, [1]>' says 64, which is no multiple of it}}
func.func @f(%x: !tile.view<64xf32, [1]> {tile.size_divisibility = array<i64: 48>}) {
  return
}

// -----

// expected-error @+1 {{has tile.stride_divisibility on argument 0 of type '!tile.ptr<f32>'; it belongs to views}}
func.func @f(%x: !tile.ptr<f32> {tile.stride_divisibility = array<i64: 1>}) {
  return
}

// -----

// The error is the kernel's to find: alone, arith.addf takes every float.
func.func @f(%x: f8E4M3FN {tile.name = "x"}) attributes {tile.kernel} {
  %n = arith.constant 1 : i64
  tile.grid %n
  // expected-error @+1 {{computes on 'f8E4M3FN'; floats of 8 bits are for storage, arith.extf widens them}}
  %0 = arith.addf %x, %x : f8E4M3FN
  return
}
