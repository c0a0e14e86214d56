// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simdgroup_matrix. A matrix lives in the variable of its simdgroup's first lane, the leader, while
// the other lanes pass over loads, stores and products without waiting. Only thread_elements()
// distributes it: then each lane holds its two elements, where Apple's GPUs hold them, and whatever
// uses the matrix next is a collective of the simdgroup.
#pragma once

#include "Simd.h"

namespace metile::emulator {

enum class MatrixState : unsigned char { empty, whole, distributed };

struct ElementPlace {
  int row, column;
};
/// Where the first of a lane's two elements lies; the second is in the next column.
constexpr ElementPlace elementPlace(int lane) {
  int quad = lane / 4;
  return {(quad & 4) + lane / 2 % 4, (quad & 2) * 2 + lane % 2 * 2};
}

METILE_SHIM bool isLeader() { return laneIndex() == 0; }

} // namespace metile::emulator

namespace metal {

template <class T, int Columns, int Rows = Columns> struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "a simdgroup_matrix has 8 rows and 8 columns");
  using Row = ::metile::emulator::NativeVector<T, 8>;
  using storage_type = vec<T, 2>;

  Row rows[8];
  vec<T, 2> elements;
  ::metile::emulator::MatrixState state = ::metile::emulator::MatrixState::empty;

  constexpr simdgroup_matrix() {}
  /// A diagonal matrix.
  METILE_SHIM explicit simdgroup_matrix(T diagonal)
      : state(::metile::emulator::MatrixState::whole) {
    for (int i = 0; i < 8; ++i) {
      rows[i] = Row(0);
      rows[i][i] = ::metile::emulator::stored(diagonal);
    }
  }
  METILE_SHIM vec<T, 2> &thread_elements(METILE_SITE) {
    using namespace ::metile::emulator;
    if (state == MatrixState::whole)
      elements = collective<vec<T, 2>>(
          this,
          [](unsigned mask, simdgroup_matrix *const *const *in, vec<T, 2> *const *out) {
            const Row *from = (*in[__builtin_ctz(mask)])->rows;
            for (int lane = 0; lane < 32; ++lane) {
              ElementPlace at = elementPlace(lane);
              if (mask >> lane & 1)
                *out[lane] = vec<T, 2>(T(from[at.row][at.column]), T(from[at.row][at.column + 1]));
            }
          },
          metileSite);
    state = MatrixState::distributed;
    return elements;
  }
};

using simdgroup_half8x8 = simdgroup_matrix<half, 8, 8>;
using simdgroup_bfloat8x8 = simdgroup_matrix<bfloat, 8, 8>;
using simdgroup_float8x8 = simdgroup_matrix<float, 8, 8>;

} // namespace metal

namespace metile::emulator {

template <class T> using Matrix = metal::simdgroup_matrix<T, 8, 8>;
using FloatRow = float __attribute__((ext_vector_type(8)));

/// The rows of lane 0's matrix, or those put together from all lanes' elements in `gathered`.
template <class T>
METILE_SHIM const typename Matrix<T>::Row *
wholeRows(unsigned mask, const Matrix<T> *const (&of)[32], typename Matrix<T>::Row (&gathered)[8]) {
  const Matrix<T> *leader = of[__builtin_ctz(mask)];
  if (leader->state != MatrixState::distributed)
    return leader->rows;
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      ElementPlace at = elementPlace(lane);
      gathered[at.row][at.column] = of[lane]->elements.data[0];
      gathered[at.row][at.column + 1] = of[lane]->elements.data[1];
    }
  return gathered;
}

/// Brings a distributed matrix back to its leader.
template <class T> METILE_SHIM void makeWhole(Matrix<T> &matrix, Site site) {
  if (matrix.state != MatrixState::distributed)
    return;
  collective<bool>(
      &matrix,
      [](unsigned mask, Matrix<T> *const *const *in, bool *const *out) {
        const Matrix<T> *lanes[32] = {};
        for (int lane = 0; lane < 32; ++lane)
          if (mask >> lane & 1)
            lanes[lane] = *in[lane];
        typename Matrix<T>::Row gathered[8] = {};
        const auto *rows = wholeRows<T>(mask, lanes, gathered);
        Matrix<T> *leader = *in[__builtin_ctz(mask)];
        for (int i = 0; i < 8; ++i)
          leader->rows[i] = rows[i];
      },
      site);
  matrix.state = MatrixState::whole;
}

/// d = a b + c, accumulated in float; no c: the product alone.
template <class D, class A, class B, class C>
METILE_UNCHECKED void multiplyRows(typename Matrix<D>::Row *d, const typename Matrix<A>::Row *a,
                                   const typename Matrix<B>::Row *b,
                                   const typename Matrix<C>::Row *c) {
  FloatRow right[8], sum[8];
  for (int k = 0; k < 8; ++k)
    right[k] = __builtin_convertvector(b[k], FloatRow);
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; ++i) {
    sum[i] = c ? __builtin_convertvector(c[i], FloatRow) : FloatRow(0);
    FloatRow left = __builtin_convertvector(a[i], FloatRow);
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; ++k)
      sum[i] += left[k] * right[k];
  }
  for (int i = 0; i < 8; ++i)
    d[i] = __builtin_convertvector(sum[i], typename Matrix<D>::Row);
}

template <class D, class A, class B, class C> struct Product {
  Matrix<D> *d;
  const Matrix<A> *a;
  const Matrix<B> *b;
  const Matrix<C> *c;
};

