// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that combine the elements of a tile, in ascending order of their index.

#include "Interpreter/Dither.h"
#include "Interpreter/Execution.h"

using namespace mlir;

namespace metile::interpreter {

/// An f32 with its fraction rounded to 10 bits.
static constexpr FloatFormat tensorFloat32{8, 10};

void Execution::dot(tile::DotOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = get(op.getAcc());
  size_t rank = result.shape.size();
  int64_t m = result.shape[rank - 2], n = result.shape[rank - 1], depth = lhs.shape[rank - 1];
  bool isReal = isFloat(op.getType());
  FloatFormat format = isReal ? formatOf(op.getType()) : FloatFormat{};
  unsigned operandWidth = widthOf(op.getLhs().getType()), width = widthOf(op.getType());
  auto narrowed = [&](double value) {
    return op.getPrecision() == tile::Precision::Tf32 ? roundTo(value, tensorFloat32) : value;
  };
  auto extended = [&](uint64_t bits, bool isUnsigned) {
    return isUnsigned ? bits : static_cast<uint64_t>(asSigned(bits, operandWidth));
  };
  for (int64_t i = 0; i < result.count(); ++i) {
    int64_t batch = i / (m * n), row = i / n % m, column = i % n;
    Element &sum = result[i];
    for (int64_t k = 0; k < depth; ++k) {
      const Element &a = lhs[(batch * m + row) * depth + k],
                    &b = rhs[(batch * depth + k) * n + column];
      if (isReal) {
        double product = Dither::round(narrowed(a.real) * narrowed(b.real), format);
        sum.real = Dither::round(sum.real + product, format);
      } else {
        uint64_t product =
            extended(a.bits, op.getUnsignedLhs()) * extended(b.bits, op.getUnsignedRhs());
        sum.bits = wrap(sum.bits + product, width);
      }
    }
  }
  set(op.getResult(), std::move(result));
}

Execution::Tiles Execution::combine(Region &region, const Tiles &first, const Tiles &second) {
  Tiles arguments = first;
  arguments.insert(arguments.end(), second.begin(), second.end());
  return runBlock(region.front(), arguments);
}

/// The elements of all `sources` at one place, as scalars.
static std::vector<Tile> elementsAt(const std::vector<Tile> &sources, const Shape &place) {
  std::vector<Tile> elements;
  for (const Tile &source : sources)
    elements.emplace_back(source[indexOf(place, source.shape)]);
  return elements;
}

void Execution::reduce(tile::ReduceOp op) {
  const Tiles sources = get(op.getSources());
  auto axis = static_cast<size_t>(op.getAxis());
  int64_t extent = sources.front().shape[axis];
  Tiles results;
  for (Value result : op.getResults())
    results.emplace_back(shapeOf(result.getType()));
  for (int64_t i = 0; i < results.front().count(); ++i) {
    Shape place = placeOf(i, results.front().shape);
    place.insert(place.begin() + op.getAxis(), 0);
    Tiles sum = elementsAt(sources, place);
    while (++place[axis] < extent)
      sum = combine(op.getCombine(), sum, elementsAt(sources, place));
    for (auto [result, value] : llvm::zip_equal(results, sum))
      result[i] = value.scalar();
  }
  set(op.getResults(), std::move(results));
}

void Execution::scan(tile::ScanOp op) {
  const Tiles sources = get(op.getSources());
  auto axis = static_cast<size_t>(op.getAxis());
  int64_t extent = sources.front().shape[axis];
  Tiles results = sources;
  for (int64_t i = 0; i < results.front().count(); ++i) {
    // Each line once, from its first element.
    Shape place = placeOf(i, results.front().shape);
    if (place[axis] != 0)
      continue;
    Tiles sum;
    for (int64_t step = 0; step < extent; ++step) {
      place[axis] = op.getReverse() ? extent - 1 - step : step;
      Tiles next = elementsAt(sources, place);
      sum = step == 0 ? next : combine(op.getCombine(), sum, next);
      for (auto [result, value] : llvm::zip_equal(results, sum))
        result[indexOf(place, result.shape)] = value.scalar();
    }
  }
  set(op.getResults(), std::move(results));
}

} // namespace metile::interpreter
