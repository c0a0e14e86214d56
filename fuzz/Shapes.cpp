// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of a wanted type out of tiles of another shape.

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace metile::fuzz {

/// The most elements of a tile that only serves to make a smaller one.
static constexpr int64_t mostElements = 1024;

static Type withShape(Type like, ArrayRef<int64_t> shape) {
  return tile::tileOrScalar(shape, tile::elementTypeOf(like));
}

Value Generator::reshaped(Type type, unsigned depth) {
  Shape shape(tile::shapeOf(type));
  if (shape.empty()) {
    Value one = grow(withShape(type, {1}), depth);
    return tile::ReshapeOp::create(b, loc, type, one);
  }
  unsigned rank = shape.size();
  switch (random.below(4)) {
  case 0: {
    Shape from = shape;
    for (int64_t &extent : from)
      if (random.chance(0.5))
        extent = 1;
    if (from == shape)
      return {};
    return tile::BroadcastOp::create(b, loc, type, grow(withShape(type, from), depth));
  }
  case 1: {
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(permutation[0], permutation[random.below(rank)]);
    Shape from(rank);
    for (unsigned axis = 0; axis < rank; ++axis)
      from[permutation[axis]] = shape[axis];
    return tile::TransposeOp::create(b, loc, type, grow(withShape(type, from), depth), permutation);
  }
  case 2: {
    // Two axes in one, or one in two.
    Shape from = shape;
    unsigned axis = random.below(rank);
    if (rank > 1 && axis + 1 < rank && random.chance(0.5)) {
      from[axis] *= from[axis + 1];
      from.erase(from.begin() + axis + 1);
    } else if (shape[axis] > 1) {
      int64_t part = int64_t(1) << random.between(1, llvm::Log2_64(shape[axis]));
      from[axis] /= part;
      from.insert(from.begin() + axis + 1, part);
    } else {
      return {};
    }
    return tile::ReshapeOp::create(b, loc, type, grow(withShape(type, from), depth));
  }
  default:
    for (unsigned axis = 0; axis < rank; ++axis)
      if (shape[axis] == 1 && rank > 1) {
        Shape from = shape;
        from.erase(from.begin() + axis);
        return tile::ExpandDimsOp::create(b, loc, cast<RankedTensorType>(type),
                                          grow(withShape(type, from), depth), axis);
      }
    return {};
  }
}

void Generator::combineRegion(Region &region, Type element, bool isCommutative) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region, {}, {element, element}, {loc, loc});
  Value x = block->getArgument(0), y = block->getArgument(1), result;
  if (isa<FloatType>(element)) {
    switch (random.below(4)) {
    case 0:
      result = arith::MaximumFOp::create(b, loc, x, y);
      break;
    case 1:
      result = arith::MinNumFOp::create(b, loc, x, y);
      break;
    default:
      result = arith::AddFOp::create(b, loc, x, y);
    }
  } else if (element.isInteger(1)) {
    result = random.chance(0.5) ? Value(arith::AndIOp::create(b, loc, x, y))
                                : Value(arith::XOrIOp::create(b, loc, x, y));
  } else {
    switch (random.below(isCommutative ? 5 : 6)) {
    case 0:
      result = arith::MaxSIOp::create(b, loc, x, y);
      break;
    case 1:
      result = arith::MinUIOp::create(b, loc, x, y);
      break;
    case 2:
      result = arith::MulIOp::create(b, loc, x, y);
      break;
    case 3:
      result = arith::OrIOp::create(b, loc, x, y);
      break;
    case 4:
      result = arith::AddIOp::create(b, loc, x, y);
      break;
    default:
      result = y; // The last one: associative, not commutative.
    }
  }
  tile::YieldOp::create(b, loc, result);
}

/// Sums of these are those of f32.
static bool isNarrowFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
}

Value Generator::reduced(Type type, unsigned depth) {
  Shape shape(tile::shapeOf(type));
  Type element = tile::elementTypeOf(type);
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (shape.size() > 3 || count > mostElements / 2 || isNarrowFloat(element))
    return {};
  unsigned axis = random.below(shape.size() + 1);
  int64_t extent = int64_t(1) << random.below(5);
  while (extent * count > mostElements)
    extent /= 2;
  shape.insert(shape.begin() + axis, extent);
  Value source = grow(withShape(type, shape), depth);
  auto reduce = tile::ReduceOp::create(b, loc, TypeRange{type}, ValueRange{source}, axis);
  combineRegion(reduce.getCombine(), element, true);
  return reduce.getResult(0);
}

