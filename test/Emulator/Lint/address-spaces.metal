// RUN: %exits 1 %metile check --lint %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

// CHECK: .metal:[[#@LINE+1]]:18: error: 'limit' is a variable of the program without an address space; variables of the program lie in constant memory; write constant in front of it
static const int limit = 3;
// CHECK: .metal:[[#@LINE+1]]:19: error: 'pool' is a variable of the program; variables of the program lie in constant memory
threadgroup float pool[32];
constant float table[2] = {1, 2};
constexpr constant int width = 4;

// CHECK: .metal:[[#@LINE+1]]:33: error: parameter 'x' is a pointer without an address space; device, constant, threadgroup or thread;
static float first(const float *x, thread float &y) { return x[0] + y; }
// CHECK: .metal:[[#@LINE+1]]:34: error: parameter 'x' is a reference without an address space
template <class T> void twice(T &x) { x *= 2; }

static float total(threadgroup float *values) {
  // CHECK: .metal:[[#@LINE+1]]:21: error: 'extra' lies in threadgroup memory, but 'total' is no kernel; kernels alone declare threadgroup memory
  threadgroup float extra[4];
  // CHECK: .metal:[[#@LINE+1]]:16: error: 'far' is a variable in device memory
  device float far;
  extra[0] = far = values[0];
  return extra[0];
}

kernel void assigns(device float *in, constant float *weights, device float *out,
                    // CHECK: .metal:[[#@LINE+1]]:32: error: parameter 'size' is a reference without an address space; device, constant or threadgroup;
                    const int &size [[buffer(3)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  // CHECK: .metal:[[#@LINE+1]]:26: error: a pointer to device memory for 'a', which points to threadgroup memory; a pointer keeps its address space; declare it as device, or copy what it points to
  threadgroup float *a = in + i;
  // CHECK: .metal:[[#@LINE+1]]:27: error: a pointer to threadgroup memory for 'b', which points to device memory
  const device float *b = &shared[i] + 1;
  // CHECK: .metal:[[#@LINE+1]]:7: error: a pointer to threadgroup memory for 'b'
  b = shared;
  a[0] = b[0];
  // CHECK: .metal:[[#@LINE+1]]:24: error: a cast from device to threadgroup memory
  threadgroup int *c = (threadgroup int *)in;
  // CHECK: .metal:[[#@LINE+1]]:18: error: a pointer to device memory for parameter 'values' of 'total', which points to threadgroup memory
  out[i] = total(in) + c[0] + weights[size];
}
