// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that Apple's own headers use beneath the documented functions, and that public kernels
// call: the same functions with a trailing argument that asks for fast math.
#pragma once

#include "Entry.h"

#define __METAL_MAYBE_FAST_MATH__ false
#define __METAL_FAST_MATH__ true
#define __METAL_PRECISE_MATH__ false

namespace metal {

#define METILE_UNARY(name)                                                                         \
  template <class T> METILE_SHIM auto __metal_##name(T x, bool = false) { return name(x); }
#define METILE_BINARY(name)                                                                        \
  template <class T> METILE_SHIM auto __metal_##name(T x, T y, bool = false) { return name(x, y); }
#define METILE_TERNARY(name)                                                                       \
  template <class T> METILE_SHIM auto __metal_##name(T x, T y, T z, bool = false) {                \
    return name(x, y, z);                                                                          \
  }
METILE_UNARY(fabs)
METILE_UNARY(acos)
METILE_UNARY(acosh)
METILE_UNARY(asin)
METILE_UNARY(asinh)
METILE_UNARY(atan)
METILE_UNARY(atanh)
METILE_UNARY(ceil)
METILE_UNARY(cos)
METILE_UNARY(cosh)
METILE_UNARY(cospi)
METILE_UNARY(exp)
METILE_UNARY(exp2)
METILE_UNARY(exp10)
METILE_UNARY(floor)
METILE_UNARY(fract)
METILE_UNARY(log)
METILE_UNARY(log2)
METILE_UNARY(log10)
METILE_UNARY(rint)
METILE_UNARY(round)
METILE_UNARY(rsqrt)
METILE_UNARY(sin)
METILE_UNARY(sinh)
METILE_UNARY(sinpi)
METILE_UNARY(sqrt)
METILE_UNARY(tan)
METILE_UNARY(tanh)
METILE_UNARY(tanpi)
METILE_UNARY(trunc)
METILE_BINARY(atan2)
METILE_BINARY(divide)
METILE_BINARY(fdim)
METILE_BINARY(fmax)
METILE_BINARY(fmin)
METILE_BINARY(fmod)
METILE_BINARY(nextafter)
METILE_BINARY(pow)
METILE_BINARY(powr)
METILE_TERNARY(fma)
METILE_TERNARY(fmax3)
METILE_TERNARY(fmin3)
METILE_TERNARY(fmedian3)
METILE_TERNARY(clamp)
#undef METILE_UNARY
#undef METILE_BINARY
#undef METILE_TERNARY
template <class T> METILE_SHIM T __metal_ldexp(T x, int e, bool = false) { return ldexp(x, e); }
template <class T> METILE_SHIM T __metal_frexp(T x, int *e, bool = false) { return frexp(x, *e); }
template <class T> METILE_SHIM T __metal_frexp(T x, int &e, bool = false) { return frexp(x, e); }
template <class T> METILE_SHIM T __metal_modf(T x, T *w, bool = false) { return modf(x, *w); }

#define METILE_COLLECTIVE(name)                                                                    \
  template <class T> METILE_SHIM T __metal_simd_##name(T value, METILE_SITE) {                     \
    return simd_##name(value, metileSite);                                                         \
  }
METILE_COLLECTIVE(sum)
METILE_COLLECTIVE(product)
METILE_COLLECTIVE(min)
METILE_COLLECTIVE(max)
METILE_COLLECTIVE(and)
METILE_COLLECTIVE(or)
METILE_COLLECTIVE(xor)
METILE_COLLECTIVE(prefix_inclusive_sum)
METILE_COLLECTIVE(prefix_exclusive_sum)
METILE_COLLECTIVE(prefix_inclusive_product)
METILE_COLLECTIVE(prefix_exclusive_product)
#undef METILE_COLLECTIVE
#define METILE_SHUFFLE(name)                                                                       \
  template <class T> METILE_SHIM T __metal_simd_##name(T value, ushort by, METILE_SITE) {          \
    return simd_##name(value, by, metileSite);                                                     \
  }
METILE_SHUFFLE(shuffle)
METILE_SHUFFLE(broadcast)
METILE_SHUFFLE(shuffle_xor)
METILE_SHUFFLE(shuffle_up)
METILE_SHUFFLE(shuffle_down)
METILE_SHUFFLE(shuffle_rotate_up)
METILE_SHUFFLE(shuffle_rotate_down)
#undef METILE_SHUFFLE
template <class T>
METILE_SHIM T __metal_simd_shuffle_and_fill_up(T value, T fill, ushort by, ushort modulo = 32,
                                               METILE_SITE) {
  return simd_shuffle_and_fill_up(value, fill, by, modulo, metileSite);
}
template <class T>
METILE_SHIM T __metal_simd_shuffle_and_fill_down(T value, T fill, ushort by, ushort modulo = 32,
                                                 METILE_SITE) {
  return simd_shuffle_and_fill_down(value, fill, by, modulo, metileSite);
}

/// A log that goes nowhere.
struct os_log {
  constexpr os_log(const char *, const char *) {}
  template <class... A> void log(const char *, A...) const {}
  template <class... A> void log_debug(const char *, A...) const {}
  template <class... A> void log_info(const char *, A...) const {}
  template <class... A> void log_default(const char *, A...) const {}
  template <class... A> void log_error(const char *, A...) const {}
  template <class... A> void log_fault(const char *, A...) const {}
};
inline constexpr os_log os_log_default("", "");

} // namespace metal
