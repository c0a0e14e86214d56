// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Build.h"
#include "Support/HalfFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace metile;
using namespace mlir;
using metile::detail::BinaryOp;
using metile::detail::UnaryOp;

static Type withElement(Type like, Type element) {
  return tile::tileOrScalar(tile::shapeOf(like), element);
}

static Value splat(OpBuilder &builder, mlir::Location loc, Type like, TypedAttr element) {
  auto shaped = dyn_cast<ShapedType>(like);
  return arith::ConstantOp::create(
      builder, loc, shaped ? TypedAttr(DenseElementsAttr::get(shaped, element)) : element);
}

Value Build::integerSplat(int64_t value, Type like) {
  return splat(builder, loc, like, builder.getIntegerAttr(tile::elementTypeOf(like), value));
}

Value Build::splatOf(double real, Type like) {
  // Rounds once, to nearest even. MLIR's own rounding to 8 bits does not saturate.
  auto element = mlir::cast<FloatType>(tile::elementTypeOf(like));
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  FloatAttr rounded;
  if (isa<Float8E4M3FNType>(element))
    rounded = FloatAttr::get(element, APFloat(semantics, APInt(8, f8e4m3FromDouble(real))));
  else if (isa<Float8E5M2Type>(element))
    rounded = FloatAttr::get(element, APFloat(semantics, APInt(8, f8e5m2FromDouble(real))));
  else
    rounded = FloatAttr::get(element, real);
  return splat(builder, loc, like, rounded);
}

Value Build::constant(const TraceType &type, int64_t integer, double real) {
  Type like = typeOf(type);
  if (isFloat(type.dtype))
    return splatOf(real, like);
  if (type.dtype == DType::boolean)
    return splat(builder, loc, like, builder.getBoolAttr(integer != 0));
  return integerSplat(integer, like);
}

arith::FastMathFlagsAttr Build::flags() {
  auto mode = trace.math == Math::strict ? arith::FastMathFlags::none
              : trace.math == Math::fast ? arith::FastMathFlags::fast
                                         : arith::FastMathFlags::contract;
  return arith::FastMathFlagsAttr::get(builder.getContext(), mode);
}

Value Build::cast(Value value, DType from, DType to) {
  if (from == to)
    return value;
  // Floats of 8 bits meet integers in f32, which holds all of theirs; a larger one saturates.
  if ((isFloat8(from) && !isFloat(to)) || (isFloat8(to) && !isFloat(from)))
    return cast(cast(value, from, DType::f32), DType::f32, to);
  Type result = withElement(value.getType(), elementType(to));
  if (to == DType::boolean) {
    // Everything but zero is true, NaN too.
    if (isFloat(from))
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value,
                                   splatOf(0, value.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 integerSplat(0, value.getType()));
  }
  bool isUnsigned = !isSigned(from);
  if (!isFloat(from) && !isFloat(to)) {
    unsigned source = from == DType::boolean ? 1 : 8 * byteSize(from), target = 8 * byteSize(to);
    if (source == target)
      return value;
    if (source > target)
      return arith::TruncIOp::create(builder, loc, result, value);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, loc, result, value);
    return arith::ExtSIOp::create(builder, loc, result, value);
  }
  if (!isFloat(from))
    return tile::FromIntOp::create(builder, loc, result, value, isUnsigned);
  if (!isFloat(to))
    return tile::ToIntOp::create(builder, loc, result, value, !isSigned(to));
  if (byteSize(to) > byteSize(from))
    return arith::ExtFOp::create(builder, loc, result, value);
  if (byteSize(to) == byteSize(from)) // f32 holds both, so one rounding remains.
    value = arith::ExtFOp::create(builder, loc, withElement(value.getType(), builder.getF32Type()),
                                  value);
  return tile::RoundOp::create(builder, loc, result, value);
}

Value Build::unary(UnaryOp op, Value v, DType dtype) {
  Type like = v.getType();
  switch (op) {
  case UnaryOp::negate:
    if (isFloat(dtype))
      return arith::NegFOp::create(builder, loc, v);
    return arith::SubIOp::create(builder, loc, integerSplat(0, like), v);
  case UnaryOp::bitNot:
  case UnaryOp::logicalNot: {
    Value ones = dtype == DType::boolean ? splat(builder, loc, like, builder.getBoolAttr(true))
                                         : integerSplat(-1, like);
    return arith::XOrIOp::create(builder, loc, v, ones);
  }
  case UnaryOp::abs:
    if (isFloat(dtype))
      return math::AbsFOp::create(builder, loc, v);
    return math::AbsIOp::create(builder, loc, v);
  default:
    break;
  }

  // Functions of narrow floats are those of f32, rounded once.
  bool isNarrow = byteSize(dtype) == 2;
  if (isNarrow)
    v = cast(v, dtype, DType::f32);
  auto make = [&]<class OpTy>(OpTy *) -> Value { return OpTy::create(builder, loc, v, flags()); };
  Value result;
  switch (op) {
  case UnaryOp::floor:
    result = make((math::FloorOp *)nullptr);
    break;
  case UnaryOp::ceil:
    result = make((math::CeilOp *)nullptr);
    break;
  case UnaryOp::exp:
    result = make((math::ExpOp *)nullptr);
    break;
  case UnaryOp::exp2:
    result = make((math::Exp2Op *)nullptr);
    break;
  case UnaryOp::log:
    result = make((math::LogOp *)nullptr);
    break;
  case UnaryOp::log2:
    result = make((math::Log2Op *)nullptr);
    break;
  case UnaryOp::sqrt:
    result = make((math::SqrtOp *)nullptr);
    break;
  case UnaryOp::rsqrt:
    result = make((math::RsqrtOp *)nullptr);
    break;
  case UnaryOp::tanh:
    result = make((math::TanhOp *)nullptr);
    break;
  case UnaryOp::erf:
    result = make((math::ErfOp *)nullptr);
    break;
  case UnaryOp::sin:
    result = make((math::SinOp *)nullptr);
    break;
  case UnaryOp::cos:
    result = make((math::CosOp *)nullptr);
    break;
  case UnaryOp::sigmoid: {
    // exp(-|x|) never overflows, and its tail is the result's where x is far below zero.
    Value one = splatOf(1, v.getType());
    Value isNegative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, v, splatOf(0, v.getType()));
    v = arith::NegFOp::create(builder, loc, math::AbsFOp::create(builder, loc, v));
    Value power = make((math::ExpOp *)nullptr);
    Value sum = arith::AddFOp::create(builder, loc, one, power, flags());
    Value part = arith::SelectOp::create(builder, loc, isNegative, power, one);
    result = arith::DivFOp::create(builder, loc, part, sum, flags());
    break;
  }
  default:
    llvm_unreachable("handled above");
  }
  return isNarrow ? cast(result, DType::f32, dtype) : result;
}

