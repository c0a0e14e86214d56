#include <metal_stdlib>
using namespace metal;

kernel void reverse(device float *out, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  shared[i] = i;
  out[i] = shared[63 - i];
}
