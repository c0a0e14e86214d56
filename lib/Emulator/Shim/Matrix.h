// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of two to four columns.
#pragma once

#include "Math.h"

namespace metal {

template <class T, int C, int R> struct matrix {
  vec<T, R> columns[C];

  constexpr matrix() = default;
  template <class... V>
    requires(sizeof...(V) == C && C > 1 && (is_convertible_v<V, vec<T, R>> && ...) &&
             ((::metile::emulator::lanesOf<V> == R) && ...))
  METILE_SHIM constexpr matrix(const V &...v) : columns{v...} {}
  /// The elements, column by column.
  template <class... S>
    requires(sizeof...(S) == C * R && (::metile::emulator::Number<S> && ...))
  METILE_SHIM constexpr matrix(S... s) : columns{} {
    T all[] = {static_cast<T>(s)...};
    for (int c = 0; c < C; ++c)
      for (int r = 0; r < R; ++r)
        columns[c].data[r] = ::metile::emulator::stored(all[c * R + r]);
  }
  /// A diagonal matrix.
  template <::metile::emulator::Number S> METILE_SHIM constexpr explicit matrix(S s) : columns{} {
    for (int i = 0; i < C && i < R; ++i)
      columns[i].data[i] = ::metile::emulator::stored(static_cast<T>(s));
  }
  template <class U>
    requires(!is_same_v<T, U>)
  METILE_SHIM constexpr explicit matrix(const matrix<U, C, R> &other) : columns{} {
    for (int c = 0; c < C; ++c)
      columns[c] = vec<T, R>(other.columns[c]);
  }
  METILE_SHIM constexpr vec<T, R> &operator[](size_t c) { return columns[c]; }
  METILE_SHIM constexpr const vec<T, R> &operator[](size_t c) const { return columns[c]; }
};

#define METILE_MATRIX_SUM(op)                                                                      \
  template <class T, int C, int R>                                                                 \
  METILE_SHIM constexpr matrix<T, C, R> operator op(const matrix<T, C, R> &a,                      \
                                                    const matrix<T, C, R> &b) {                    \
    matrix<T, C, R> result{};                                                                      \
    for (int c = 0; c < C; ++c)                                                                    \
      result.columns[c] = a.columns[c] op b.columns[c];                                            \
    return result;                                                                                 \
  }                                                                                                \
  template <class T, int C, int R>                                                                 \
  METILE_SHIM constexpr matrix<T, C, R> &operator op## =                                           \
      (matrix<T, C, R> & a, const matrix<T, C, R> &b) {                                            \
    return a = a op b;                                                                             \
  }
METILE_MATRIX_SUM(+)
METILE_MATRIX_SUM(-)
#undef METILE_MATRIX_SUM

template <class T, int C, int R, ::metile::emulator::Number S>
METILE_SHIM constexpr matrix<T, C, R> operator*(const matrix<T, C, R> &m, S s) {
  matrix<T, C, R> result{};
  for (int c = 0; c < C; ++c)
    result.columns[c] = m.columns[c] * s;
  return result;
}
template <class T, int C, int R, ::metile::emulator::Number S>
METILE_SHIM constexpr matrix<T, C, R> operator*(S s, const matrix<T, C, R> &m) {
  return m * s;
}
template <class T, int C, int R, ::metile::emulator::Number S>
METILE_SHIM constexpr matrix<T, C, R> &operator*=(matrix<T, C, R> &m, S s) {
  return m = m * s;
}
template <class T, int C, int R>
METILE_SHIM constexpr vec<T, R> operator*(const matrix<T, C, R> &m, const vec<T, C> &v) {
  vec<T, R> result(T(0));
  for (int c = 0; c < C; ++c)
    result += m.columns[c] * v[c];
  return result;
}
template <class T, int C, int R>
METILE_SHIM constexpr vec<T, C> operator*(const vec<T, R> &v, const matrix<T, C, R> &m) {
  vec<T, C> result(T(0));
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < R; ++r)
      result.data[c] += v[r] * m.columns[c][r];
  return result;
}
template <class T, int K, int R, int C>
METILE_SHIM constexpr matrix<T, C, R> operator*(const matrix<T, K, R> &a,
                                                const matrix<T, C, K> &b) {
  matrix<T, C, R> result{};
  for (int c = 0; c < C; ++c)
    result.columns[c] = a * b.columns[c];
  return result;
}
template <class T, int C, int R>
METILE_SHIM constexpr matrix<T, R, C> transpose(const matrix<T, C, R> &m) {
  matrix<T, R, C> result{};
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < R; ++r)
      result.columns[r].data[c] = m.columns[c].data[r];
  return result;
}
template <class T, int C, int R>
METILE_SHIM constexpr bool operator==(const matrix<T, C, R> &a, const matrix<T, C, R> &b) {
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < R; ++r)
      if (a.columns[c].data[r] != b.columns[c].data[r])
        return false;
  return true;
}
template <class T> METILE_SHIM constexpr T determinant(const matrix<T, 2, 2> &m) {
  return m[0][0] * m[1][1] - m[1][0] * m[0][1];
}
template <class T> METILE_SHIM constexpr T determinant(const matrix<T, 3, 3> &m) {
  return dot(m[0], cross(m[1], m[2]));
}

} // namespace metal

using metal::matrix;

#define METILE_MATRIX_NAMES(T)                                                                     \
  typedef metal::matrix<T, 2, 2> T##2x2;                                                           \
  typedef metal::matrix<T, 2, 3> T##2x3;                                                           \
  typedef metal::matrix<T, 2, 4> T##2x4;                                                           \
  typedef metal::matrix<T, 3, 2> T##3x2;                                                           \
  typedef metal::matrix<T, 3, 3> T##3x3;                                                           \
  typedef metal::matrix<T, 3, 4> T##3x4;                                                           \
  typedef metal::matrix<T, 4, 2> T##4x2;                                                           \
  typedef metal::matrix<T, 4, 3> T##4x3;                                                           \
  typedef metal::matrix<T, 4, 4> T##4x4;                                                           \
  namespace metal {                                                                                \
  using ::T##2x2, ::T##2x3, ::T##2x4, ::T##3x2, ::T##3x3, ::T##3x4, ::T##4x2, ::T##4x3, ::T##4x4;  \
  }
METILE_MATRIX_NAMES(half)
METILE_MATRIX_NAMES(float)
#undef METILE_MATRIX_NAMES
