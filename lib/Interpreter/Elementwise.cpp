// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Elementwise.h"

#include "Dialect/Tile/Tile.h"
#include "Interpreter/Dither.h"
#include "Interpreter/Numbers.h"
#include "Interpreter/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace metile::interpreter {

static Element ofBits(uint64_t bits) { return {bits, 0, -1}; }
static Element ofReal(double real) { return {0, real, -1}; }

namespace {

/// Builds the functions for one operation, whose operands and results have one shape.
class Elementwise {
public:
  explicit Elementwise(Operation &op)
      : operand(op.getNumOperands() ? op.getOperand(0).getType() : Type()),
        result(op.getResult(0).getType()) {}

  ElementFunction of(Operation &op);

private:
  ElementFunction arithmetic(Operation &op);
  ElementFunction integers(Operation &op);
  ElementFunction conversions(Operation &op);
  ElementFunction functions(Operation &op);

  /// A float operation: computed in double, then rounded to the result's type. For + - * / and the
  /// square root of types up to f32 that is the correctly rounded result, since a double has more
  /// than twice their digits and two.
  template <class Compute> ElementFunction real1(Compute compute) const {
    return [compute, format = formatOf(result)](const Element *x) {
      return ofReal(Dither::round(compute(x[0].real), format));
    };
  }
  template <class Compute> ElementFunction real2(Compute compute) const {
    return [compute, format = formatOf(result)](const Element *x) {
      return ofReal(Dither::round(compute(x[0].real, x[1].real), format));
    };
  }
  /// An integer operation modulo 2^width.
  template <class Compute> ElementFunction bits2(Compute compute) const {
    return [compute, width = widthOf(result)](const Element *x) {
      return ofBits(wrap(compute(x[0].bits, x[1].bits), width));
    };
  }
  /// The same on operands read as signed.
  template <class Compute> ElementFunction signed2(Compute compute) const {
    return [compute, width = widthOf(result)](const Element *x) {
      int64_t value = compute(asSigned(x[0].bits, width), asSigned(x[1].bits, width));
      return ofBits(wrap(static_cast<uint64_t>(value), width));
    };
  }

