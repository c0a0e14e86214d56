// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/LegalizeRules.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace metile::cpu {
namespace {

using ICmp = arith::CmpIPredicate;
using FCmp = arith::CmpFPredicate;

/// The divisor where it is one constant for all lanes.
std::optional<APInt> constantOf(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

struct Quotient {
  Value quotient, remainder;
};

/// Quotient toward zero by way of a float type whose precision makes it exact: the distance of a /
/// b from the next integer, relative to a / b, is at least 1 / a, which is above the rounding
/// error.
Value divideAsFloat(Lanes &l, Value a, Value b, bool isUnsigned, Type type, Type wide) {
  auto convert = [&](Value v) {
    v = l.resize(v, wide, isUnsigned);
    return isUnsigned ? l.fromUnsigned(v, type) : l.fromSigned(v, type);
  };
  Value quotient = l.div(convert(a), convert(b));
  quotient = isUnsigned ? l.toUnsigned(quotient, wide) : l.toSigned(quotient, wide);
  return l.resize(quotient, a.getType(), isUnsigned);
}

/// 64-bit lanes have no division instruction in any vector unit. If all lanes are small, as indices
/// are, f64 divides them exactly; otherwise each lane is divided on its own.
Value divideWide(Lanes &l, Value a, Value b, bool isUnsigned) {
  // |x| < 2^51: x + bias lies in [0, 2^52).
  const uint64_t bias = uint64_t(1) << 51, magicBits = 0x4338000000000000;
  const double magic = 0x1.8p52;
  auto large = [&](Value v) {
    return l.cmp(ICmp::uge, l.add(v, l.integer(v, bias)), l.integer(v, bias << 1));
  };
  // An unsigned number above 2^63 is as large as a negative one that is far from zero.
  auto negativeOrLarge = [&](Value v) { return l.cmp(ICmp::uge, v, l.integer(v, bias)); };
  Value someLarge =
      l.any(isUnsigned ? l.bor(negativeOrLarge(a), negativeOrLarge(b)) : l.bor(large(a), large(b)));
  auto choose =
      scf::IfOp::create(l.builder, l.loc, a.getType(), someLarge, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(l.builder);
    l.builder.setInsertionPointToStart(choose.thenBlock());
    Value q = isUnsigned ? arith::DivUIOp::create(l.builder, l.loc, a, b).getResult()
                         : arith::DivSIOp::create(l.builder, l.loc, a, b).getResult();
    scf::YieldOp::create(l.builder, l.loc, q);
    l.builder.setInsertionPointToStart(choose.elseBlock());
    auto toFloat = [&](Value v) {
      return l.sub(l.bitcast(l.add(v, l.integer(v, magicBits)), l.f64()), magic);
    };
    Value quotient = l.trunc(l.div(toFloat(a), toFloat(b)));
    Value bits = l.bits(l.add(quotient, magic));
    scf::YieldOp::create(l.builder, l.loc, l.sub(bits, l.integer(bits, magicBits)));
  }
  return choose.getResult(0);
}

/// Both results toward zero, for a divisor that may be zero.
Quotient divide(Lanes &l, Value a, Value b, bool isUnsigned) {
  unsigned width = Lanes::widthOf(a);
  std::optional<APInt> constant = constantOf(b);
  Value isZero, divisor = b;
  if (!constant || constant->isZero() || (constant->isAllOnes() && !isUnsigned)) {
    isZero = l.isZero(b);
    Value unsafe = isZero;
    if (!isUnsigned) {
      Value lowest = l.integer(a, uint64_t(1) << (width - 1));
      unsafe = l.bor(unsafe, l.band(l.cmp(ICmp::eq, a, lowest),
                                    l.cmp(ICmp::eq, b, l.integer(b, ~uint64_t(0)))));
    }
    divisor = l.select(unsafe, l.integer(b, 1), b);
  }
  Value quotient;
  if (l.count() == 0 || (constant && width <= 32))
    quotient = isUnsigned ? arith::DivUIOp::create(l.builder, l.loc, a, divisor).getResult()
                          : arith::DivSIOp::create(l.builder, l.loc, a, divisor).getResult();
  else if (width < 32)
    quotient =
        divideAsFloat(l, a, divisor, isUnsigned, width <= 16 ? l.f32() : l.f64(), l.integer(32));
  else if (width == 32)
    quotient = divideAsFloat(l, a, divisor, isUnsigned, l.f64(), l.integer(32));
  else
    quotient = divideWide(l, a, divisor, isUnsigned);
  if (isZero)
    quotient = l.select(isZero, l.integer(b, 0), quotient);
  Value remainder = l.sub(a, l.mul(quotient, b));
  if (isZero)
    remainder = l.select(isZero, l.integer(b, 0), remainder);
  return {quotient, remainder};
}

/// By a power of two, without a division.
std::optional<Quotient> divideByShift(Lanes &l, Value a, Value b, DivRounding rounding,
                                      bool isUnsigned) {
  std::optional<APInt> constant = constantOf(b);
  if (!constant || !constant->isPowerOf2() || (!isUnsigned && constant->isNegative()))
    return std::nullopt;
  unsigned width = Lanes::widthOf(a), shift = constant->logBase2();
  if (shift == 0)
    return Quotient{a, l.integer(a, 0)};
  uint64_t mask = constant->getZExtValue() - 1;
  if (isUnsigned || rounding != DivRounding::trunc) {
    // Toward minus infinity.
    Quotient q{isUnsigned ? l.lshr(a, shift) : l.ashr(a, shift), l.band(a, l.integer(a, mask))};
    if (rounding == DivRounding::ceil) {
      Value inexact = l.cmp(ICmp::ne, q.remainder, l.integer(a, 0));
      q.remainder = l.select(inexact, l.sub(q.remainder, b), q.remainder);
      q.quotient = l.add(q.quotient, l.zeroExtend(inexact, a.getType()));
    }
    return q;
  }
  // Toward zero: negative numbers are moved up by divisor - 1 first.
  Value upward = l.band(l.ashr(a, width - 1), l.integer(a, mask));
  Value quotient = l.ashr(l.add(a, upward), shift);
  return Quotient{quotient, l.sub(a, l.shl(quotient, shift))};
}

Quotient divideRounded(Lanes &l, Value a, Value b, DivRounding rounding, bool isUnsigned) {
  if (std::optional<Quotient> shifted = divideByShift(l, a, b, rounding, isUnsigned))
    return *shifted;
  Quotient q = divide(l, a, b, isUnsigned);
  if (rounding == DivRounding::trunc || (isUnsigned && rounding == DivRounding::floor))
    return q;
  Value zero = l.integer(a, 0);
  Value adjust = l.cmp(ICmp::ne, q.remainder, zero);
  if (!isUnsigned) {
    // The exact quotient is negative where the signs of remainder and divisor differ.
    Value differ = l.bxor(q.remainder, b);
    adjust =
        l.band(adjust, l.cmp(rounding == DivRounding::floor ? ICmp::slt : ICmp::sge, differ, zero));
  }
  Value one = l.zeroExtend(adjust, a.getType());
  Value step = l.select(adjust, b, zero);
  if (rounding == DivRounding::floor)
    return {l.sub(q.quotient, one), l.add(q.remainder, step)};
  return {l.add(q.quotient, one), l.sub(q.remainder, step)};
}

/// One bit: 0 / b = 0, 1 / 0 = 0; only 1 / 1 is left, which is 1 unsigned and wraps to 1 signed.
bool isBit(Value a) { return Lanes::widthOf(a) == 1; }

} // namespace

Value lowerDiv(Lanes &lanes, Value lhs, Value rhs, DivRounding rounding, bool isUnsigned) {
  if (isBit(lhs))
    return lanes.band(lhs, rhs);
  return divideRounded(lanes, lhs, rhs, rounding, isUnsigned).quotient;
}

Value lowerRem(Lanes &lanes, Value lhs, Value rhs, DivRounding rounding, bool isUnsigned) {
  if (isBit(lhs))
    return lanes.integer(lhs, 0);
  return divideRounded(lanes, lhs, rhs, rounding, isUnsigned).remainder;
}

Value lowerShl(Lanes &l, Value lhs, Value rhs) {
  unsigned width = Lanes::widthOf(lhs);
  if (width == 1) // By 0 the bit stays, by 1 it is gone.
    return l.band(lhs, l.isZero(rhs));
  if (std::optional<APInt> amount = constantOf(rhs))
    return amount->uge(width) ? l.integer(lhs, 0) : l.shl(lhs, amount->getZExtValue());
  Value shifted = arith::ShLIOp::create(l.builder, l.loc, lhs, rhs);
  return l.select(l.cmp(ICmp::ult, rhs, l.integer(rhs, width)), shifted, l.integer(lhs, 0));
}

Value lowerShr(Lanes &l, Value lhs, Value rhs, bool isUnsigned) {
  unsigned width = Lanes::widthOf(lhs);
  if (width == 1)
    return isUnsigned ? l.band(lhs, l.isZero(rhs)) : lhs;
  std::optional<APInt> amount = constantOf(rhs);
  if (isUnsigned) {
    if (amount)
      return amount->uge(width) ? l.integer(lhs, 0) : l.lshr(lhs, amount->getZExtValue());
    Value shifted = arith::ShRUIOp::create(l.builder, l.loc, lhs, rhs);
    return l.select(l.cmp(ICmp::ult, rhs, l.integer(rhs, width)), shifted, l.integer(lhs, 0));
  }
  if (amount)
    return l.ashr(lhs, amount->uge(width) ? width - 1 : amount->getZExtValue());
  Value limit = l.integer(rhs, width - 1);
  Value clamped = arith::MinUIOp::create(l.builder, l.loc, rhs, limit);
  return arith::ShRSIOp::create(l.builder, l.loc, lhs, clamped);
}

Value lowerMulHi(Lanes &l, Value lhs, Value rhs, bool isUnsigned) {
  unsigned width = Lanes::widthOf(lhs);
  if (width < 64) {
    Type wide = l.integer(2 * width);
    Value product = l.mul(l.resize(lhs, wide, isUnsigned), l.resize(rhs, wide, isUnsigned));
    return l.truncate(l.lshr(product, width), lhs.getType());
  }
  // By halves, unsigned: no vector unit multiplies to 128 bits.
  Value low = l.integer(lhs, 0xffffffff);
  Value lowLhs = l.band(lhs, low), lowRhs = l.band(rhs, low);
  Value highLhs = l.lshr(lhs, 32), highRhs = l.lshr(rhs, 32);
  Value middle = l.add(l.mul(highLhs, lowRhs), l.lshr(l.mul(lowLhs, lowRhs), 32));
  Value other = l.add(l.mul(lowLhs, highRhs), l.band(middle, low));
  Value high = l.add(l.mul(highLhs, highRhs), l.add(l.lshr(middle, 32), l.lshr(other, 32)));
  if (isUnsigned)
    return high;
  // Read as unsigned, a negative number is 2^64 too large.
  Value excess = l.add(l.band(l.ashr(lhs, 63), rhs), l.band(l.ashr(rhs, 63), lhs));
  return l.sub(high, excess);
}

} // namespace metile::cpu
