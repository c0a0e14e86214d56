// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point and common functions of the Metal standard library. All are computed by the C
// library in float, and rounded to the argument's type: not the bits of any GPU.
#pragma once

#include "Vector.h"

namespace metile::emulator {

template <class T>
concept Brain = metal::is_same_v<T, bfloat>;
/// Types whose arguments C would promote differently from Metal.
template <class T>
concept NotFloat = Integer<T> || metal::is_same_v<T, double>;

/// Applies `fn` to each lane.
template <class T, int N, class Fn, class... Rest>
METILE_SHIM constexpr auto eachLane(Fn fn, const metal::vec<T, N> &a, const Rest &...rest) {
  using R = decltype(fn(a[0], rest[0]...));
  metal::vec<R, N> result{};
  for (int i = 0; i < N; ++i)
    result.data[i] = stored(fn(a[i], rest[i]...));
  return result;
}

template <class A, class B> struct Common {
  using type = decltype(A() + B());
};
template <class T> struct Common<T, T> {
  using type = T;
};
template <class A, class B> using CommonType = typename Common<A, B>::type;

} // namespace metile::emulator

namespace metal {

//===--- Functions of one argument ---===//

// The functions proper are no templates, so that types with a conversion to float may be given.
#define METILE_UNARY(name, expression)                                                             \
  METILE_SHIM float name(float x) { return expression; }                                           \
  METILE_SHIM half name(half h) {                                                                  \
    float x = h;                                                                                   \
    return static_cast<half>(expression);                                                          \
  }                                                                                                \
  template <::metile::emulator::Brain T> METILE_SHIM T name(T b) {                                 \
    float x = b;                                                                                   \
    return static_cast<T>(expression);                                                             \
  }                                                                                                \
  template <::metile::emulator::NotFloat T> METILE_SHIM float name(T i) {                          \
    float x = i;                                                                                   \
    return expression;                                                                             \
  }                                                                                                \
  template <class T, int N> METILE_SHIM vec<T, N> name(const vec<T, N> &v) {                       \
    return ::metile::emulator::eachLane([](T lane) { return static_cast<T>(name(lane)); }, v);     \
  }
METILE_UNARY(acos, __builtin_acosf(x))
METILE_UNARY(acosh, __builtin_acoshf(x))
METILE_UNARY(asin, __builtin_asinf(x))
METILE_UNARY(asinh, __builtin_asinhf(x))
METILE_UNARY(atan, __builtin_atanf(x))
METILE_UNARY(atanh, __builtin_atanhf(x))
METILE_UNARY(cos, __builtin_cosf(x))
METILE_UNARY(cosh, __builtin_coshf(x))
METILE_UNARY(cospi, __builtin_cosf(3.14159265358979323846f * (x - 2 * __builtin_roundf(x / 2))))
METILE_UNARY(exp, __builtin_expf(x))
METILE_UNARY(exp2, __builtin_exp2f(x))
METILE_UNARY(exp10, __builtin_powf(10, x))
METILE_UNARY(fabs, __builtin_fabsf(x))
METILE_UNARY(floor, __builtin_floorf(x))
METILE_UNARY(ceil, __builtin_ceilf(x))
METILE_UNARY(trunc, __builtin_truncf(x))
METILE_UNARY(round, __builtin_roundf(x))
METILE_UNARY(rint, __builtin_rintf(x))
METILE_UNARY(fract, __builtin_fminf(x - __builtin_floorf(x), 0x1.fffffep-1f))
METILE_UNARY(log, __builtin_logf(x))
METILE_UNARY(log2, __builtin_log2f(x))
METILE_UNARY(log10, __builtin_log10f(x))
METILE_UNARY(sqrt, __builtin_sqrtf(x))
METILE_UNARY(rsqrt, 1 / __builtin_sqrtf(x))
METILE_UNARY(sin, __builtin_sinf(x))
METILE_UNARY(sinh, __builtin_sinhf(x))
METILE_UNARY(sinpi, __builtin_sinf(3.14159265358979323846f * (x - 2 * __builtin_roundf(x / 2))))
METILE_UNARY(tan, __builtin_tanf(x))
METILE_UNARY(tanh, __builtin_tanhf(x))
METILE_UNARY(tanpi, __builtin_tanf(3.14159265358979323846f * (x - __builtin_roundf(x))))
METILE_UNARY(saturate, __builtin_fminf(__builtin_fmaxf(x, 0), 1))
METILE_UNARY(sign, (x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? x : 0.0f))
#undef METILE_UNARY

METILE_SHIM float nan(uint payload) { return as_type<float>(0x7fc00000u | (payload & 0x3fffffu)); }

//===--- Functions of two and three arguments ---===//

// Numbers of two types meet in their common type, as with an operator.
#define METILE_BINARY(name, expression)                                                            \
  METILE_SHIM float name(float x, float y) { return expression; }                                  \
  METILE_SHIM half name(half a, half b) {                                                          \
    float x = a, y = b;                                                                            \
    return static_cast<half>(expression);                                                          \
  }                                                                                                \
  template <::metile::emulator::Number A, ::metile::emulator::Number B>                            \
    requires(!(is_same_v<A, B> && (is_same_v<A, float> || is_same_v<A, half>)))                    \
  METILE_SHIM auto name(A a, B b) {                                                                \
    using Sum = ::metile::emulator::CommonType<A, B>;                                              \
    using R = conditional_t<is_floating_point_v<Sum> && !is_same_v<Sum, double>, Sum, float>;      \
    float x = a, y = b;                                                                            \
    return static_cast<R>(expression);                                                             \
  }                                                                                                \
  template <class T, int N> METILE_SHIM vec<T, N> name(const vec<T, N> &a, const vec<T, N> &b) {   \
    return ::metile::emulator::eachLane([](T x, T y) { return static_cast<T>(name(x, y)); }, a,    \
                                        b);                                                        \
  }                                                                                                \
  template <class T, int N, ::metile::emulator::Number S>                                          \
  METILE_SHIM vec<T, N> name(const vec<T, N> &a, S b) {                                            \
    return name(a, vec<T, N>(b));                                                                  \
  }                                                                                                \
  template <class T, int N, ::metile::emulator::Number S>                                          \
  METILE_SHIM vec<T, N> name(S a, const vec<T, N> &b) {                                            \
    return name(vec<T, N>(a), b);                                                                  \
  }
METILE_BINARY(atan2, __builtin_atan2f(x, y))
METILE_BINARY(copysign, __builtin_copysignf(x, y))
METILE_BINARY(fdim, __builtin_fdimf(x, y))
METILE_BINARY(fmod, __builtin_fmodf(x, y))
METILE_BINARY(fmax, __builtin_fmaxf(x, y))
METILE_BINARY(fmin, __builtin_fminf(x, y))
METILE_BINARY(pow, __builtin_powf(x, y))
METILE_BINARY(powr, __builtin_powf(x, y))
METILE_BINARY(hypot, __builtin_hypotf(x, y))
METILE_BINARY(step, (y < x ? 0.0f : 1.0f))
METILE_BINARY(divide, x / y)
#undef METILE_BINARY

METILE_SHIM float nextafter(float x, float y) { return __builtin_nextafterf(x, y); }
METILE_SHIM half nextafter(half x, half y) {
  if (!(x == x) || !(y == y))
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return as_type<half>(static_cast<ushort>(y < 0 ? 0x8001 : 1));
  ushort bits = as_type<ushort>(x);
  return as_type<half>(static_cast<ushort>((x < y) == (x > 0) ? bits + 1 : bits - 1));
}

/// The smallest and largest of numbers of any types; NaN is passed over.
#define METILE_EXTREMUM(name, floating, op)                                                        \
  template <class A, class B>                                                                      \
    requires(::metile::emulator::Number<A> && ::metile::emulator::Number<B>)                       \
  METILE_SHIM constexpr auto name(A a, B b) {                                                      \
    using R = ::metile::emulator::CommonType<A, B>;                                                \
    if constexpr (is_floating_point_v<R>)                                                          \
      return static_cast<R>(floating(static_cast<float>(a), static_cast<float>(b)));               \
    else                                                                                           \
      return static_cast<R>(a) op static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b);       \
  }                                                                                                \
  template <class T, int N>                                                                        \
  METILE_SHIM constexpr vec<T, N> name(const vec<T, N> &a, const vec<T, N> &b) {                   \
    return ::metile::emulator::eachLane([](T x, T y) { return static_cast<T>(name(x, y)); }, a,    \
                                        b);                                                        \
  }                                                                                                \
  template <class T, int N, ::metile::emulator::Number S>                                          \
  METILE_SHIM constexpr vec<T, N> name(const vec<T, N> &a, S b) {                                  \
    return name(a, vec<T, N>(b));                                                                  \
  }                                                                                                \
  template <class T, int N, ::metile::emulator::Number S>                                          \
  METILE_SHIM constexpr vec<T, N> name(S a, const vec<T, N> &b) {                                  \
    return name(vec<T, N>(a), b);                                                                  \
  }                                                                                                \
  template <class A, class B, class C>                                                             \
  METILE_SHIM constexpr auto name##3(const A &a, const B &b, const C &c) {                         \
    return name(name(a, b), c);                                                                    \
  }