template <class D, class A, class B, class C>
METILE_UNCHECKED void multiplyDistributed(unsigned mask, const Product<D, A, B, C> *const *in) {
  const Matrix<A> *a[32] = {};
  const Matrix<B> *b[32] = {};
  const Matrix<C> *c[32] = {};
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      a[lane] = in[lane]->a;
      b[lane] = in[lane]->b;
      c[lane] = in[lane]->c;
    }
  typename Matrix<A>::Row left[8] = {};
  typename Matrix<B>::Row right[8] = {};
  typename Matrix<C>::Row added[8] = {};
  typename Matrix<D>::Row result[8];
  unsigned leader = __builtin_ctz(mask);
  multiplyRows<D, A, B, C>(result, wholeRows<A>(mask, a, left), wholeRows<B>(mask, b, right),
                           c[leader] ? wholeRows<C>(mask, c, added) : nullptr);
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      ElementPlace at = elementPlace(lane);
      in[lane]->d->elements =
          metal::vec<D, 2>(D(result[at.row][at.column]), D(result[at.row][at.column + 1]));
    }
}

template <class D, class A, class B, class C>
METILE_LEAF void multiply(Matrix<D> &d, const Matrix<A> &a, const Matrix<B> &b, const Matrix<C> *c,
                          Site site) {
  if (a.state == MatrixState::distributed || b.state == MatrixState::distributed ||
      (c && c->state == MatrixState::distributed)) {
    collective<bool>(
        Product<D, A, B, C>{&d, &a, &b, c},
        [](unsigned mask, const Product<D, A, B, C> *const *in, bool *const *) {
          multiplyDistributed(mask, in);
        },
        site);
    d.state = MatrixState::distributed;
    return;
  }
  if (isLeader())
    multiplyRows<D, A, B, C>(d.rows, a.rows, b.rows, c ? c->rows : nullptr);
  d.state = MatrixState::whole;
}

/// Loads from or stores to memory whose rows lie `stride` elements apart.
template <bool Store, class T, class P>
METILE_UNCHECKED void moveMatrix(Matrix<T> &matrix, P *memory, long stride, bool transpose,
                                 Site site) {
  Group &group = currentGroup();
  if (group.checking)
    group.services->access(&group, reinterpret_cast<unsigned long>(memory), 8 * sizeof(P), 8,
                           stride * static_cast<long>(sizeof(P)),
                           (Store ? accessWrite : accessRead) | accessCollective, site);
  for (long row = 0; row < 8; ++row)
    for (long column = 0; column < 8; ++column) {
      P *at = memory + row * stride + column;
      if constexpr (Store)
        *at = static_cast<P>(T(transpose ? matrix.rows[column][row] : matrix.rows[row][column]));
      else if (transpose)
        matrix.rows[column][row] = stored(static_cast<T>(*at));
      else
        matrix.rows[row][column] = stored(static_cast<T>(*at));
    }
}

template <class T, class P>
METILE_LEAF void loadMatrix(Matrix<T> &matrix, P *source, long stride, bool transpose, Site site) {
  if (isLeader())
    moveMatrix<false>(matrix, source, stride, transpose, site);
  matrix.state = MatrixState::whole;
}
template <class T, class P>
METILE_LEAF void storeMatrix(const Matrix<T> &matrix, P *target, long stride, bool transpose,
                             Site site) {
  if (matrix.state == MatrixState::distributed) {
    Matrix<T> whole = matrix;
    makeWhole(whole, site);
    if (isLeader())
      moveMatrix<true>(whole, target, stride, transpose, site);
  } else if (isLeader()) {
    moveMatrix<true>(const_cast<Matrix<T> &>(matrix), target, stride, transpose, site);
  }
}

} // namespace metile::emulator

namespace metal {

template <class T, class P>
METILE_SHIM void simdgroup_load(simdgroup_matrix<T, 8, 8> &matrix, P *source, ulong stride = 8,
                                ulong2 origin = 0, bool transpose = false, METILE_SITE) {
  ::metile::emulator::loadMatrix(matrix, source + origin.y * stride + origin.x,
                                 static_cast<long>(stride), transpose, metileSite);
}
template <class T, class P>
METILE_SHIM void simdgroup_store(const simdgroup_matrix<T, 8, 8> &matrix, P *target,
                                 ulong stride = 8, ulong2 origin = 0, bool transpose = false,
                                 METILE_SITE) {
  ::metile::emulator::storeMatrix(matrix, target + origin.y * stride + origin.x,
                                  static_cast<long>(stride), transpose, metileSite);
}
template <class D, class A, class B>
METILE_SHIM void simdgroup_multiply(simdgroup_matrix<D, 8, 8> &d,
                                    const simdgroup_matrix<A, 8, 8> &a,
                                    const simdgroup_matrix<B, 8, 8> &b, METILE_SITE) {
  ::metile::emulator::multiply<D, A, B, D>(d, a, b, nullptr, metileSite);
}
template <class D, class A, class B, class C>
METILE_SHIM void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8> &d,
                                               const simdgroup_matrix<A, 8, 8> &a,
                                               const simdgroup_matrix<B, 8, 8> &b,
                                               const simdgroup_matrix<C, 8, 8> &c, METILE_SITE) {
  ::metile::emulator::multiply<D, A, B, C>(d, a, b, &c, metileSite);
}
template <class T>
METILE_SHIM simdgroup_matrix<T, 8, 8> operator*(const simdgroup_matrix<T, 8, 8> &a,
                                                const simdgroup_matrix<T, 8, 8> &b) {
  simdgroup_matrix<T, 8, 8> d;
  simdgroup_multiply(d, a, b);
  return d;
}
template <class T, int Columns, int Rows = Columns>
METILE_SHIM simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, Columns, Rows> matrix;
  if (::metile::emulator::isLeader())
    for (auto &row : matrix.rows)
      row = ::metile::emulator::stored(value);
  matrix.state = ::metile::emulator::MatrixState::whole;
  return matrix;
}

} // namespace metal
