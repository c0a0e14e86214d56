// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/BitMatrix.h"

#include <algorithm>
#include <cassert>

namespace metile {

bool BitMatrix::fits(unsigned rows) const {
  return std::all_of(columns.begin(), columns.end(),
                     [&](uint64_t column) { return rows >= 64 || column >> rows == 0; });
}

BitMatrix BitMatrix::operator*(const BitMatrix &right) const {
  BitMatrix product(right.width());
  for (unsigned i = 0; i < right.width(); ++i)
    product[i] = (*this)(right[i]);
  return product;
}

BitMatrix BitMatrix::operator^(const BitMatrix &other) const {
  assert(width() == other.width());
  BitMatrix sum(*this);
  for (unsigned i = 0; i < width(); ++i)
    sum[i] ^= other[i];
  return sum;
}

Elimination::Elimination(const BitMatrix &matrix) {
  for (unsigned i = 0; i < matrix.width(); ++i)
    add(matrix[i]);
}

// A column that depends on earlier ones never becomes a pivot. So combinations are made of
// independent columns only, which makes solutions smallest: adding a vector of the kernel would set
// its highest component.
void Elimination::add(uint64_t column) {
  auto [x, remainder] = solve(column);
  uint64_t combination = x | uint64_t(1) << width++;
  if (remainder == 0) {
    kernelBasis.push_back(combination);
    return;
  }
  pivots[static_cast<std::size_t>(std::bit_width(remainder) - 1)] = {remainder, combination};
  ++imageRank;
}

bool Elimination::addIfIndependent(uint64_t column) {
  if (inImage(column))
    return false;
  add(column);
  return true;
}

uint64_t Elimination::dependentColumns() const {
  uint64_t columns = 0;
  for (uint64_t vector : kernelBasis)
    columns |= std::bit_floor(vector);
  return columns;
}

Elimination::Solution Elimination::solve(uint64_t y) const {
  Solution solution{0, y};
  for (uint64_t rest = y; rest;) {
    uint64_t highest = std::bit_floor(rest);
    const Pivot &pivot = pivots[static_cast<std::size_t>(std::bit_width(rest) - 1)];
    if (pivot.vector) {
      solution.x ^= pivot.combination;
      solution.remainder ^= pivot.vector;
    }
    rest = solution.remainder & (highest - 1);
  }
  return solution;
}

BitMatrix Elimination::solutions(unsigned rows) const {
  BitMatrix matrix(rows);
  for (unsigned i = 0; i < rows; ++i)
    matrix[i] = solve(uint64_t(1) << i).x;
  return matrix;
}

} // namespace metile