METILE_EXTREMUM(min, __builtin_fminf, <)
METILE_EXTREMUM(max, __builtin_fmaxf, >)
#undef METILE_EXTREMUM
template <class T> METILE_SHIM T fmin3(T a, T b, T c) { return fmin(fmin(a, b), c); }
template <class T> METILE_SHIM T fmax3(T a, T b, T c) { return fmax(fmax(a, b), c); }
template <class T> METILE_SHIM T median3(T a, T b, T c) {
  return max(min(a, b), min(max(a, b), c));
}
template <class T> METILE_SHIM T fmedian3(T a, T b, T c) { return median3(a, b, c); }

template <class T, class A, class B> METILE_SHIM constexpr auto clamp(T x, A low, B high) {
  return min(max(x, low), high);
}

METILE_SHIM float abs(float x) { return __builtin_fabsf(x); }
METILE_SHIM half abs(half x) { return static_cast<half>(__builtin_fabsf(x)); }
template <::metile::emulator::Brain T> METILE_SHIM T abs(T x) {
  return static_cast<T>(__builtin_fabsf(x));
}
template <::metile::emulator::Integer T> METILE_SHIM constexpr T abs(T x) {
  return static_cast<T>(x < 0 ? -x : x);
}
template <class T, int N> METILE_SHIM constexpr vec<T, N> abs(const vec<T, N> &v) {
  return ::metile::emulator::eachLane([](T x) { return static_cast<T>(abs(x)); }, v);
}

