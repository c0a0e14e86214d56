// RUN: %exits 0 %metile check %s -I %S/../Inputs --list | FileCheck %s
// CHECK: templates.metal:{{.*}}: twice_float
// CHECK: templates.metal:{{.*}}: twice_int
// CHECK: templates.metal:{{.*}}: inner
// RUN: %exits 0 %metile check %s -I %S/../Inputs --kernel twice_int --grid 1 --threads 4 --buffer x=iota:i32[4] --buffer y=nan:i32[4] --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --kernel inner --grid 1 --threads 4 --buffer fail=zeros:i32[1]
// RUN: %exits 0 %metile check %s -I %S/../Inputs --lint
#include "expect.h"

template <typename T> struct Doubler {
  T operator()(thread const T &x) const thread { return x + x; }
  T operator()(device const T &x) const thread { return x + x; }
};
// Swizzles of a type that is not known yet, on both sides of an operator.
template <typename V> V mixed(V a, V b) { return V(a.xy * b.yx, a.zw + b.rg * a.ba); }
template <typename T, int Unused = 0>
kernel void twice(device const T *x [[buffer(1)]], device T *y [[buffer(2)]],
                  device int *fail [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[i] = Doubler<T>()(x[i]);
  EXPECT(y[i] == 2 * x[i]);
  EXPECT(all(mixed(int4(1, 2, 3, 4), int4(5, 6, 7, 8)) == int4(6, 10, 18, 28)));
}
#define INSTANTIATE(name, T)                                                                       \
  template [[host_name("twice_" #name)]] [[kernel]] decltype(twice<T, 1>) twice<T, 1>;
INSTANTIATE(float, float)
typedef decltype(twice<int>) twice_t;
template [[host_name("twice_int")]] kernel twice_t twice<int>;

namespace outer {
constant float table[] = {1, 2, 3};
struct Sum {
  threadgroup float *memory;
  float total(uint n) {
    float sum = 0;
    for (uint i = 0; i < n; ++i)
      sum += memory[i];
    return sum;
  }
};
kernel void inner(device int *fail, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[4], other[2];
  shared[i] = table[i % 3];
  if (i < 2)
    other[i] = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Sum sum{shared};
  EXPECT(sum.total(4) == 7 && other[1] == 1);
}
} // namespace outer
