// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of a wanted type: from the scope, from memory, or by an elementwise operation.

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace metile::fuzz {

static bool isFloat(Type type) { return isa<FloatType>(tile::elementTypeOf(type)); }
static unsigned widthOf(Type type) { return tile::elementTypeOf(type).getIntOrFloatBitWidth(); }
static Type withElement(Type like, Type element) {
  return tile::tileOrScalar(tile::shapeOf(like), element);
}

Value Generator::index(int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

/// Where a tile of `extent` elements starts: at the edge, inside, before it.
Value Generator::offset(int64_t extent) {
  switch (random.below(6)) {
  case 0:
    return index(0);
  case 1:
    return index(random.between(-3, 3 * extent));
  case 2:
    return arith::MulIOp::create(b, loc, random.pick(programIds), index(extent));
  case 3:
    return arith::AddIOp::create(b, loc, random.pick(indices), index(random.between(-2, 4)));
  default:
    return random.pick(indices);
  }
}

Value Generator::grow(Type type, unsigned depth) {
  if (random.chance(depth == 0 ? 0.7 : 0.25)) {
    SmallVector<Value> fitting;
    for (Value value : scope)
      if (value.getType() == type)
        fitting.push_back(value);
    if (type.isInteger(64) && fitting.empty())
      fitting.assign(indices.begin(), indices.end());
    if (!fitting.empty())
      return random.pick(fitting);
  }
  if (depth == 0)
    return leaf(type, depth);
  switch (random.below(12)) {
  case 0:
    return leaf(type, depth);
  case 1:
  case 2:
    if (Value value = reshaped(type, depth - 1))
      return value;
    break;
  case 3:
    if (Value value = reduced(type, depth - 1))
      return value;
    break;
  case 4:
    if (Value value = multiplied(type, depth - 1))
      return value;
    break;
  case 5:
    if (Value value = moved(type, depth - 1))
      return value;
    break;
  case 6:
    if (Value value = scanned(type, depth - 1))
      return value;
    break;
  default:
    break;
  }
  return elementwise(type, depth - 1);
}

/// What needs no operands, or addresses and scalars grown `depth` deep.
Value Generator::leaf(Type type, unsigned depth) {
  ArrayRef<int64_t> shape = tile::shapeOf(type);
  Type element = tile::elementTypeOf(type);
  if (random.chance(0.65))
    if (Value value = loadView(shape, element))
      return value;
  if (random.chance(0.6))
    if (Value value = loadPointer(shape, element, depth))
      return value;
  if (shape.size() == 1 && element.isInteger(64) && random.chance(0.6))
    return tile::ArangeOp::create(b, loc, cast<RankedTensorType>(type), random.between(-4, 4));
  if (!shape.empty() && depth > 0 && random.chance(0.2))
    return tile::SplatOp::create(b, loc, cast<RankedTensorType>(type), grow(element, depth - 1));
  return constant(type);
}

Value Generator::constant(Type type) {
  Type element = tile::elementTypeOf(type);
  TypedAttr one;
  if (isFloat(type))
    one = b.getFloatAttr(element, random.pick({0.0, 1.0, -1.0, 2.0, 0.5, -0.375, 3.0, 17.0}));
  else if (element.isInteger(1))
    one = b.getBoolAttr(random.chance(0.5));
  else
    one = b.getIntegerAttr(element, random.pick({0, 1, -1, 2, 3, 5, -7, 64}));
  if (auto tile = dyn_cast<RankedTensorType>(type))
    one = DenseElementsAttr::get(tile, one);
  return arith::ConstantOp::create(b, loc, one);
}

Value Generator::loadView(ArrayRef<int64_t> shape, Type element) {
  SmallVector<Value> fitting;
  for (Value view : inputs) {
    auto type = cast<tile::ViewType>(view.getType());
    if (type.getElementType() == element && type.getRank() >= shape.size())
      fitting.push_back(view);
  }
  if (fitting.empty())
    return {};
  Value view = random.pick(fitting);
  auto type = cast<tile::ViewType>(view.getType());
  if (type.getRank() > 1 && random.chance(0.3)) {
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    std::swap(permutation[0], permutation[random.between(1, type.getRank() - 1)]);
    SmallVector<int64_t> sizes, strides;
    for (int64_t axis : permutation) {
      sizes.push_back(type.getShape()[axis]);
      strides.push_back(type.getStrides()[axis]);
    }
    type = tile::ViewType::get(b.getContext(), sizes, element, strides);
    view = tile::ViewTransposeOp::create(b, loc, type, view, permutation);
  }
  if (size_t fixed = type.getRank() - shape.size(); fixed != 0) {
    SmallVector<Value> at;
    for (size_t axis = 0; axis < fixed; ++axis)
      at.push_back(offset(1));
    type = tile::ViewType::get(b.getContext(), type.getShape().drop_front(fixed), element,
                               type.getStrides().drop_front(fixed));
    view = tile::ViewAtOp::create(b, loc, type, view, at);
  }
  SmallVector<Value> offsets;
  for (int64_t extent : shape)
    offsets.push_back(offset(extent));
  Value fill = random.chance(0.25) ? constant(element) : Value();
  return tile::ViewLoadOp::create(b, loc, tile::tileOrScalar(shape, element), view, offsets, fill,
                                  DenseBoolArrayAttr());
}

Value Generator::loadPointer(ArrayRef<int64_t> shape, Type element, unsigned depth) {
  SmallVector<Pointer> fitting;
  for (const Pointer &source : sources)
    if (cast<tile::PtrType>(source.pointer.getType()).getElementType() == element)
      fitting.push_back(source);
  if (fitting.empty())
    return {};
  Pointer source = random.pick(fitting);
  Type indexType = tile::tileOrScalar(shape, b.getI64Type());
  Type pointerType = tile::tileOrScalar(shape, source.pointer.getType());
  auto spread = [&](Value scalar, Type type) -> Value {
    if (shape.empty())
      return scalar;
    return tile::SplatOp::create(b, loc, cast<RankedTensorType>(type), scalar);
  };
  // Mostly rows, sometimes a gather.
  Value at;
  if (depth > 0 && random.chance(shape.size() == 1 ? 0.4 : 0.7))
    at = grow(indexType, depth - 1);
  else if (shape.size() == 1)
    at = tile::ArangeOp::create(b, loc, cast<RankedTensorType>(indexType), random.between(-2, 3));
  else
    at = spread(random.pick(indices), indexType);
  if (random.chance(0.4))
    at = arith::AddIOp::create(b, loc, at, spread(random.pick(indices), indexType));
  Value low = spread(index(0), indexType), high = spread(source.count, indexType);
  Value mask = arith::AndIOp::create(
      b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at, low),
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, high));
  Value pointers =
      tile::AddPtrOp::create(b, loc, pointerType, spread(source.pointer, pointerType), at);
  Type type = tile::tileOrScalar(shape, element);
  Value other;
  if (random.chance(0.3))
    other = depth > 0 ? grow(type, depth - 1) : constant(type);
  return tile::LoadOp::create(b, loc, type, pointers, mask, other);
}