METILE_SHIM float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
METILE_SHIM half fma(half a, half b, half c) {
  return static_cast<half>(static_cast<double>(a) * static_cast<double>(b) +
                           static_cast<double>(c));
}
template <::metile::emulator::Brain T> METILE_SHIM T fma(T a, T b, T c) {
  return static_cast<T>(__builtin_fmaf(a, b, c));
}
template <class T, int N>
METILE_SHIM vec<T, N> fma(const vec<T, N> &a, const vec<T, N> &b, const vec<T, N> &c) {
  return ::metile::emulator::eachLane([](T x, T y, T z) { return fma(x, y, z); }, a, b, c);
}
template <class T, int N, class B, class C>
METILE_SHIM vec<T, N> fma(const vec<T, N> &a, const B &b, const C &c) {
  return fma(a, vec<T, N>(b), vec<T, N>(c));
}

template <class A, class B, class C> METILE_SHIM auto mix(const A &x, const B &y, const C &a) {
  return x + (y - x) * a;
}
template <class A, class B, class C>
METILE_SHIM auto smoothstep(const A &low, const B &high, const C &x) {
  auto t = clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}
template <class A, class B, class C>
METILE_SHIM constexpr auto select(const A &a, const B &b, const C &c) {
  if constexpr (::metile::emulator::lanesOf<A> == 1) {
    using R = ::metile::emulator::CommonType<A, B>;
    return c ? static_cast<R>(b) : static_cast<R>(a);
  } else {
    A result = a;
    for (int i = 0; i < ::metile::emulator::lanesOf<A>; ++i)
      if (c[i])
        result.data[i] = A(b).data[i];
    return result;
  }
}

