// RUN: %exits 0 %metile check --lint %s | FileCheck %s
// What looks like a mistake with address spaces and is none.
#include <metal_stdlib>
using namespace metal;
// CHECK: 2 kernels compiled, no errors

constant float table[2] = {1, 2};
static constexpr constant int width = 4;
enum { low = 1 };
struct Pair {
  float a, b;
};
typedef device float *DevicePointer;
template <class T> struct is_wide { static constant constexpr bool value = sizeof(T) > 4; };

static float read(DevicePointer p, device const Pair &pair, thread float (&row)[2]) {
  return p[0] + pair.a + row[0];
}
template <class F> float apply(F f, float x) { return f(x); }

// The same name for a pointer and, further in, for a number.
kernel void shadows(device float *in, device float *out, threadgroup float *shared [[threadgroup(0)]],
                    constant Pair &pair, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float *mine = shared + 2 * i;
  device float *thread last = in + (shared[0] > 0 ? 1 : 0);
  for (uint in = 0; in < 2; ++in)
    mine = shared + in;
  long distance = last - out;
  device Pair *pairs = (device Pair *)out;
  thread float row[2] = {mine[0], in[0]};
  float *x = row;
  auto y = out;
  y[i] = apply([](float v) { return v * 2; }, pair.b) + distance + pairs[0].a + x[0];
  threadgroup float4 *wide = (threadgroup float4 *)(shared);
  out[i] = wide[0].x + table[low];
}
kernel void indirect(device float *in, device float *out, uint i [[thread_position_in_grid]]) {
  thread float row[2] = {0, 1};
  out[i] = read(in + i, *(device Pair *)in, row);
}
