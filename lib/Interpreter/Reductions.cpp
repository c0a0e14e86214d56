// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that combine the elements of a tile, in ascending order of their index.

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
      const Element &a = lhs[(batch * m + row) * depth + k], &b = rhs[(batch * depth + k) * n + column];
      if (isReal) {
        double product = roundTo(narrowed(a.real) * narrowed(b.real), format);
        sum.real = roundTo(sum.real + product, format);
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

void Execution::reduce(tile::ReduceOp op) {
  Tiles sources = get(op.getSources());
  const Shape &shape = sources.front().shape;
  auto axis = static_cast<size_t>(op.getAxis());
  Tiles results;
  for (Value result : op.getResults())
    results.emplace_back(shapeOf(result.getType()));
  for (int64_t i = 0; i < results.front().count(); ++i) {
    Shape place = placeOf(i, results.front().shape);
    place.insert(place.begin() + op.getAxis(), 0);
    Tiles sum;
    for (; place[axis] < shape[axis]; ++place[axis]) {
      Tiles next;
      for (const Tile &source : sources)
        next.emplace_back(source[indexOf(place, shape)]);
      sum = place[axis] == 0 ? next : combine(op.getCombine(), sum, next);
    }
    for (auto [result, value] : llvm::zip_equal(results, sum))
      result[i] = value.scalar();
  }
  set(op.getResults(), std::move(results));
}

} // namespace metile::interpreter
