// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar types and traits of the Metal standard library, and how a kernel finds its
// threadgroup. The headers of this folder are compiled by clang together with a user's kernel,
// never into the emulator. They include no C++ library: its names would collide with the kernel's.
#pragma once

#include "../KernelAbi.h"
#include "Constants.h"

#define METILE_SHIM inline __attribute__((always_inline, nodebug))
/// Runs outside the checks: accesses are reported by hand.
#define METILE_UNCHECKED __attribute__((noinline, nodebug, no_sanitize("kernel-address", "bounds")))
/// Part of the kernel when it runs fast, outside the checks when it is checked.
#if METILE_CHECKING
#define METILE_LEAF METILE_UNCHECKED
#else
#define METILE_LEAF METILE_SHIM
#endif
/// The place in the kernel from where a shim function is called: its last parameter.
#define METILE_SITE                                                                                \
  ::metile::emulator::Site metileSite =                                                            \
      ::metile::emulator::siteOf(__builtin_LINE(), __builtin_COLUMN())

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
typedef _Float16 half;

namespace metile::emulator {
/// The threadgroup of the thread that calls.
METILE_SHIM Group &currentGroup() {
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return **reinterpret_cast<Group **>(frame & ~(fiberBytes - 1));
}
} // namespace metile::emulator

#include "Bfloat.h"

namespace metal {

using ::half, ::bfloat;
using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t;
using ::uchar, ::ushort, ::uint, ::ulong, ::size_t, ::ptrdiff_t;

//===--- Type traits ---===//

template <class T, T V> struct integral_constant {
  static constexpr T value = V;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const { return V; }
  constexpr T operator()() const { return V; }
};
template <bool V> using bool_constant = integral_constant<bool, V>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T, class U> inline constexpr bool is_same_v = __is_same(T, U);
template <class T, class U> struct is_same : bool_constant<__is_same(T, U)> {};

template <bool C, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  using type = T;
};
template <bool C, class T = void> using enable_if_t = typename enable_if<C, T>::type;
template <bool C, class T, class F> struct conditional {
  using type = T;
};
template <class T, class F> struct conditional<false, T, F> {
  using type = F;
};
template <bool C, class T, class F> using conditional_t = typename conditional<C, T, F>::type;

template <class T> struct remove_reference {
  using type = __remove_reference_t(T);
};
template <class T> using remove_reference_t = __remove_reference_t(T);
template <class T> struct remove_cv {
  using type = __remove_cv(T);
};
template <class T> using remove_cv_t = __remove_cv(T);
template <class T> using remove_const_t = __remove_const(T);
template <class T> struct remove_const {
  using type = __remove_const(T);
};
template <class T> using remove_volatile_t = __remove_volatile(T);
template <class T> using remove_pointer_t = __remove_pointer(T);
template <class T> struct remove_pointer {
  using type = __remove_pointer(T);
};
template <class T> using remove_cvref_t = __remove_cvref(T);
template <class T> struct remove_cvref {
  using type = __remove_cvref(T);
};
template <class T> using remove_addrspace_t = T;
template <class T> struct remove_addrspace {
  using type = T;
};
template <class T> using decay_t = __decay(T);
template <class T> struct decay {
  using type = __decay(T);
};
template <class T> struct type_identity {
  using type = T;
};
template <class T> using type_identity_t = T;
template <class T> struct add_const {
  using type = const T;
};
template <class T> using make_signed_t = __make_signed(T);
template <class T> using make_unsigned_t = __make_unsigned(T);
template <class T> struct make_signed {
  using type = __make_signed(T);
};
template <class T> struct make_unsigned {
  using type = __make_unsigned(T);
};
template <class T> using underlying_type_t = __underlying_type(T);

template <class T>
inline constexpr bool is_floating_point_v =
    is_same_v<remove_cv_t<T>, float> || is_same_v<remove_cv_t<T>, half> ||
    is_same_v<remove_cv_t<T>, bfloat> || is_same_v<remove_cv_t<T>, double>;
template <class T> inline constexpr bool is_integral_v = __is_integral(T);
template <class T>
inline constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T> inline constexpr bool is_scalar_v = is_arithmetic_v<T> || __is_pointer(T);
template <class T> inline constexpr bool is_signed_v = is_floating_point_v<T> || __is_signed(T);
template <class T> inline constexpr bool is_unsigned_v = __is_unsigned(T);
template <class T> inline constexpr bool is_pointer_v = __is_pointer(T);
template <class T> inline constexpr bool is_const_v = __is_const(T);
template <class T> inline constexpr bool is_class_v = __is_class(T);
template <class T> inline constexpr bool is_enum_v = __is_enum(T);
template <class T> inline constexpr bool is_array_v = __is_array(T);
template <class T> inline constexpr bool is_void_v = __is_void(T);
template <class T> inline constexpr bool is_reference_v = __is_reference(T);
template <class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T, class U> inline constexpr bool is_base_of_v = __is_base_of(T, U);
template <class T, class U> inline constexpr bool is_convertible_v = __is_convertible_to(T, U);
template <class T, class... A>
inline constexpr bool is_constructible_v = __is_constructible(T, A...);
template <class T, class U> inline constexpr bool is_assignable_v = __is_assignable(T, U);

