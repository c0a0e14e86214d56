// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/LegalizeLanes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace metile::cpu {

Lanes::Lanes(Operation *op, const TargetDesc &target)
    : builder(op), loc(op->getLoc()), target(target),
      vector(dyn_cast<VectorType>(op->getResult(0).getType())) {}

Value Lanes::floating(Type type, double value) {
  auto element = cast<FloatType>(elementOf(type));
  llvm::APFloat number(value);
  bool inexact;
  number.convert(element.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  TypedAttr attribute = FloatAttr::get(element, number);
  if (auto shaped = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(shaped, number);
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value Lanes::integer(Type type, uint64_t value) {
  auto element = cast<IntegerType>(elementOf(type));
  llvm::APInt number(64, value);
  number = number.trunc(element.getWidth());
  TypedAttr attribute = IntegerAttr::get(element, number);
  if (auto shaped = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(shaped, number);
  return arith::ConstantOp::create(builder, loc, attribute);
}

namespace {
bool isFloat(Value value) { return isa<FloatType>(Lanes::elementOf(value.getType())); }
} // namespace

Value Lanes::add(Value a, Value b) {
  if (isFloat(a))
    return arith::AddFOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

Value Lanes::sub(Value a, Value b) {
  if (isFloat(a))
    return arith::SubFOp::create(builder, loc, a, b);
  return arith::SubIOp::create(builder, loc, a, b);
}

Value Lanes::mul(Value a, Value b) {
  if (isFloat(a))
    return arith::MulFOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}

Value Lanes::div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }

Value Lanes::neg(Value a) {
  if (isFloat(a))
    return arith::NegFOp::create(builder, loc, a);
  return sub(integer(a, 0), a);
}

Value Lanes::fma(Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c); }

Value Lanes::abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
Value Lanes::withSignOf(Value magnitude, Value sign) {
  // Not by LLVM's copysign: it takes the sign from what `sign` was rounded from, and what it does
  // to an f64 for the sign of an f16 is a call.
  Value kept = bits(magnitude), taken = bits(sign);
  uint64_t signBit = uint64_t(1) << (elementOf(kept.getType()).getIntOrFloatBitWidth() - 1);
  return bitcast(bxor(kept, band(taken, integer(taken, signBit))), magnitude.getType());
}
Value Lanes::roundEven(Value a) { return math::RoundEvenOp::create(builder, loc, a); }
Value Lanes::trunc(Value a) { return math::TruncOp::create(builder, loc, a); }
Value Lanes::sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }

Value Lanes::polynomial(Value x, std::initializer_list<double> coefficients) {
  Value sum;
  for (double coefficient : coefficients)
    sum = sum ? fma(sum, x, coefficient) : floating(x, coefficient);
  return sum;
}

Value Lanes::band(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
Value Lanes::bor(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
Value Lanes::bxor(Value a, Value b) { return arith::XOrIOp::create(builder, loc, a, b); }
Value Lanes::shl(Value a, unsigned amount) {
  return arith::ShLIOp::create(builder, loc, a, integer(a, amount));
}
Value Lanes::lshr(Value a, unsigned amount) {
  return arith::ShRUIOp::create(builder, loc, a, integer(a, amount));
}
Value Lanes::ashr(Value a, unsigned amount) {
  return arith::ShRSIOp::create(builder, loc, a, integer(a, amount));
}

Value Lanes::cmp(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}
Value Lanes::cmp(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
}
Value Lanes::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value Lanes::bitcast(Value a, Type type) {
  return a.getType() == type ? a : arith::BitcastOp::create(builder, loc, type, a).getResult();
}
Value Lanes::zeroExtend(Value a, Type type) {
  return arith::ExtUIOp::create(builder, loc, type, a);
}
Value Lanes::signExtend(Value a, Type type) {
  return arith::ExtSIOp::create(builder, loc, type, a);
}
Value Lanes::truncate(Value a, Type type) { return arith::TruncIOp::create(builder, loc, type, a); }
Value Lanes::resize(Value a, Type type, bool isUnsigned) {
  unsigned from = widthOf(a), to = elementOf(type).getIntOrFloatBitWidth();
  if (from == to)
    return a;
  if (from > to)
    return truncate(a, type);
  return isUnsigned ? zeroExtend(a, type) : signExtend(a, type);
}
Value Lanes::toSigned(Value a, Type type) { return arith::FPToSIOp::create(builder, loc, type, a); }
Value Lanes::toUnsigned(Value a, Type type) {
  return arith::FPToUIOp::create(builder, loc, type, a);
}
Value Lanes::fromSigned(Value a, Type type) {
  return arith::SIToFPOp::create(builder, loc, type, a);
}
Value Lanes::fromUnsigned(Value a, Type type) {
  return arith::UIToFPOp::create(builder, loc, type, a);
}
Value Lanes::extend(Value a, Type type) { return arith::ExtFOp::create(builder, loc, type, a); }
Value Lanes::narrow(Value a, Type type) { return arith::TruncFOp::create(builder, loc, type, a); }

bool Lanes::fillsRegisters(unsigned width) const {
  int64_t bits = count() * width;
  return bits >= 512 && llvm::isPowerOf2_64(bits);
}

Value Lanes::maskedIntrinsic(StringRef name, Value a, Value b, std::optional<int> choice) {
  const int64_t part = 512 / widthOf(a);
  Value mask = integer(builder.getIntegerType(part), ~uint64_t(0));
  Value currentRounding = integer(builder.getI32Type(), 4);
  Type type = VectorType::get(part, elementOf(a.getType()));
  auto take = [&](Value whole, int64_t first) -> Value {
    if (count() == part)
      return whole;
    auto lanes = llvm::to_vector(llvm::seq(first, first + part));
    return vector::ShuffleOp::create(builder, loc, whole, whole, lanes);
  };
  SmallVector<Value> results;
  for (int64_t first = 0; first < count(); first += part) {
    SmallVector<Value> operands = {take(a, first), take(b, first)};
    if (choice)
      operands.push_back(integer(builder.getI32Type(), *choice));
    operands.append({operands[0], mask, currentRounding});
    results.push_back(
        LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name), operands)
            .getResult(0));
  }
  for (int64_t lanes = part; results.size() > 1; lanes *= 2) {
    SmallVector<Value> pairs;
    for (size_t i = 0; i < results.size(); i += 2)
      pairs.push_back(vector::ShuffleOp::create(builder, loc, results[i], results[i + 1],
                                                llvm::to_vector(llvm::seq<int64_t>(0, 2 * lanes))));
    results = std::move(pairs);
  }
  return results[0];
}

Value Lanes::any(Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, condition);
}

} // namespace metile::cpu
