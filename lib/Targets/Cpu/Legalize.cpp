// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/Legalize.h"

#include "Dialect/Tile/Tile.h"
#include "Targets/Cpu/LegalizeRules.h"
#include "Targets/Cpu/Math.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace metile::cpu {
namespace {

bool isHalf(Type type) {
  Type element = Lanes::elementOf(type);
  return element.isF16() || element.isBF16();
}

DivRounding toRounding(tile::Rounding rounding) {
  switch (rounding) {
  case tile::Rounding::Trunc:
    return DivRounding::trunc;
  case tile::Rounding::Floor:
    return DivRounding::floor;
  case tile::Rounding::Ceil:
    return DivRounding::ceil;
  }
  llvm_unreachable("no other rounding");
}

/// Operations that LLVM has instructions for as they are, once their types are f32 or f64 (or
/// integers).
bool isNativeMath(Operation *op) {
  return isa<math::SqrtOp, math::FmaOp, math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::CopySignOp, math::CtPopOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::IsNaNOp, math::IsInfOp,
             math::IsFiniteOp, math::IsNormalOp>(op);
}

/// Elementwise arithmetic on floats.
bool isFloatArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::CmpFOp, vector::FMAOp>(op) ||
         isa<math::MathDialect>(op->getDialect());
}

Value lowerElementary(Lanes &lanes, Operation *op) {
  using Emitter = Value (*)(Lanes &, Value);
  Emitter emitter = llvm::TypeSwitch<Operation *, Emitter>(op)
                        .Case([](math::ExpOp) { return emitExp; })
                        .Case([](math::Exp2Op) { return emitExp2; })
                        .Case([](math::LogOp) { return emitLog; })
                        .Case([](math::Log2Op) { return emitLog2; })
                        .Case([](math::TanhOp) { return emitTanh; })
                        .Case([](math::ErfOp) { return emitErf; })
                        .Case([](math::SinOp) { return emitSin; })
                        .Case([](math::CosOp) { return emitCos; })
                        .Case([](math::RsqrtOp) { return emitRsqrt; })
                        .Default([](Operation *) -> Emitter { return nullptr; });
  return emitter ? emitter(lanes, op->getOperand(0)) : Value();
}

/// a * b + c in f16 or bf16. The product is exact in f64; the sum is rounded to odd there, so that
/// the second rounding is the only one that shows.
Value lowerHalfFma(Lanes &l, Value a, Value b, Value c, Type type) {
  auto wide = [&](Value v) { return lowerExtend(l, v, l.f64()); };
  Value product = l.mul(wide(a), wide(b)), addend = wide(c);
  Value sum = l.add(product, addend);
  Value part = l.sub(sum, product);
  Value lost = l.add(l.sub(product, l.sub(sum, part)), l.sub(addend, part));
  Value bits = l.bits(sum);
  using ICmp = arith::CmpIPredicate;
  // Where digits were lost and the last bit is even, the neighbour toward them is the odd one.
  Value inexact = l.cmp(arith::CmpFPredicate::ONE, lost, l.floating(lost, 0));
  Value even = l.isZero(l.band(bits, l.integer(bits, 1)));
  Value away = l.cmp(ICmp::sge, l.bxor(bits, l.bits(lost)), l.integer(bits, 0));
  Value step = l.select(away, l.integer(bits, 1), l.integer(bits, ~uint64_t(0)));
  Value odd = l.select(l.band(inexact, even), l.add(bits, step), bits);
  return lowerRound(l, l.bitcast(odd, sum.getType()), type);
}

/// The larger (or smaller) number, NaN where one is, -0 below 0. AVX-512 has one instruction that
/// knows signed zeros, but it prefers numbers over NaN. Elsewhere LLVM's own sequence is as good as
/// any.
Value lowerExtremum(Lanes &l, Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  unsigned width = Lanes::widthOf(a);
  if (!l.fillsRegisters(width) || !l.target.has("avx512dq"))
    return {};
  // Bit 0: the larger; bit 2: the sign as it compares.
  Value number = l.maskedIntrinsic(width == 64 ? "llvm.x86.avx512.mask.range.pd.512"
                                               : "llvm.x86.avx512.mask.range.ps.512",
                                   a, b, isa<arith::MaximumFOp>(op) ? 5 : 4);
  return l.select(l.cmp(arith::CmpFPredicate::UNO, a, b), l.add(a, b), number);
}