  Type operand, result;
};

bool compareIntegers(arith::CmpIPredicate predicate, uint64_t a, uint64_t b, unsigned width) {
  int64_t x = asSigned(a, width), y = asSigned(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

/// Ordered predicates are false where an operand is NaN, unordered ones true.
bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  }
  return false;
}

Rounding roundingOf(tile::Rounding rounding) {
  switch (rounding) {
  case tile::Rounding::Trunc:
    return Rounding::towardZero;
  case tile::Rounding::Floor:
    return Rounding::down;
  case tile::Rounding::Ceil:
    return Rounding::up;
  }
  return Rounding::towardZero;
}

ElementFunction Elementwise::arithmetic(Operation &op) {
  return TypeSwitch<Operation *, ElementFunction>(&op)
      .Case([&](arith::AddFOp) { return real2([](double a, double b) { return a + b; }); })
      .Case([&](arith::SubFOp) { return real2([](double a, double b) { return a - b; }); })
      .Case([&](arith::MulFOp) { return real2([](double a, double b) { return a * b; }); })
      .Case([&](arith::DivFOp) { return real2([](double a, double b) { return a / b; }); })
      .Case(
          [&](arith::RemFOp) { return real2([](double a, double b) { return std::fmod(a, b); }); })
      .Case([&](arith::NegFOp) { return real1([](double a) { return -a; }); })
      .Case([&](arith::MaximumFOp) { return real2(maximum); })
      .Case([&](arith::MinimumFOp) { return real2(minimum); })
      .Case([&](arith::MaxNumFOp) { return real2(maximumNumber); })
      .Case([&](arith::MinNumFOp) { return real2(minimumNumber); })
      .Case([&](math::FmaOp) -> ElementFunction {
        return [format = formatOf(result)](const Element *x) {
          double exact = std::fma(x[0].real, x[1].real, x[2].real);
          double nearest = fusedMultiplyAdd(x[0].real, x[1].real, x[2].real, format);
          return ofReal(Dither::round(exact, nearest, format));
        };
      })
      .Case([&](arith::CmpFOp compare) -> ElementFunction {
        return [predicate = compare.getPredicate()](const Element *x) {
          return ofBits(compareFloats(predicate, x[0].real, x[1].real));
        };
      })
      .Case([&](arith::CmpIOp compare) -> ElementFunction {
        return [predicate = compare.getPredicate(), width = widthOf(operand)](const Element *x) {
          return ofBits(compareIntegers(predicate, x[0].bits, x[1].bits, width));
        };
      })
      .Case([&](arith::SelectOp) -> ElementFunction {
        return [](const Element *x) { return x[0].bits ? x[1] : x[2]; };
      })
      .Default([](Operation *) { return ElementFunction(); });
}

ElementFunction Elementwise::integers(Operation &op) {
  if (!tile::elementTypeOf(result).isInteger())
    return {};
  unsigned width = widthOf(result);
  return TypeSwitch<Operation *, ElementFunction>(&op)
      .Case([&](arith::AddIOp) { return bits2([](uint64_t a, uint64_t b) { return a + b; }); })
      .Case([&](arith::SubIOp) { return bits2([](uint64_t a, uint64_t b) { return a - b; }); })
      .Case([&](arith::MulIOp) { return bits2([](uint64_t a, uint64_t b) { return a * b; }); })
      .Case([&](arith::AndIOp) { return bits2([](uint64_t a, uint64_t b) { return a & b; }); })
      .Case([&](arith::OrIOp) { return bits2([](uint64_t a, uint64_t b) { return a | b; }); })
      .Case([&](arith::XOrIOp) { return bits2([](uint64_t a, uint64_t b) { return a ^ b; }); })
      .Case([&](arith::MaxUIOp) {
        return bits2([](uint64_t a, uint64_t b) { return std::max(a, b); });
      })
      .Case([&](arith::MinUIOp) {
        return bits2([](uint64_t a, uint64_t b) { return std::min(a, b); });
      })
      .Case([&](arith::MaxSIOp) {
        return signed2([](int64_t a, int64_t b) { return std::max(a, b); });
      })
      .Case([&](arith::MinSIOp) {
        return signed2([](int64_t a, int64_t b) { return std::min(a, b); });
      })
      .Case([&](math::AbsIOp) -> ElementFunction {
        return [width](const Element *x) { // The lowest number is its own negative.
          bool isNegative = asSigned(x[0].bits, width) < 0;
          return ofBits(wrap(isNegative ? 0 - x[0].bits : x[0].bits, width));
        };
      })
      .Case([&](tile::DivOp div) {
        return bits2([width, isUnsigned = div.getIsUnsigned(),
                      way = roundingOf(div.getRounding())](uint64_t a, uint64_t b) {
          return divide(a, b, width, isUnsigned, way).quotient;
        });
      })
      .Case([&](tile::RemOp rem) {
        return bits2([width, isUnsigned = rem.getIsUnsigned(),
                      way = roundingOf(rem.getRounding())](uint64_t a, uint64_t b) {
          return divide(a, b, width, isUnsigned, way).remainder;
        });
      })
      .Case([&](tile::MulHiOp mulhi) {
        // 128 bits hold every product.
        if (mulhi.getIsUnsigned())
          return bits2([width](uint64_t a, uint64_t b) {
            return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> width);
          });
        return signed2([width](int64_t a, int64_t b) {
          return static_cast<int64_t>(static_cast<__int128>(a) * b >> width);
        });
      })
      .Case([&](tile::ShlOp) {
        // A negative amount is a large one without its sign.
        return bits2([width](uint64_t a, uint64_t by) { return by < width ? a << by : 0; });
      })
      .Case([&](tile::ShrOp shr) {
        return bits2([width, isUnsigned = shr.getIsUnsigned()](uint64_t a, uint64_t by) {
          if (isUnsigned)
            return by < width ? a >> by : 0;
          return static_cast<uint64_t>(asSigned(a, width) >> std::min<uint64_t>(by, width - 1));
        });
      })
      .Default([](Operation *) { return ElementFunction(); });
}

