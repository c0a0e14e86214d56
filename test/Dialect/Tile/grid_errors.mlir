// RUN: metile-opt %s -split-input-file -verify-diagnostics

func.func @none() {
  // expected-error @+1 {{has 0 extents; a grid has one to three, x first}}
  tile.grid
  return
}

// -----

func.func @four(%n: i64) {
  // expected-error @+1 {{has 4 extents; a grid has one to three, x first}}
  tile.grid %n, %n, %n, %n
  return
}

// -----

func.func @twice(%n: i64) {
  // expected-note @+1 {{the first is here}}
  tile.grid %n
  // expected-error @+1 {{is the second of its kernel; a kernel has one}}
  tile.grid %n
  return
}

// -----

func.func @nested(%n: i64, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{stands inside 'scf.if'; it belongs to the entry block of a kernel}}
    tile.grid %n
  }
  return
}

// -----

// expected-error @+1 {{is a kernel without tile.grid; it has one, in its entry block}}
func.func @missing() attributes {tile.kernel} {
  return
}

// -----

func.func @from_program(%n: i64) {
  // expected-note @+1 {{this is known only while a program runs}}
  %x = tile.program_id 0
  %m = arith.addi %n, %x : i64
  // expected-error @+1 {{extent 1 depends on 'tile.program_id'; the grid is computed from the kernel's arguments alone}}
  tile.grid %n, %m
  return
}

// -----

func.func @from_memory(%p: !tile.ptr<i64>) {
  // expected-note @+1 {{this is known only while a program runs}}
  %n = tile.load %p : !tile.ptr<i64> -> i64
  // expected-error @+1 {{extent 0 depends on 'tile.load'}}
  tile.grid %n
  return
}

// -----

func.func @from_branch(%n: i64, %c: i1) {
  // expected-note @+1 {{this is known only while a program runs}}
  %m = scf.if %c -> i64 {
    scf.yield %n : i64
  } else {
    %x = tile.program_id 0
    scf.yield %x : i64
  }
  // expected-error @+1 {{extent 0 depends on 'scf.if'}}
  tile.grid %m
  return
}

// -----

func.func @fourth_axis() {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint}}
  %x = tile.program_id 3
  return
}

// -----

func.func @negative_axis() {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint}}
  %x = tile.num_programs -1
  return
}