/// The larger (or smaller) of two numbers; a NaN loses. Spelled out, because LLVM has no vectors of
/// f16 for its own operation and would narrow it to them.
Value lowerNumberExtremum(Lanes &l, Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  auto order = isa<arith::MaxNumFOp>(op) ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value number = l.select(l.cmp(order, a, b), a, b);
  return l.select(l.cmp(arith::CmpFPredicate::UNO, b, b), a, number);
}

/// The floats that LLVM is to see as integers.
bool isHeldAsInteger(Type type) { return type.isBF16() || tile::isFloat8(type); }

/// Holds bf16 as i16 and floats of 8 bits as i8 from here on. No arithmetic on them is left. LLVM
/// would turn bit operations on bf16 back into float operations, for which it calls functions, and
/// knows no floats of 8 bits.
void holdAsIntegers(Operation *root) {
  auto held = [&](Type type) -> Type {
    Type element = Lanes::elementOf(type);
    if (!isHeldAsInteger(element))
      return type;
    Type bits = IntegerType::get(root->getContext(), element.getIntOrFloatBitWidth());
    auto vector = dyn_cast<VectorType>(type);
    return vector ? Type(vector.clone(bits)) : bits;
  };
  root->walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto number = dyn_cast<FloatAttr>(constant.getValue());
          number && isHeldAsInteger(number.getType()))
        constant.setValueAttr(
            IntegerAttr::get(held(number.getType()), number.getValue().bitcastToAPInt()));
      else if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
               dense && isHeldAsInteger(dense.getElementType()))
        constant.setValueAttr(dense.bitcast(held(dense.getElementType())));
    }
    for (OpResult result : op->getResults())
      result.setType(held(result.getType()));
    if (!isa<FunctionOpInterface>(op))
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          argument.setType(held(argument.getType()));
  });
}

class Legalizer {
public:
  explicit Legalizer(const TargetDesc &target) : target(target) {}

  LogicalResult run(Operation *root) {
    SmallVector<Operation *> work;
    root->walk([&](Operation *op) {
      if (isa<tile::TileDialect, math::MathDialect>(op->getDialect()) ||
          isa<arith::ArithDialect, vector::VectorDialect>(op->getDialect()))
        work.push_back(op);
    });
    bool good = true;
    for (Operation *op : work)
      good &= succeeded(rewrite(op));
    holdAsIntegers(root);
    return success(good);
  }

private:
  LogicalResult rewrite(Operation *op) {
    if (op->getNumResults() != 1)
      return success();
    Type type = op->getResult(0).getType();
    const bool ours = isa<tile::TileDialect>(op->getDialect());
    if (isa<RankedTensorType>(type))
      return ours || isFloatArithmetic(op)
                 ? op->emitError("a tile is left where only vectors are expected")
                 : success();
    // vector.reduction and its like have results unlike their operands.
    if (isa<vector::VectorDialect>(op->getDialect()) && !isa<vector::FMAOp>(op))
      return rewriteHalfReduction(op);

    Lanes lanes(op, target);
    if (isFloatArithmetic(op) && llvm::any_of(op->getOperandTypes(), isHalf))
      return rewriteHalfArithmetic(op, lanes);
    Value result =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case([&](tile::DivOp div) {
              return lowerDiv(lanes, div.getLhs(), div.getRhs(), toRounding(div.getRounding()),
                              div.getIsUnsigned());
            })
            .Case([&](tile::RemOp rem) {
              return lowerRem(lanes, rem.getLhs(), rem.getRhs(), toRounding(rem.getRounding()),
                              rem.getIsUnsigned());
            })
            .Case([&](tile::ShlOp shl) { return lowerShl(lanes, shl.getLhs(), shl.getRhs()); })
            .Case([&](tile::ShrOp shr) {
              return lowerShr(lanes, shr.getLhs(), shr.getRhs(), shr.getIsUnsigned());
            })
            .Case([&](tile::MulHiOp mul) {
              return lowerMulHi(lanes, mul.getLhs(), mul.getRhs(), mul.getIsUnsigned());
            })
            .Case([&](tile::ToIntOp convert) {
              return lowerToInt(lanes, convert.getSource(), type, convert.getIsUnsigned());
            })
            .Case([&](tile::FromIntOp convert) {
              return lowerFromInt(lanes, convert.getSource(), type, convert.getIsUnsigned());
            })
            .Case([&](tile::RoundOp round) { return lowerRound(lanes, round.getSource(), type); })
            .Case([&](arith::ExtFOp extend) { return extendHalf(lanes, extend); })
            .Case([&](arith::TruncFOp narrow) {
              Type from = Lanes::elementOf(narrow.getIn().getType());
              bool single = from.isF32() && Lanes::elementOf(type).isF16();
              bool native = single || !(isHalf(type) || tile::isFloat8(Lanes::elementOf(type)));
              return native ? Value() : lowerRound(lanes, narrow.getIn(), type);
            })
            .Case<arith::MaximumFOp, arith::MinimumFOp>(
                [&](Operation *) { return lowerExtremum(lanes, op); })
            .Case<arith::MaxNumFOp, arith::MinNumFOp>(
                [&](Operation *) { return lowerNumberExtremum(lanes, op); })
            .Default([&](Operation *) { return lowerElementary(lanes, op); });
    if (result) {
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      return success();
    }
    if (ours || (isa<math::MathDialect>(op->getDialect()) && !isNativeMath(op)))
      return op->emitError() << "'" << op->getName() << "' has no code on a CPU";
    return success();
  }