/// The predicates of a comparison for floats, signed and unsigned integers.
static std::tuple<arith::CmpFPredicate, arith::CmpIPredicate, arith::CmpIPredicate>
predicates(BinaryOp op) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  switch (op) {
  case BinaryOp::eq:
    return {F::OEQ, I::eq, I::eq};
  case BinaryOp::ne:
    return {F::UNE, I::ne, I::ne};
  case BinaryOp::lt:
    return {F::OLT, I::slt, I::ult};
  case BinaryOp::le:
    return {F::OLE, I::sle, I::ule};
  case BinaryOp::gt:
    return {F::OGT, I::sgt, I::ugt};
  default:
    return {F::OGE, I::sge, I::uge};
  }
}

Value Build::binary(BinaryOp op, metile::nan mode, Value a, Value b, DType dtype) {
  bool real = isFloat(dtype), isUnsigned = !isSigned(dtype);
  Type like = a.getType();
  auto quotient = [&](tile::Rounding way) -> Value {
    return tile::DivOp::create(builder, loc, like, a, b, way, isUnsigned);
  };
  auto remainder = [&](tile::Rounding way) -> Value {
    return tile::RemOp::create(builder, loc, like, a, b, way, isUnsigned);
  };
  switch (op) {
  case BinaryOp::add:
    if (real)
      return arith::AddFOp::create(builder, loc, a, b, flags());
    return arith::AddIOp::create(builder, loc, a, b);
  case BinaryOp::sub:
    if (real)
      return arith::SubFOp::create(builder, loc, a, b, flags());
    return arith::SubIOp::create(builder, loc, a, b);
  case BinaryOp::mul:
    if (real)
      return arith::MulFOp::create(builder, loc, a, b, flags());
    return arith::MulIOp::create(builder, loc, a, b);
  case BinaryOp::div:
    if (real)
      return arith::DivFOp::create(builder, loc, a, b, flags());
    return quotient(tile::Rounding::Trunc);
  case BinaryOp::rem:
    if (real)
      return arith::RemFOp::create(builder, loc, a, b, flags());
    return remainder(tile::Rounding::Trunc);
  case BinaryOp::floorDiv:
    return quotient(tile::Rounding::Floor);
  case BinaryOp::floorMod:
    return remainder(tile::Rounding::Floor);
  case BinaryOp::cdiv:
    return quotient(tile::Rounding::Ceil);
  case BinaryOp::mulhi:
    return tile::MulHiOp::create(builder, loc, like, a, b, isUnsigned);
  case BinaryOp::bitAnd:
  case BinaryOp::logicalAnd:
    return arith::AndIOp::create(builder, loc, a, b);
  case BinaryOp::bitOr:
  case BinaryOp::logicalOr:
    return arith::OrIOp::create(builder, loc, a, b);
  case BinaryOp::bitXor:
    return arith::XOrIOp::create(builder, loc, a, b);
  case BinaryOp::shl:
    return tile::ShlOp::create(builder, loc, like, a, b);
  case BinaryOp::shr:
    return tile::ShrOp::create(builder, loc, like, a, b, isUnsigned);
  case BinaryOp::maximum:
    if (real && mode == metile::nan::ignore)
      return arith::MaxNumFOp::create(builder, loc, a, b);
    if (real)
      return arith::MaximumFOp::create(builder, loc, a, b);
    if (isUnsigned)
      return arith::MaxUIOp::create(builder, loc, a, b);
    return arith::MaxSIOp::create(builder, loc, a, b);
  case BinaryOp::minimum:
    if (real && mode == metile::nan::ignore)
      return arith::MinNumFOp::create(builder, loc, a, b);
    if (real)
      return arith::MinimumFOp::create(builder, loc, a, b);
    if (isUnsigned)
      return arith::MinUIOp::create(builder, loc, a, b);
    return arith::MinSIOp::create(builder, loc, a, b);
  default: {
    auto [floats, signedInts, unsignedInts] = predicates(op);
    if (real)
      return arith::CmpFOp::create(builder, loc, floats, a, b);
    return arith::CmpIOp::create(builder, loc, isUnsigned ? unsignedInts : signedInts, a, b);
  }
  }
}