#define METILE_TRAIT(name)                                                                         \
  template <class T> struct name : bool_constant<name##_v<T>> {};
METILE_TRAIT(is_floating_point)
METILE_TRAIT(is_integral)
METILE_TRAIT(is_arithmetic)
METILE_TRAIT(is_scalar)
METILE_TRAIT(is_signed)
METILE_TRAIT(is_unsigned)
METILE_TRAIT(is_pointer)
METILE_TRAIT(is_const)
METILE_TRAIT(is_class)
METILE_TRAIT(is_enum)
METILE_TRAIT(is_array)
METILE_TRAIT(is_void)
METILE_TRAIT(is_reference)
METILE_TRAIT(is_trivially_copyable)
#undef METILE_TRAIT
template <class T, class U> struct is_convertible : bool_constant<is_convertible_v<T, U>> {};
template <class T, class U> struct is_base_of : bool_constant<is_base_of_v<T, U>> {};
template <class T, class... A>
struct is_constructible : bool_constant<is_constructible_v<T, A...>> {};

template <class... B> struct conjunction : bool_constant<(B::value && ...)> {};
template <class... B> struct disjunction : bool_constant<(B::value || ...)> {};
template <class B> struct negation : bool_constant<!B::value> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = negation<B>::value;
template <class... B> using _disjunction = disjunction<B...>;
template <class... B> using _conjunction = conjunction<B...>;

template <class T> remove_reference_t<T> &&declval() noexcept;

//===--- Limits ---===//

template <class T> struct numeric_limits {
  static constexpr bool is_specialized = is_integral_v<T>;
  static constexpr bool is_signed = is_signed_v<T>;
  static constexpr bool is_integer = true;
  static constexpr bool has_infinity = false;
  static constexpr int digits = sizeof(T) * 8 - (is_signed ? 1 : 0);
  static constexpr T max() {
    if constexpr (is_same_v<T, bool>)
      return true;
    else if constexpr (is_signed)
      return static_cast<T>(~(1ull << (sizeof(T) * 8 - 1)));
    else
      return static_cast<T>(~0ull);
  }
  static constexpr T min() {
    if constexpr (is_signed)
      return static_cast<T>(1ull << (sizeof(T) * 8 - 1));
    else
      return T(0);
  }
  static constexpr T lowest() { return min(); }
};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};

/// Of a floating-point format with `Digits` bits of significand and exponents up to `Exponent`.
template <class T, int Digits, int Exponent> struct FloatLimits {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int digits = Digits;
  static constexpr int max_exponent = Exponent;
  static constexpr int min_exponent = 3 - Exponent;
  static constexpr double power(int n) {
    double value = 1;
    for (int i = 0; i < n; ++i)
      value *= 2;
    for (int i = 0; i > n; --i)
      value /= 2;
    return value;
  }
  static constexpr T max() { return static_cast<T>((2 - power(1 - Digits)) * power(Exponent - 1)); }
  static constexpr T lowest() { return -max(); }
  static constexpr T min() { return static_cast<T>(power(2 - Exponent)); }
  static constexpr T epsilon() { return static_cast<T>(power(1 - Digits)); }
  static constexpr T denorm_min() { return static_cast<T>(power(3 - Exponent - Digits)); }
  static constexpr T round_error() { return static_cast<T>(0.5); }
  static constexpr T infinity() { return static_cast<T>(__builtin_inff()); }
  static constexpr T quiet_NaN() { return static_cast<T>(__builtin_nanf("")); }
  static constexpr T signaling_NaN() { return static_cast<T>(__builtin_nansf("")); }
};
template <> struct numeric_limits<float> : FloatLimits<float, 24, 128> {};
template <> struct numeric_limits<half> : FloatLimits<half, 11, 16> {};
template <> struct numeric_limits<bfloat> : FloatLimits<bfloat, 8, 128> {};

//===--- Bits ---===//

template <class To, class From> METILE_SHIM constexpr To as_type(From value) {
  static_assert(sizeof(To) == sizeof(From), "as_type needs types of one size");
  return __builtin_bit_cast(To, value);
}

/// A fixed-size array that can be copied.
template <class T, size_t N> struct array {
  T elements[N];
  constexpr T &operator[](size_t i) { return elements[i]; }
  constexpr const T &operator[](size_t i) const { return elements[i]; }
  constexpr size_t size() const { return N; }
  constexpr T *begin() { return elements; }
  constexpr T *end() { return elements + N; }
  constexpr const T *begin() const { return elements; }
  constexpr const T *end() const { return elements + N; }
  constexpr T *data() { return elements; }
  constexpr const T *data() const { return elements; }
};

/// A value that is the same in all lanes; here just the value.
template <class T> struct uniform {
  T value;
  constexpr uniform() = default;
  constexpr uniform(T value) : value(value) {}
  constexpr operator T() const { return value; }
};
template <class T> METILE_SHIM constexpr uniform<T> make_uniform(T value) { return value; }

} // namespace metal

using metal::as_type;
