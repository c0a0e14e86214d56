// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of two to four lanes, their swizzles and operators, and packed vectors.
#pragma once

#include "Base.h"

namespace metile::emulator {

/// How a lane is stored: clang packs vectors of bool into bits, Metal does not.
template <class T> struct LaneOf {
  using type = T;
};
template <> struct LaneOf<bool> {
  using type = unsigned char;
};
template <> struct LaneOf<bfloat> {
  using type = __bf16;
};
/// A lane as it is stored.
template <class T> METILE_SHIM constexpr typename LaneOf<T>::type stored(T lane) {
  if constexpr (metal::is_same_v<T, bfloat>)
    return lane.value;
  else
    return lane;
}
template <class T, int N>
using NativeVector = typename LaneOf<T>::type __attribute__((ext_vector_type(N)));

template <class T>
concept Number = metal::is_arithmetic_v<T>;
template <class T>
concept Integer = metal::is_integral_v<T>;
template <class T>
concept Floating = metal::is_floating_point_v<T>;

/// The vector of `data`'s lanes `at...`.
template <class V, class S, class... I> METILE_SHIM constexpr V pick(const S &data, I... at) {
  return V(typename V::Native{}, typename V::Storage{data[at]...});
}
/// Writes the lanes of `value` to the lanes `at...` of `data`.
template <class S, class V, class... I>
METILE_SHIM constexpr void place(S &data, const V &value, I... at) {
  int from = 0;
  ((data[at] = value[from++]), ...);
}

} // namespace metile::emulator

namespace metal {

template <class T, int N> struct vec;
template <class T, int N> struct packed_vec;

} // namespace metal