/// x times 2 to the power of `exponent`.
METILE_SHIM float ldexp(float x, int exponent) { return __builtin_ldexpf(x, exponent); }
METILE_SHIM half ldexp(half x, int exponent) {
  return static_cast<half>(__builtin_ldexpf(x, exponent));
}
template <class T, int N> METILE_SHIM vec<T, N> ldexp(const vec<T, N> &x, const vec<int, N> &e) {
  return ::metile::emulator::eachLane([](T a, int b) { return ldexp(a, b); }, x, e);
}
METILE_SHIM float frexp(float x, int &exponent) { return __builtin_frexpf(x, &exponent); }
METILE_SHIM half frexp(half x, int &exponent) {
  return static_cast<half>(__builtin_frexpf(x, &exponent));
}
METILE_SHIM int ilogb(float x) { return __builtin_ilogbf(x); }
METILE_SHIM float modf(float x, float &whole) { return __builtin_modff(x, &whole); }
METILE_SHIM half modf(half x, half &whole) {
  float w = 0;
  float rest = __builtin_modff(x, &w);
  whole = static_cast<half>(w);
  return static_cast<half>(rest);
}
METILE_SHIM float sincos(float x, float &cosine) {
  cosine = __builtin_cosf(x);
  return __builtin_sinf(x);
}
METILE_SHIM half sincos(half x, half &cosine) {
  cosine = static_cast<half>(__builtin_cosf(x));
  return static_cast<half>(__builtin_sinf(x));
}

//===--- Relations ---===//

#define METILE_RELATION(name, expression)                                                          \
  template <::metile::emulator::Floating T> METILE_SHIM constexpr bool name(T v) {                 \
    float x = v;                                                                                   \
    return expression;                                                                             \
  }                                                                                                \
  template <::metile::emulator::Integer T> METILE_SHIM constexpr bool name(T v) {                  \
    float x = v;                                                                                   \
    return expression;                                                                             \
  }                                                                                                \
  template <class T, int N> METILE_SHIM constexpr vec<bool, N> name(const vec<T, N> &v) {          \
    return ::metile::emulator::eachLane([](T x) { return name(x); }, v);                           \
  }
METILE_RELATION(isnan, __builtin_isnan(x))
METILE_RELATION(isinf, __builtin_isinf(x) != 0)
METILE_RELATION(isfinite, __builtin_isfinite(x))
METILE_RELATION(isnormal, __builtin_isnormal(x))
METILE_RELATION(signbit, __builtin_signbit(x) != 0)
#undef METILE_RELATION
template <class T> METILE_SHIM constexpr auto isunordered(T a, T b) { return isnan(a) || isnan(b); }
template <class T> METILE_SHIM constexpr auto isordered(T a, T b) { return !isunordered(a, b); }
METILE_SHIM constexpr bool any(bool a) { return a; }
METILE_SHIM constexpr bool all(bool a) { return a; }
template <int N> METILE_SHIM constexpr bool any(const vec<bool, N> &v) {
  bool result = false;
  for (int i = 0; i < N; ++i)
    result |= v.data[i] != 0;
  return result;
}
template <int N> METILE_SHIM constexpr bool all(const vec<bool, N> &v) {
  bool result = true;
  for (int i = 0; i < N; ++i)
    result &= v.data[i] != 0;
  return result;
}