Value Generator::elementwise(Type type, unsigned depth) {
  if (random.chance(0.12)) {
    Value condition = grow(withElement(type, b.getI1Type()), depth);
    Value yes = grow(type, depth), no = grow(type, depth);
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  if (tile::elementTypeOf(type).isInteger(1))
    return boolean(type, depth);
  if (tile::isFloat8(tile::elementTypeOf(type)) || random.chance(0.2))
    return convert(type, depth);
  return isFloat(type) ? floatArithmetic(type, depth) : integerArithmetic(type, depth);
}

Value Generator::floatArithmetic(Type type, unsigned depth) {
  auto flags = arith::FastMathFlagsAttr::get(b.getContext(), random.chance(0.8)
                                                                 ? arith::FastMathFlags::contract
                                                                 : arith::FastMathFlags::none);
  Value x = grow(type, depth);
  bool isWide = widthOf(type) >= 32;
  auto binary = [&]<class Op>(Op *) -> Value {
    Value y = grow(type, depth);
    return Op::create(b, loc, x, y, flags);
  };
  auto function = [&]<class Op>(Op *) -> Value { return Op::create(b, loc, x, flags); };
  switch (random.below(isWide ? 26 : 14)) {
  case 0:
  case 1:
  case 2:
    return binary((arith::AddFOp *)nullptr);
  case 3:
  case 4:
    return binary((arith::SubFOp *)nullptr);
  case 5:
  case 6:
  case 7:
    return binary((arith::MulFOp *)nullptr);
  case 8:
    return binary((arith::DivFOp *)nullptr);
  case 9:
    return arith::MaximumFOp::create(b, loc, x, grow(type, depth));
  case 10:
    return arith::MinimumFOp::create(b, loc, x, grow(type, depth));
  case 11:
    return random.chance(0.5) ? Value(arith::MaxNumFOp::create(b, loc, x, grow(type, depth)))
                              : Value(arith::MinNumFOp::create(b, loc, x, grow(type, depth)));
  case 12:
    return arith::NegFOp::create(b, loc, x);
  case 13:
    return math::AbsFOp::create(b, loc, x);
  case 14:
    return function((math::FloorOp *)nullptr);
  case 15:
    return function((math::CeilOp *)nullptr);
  case 16:
    return function((math::ExpOp *)nullptr);
  case 17:
    return function((math::Exp2Op *)nullptr);
  case 18:
    return function((math::LogOp *)nullptr);
  case 19:
    return function((math::SqrtOp *)nullptr);
  case 20:
    return function((math::RsqrtOp *)nullptr);
  case 21:
    return function((math::TanhOp *)nullptr);
  case 22:
    return function((math::ErfOp *)nullptr);
  case 23:
    return function((math::SinOp *)nullptr);
  case 24:
    return function((math::CosOp *)nullptr);
  default: {
    Value y = grow(type, depth), z = grow(type, depth);
    return math::FmaOp::create(b, loc, x, y, z, flags);
  }
  }
}

Value Generator::integerArithmetic(Type type, unsigned depth) {
  Value x = grow(type, depth);
  bool isUnsigned = random.chance(0.4);
  auto rounding = random.pick({tile::Rounding::Trunc, tile::Rounding::Floor, tile::Rounding::Ceil});
  auto binary = [&]<class Op>(Op *) -> Value { return Op::create(b, loc, x, grow(type, depth)); };
  switch (random.below(16)) {
  case 0:
  case 1:
  case 2:
    return binary((arith::AddIOp *)nullptr);
  case 3:
    return binary((arith::SubIOp *)nullptr);
  case 4:
  case 5:
    return binary((arith::MulIOp *)nullptr);
  case 6:
    return tile::DivOp::create(b, loc, type, x, grow(type, depth), rounding, isUnsigned);
  case 7:
    return tile::RemOp::create(b, loc, type, x, grow(type, depth), rounding, isUnsigned);
  case 8:
    return binary((arith::AndIOp *)nullptr);
  case 9:
    return binary((arith::OrIOp *)nullptr);
  case 10:
    return binary((arith::XOrIOp *)nullptr);
  case 11:
    return tile::ShlOp::create(b, loc, type, x, grow(type, depth));
  case 12:
    return tile::ShrOp::create(b, loc, type, x, grow(type, depth), isUnsigned);
  case 13:
    return isUnsigned ? binary((arith::MaxUIOp *)nullptr) : binary((arith::MaxSIOp *)nullptr);
  case 14:
    return isUnsigned ? binary((arith::MinUIOp *)nullptr) : binary((arith::MinSIOp *)nullptr);
  default:
    return random.chance(0.5)
               ? Value(math::AbsIOp::create(b, loc, x))
               : Value(tile::MulHiOp::create(b, loc, type, x, grow(type, depth), isUnsigned));
  }
}

Value Generator::boolean(Type type, unsigned depth) {
  if (random.chance(0.3)) {
    Value x = grow(type, depth), y = grow(type, depth);
    switch (random.below(3)) {
    case 0:
      return arith::AndIOp::create(b, loc, x, y);
    case 1:
      return arith::OrIOp::create(b, loc, x, y);
    default:
      return arith::XOrIOp::create(b, loc, x, y);
    }
  }
  Type compared = element();
  while (compared.isInteger(1) || tile::isFloat8(compared))
    compared = element();
  Value x = grow(withElement(type, compared), depth), y = grow(withElement(type, compared), depth);
  if (isFloat(compared))
    return arith::CmpFOp::create(
        b, loc,
        random.pick({arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
                     arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
                     arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE}),
        x, y);
  return arith::CmpIOp::create(
      b, loc,
      random.pick({arith::CmpIPredicate::eq, arith::CmpIPredicate::ne, arith::CmpIPredicate::slt,
                   arith::CmpIPredicate::sle, arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge,
                   arith::CmpIPredicate::ult, arith::CmpIPredicate::uge}),
      x, y);
}

/// As the front end converts: floats of one width, and those of 8 bits, through f32.
Value Generator::convert(Type type, unsigned depth) {
  Type to = tile::elementTypeOf(type), from = element();
  auto isDirect = [&] {
    if (tile::isFloat8(from) || tile::isFloat8(to))
      return from.isF32() || to.isF32();
    return !(isFloat(from) && isFloat(to) && widthOf(from) == widthOf(to));
  };
  while (from == to || !isDirect())
    from = element();
  Value value = grow(withElement(type, from), depth);
  bool isUnsigned = from.isInteger(1) || random.chance(0.4);
  if (isFloat(from) && isFloat(to)) {
    if (widthOf(from) < widthOf(to))
      return arith::ExtFOp::create(b, loc, type, value);
    return tile::RoundOp::create(b, loc, type, value);
  }
  if (isFloat(from))
    return tile::ToIntOp::create(b, loc, type, value, isUnsigned);
  if (isFloat(to))
    return tile::FromIntOp::create(b, loc, type, value, isUnsigned);
  if (widthOf(from) > widthOf(to))
    return arith::TruncIOp::create(b, loc, type, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

} // namespace metile::fuzz