namespace metile::emulator {

template <class T> inline constexpr int lanesOf = 1;
template <class T, int N> inline constexpr int lanesOf<metal::vec<T, N>> = N;
template <class T, int N> inline constexpr int lanesOf<const metal::vec<T, N>> = N;
template <class T, int N> inline constexpr int lanesOf<metal::packed_vec<T, N>> = N;

// Members that read and write lanes of a vector by the names x y z w and r g b a. Writing through
// a name with a repeated lane is accepted, though it means nothing.
#define METILE_SWIZZLE(name, n, ...)                                                               \
  METILE_SHIM constexpr vec<T, n> get_##name() const {                                             \
    return ::metile::emulator::pick<vec<T, n>>(data, __VA_ARGS__);                                 \
  }                                                                                                \
  METILE_SHIM constexpr void put_##name(const vec<T, n> &value) {                                  \
    ::metile::emulator::place(data, value.data, __VA_ARGS__);                                      \
  }                                                                                                \
  __declspec(property(get = get_##name, put = put_##name)) vec<T, n> name;
#define METILE_ALIAS(name, of, n)                                                                  \
  __declspec(property(get = get_##of, put = put_##of)) vec<T, n> name;

// METILE_EACHn(M, prefix, lanes...): M(prefix x, lanes..., 0) M(prefix y, lanes..., 1) … for the
// lanes of a vector of n. A macro cannot call itself, so each depth has its own copy.
#define METILE_EACH2(M, p, ...) M(p##x, __VA_ARGS__, 0) M(p##y, __VA_ARGS__, 1)
#define METILE_EACH3(M, p, ...) METILE_EACH2(M, p, __VA_ARGS__) M(p##z, __VA_ARGS__, 2)
#define METILE_EACH4(M, p, ...) METILE_EACH3(M, p, __VA_ARGS__) M(p##w, __VA_ARGS__, 3)
#define METILE_AGAIN2(M, p, ...) M(p##x, __VA_ARGS__, 0) M(p##y, __VA_ARGS__, 1)
#define METILE_AGAIN3(M, p, ...) METILE_AGAIN2(M, p, __VA_ARGS__) M(p##z, __VA_ARGS__, 2)
#define METILE_AGAIN4(M, p, ...) METILE_AGAIN3(M, p, __VA_ARGS__) M(p##w, __VA_ARGS__, 3)
#define METILE_LAST2(M, p, ...) M(p##x, __VA_ARGS__, 0) M(p##y, __VA_ARGS__, 1)
#define METILE_LAST3(M, p, ...) METILE_LAST2(M, p, __VA_ARGS__) M(p##z, __VA_ARGS__, 2)
#define METILE_LAST4(M, p, ...) METILE_LAST3(M, p, __VA_ARGS__) M(p##w, __VA_ARGS__, 3)
#define METILE_PAIR(name, ...) METILE_SWIZZLE(name, 2, __VA_ARGS__)
#define METILE_TRIPLE(name, ...) METILE_SWIZZLE(name, 3, __VA_ARGS__)
#define METILE_QUAD(name, ...) METILE_SWIZZLE(name, 4, __VA_ARGS__)

#define METILE_LONGER2(name, ...)                                                                  \
  METILE_PAIR(name, __VA_ARGS__)                                                                   \
  METILE_AGAIN2(METILE_LONGEST2, name, __VA_ARGS__)
#define METILE_LONGEST2(name, ...)                                                                 \
  METILE_TRIPLE(name, __VA_ARGS__) METILE_LAST2(METILE_QUAD, name, __VA_ARGS__)
#define METILE_LONGER3(name, ...)                                                                  \
  METILE_PAIR(name, __VA_ARGS__)                                                                   \
  METILE_AGAIN3(METILE_LONGEST3, name, __VA_ARGS__)
#define METILE_LONGEST3(name, ...)                                                                 \
  METILE_TRIPLE(name, __VA_ARGS__) METILE_LAST3(METILE_QUAD, name, __VA_ARGS__)
#define METILE_LONGER4(name, ...)                                                                  \
  METILE_PAIR(name, __VA_ARGS__)                                                                   \
  METILE_AGAIN4(METILE_LONGEST4, name, __VA_ARGS__)
#define METILE_LONGEST4(name, ...)                                                                 \
  METILE_TRIPLE(name, __VA_ARGS__) METILE_LAST4(METILE_QUAD, name, __VA_ARGS__)

} // namespace metile::emulator

namespace metal {

// What vectors of all lengths share: `N` lanes in `data`, also by their names, `names` and
// `colours`.
#define METILE_LANES(...) __VA_ARGS__
#define METILE_VECTOR_COMMON(N, names, colours)                                                    \
  using Storage = ::metile::emulator::NativeVector<T, N>;                                          \
  union {                                                                                          \
    Storage data;                                                                                  \
    struct {                                                                                       \
      T names;                                                                                     \
    };                                                                                             \
    struct {                                                                                       \
      T colours;                                                                                   \
    };                                                                                             \
  };                                                                                               \
  constexpr vec() = default;                                                                       \
  constexpr vec(const vec &) = default;                                                            \
  constexpr vec &operator=(const vec &) = default;                                                 \
  struct Native {};                                                                                \
  METILE_SHIM constexpr vec(Native, Storage data) : data(data) {}                                  \
  template <::metile::emulator::Number S>                                                          \
  METILE_SHIM constexpr vec(S s)                                                                   \
      : data(static_cast<Storage>(::metile::emulator::stored(static_cast<T>(s)))) {}               \
  template <class U>                                                                               \
    requires(!is_same_v<U, T>)                                                                     \
  METILE_SHIM constexpr explicit vec(const vec<U, N> &other) : data{} {                            \
    for (int i = 0; i < N; ++i)                                                                    \
      data[i] = ::metile::emulator::stored(static_cast<T>(static_cast<U>(other.data[i])));         \
  }                                                                                                \
  template <class U>                                                                               \
    requires(!is_same_v<U, T>)                                                                     \
  METILE_SHIM constexpr explicit vec(const packed_vec<U, N> &other) : data{} {                     \
    for (int i = 0; i < N; ++i)                                                                    \
      data[i] = ::metile::emulator::stored(static_cast<T>(other[i]));                              \
  }                                                                                                \
  template <class A, class B, class... Rest>                                                       \
    requires(::metile::emulator::lanesOf<A> + ::metile::emulator::lanesOf<B> +                     \
                 (::metile::emulator::lanesOf<Rest> + ... + 0) <=                                  \
             N)                                                                                    \
  METILE_SHIM constexpr vec(const A &a, const B &b, const Rest &...rest) : data{} {                \
    int at = 0;                                                                                    \
    append(at, a);                                                                                 \
    append(at, b);                                                                                 \
    (append(at, rest), ...);                                                                       \
  }                                                                                                \
  template <class A> METILE_SHIM constexpr void append(int &at, const A &part) {                   \
    if constexpr (::metile::emulator::lanesOf<A> == 1)                                             \
      data[at++] = ::metile::emulator::stored(static_cast<T>(part));                               \
    else                                                                                           \
      for (int i = 0; i < ::metile::emulator::lanesOf<A>; ++i)                                     \
        data[at++] = ::metile::emulator::stored(static_cast<T>(part[i]));                          \
  }                                                                                                \
  METILE_SHIM constexpr T operator[](size_t i) const {                                             \
    if consteval {                                                                                 \
      return static_cast<T>(data[i]);                                                              \
    }                                                                                              \
    return reinterpret_cast<const T *>(&data)[i];                                                  \
  }                                                                                                \
  METILE_SHIM T &operator[](size_t i) { return reinterpret_cast<T *>(&data)[i]; }

template <class T> struct vec<T, 2> {
  METILE_VECTOR_COMMON(2, METILE_LANES(x, y), METILE_LANES(r, g))
  METILE_EACH2(METILE_LONGER2, x, 0)
  METILE_EACH2(METILE_LONGER2, y, 1)
  METILE_ALIAS(rg, xy, 2)
};
template <class T> struct vec<T, 3> {
  METILE_VECTOR_COMMON(3, METILE_LANES(x, y, z), METILE_LANES(r, g, b))
  METILE_EACH3(METILE_LONGER3, x, 0)
  METILE_EACH3(METILE_LONGER3, y, 1)
  METILE_EACH3(METILE_LONGER3, z, 2)
  METILE_ALIAS(rg, xy, 2)
  METILE_ALIAS(rgb, xyz, 3)
};
template <class T> struct vec<T, 4> {
  METILE_VECTOR_COMMON(4, METILE_LANES(x, y, z, w), METILE_LANES(r, g, b, a))
  METILE_EACH4(METILE_LONGER4, x, 0)
  METILE_EACH4(METILE_LONGER4, y, 1)
  METILE_EACH4(METILE_LONGER4, z, 2)
  METILE_EACH4(METILE_LONGER4, w, 3)
  METILE_ALIAS(rg, xy, 2)
  METILE_ALIAS(ba, zw, 2)
  METILE_ALIAS(rgb, xyz, 3)
  METILE_ALIAS(rgba, xyzw, 4)
};

#undef METILE_VECTOR_COMMON
#undef METILE_LANES

//===--- Operators ---===//

// The scalar operand of a vector operator takes the vector's type.
#define METILE_VECTOR_BINARY(op, Kind)                                                             \
  template <::metile::emulator::Kind T, int N>                                                     \
  METILE_SHIM constexpr vec<T, N> operator op(const vec<T, N> &a, const vec<T, N> &b) {            \
    return vec<T, N>(typename vec<T, N>::Native{},                                                 \
                     static_cast<typename vec<T, N>::Storage>(a.data op b.data));                  \
  }                                                                                                \
  template <::metile::emulator::Kind T, int N, ::metile::emulator::Number S>                       \
  METILE_SHIM constexpr vec<T, N> operator op(const vec<T, N> &a, S b) {                           \
    return a op vec<T, N>(b);                                                                      \
  }                                                                                                \
  template <::metile::emulator::Kind T, int N, ::metile::emulator::Number S>                       \
  METILE_SHIM constexpr vec<T, N> operator op(S a, const vec<T, N> &b) {                           \
    return vec<T, N>(a) op b;                                                                      \
  }                                                                                                \
  template <::metile::emulator::Kind T, int N>                                                     \
  METILE_SHIM constexpr vec<T, N> &operator op## = (vec<T, N> & a, const vec<T, N> &b) {           \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <::metile::emulator::Kind T, int N, ::metile::emulator::Number S>                       \
  METILE_SHIM constexpr vec<T, N> &operator op## = (vec<T, N> & a, S b) {                          \
    return a = a op b;                                                                             \
  }
METILE_VECTOR_BINARY(+, Number)
METILE_VECTOR_BINARY(-, Number)
METILE_VECTOR_BINARY(*, Number)
METILE_VECTOR_BINARY(/, Number)
METILE_VECTOR_BINARY(%, Integer)
METILE_VECTOR_BINARY(&, Integer)
METILE_VECTOR_BINARY(|, Integer)
METILE_VECTOR_BINARY(^, Integer)
METILE_VECTOR_BINARY(<<, Integer)
METILE_VECTOR_BINARY(>>, Integer)
#undef METILE_VECTOR_BINARY

#define METILE_VECTOR_COMPARE(op)                                                                  \
  template <class T, int N>                                                                        \
  METILE_SHIM constexpr vec<bool, N> operator op(const vec<T, N> &a, const vec<T, N> &b) {         \
    vec<bool, N> result{};                                                                         \
    for (int i = 0; i < N; ++i)                                                                    \
      result.data[i] = a.data[i] op b.data[i];                                                     \
    return result;                                                                                 \
  }                                                                                                \
  template <class T, int N, ::metile::emulator::Number S>                                          \
  METILE_SHIM constexpr vec<bool, N> operator op(const vec<T, N> &a, S b) {                        \
    return a op vec<T, N>(b);                                                                      \
  }                                                                                                \
  template <class T, int N, ::metile::emulator::Number S>                                          \
  METILE_SHIM constexpr vec<bool, N> operator op(S a, const vec<T, N> &b) {                        \
    return vec<T, N>(a) op b;                                                                      \
  }
METILE_VECTOR_COMPARE(==)
METILE_VECTOR_COMPARE(!=)
METILE_VECTOR_COMPARE(<)
METILE_VECTOR_COMPARE(>)
METILE_VECTOR_COMPARE(<=)
METILE_VECTOR_COMPARE(>=)
METILE_VECTOR_COMPARE(&&)
METILE_VECTOR_COMPARE(||)
#undef METILE_VECTOR_COMPARE

template <class T, int N> METILE_SHIM constexpr vec<T, N> operator+(const vec<T, N> &a) {
  return a;
}
template <class T, int N> METILE_SHIM constexpr vec<T, N> operator-(const vec<T, N> &a) {
  return vec<T, N>(typename vec<T, N>::Native{}, -a.data);
}
template <::metile::emulator::Integer T, int N>
METILE_SHIM constexpr vec<T, N> operator~(const vec<T, N> &a) {
  return vec<T, N>(typename vec<T, N>::Native{}, ~a.data);
}
template <class T, int N> METILE_SHIM constexpr vec<bool, N> operator!(const vec<T, N> &a) {
  return a == T(0);
}
template <class T, int N> METILE_SHIM constexpr vec<T, N> &operator++(vec<T, N> &a) {
  return a += T(1);
}
template <class T, int N> METILE_SHIM constexpr vec<T, N> &operator--(vec<T, N> &a) {
  return a -= T(1);
}
template <class T, int N> METILE_SHIM constexpr vec<T, N> operator++(vec<T, N> &a, int) {
  vec<T, N> before = a;
  a += T(1);
  return before;
}
template <class T, int N> METILE_SHIM constexpr vec<T, N> operator--(vec<T, N> &a, int) {
  vec<T, N> before = a;
  a -= T(1);
  return before;
}

//===--- Packed vectors ---===//

/// Lanes without alignment beyond their own; converts to and from the vector.
template <class T, int N> struct packed_vec {
  T lanes[N];
  constexpr packed_vec() = default;
  template <::metile::emulator::Number S> METILE_SHIM constexpr packed_vec(S s) {
    for (T &lane : lanes)
      lane = static_cast<T>(s);
  }
  METILE_SHIM constexpr packed_vec(const vec<T, N> &v) {
    for (int i = 0; i < N; ++i)
      lanes[i] = static_cast<T>(v.data[i]);
  }
  template <class A, class B, class... Rest>
  METILE_SHIM constexpr packed_vec(const A &a, const B &b, const Rest &...rest)
      : packed_vec(vec<T, N>(a, b, rest...)) {}
  METILE_SHIM constexpr operator vec<T, N>() const {
    vec<T, N> v{};
    for (int i = 0; i < N; ++i)
      v.data[i] = lanes[i];
    return v;
  }
  METILE_SHIM constexpr T &operator[](size_t i) { return lanes[i]; }
  METILE_SHIM constexpr const T &operator[](size_t i) const { return lanes[i]; }
  template <int I> METILE_SHIM constexpr T lane() const { return lanes[I]; }
#define METILE_PACKED_LANE(name, i)                                                                \
  METILE_SHIM constexpr T get_##name() const { return lanes[i]; }                                  \
  METILE_SHIM constexpr void put_##name(T value) { lanes[i] = value; }                             \
  __declspec(property(get = get_##name, put = put_##name)) T name;
  METILE_PACKED_LANE(x, 0)
  METILE_PACKED_LANE(y, 1)
  METILE_PACKED_LANE(z, 2)
  METILE_PACKED_LANE(w, 3)
#undef METILE_PACKED_LANE
};

// An operand that is a packed vector acts as the vector.
#define METILE_PACKED_BINARY(op)                                                                   \
  template <class T, int N>                                                                        \
  METILE_SHIM constexpr vec<T, N> operator op(const packed_vec<T, N> &a,                           \
                                              const packed_vec<T, N> &b) {                         \
    return vec<T, N>(a) op vec<T, N>(b);                                                           \
  }                                                                                                \
  template <class T, int N, class B>                                                               \
  METILE_SHIM constexpr vec<T, N> operator op(const packed_vec<T, N> &a, const B &b) {             \
    return vec<T, N>(a) op b;                                                                      \
  }                                                                                                \
  template <class T, int N, class A>                                                               \
  METILE_SHIM constexpr vec<T, N> operator op(const A &a, const packed_vec<T, N> &b) {             \
    return a op vec<T, N>(b);                                                                      \
  }                                                                                                \
  template <class T, int N, class B>                                                               \
  METILE_SHIM constexpr packed_vec<T, N> &operator op## = (packed_vec<T, N> & a, const B &b) {     \
    return a = vec<T, N>(a) op b;                                                                  \
  }
METILE_PACKED_BINARY(+)
METILE_PACKED_BINARY(-)
METILE_PACKED_BINARY(*)
METILE_PACKED_BINARY(/)
#undef METILE_PACKED_BINARY

} // namespace metal

using metal::vec;

#define METILE_VECTOR_NAMES(T)                                                                     \
  typedef metal::vec<T, 2> T##2;                                                                   \
  typedef metal::vec<T, 3> T##3;                                                                   \
  typedef metal::vec<T, 4> T##4;                                                                   \
  namespace metal {                                                                                \
  using ::T##2, ::T##3, ::T##4;                                                                    \
  }
#define METILE_PACKED_NAMES(T)                                                                     \
  typedef metal::packed_vec<T, 2> packed_##T##2;                                                   \
  typedef metal::packed_vec<T, 3> packed_##T##3;                                                   \
  typedef metal::packed_vec<T, 4> packed_##T##4;                                                   \
  namespace metal {                                                                                \
  using ::packed_##T##2, ::packed_##T##3, ::packed_##T##4;                                         \
  }
METILE_VECTOR_NAMES(bool)
METILE_VECTOR_NAMES(char)
METILE_VECTOR_NAMES(uchar)
METILE_VECTOR_NAMES(short)
METILE_VECTOR_NAMES(ushort)
METILE_VECTOR_NAMES(int)
METILE_VECTOR_NAMES(uint)
METILE_VECTOR_NAMES(long)
METILE_VECTOR_NAMES(ulong)
METILE_VECTOR_NAMES(half)
METILE_VECTOR_NAMES(bfloat)
METILE_VECTOR_NAMES(float)
METILE_PACKED_NAMES(char)
METILE_PACKED_NAMES(uchar)
METILE_PACKED_NAMES(short)
METILE_PACKED_NAMES(ushort)
METILE_PACKED_NAMES(int)
METILE_PACKED_NAMES(uint)
METILE_PACKED_NAMES(long)
METILE_PACKED_NAMES(ulong)
METILE_PACKED_NAMES(half)
METILE_PACKED_NAMES(bfloat)
METILE_PACKED_NAMES(float)
#undef METILE_VECTOR_NAMES
#undef METILE_PACKED_NAMES
