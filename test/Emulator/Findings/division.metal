// RUN: %exits 1 %metile check %s --kernel divide --grid 1 --threads 4 --buffer n=i32:0 --buffer out=nan:i32[4] | FileCheck %s
// RUN: %exits 0 %metile check %s --kernel divide --grid 1 --threads 4 --buffer n=i32:3 --buffer out=nan:i32[4]
// RUN: %exits 0 %metile check %s --kernel unused --grid 1 --threads 4 --buffer n=i32:0 --buffer is_cyclic=bool:false --buffer out=nan:i32[4]
// RUN: %exits 1 %metile check %s --kernel unused --grid 1 --threads 4 --buffer n=i32:0 --buffer is_cyclic=bool:true --buffer out=nan:i32[4]
// RUN: %exits 0 %metile check %s --kernel divide --fast --grid 1 --threads 4 --buffer n=i32:0 --buffer out=nan:i32[4]
// RUN: %exits 1 %metile check %s --kernel every --grid 1 --threads 4 --buffer n=i32:0 --buffer out=nan:i32[20] | FileCheck %s --check-prefix=EVERY
// REQUIRES: x86_64
#include <metal_stdlib>
using namespace metal;

// Metal's division by zero does not trap; it gives any value.
kernel void divide(constant int &n, device int *out, uint i [[thread_position_in_grid]]) {
  // CHECK: .metal:[[#@LINE+2]]:{{.*}}: error: the outputs depend on an integer division by zero{{.*}} [division-by-zero]
  // CHECK: seen 4 times
  out[i] = int(i) / n;
}

// Nothing comes of the value here.
kernel void unused(constant int &n, device int *out, constant bool &is_cyclic,
                   uint i [[thread_position_in_grid]]) {
  int rest = int(i) % n;
  out[i] = is_cyclic ? rest : int(i);
}

// The instructions of all types, with their operands in registers and in memory.
kernel void every(constant int &n, device int *out, uint i [[thread_position_in_grid]]) {
  // EVERY: .metal:[[#@LINE+1]]
  out[5 * i] = char(i + 1) / char(n);
  // EVERY: .metal:[[#@LINE+1]]
  out[5 * i + 1] = ushort(i + 1) % ushort(n);
  // EVERY: .metal:[[#@LINE+1]]
  out[5 * i + 2] = uint(i + 1) / uint(n);
  // EVERY: .metal:[[#@LINE+1]]
  out[5 * i + 3] = long(i + 1) % long(n);
  // EVERY: .metal:[[#@LINE+1]]
  out[5 * i + 4] = ulong(i + 1) / ulong(n);
}
