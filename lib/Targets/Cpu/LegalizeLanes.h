// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes: writes elementwise arithmetic over scalars or vectors of one length, without fast-math
// flags, as operations that LLVM compiles to instructions. Must not know what the arithmetic is
// for.
#pragma once

#include "Target/TargetDesc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <initializer_list>
#include <optional>

namespace metile::cpu {

class Lanes {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  /// Writes before `op`, over the shape of its first result.
  Lanes(mlir::Operation *op, const TargetDesc &target);

  mlir::OpBuilder builder;
  mlir::Location loc;
  const TargetDesc &target;

  /// Number of lanes; 0 for a scalar.
  int64_t count() const { return vector ? vector.getNumElements() : 0; }
  /// `element` in the shape of these lanes.
  Type of(Type element) const {
    return vector ? mlir::VectorType::get(vector.getShape(), element) : element;
  }
  Type f16() { return of(builder.getF16Type()); }
  Type f32() { return of(builder.getF32Type()); }
  Type f64() { return of(builder.getF64Type()); }
  Type integer(unsigned width) { return of(builder.getIntegerType(width)); }
  static Type elementOf(Type type) { return mlir::getElementTypeOrSelf(type); }
  static unsigned widthOf(Value value) {
    return elementOf(value.getType()).getIntOrFloatBitWidth();
  }

  /// A constant of `type`.
  Value floating(Type type, double value);
  Value integer(Type type, uint64_t value);
  /// A constant of the type of `like`.
  Value floating(Value like, double value) { return floating(like.getType(), value); }
  Value integer(Value like, uint64_t value) { return integer(like.getType(), value); }

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value neg(Value a);
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c);
  Value fma(Value a, Value b, double c) { return fma(a, b, floating(a, c)); }
  Value fma(Value a, double b, Value c) { return fma(a, floating(a, b), c); }
  Value add(Value a, double b) { return add(a, floating(a, b)); }
  Value sub(Value a, double b) { return sub(a, floating(a, b)); }
  Value mul(Value a, double b) { return mul(a, floating(a, b)); }
  Value abs(Value a);
  /// `magnitude`, which is not negative, with the sign of `sign`.
  Value withSignOf(Value magnitude, Value sign);
  Value roundEven(Value a);
  Value trunc(Value a);
  Value sqrt(Value a);
  /// The polynomial in x with these coefficients, highest power first.
  Value polynomial(Value x, std::initializer_list<double> coefficients);

  Value band(Value a, Value b);
  Value bor(Value a, Value b);
  Value bxor(Value a, Value b);
  Value shl(Value a, unsigned amount);
  Value lshr(Value a, unsigned amount);
  Value ashr(Value a, unsigned amount);

  Value cmp(mlir::arith::CmpIPredicate predicate, Value a, Value b);
  Value cmp(mlir::arith::CmpFPredicate predicate, Value a, Value b);
  Value less(Value a, double b) { return cmp(mlir::arith::CmpFPredicate::OLT, a, floating(a, b)); }
  Value greater(Value a, double b) {
    return cmp(mlir::arith::CmpFPredicate::OGT, a, floating(a, b));
  }
  Value isNaN(Value a) { return cmp(mlir::arith::CmpFPredicate::UNO, a, a); }
  Value isZero(Value a) { return cmp(mlir::arith::CmpIPredicate::eq, a, integer(a, 0)); }
  Value select(Value condition, Value a, Value b);

  /// The same bits as an integer, or as the float type `type`.
  Value bits(Value a) { return bitcast(a, integer(widthOf(a))); }
  Value bitcast(Value a, Type type);
  Value zeroExtend(Value a, Type type);
  Value signExtend(Value a, Type type);
  Value truncate(Value a, Type type);
  /// Sign- or zero-extends or truncates, whichever leads to `type`.
  Value resize(Value a, Type type, bool isUnsigned);
  /// Conversions whose operand is known to lie in range.
  Value toSigned(Value a, Type type);
  Value toUnsigned(Value a, Type type);
  Value fromSigned(Value a, Type type);
  Value fromUnsigned(Value a, Type type);
  /// f32 <-> f64 and f16 -> f32, f32 -> f16: one instruction each.
  Value extend(Value a, Type type);
  Value narrow(Value a, Type type);

  /// Whether the lanes, of `width` bits, fill whole registers of 512 bits, as intrinsics of AVX-512
  /// want.
  bool fillsRegisters(unsigned width) const;
  /// Calls an intrinsic of AVX-512 on each 512-bit part of a and b, unmasked and in the current
  /// rounding mode; `choice` is its immediate, if it takes one. Requires fillsRegisters.
  Value maskedIntrinsic(llvm::StringRef name, Value a, Value b, std::optional<int> choice = {});

  /// An i1: whether the condition holds in some lane.
  Value any(Value condition);

private:
  mlir::VectorType vector;
};

} // namespace metile::cpu