Value Generator::scanned(Type type, unsigned depth) {
  ArrayRef<int64_t> shape = tile::shapeOf(type);
  Type element = tile::elementTypeOf(type);
  if (shape.empty() || isNarrowFloat(element))
    return {};
  Value source = grow(type, depth);
  auto scan = tile::ScanOp::create(b, loc, TypeRange{type}, ValueRange{source},
                                   random.below(shape.size()), random.chance(0.3));
  combineRegion(scan.getCombine(), element, false);
  return scan.getResult(0);
}

Value Generator::multiplied(Type type, unsigned depth) {
  ArrayRef<int64_t> shape = tile::shapeOf(type);
  Type element = tile::elementTypeOf(type), operand;
  if (shape.size() < 2)
    return {};
  if (element.isF32())
    operand = random.pick({Type(b.getF32Type()), Type(b.getF16Type()), Type(b.getBF16Type())});
  else if (element.isF64())
    operand = element;
  else if (element.isInteger(32))
    operand = b.getI8Type();
  else
    return {};
  int64_t depthOfDot = int64_t(1) << random.below(6);
  Shape left(shape), right(shape);
  left.back() = depthOfDot;
  right[right.size() - 2] = depthOfDot;
  for (const Shape &extents : {left, right})
    if (ShapedType::getNumElements(extents) > mostElements)
      return {};
  Value lhs = grow(RankedTensorType::get(left, operand), depth);
  Value rhs = grow(RankedTensorType::get(right, operand), depth);
  Value acc = random.chance(0.5) ? constant(type) : grow(type, depth);
  bool isInteger = operand.isInteger();
  return tile::DotOp::create(b, loc, type, lhs, rhs, acc, tile::Precision::Ieee,
                             isInteger && random.chance(0.4), isInteger && random.chance(0.4));
}

Value Generator::moved(Type type, unsigned depth) {
  Shape shape(tile::shapeOf(type));
  Type element = tile::elementTypeOf(type);
  int64_t count = ShapedType::getNumElements(shape);
  switch (random.below(5)) {
  case 0: {
    if (shape.empty() || shape.back() != 2)
      return {};
    shape.pop_back();
    Type half = withShape(type, shape);
    Value even = grow(half, depth), odd = grow(half, depth);
    return tile::JoinOp::create(b, loc, type, even, odd);
  }
  case 1: {
    if (count * 2 > mostElements)
      return {};
    shape.push_back(2);
    Value both = grow(withShape(type, shape), depth);
    auto split = tile::SplitOp::create(b, loc, type, type, both);
    return random.chance(0.5) ? split.getLhs() : split.getRhs();
  }
  case 2:
    if (shape.empty())
      return {};
    return tile::FlipOp::create(b, loc, type, grow(type, depth), random.below(shape.size()));
  case 3: {
    if (shape.empty())
      return {};
    unsigned axis = random.below(shape.size());
    Shape from = shape;
    from[axis] = int64_t(1) << random.below(5);
    if (ShapedType::getNumElements(from) > mostElements)
      return {};
    Value source = grow(withShape(type, from), depth);
    Value at = grow(RankedTensorType::get(shape, b.getI64Type()), depth);
    return tile::GatherOp::create(b, loc, cast<RankedTensorType>(type), source, at, axis);
  }
  default: {
    if (shape.empty())
      return {};
    unsigned axis = random.below(shape.size());
    Shape from = shape;
    from[axis] *= int64_t(1) << random.below(3);
    if (ShapedType::getNumElements(from) > mostElements)
      return {};
    bool isInteger = element.isInteger();
    Value keys = grow(withShape(type, from), depth);
    return tile::SortOp::create(b, loc, TypeRange{type}, ValueRange{keys}, axis,
                                isInteger && random.chance(0.3), random.chance(0.5))
        .getResult(0);
  }
  }
}

} // namespace metile::fuzz
