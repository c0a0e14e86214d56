// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BitMatrix: matrices over the two-element field GF(2), where + is XOR and × is AND, and their
// elimination. A vector is a uint64_t; its bit i is component i. Knows nothing of layouts.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace metile {

class BitMatrix {
public:
  /// All zero. Rows need no declaration: a component that no column has is zero.
  explicit BitMatrix(unsigned columns = 0) : columns(columns) {}
  explicit BitMatrix(std::vector<uint64_t> columns) : columns(std::move(columns)) {}

  unsigned width() const { return static_cast<unsigned>(columns.size()); }
  /// Whether no column has a component beyond the first `rows`.
  bool fits(unsigned rows) const;
  uint64_t &operator[](unsigned column) { return columns[column]; }
  uint64_t operator[](unsigned column) const { return columns[column]; }

  /// This matrix times the vector `x`, which has no components beyond width().
  uint64_t operator()(uint64_t x) const {
    uint64_t y = 0;
    for (; x; x &= x - 1)
      y ^= columns[static_cast<unsigned>(std::countr_zero(x))];
    return y;
  }
  BitMatrix operator*(const BitMatrix &right) const;
  /// The sum; both have one width.
  BitMatrix operator^(const BitMatrix &other) const;
  bool operator==(const BitMatrix &) const = default;

private:
  std::vector<uint64_t> columns;
};

/// What Gaussian elimination finds out about a matrix A: its image, its kernel, and solutions of
/// A x = y. Everything it returns is the smallest of its kind, hence unique and linear in y.
class Elimination {
public:
  Elimination() = default;
  explicit Elimination(const BitMatrix &matrix);
  /// Appends a column to the matrix if it is independent of those before it; returns whether it is.
  bool addIfIndependent(uint64_t column);

  /// Dimension of the image.
  unsigned rank() const { return imageRank; }
  /// A basis of all x with A x = 0. Each vector has its highest component for itself.
  const std::vector<uint64_t> &kernel() const { return kernelBasis; }
  /// The columns that depend on those before them: the highest components of kernel().
  uint64_t dependentColumns() const;
  bool inImage(uint64_t y) const { return solve(y).remainder == 0; }

  struct Solution {
    uint64_t x;         ///< The smallest x for which A x ^ y is as below.
    uint64_t remainder; ///< The smallest A x ^ y of all x; 0 if y is in the image.
  };
  Solution solve(uint64_t y) const;
  /// The matrix that takes y to solve(y).x, for y of `rows` components.
  BitMatrix solutions(unsigned rows) const;

private:
  void add(uint64_t column);

  /// One vector of the image with the combination of columns that makes it.
  struct Pivot {
    uint64_t vector = 0;
    uint64_t combination = 0;
  };
  std::array<Pivot, 64> pivots{}; ///< By the highest component of `vector`.
  std::vector<uint64_t> kernelBasis;
  unsigned imageRank = 0;
  unsigned width = 0;
};

} // namespace metile