ElementFunction Elementwise::conversions(Operation &op) {
  return TypeSwitch<Operation *, ElementFunction>(&op)
      .Case<arith::ExtUIOp, arith::ExtFOp>(
          [](auto) -> ElementFunction { return [](const Element *x) { return x[0]; }; })
      .Case<arith::ExtSIOp, arith::TruncIOp>([&](auto) -> ElementFunction {
        return [from = widthOf(operand), to = widthOf(result)](const Element *x) {
          return ofBits(wrap(static_cast<uint64_t>(asSigned(x[0].bits, from)), to));
        };
      })
      .Case([&](tile::RoundOp) -> ElementFunction {
        return [format = formatOf(result)](const Element *x) {
          return ofReal(roundTo(x[0].real, format));
        };
      })
      .Case([&](tile::ToIntOp convert) -> ElementFunction {
        return [width = widthOf(result), isUnsigned = convert.getIsUnsigned()](const Element *x) {
          return ofBits(toInteger(x[0].real, width, isUnsigned));
        };
      })
      .Case([&](tile::FromIntOp convert) -> ElementFunction {
        return [width = widthOf(operand), format = formatOf(result),
                isUnsigned = convert.getIsUnsigned()](const Element *x) {
          bool isNegative = !isUnsigned && asSigned(x[0].bits, width) < 0;
          uint64_t magnitude = isNegative ? wrap(0 - x[0].bits, width) : x[0].bits;
          return ofReal(fromInteger(isNegative, magnitude, format));
        };
      })
      .Case([&](arith::BitcastOp) -> ElementFunction {
        if (isFloat(operand) && isFloat(result))
          return [from = formatOf(operand), to = formatOf(result)](const Element *x) {
            return ofReal(decode(encode(x[0].real, from), to));
          };
        if (isFloat(operand))
          return [from = formatOf(operand)](const Element *x) {
            return ofBits(encode(x[0].real, from));
          };
        if (isFloat(result))
          return
              [to = formatOf(result)](const Element *x) { return ofReal(decode(x[0].bits, to)); };
        return [](const Element *x) { return x[0]; };
      })
      .Default([](Operation *) { return ElementFunction(); });
}

/// Computed by the C library in double: for narrower types the result is correctly rounded but for
/// rare cases that lie within a millionth of a tie; for f64 it is good to about one ulp.
ElementFunction Elementwise::functions(Operation &op) {
  auto real = [&](double (*compute)(double)) { return real1(compute); };
  return TypeSwitch<Operation *, ElementFunction>(&op)
      .Case([&](math::AbsFOp) { return real(std::fabs); })
      .Case([&](math::FloorOp) { return real(std::floor); })
      .Case([&](math::CeilOp) { return real(std::ceil); })
      .Case([&](math::SqrtOp) { return real(std::sqrt); })
      .Case([&](math::RsqrtOp) { return real([](double a) { return 1 / std::sqrt(a); }); })
      .Case([&](math::ExpOp) { return real(std::exp); })
      .Case([&](math::Exp2Op) { return real(std::exp2); })
      .Case([&](math::LogOp) { return real(std::log); })
      .Case([&](math::Log2Op) { return real(std::log2); })
      .Case([&](math::TanhOp) { return real(std::tanh); })
      .Case([&](math::ErfOp) { return real(std::erf); })
      .Case([&](math::SinOp) { return real(std::sin); })
      .Case([&](math::CosOp) { return real(std::cos); })
      .Default([](Operation *) { return ElementFunction(); });
}

ElementFunction Elementwise::of(Operation &op) {
  for (auto family : {&Elementwise::arithmetic, &Elementwise::integers, &Elementwise::conversions,
                      &Elementwise::functions})
    if (ElementFunction function = (this->*family)(op))
      return function;
  return {};
}

} // namespace

ElementFunction elementFunction(Operation &op) {
  if (op.getNumResults() != 1)
    return {};
  Type element = tile::elementTypeOf(op.getResult(0).getType());
  if (!element.isIntOrFloat() && !isa<tile::PtrType>(element))
    return {};
  return Elementwise(op).of(op);
}

} // namespace metile::interpreter
