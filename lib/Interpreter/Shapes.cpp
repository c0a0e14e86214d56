// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that make tiles or move their elements.

#include "Interpreter/Execution.h"

using namespace mlir;

namespace metile::interpreter {

/// A tile of `type` whose element at each place is the one that `source` has at `from(place)`.
template <class From> static Tile rearranged(Type type, const Tile &source, From from) {
  Tile result(shapeOf(type));
  for (int64_t i = 0; i < result.count(); ++i)
    result[i] = source[indexOf(from(placeOf(i, result.shape)), source.shape)];
  return result;
}

void Execution::arange(tile::ArangeOp op) {
  Tile result(shapeOf(op.getType()));
  for (int64_t i = 0; i < result.count(); ++i)
    result[i].bits = static_cast<uint64_t>(op.getStart()) + static_cast<uint64_t>(i);
  set(op.getResult(), std::move(result));
}

void Execution::splat(tile::SplatOp op) {
  set(op.getResult(), Tile(shapeOf(op.getType()), get(op.getValue()).scalar()));
}

void Execution::expandDims(tile::ExpandDimsOp op) {
  set(op.getResult(), rearranged(op.getType(), get(op.getSource()), [&](Shape place) {
        place.erase(place.begin() + op.getAxis());
        return place;
      }));
}

void Execution::broadcast(tile::BroadcastOp op) {
  const Tile &source = get(op.getSource());
  set(op.getResult(), rearranged(op.getType(), source, [&](Shape place) {
        for (size_t axis = 0; axis < place.size(); ++axis)
          if (source.shape[axis] == 1)
            place[axis] = 0;
        return place;
      }));
}

void Execution::reshape(tile::ReshapeOp op) {
  Tile result = get(op.getSource());
  result.shape = shapeOf(op.getType());
  set(op.getResult(), std::move(result));
}

void Execution::transpose(tile::TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  set(op.getResult(), rearranged(op.getType(), get(op.getSource()), [&](const Shape &place) {
        Shape from(place.size());
        for (size_t axis = 0; axis < place.size(); ++axis)
          from[static_cast<size_t>(permutation[axis])] = place[axis];
        return from;
      }));
}

void Execution::join(tile::JoinOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result(shapeOf(op.getType()));
  for (int64_t i = 0; i < result.count(); ++i)
    result[i] = i % 2 == 0 ? lhs[i / 2] : rhs[i / 2];
  set(op.getResult(), std::move(result));
}

void Execution::split(tile::SplitOp op) {
  const Tile source = get(op.getSource());
  Tile lhs(shapeOf(op.getLhs().getType())), rhs = lhs;
  for (int64_t i = 0; i < lhs.count(); ++i) {
    lhs[i] = source[2 * i];
    rhs[i] = source[2 * i + 1];
  }
  set(op.getLhs(), std::move(lhs));
  set(op.getRhs(), std::move(rhs));
}

void Execution::flip(tile::FlipOp op) {
  const Tile &source = get(op.getSource());
  auto axis = static_cast<size_t>(op.getAxis());
  set(op.getResult(), rearranged(op.getType(), source, [&](Shape place) {
        place[axis] = source.shape[axis] - 1 - place[axis];
        return place;
      }));
}

void Execution::gather(tile::GatherOp op) {
  const Tile &source = get(op.getSource()), &index = get(op.getIndex());
  auto axis = static_cast<size_t>(op.getAxis());
  Tile result(index.shape);
  for (int64_t i = 0; i < result.count(); ++i) {
    Shape place = placeOf(i, result.shape);
    place[axis] = static_cast<int64_t>(index[i].bits);
    if (place[axis] >= 0 && place[axis] < source.shape[axis])
      result[i] = source[indexOf(place, source.shape)];
  }
  set(op.getResult(), std::move(result));
}

} // namespace metile::interpreter
