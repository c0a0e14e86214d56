// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting and counting.

#include "Interpreter/Execution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace metile::interpreter {

/// Whether `a` comes before `b` in ascending order. NaN comes after every number.
static bool precedes(const Element &a, const Element &b, Type type, bool isUnsigned) {
  if (isFloat(type))
    return std::isnan(b.real) ? !std::isnan(a.real) : a.real < b.real;
  unsigned width = widthOf(type);
  if (isUnsigned || width == 1)
    return a.bits < b.bits;
  return asSigned(a.bits, width) < asSigned(b.bits, width);
}

void Execution::sort(tile::SortOp op) {
  const Tiles sources = get(op.getSources());
  const Tile &keys = sources.front();
  Type type = tile::elementTypeOf(op.getSources().front().getType());
  auto axis = static_cast<size_t>(op.getAxis());
  Tiles results;
  for (Value result : op.getResults())
    results.emplace_back(shapeOf(result.getType()));
  const Shape shape = results.front().shape;
  for (int64_t i = 0; i < countOf(shape); ++i) {
    // Each line once, from its first element.
    Shape place = placeOf(i, shape);
    if (place[axis] != 0)
      continue;
    auto at = [&](int64_t position, const Shape &extents) {
      place[axis] = position;
      return indexOf(place, extents);
    };
    std::vector<int64_t> order(static_cast<size_t>(keys.shape[axis]));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t x, int64_t y) {
      const Element &a = keys[at(x, keys.shape)], &b = keys[at(y, keys.shape)];
      bool aFirst = precedes(a, b, type, op.getIsUnsigned());
      bool bFirst = precedes(b, a, type, op.getIsUnsigned());
      if (aFirst == bFirst)
        return x < y; // Equal keys keep their order.
      return op.getDescending() ? bFirst : aFirst;
    });
    for (auto [result, source] : llvm::zip_equal(results, sources))
      for (int64_t position = 0; position < shape[axis]; ++position)
        result[at(position, shape)] =
            source[at(order[static_cast<size_t>(position)], source.shape)];
  }
  set(op.getResults(), std::move(results));
}

void Execution::histogram(tile::HistogramOp op) {
  const Tile &source = get(op.getSource());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  unsigned width = widthOf(op.getSource().getType());
  Tile result(shapeOf(op.getType()));
  for (int64_t i = 0; i < source.count(); ++i) {
    int64_t bin = asSigned(source[i].bits, width);
    if ((!mask || (*mask)[i].bits) && bin >= 0 && bin < result.count())
      ++result[bin].bits;
  }
  set(op.getResult(), std::move(result));
}

} // namespace metile::interpreter
