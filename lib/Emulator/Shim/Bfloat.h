// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat. Clang's __bf16 refuses conversions that Metal's bfloat has, so it is wrapped. It becomes
// a float where one is needed; a float becomes a bfloat only by a cast.
#pragma once

template <class T>
concept MetileArithmetic = __is_integral(T) || __is_floating_point(T) || __is_same(T, half);

struct bfloat {
  __bf16 value;

  constexpr bfloat() = default;
  METILE_SHIM constexpr bfloat(__bf16 value) : value(value) {}
  template <MetileArithmetic T>
  METILE_SHIM constexpr explicit(!__is_integral(T)) bfloat(T number)
      : value(static_cast<__bf16>(static_cast<float>(number))) {}
  /// Anything else that becomes a number by itself.
  template <class T>
    requires(__is_class(T) && !__is_same(T, bfloat) && __is_convertible_to(T, float))
  METILE_SHIM constexpr bfloat(const T &number) : bfloat(static_cast<float>(number)) {}
  /// To an int by a cast only: `c ? b : 0` would have two meanings.
  template <MetileArithmetic T>
  METILE_SHIM constexpr explicit(__is_same(T, int)) operator T() const {
    return static_cast<T>(static_cast<float>(value));
  }

  // All operators, since the compiler would not know which conversion to take.
#define METILE_BFLOAT_MIXED(op)                                                                    \
  template <MetileArithmetic T, class B>                                                           \
    requires __is_same                                                                             \
  (B, bfloat) METILE_SHIM friend constexpr auto operator op(B a, T b) {                            \
    return static_cast<float>(a) op b;                                                             \
  }                                                                                                \
  template <MetileArithmetic T, class B>                                                           \
    requires __is_same                                                                             \
  (B, bfloat) METILE_SHIM friend constexpr auto operator op(T a, B b) {                            \
    return a op static_cast<float>(b);                                                             \
  }
#define METILE_BFLOAT_OPERATOR(op)                                                                 \
  template <class B>                                                                               \
    requires __is_same                                                                             \
  (B, bfloat) METILE_SHIM friend constexpr bfloat operator op(B a, B b) {                          \
    return bfloat(static_cast<float>(a) op static_cast<float>(b));                                 \
  }                                                                                                \
  METILE_BFLOAT_MIXED(op)                                                                          \
  template <class T> METILE_SHIM constexpr bfloat &operator op## = (const T &b) {                  \
    return *this = static_cast<bfloat>(static_cast<float>(*this) op static_cast<float>(b));        \
  }                                                                                                \
  template <MetileArithmetic T, class B>                                                           \
    requires __is_same                                                                             \
  (B, bfloat) METILE_SHIM friend constexpr T &operator op## = (T & a, B b) {                       \
    return a = static_cast<T>(a op static_cast<float>(b));                                         \
  }
#define METILE_BFLOAT_COMPARISON(op)                                                               \
  template <class B>                                                                               \
    requires __is_same                                                                             \
  (B, bfloat) METILE_SHIM friend constexpr bool operator op(B a, B b) {                            \
    return static_cast<float>(a) op static_cast<float>(b);                                         \
  }                                                                                                \
  METILE_BFLOAT_MIXED(op)
  METILE_BFLOAT_OPERATOR(+)
  METILE_BFLOAT_OPERATOR(-)
  METILE_BFLOAT_OPERATOR(*)
  METILE_BFLOAT_OPERATOR(/)
  METILE_BFLOAT_COMPARISON(==)
  METILE_BFLOAT_COMPARISON(!=)
  METILE_BFLOAT_COMPARISON(<)
  METILE_BFLOAT_COMPARISON(>)
  METILE_BFLOAT_COMPARISON(<=)
  METILE_BFLOAT_COMPARISON(>=)
#undef METILE_BFLOAT_COMPARISON
#undef METILE_BFLOAT_OPERATOR
#undef METILE_BFLOAT_MIXED
  METILE_SHIM constexpr bfloat operator-() const { return bfloat(-static_cast<float>(*this)); }
  METILE_SHIM constexpr bfloat operator+() const { return *this; }
  METILE_SHIM constexpr bfloat &operator++() { return *this += 1; }
  METILE_SHIM constexpr bfloat &operator--() { return *this -= 1; }
};