//===--- Geometry ---===//

template <class T, int N> METILE_SHIM T dot(const vec<T, N> &a, const vec<T, N> &b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i)
    sum += a[i] * b[i];
  return sum;
}
template <class T, int N> METILE_SHIM T length_squared(const vec<T, N> &v) { return dot(v, v); }
template <class T, int N> METILE_SHIM T length(const vec<T, N> &v) { return sqrt(dot(v, v)); }
template <class T, int N> METILE_SHIM T distance(const vec<T, N> &a, const vec<T, N> &b) {
  return length(a - b);
}
template <class T, int N> METILE_SHIM T distance_squared(const vec<T, N> &a, const vec<T, N> &b) {
  return length_squared(a - b);
}
template <class T, int N> METILE_SHIM vec<T, N> normalize(const vec<T, N> &v) {
  return v * rsqrt(dot(v, v));
}
template <class T> METILE_SHIM vec<T, 3> cross(const vec<T, 3> &a, const vec<T, 3> &b) {
  return vec<T, 3>(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}
template <class T, int N> METILE_SHIM vec<T, N> reflect(const vec<T, N> &i, const vec<T, N> &n) {
  return i - 2 * dot(n, i) * n;
}

// The variants of a function differ in how exact Apple's are; here they are one. Kernels add
// overloads of their own to these namespaces, so the names are declared in each.
namespace fast {
using metal::acos, metal::acosh, metal::asin, metal::asinh, metal::atan, metal::atanh, metal::atan2,
    metal::ceil, metal::copysign, metal::cos, metal::cosh, metal::cospi, metal::divide, metal::exp,
    metal::exp2, metal::exp10, metal::fabs, metal::abs, metal::fdim, metal::floor, metal::fma,
    metal::fmax, metal::fmax3, metal::fmedian3, metal::fmin, metal::fmin3, metal::fmod,
    metal::fract, metal::frexp, metal::ilogb, metal::ldexp, metal::log, metal::log2, metal::log10,
    metal::max, metal::max3, metal::median3, metal::min, metal::min3, metal::modf, metal::nextafter,
    metal::pow, metal::powr, metal::rint, metal::round, metal::rsqrt, metal::sin, metal::sincos,
    metal::sinh, metal::sinpi, metal::sqrt, metal::tan, metal::tanh, metal::tanpi, metal::trunc,
    metal::clamp, metal::mix, metal::saturate, metal::sign, metal::smoothstep, metal::step,
    metal::normalize, metal::length, metal::distance, metal::isnan, metal::isinf, metal::isfinite;
}
namespace precise {
using metal::acos, metal::acosh, metal::asin, metal::asinh, metal::atan, metal::atanh, metal::atan2,
    metal::ceil, metal::copysign, metal::cos, metal::cosh, metal::cospi, metal::divide, metal::exp,
    metal::exp2, metal::exp10, metal::fabs, metal::abs, metal::fdim, metal::floor, metal::fma,
    metal::fmax, metal::fmax3, metal::fmedian3, metal::fmin, metal::fmin3, metal::fmod,
    metal::fract, metal::frexp, metal::ilogb, metal::ldexp, metal::log, metal::log2, metal::log10,
    metal::max, metal::max3, metal::median3, metal::min, metal::min3, metal::modf, metal::nextafter,
    metal::pow, metal::powr, metal::rint, metal::round, metal::rsqrt, metal::sin, metal::sincos,
    metal::sinh, metal::sinpi, metal::sqrt, metal::tan, metal::tanh, metal::tanpi, metal::trunc,
    metal::clamp, metal::mix, metal::saturate, metal::sign, metal::smoothstep, metal::step,
    metal::normalize, metal::length, metal::distance, metal::isnan, metal::isinf, metal::isfinite;
}

} // namespace metal