  static Value extendHalf(Lanes &lanes, arith::ExtFOp extend) {
    Type from = Lanes::elementOf(extend.getIn().getType());
    bool single = from.isF32() || (from.isF16() && Lanes::elementOf(extend.getType()).isF32());
    return single ? Value() : lowerExtend(lanes, extend.getIn(), extend.getType());
  }

  /// Arithmetic on f16 and bf16 is done in f32 and rounded back. For + - * / and square root that
  /// equals one rounding of the exact result, as f32 has more than twice as many digits and two
  /// more.
  LogicalResult rewriteHalfArithmetic(Operation *op, Lanes &l) {
    Type type = op->getResult(0).getType();
    Value result;
    if (isa<math::FmaOp, vector::FMAOp>(op)) {
      result = lowerHalfFma(l, op->getOperand(0), op->getOperand(1), op->getOperand(2), type);
    } else if (isa<arith::NegFOp, math::AbsFOp>(op)) {
      Value bits = l.bits(op->getOperand(0));
      bits = isa<arith::NegFOp>(op) ? l.bxor(bits, l.integer(bits, 0x8000))
                                    : l.band(bits, l.integer(bits, 0x7fff));
      result = l.bitcast(bits, type);
    } else {
      OperationState state(op->getLoc(), op->getName());
      for (Value operand : op->getOperands())
        state.operands.push_back(isHalf(operand.getType()) ? lowerExtend(l, operand, l.f32())
                                                           : operand);
      state.types.push_back(isHalf(type) ? l.f32() : type);
      state.attributes = op->getAttrs();
      Operation *wide = l.builder.create(state);
      result = wide->getResult(0);
      if (isHalf(type))
        result = lowerRound(l, result, type);
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      return rewrite(wide);
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return success();
  }

  LogicalResult rewriteHalfReduction(Operation *op) {
    auto reduction = dyn_cast<vector::ReductionOp>(op);
    if (!reduction || !isHalf(reduction.getVector().getType()))
      return success();
    return op->emitError("reductions of f16 and bf16 accumulate in f32: widen the operand first");
  }

  const TargetDesc &target;
};

} // namespace

LogicalResult legalize(Operation *root, const TargetDesc &target) {
  return Legalizer(target).run(root);
}

} // namespace metile::cpu
