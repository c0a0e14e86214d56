// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sine and cosine: x = n π/2 + r by Cody and Waite for moderate arguments, by enough digits of 2/π
// (Payne and Hanek) for all others, then a polynomial in r.

#include "Targets/Cpu/Math.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <cmath>

using namespace mlir;

namespace metile::cpu {
namespace {

using FCmp = arith::CmpFPredicate;

constexpr double magic = 0x1.8p52;

/// The digits of 2/π after the point, 53 bits at a time.
constexpr uint64_t twoOverPi[] = {
    0x145f306dc9c882, 0x14a7f09d5f47d4, 0x1a6ee06db14acc, 0x13c439041fe516, 0x0757bd778ac36e,
    0x091b8e909374b8, 0x00324977504e8c, 0x121cfe1deb1cb1, 0x0534e7dd1046be, 0x14baed1213a671,
    0x18135a2fbf209c, 0x191d639835339f, 0x093908bf177bf2, 0x0a0ec7fe25fff7, 0x102cc07f79788c,
    0x0b5a0a6d1f6d36, 0x0fd9e4f96136e9, 0x1d18fd9a797fa8, 0x16ba93dd63f5f2, 0x1f17b3d0739f78,
    0x14a525d4d7f6bf, 0x0c47e357421580};

/// n modulo 4 as an integer of x's width (other bits are arbitrary), and the rest |r| <= π/4.
struct Quadrant {
  Value n, r;
};

/// For |x| below `limitOf` its type.
Quadrant reduceModerate(Lanes &l, Value x) {
  if (Lanes::elementOf(x.getType()).isF64()) {
    Value sum = l.fma(x, l.floating(x, 0x1.45f306dc9c883p-1), magic);
    Value n = l.sub(sum, magic);
    // The first difference is exact: both have no digits below those of n π/2, and it is below 1.
    Value r = l.fma(n, -0x1.921fb54442d18p0, x);
    r = l.fma(n, -0x1.1a62633145c07p-54, r);
    r = l.fma(n, 0x1.f1976b7ed8fbcp-110, r);
    return {l.bits(sum), r};
  }
  Value sum = l.fma(x, l.floating(x, 0x1.45f306p-1), 0x1.8p23);
  Value n = l.sub(sum, 0x1.8p23);
  Value r = l.fma(n, -0x1.921fb6p0, x);
  r = l.fma(n, 0x1.777a5cp-25, r);
  r = l.fma(n, 0x1.ee59dap-50, r);
  return {l.bits(sum), r};
}

double limitOf(Value x) { return Lanes::elementOf(x.getType()).isF64() ? 0x1p30 : 0x1p15; }

/// A sum of numbers that keeps what rounding loses, twice.
struct ExactSum {
  Value first, second, third;

  void add(Lanes &l, Value number) {
    Value lost = addTo(l, first, number);
    lost = addTo(l, second, lost);
    third = l.add(third, lost);
  }

  /// Adds and returns the rounding error, exactly.
  static Value addTo(Lanes &l, Value &sum, Value number) {
    Value total = l.add(sum, number);
    Value part = l.sub(total, sum);
    Value lost = l.add(l.sub(sum, l.sub(total, part)), l.sub(number, part));
    sum = total;
    return lost;
  }
};

/// The last groups are too small for an f64, so the table holds them times 2^200 and x pays.
constexpr int tableShift = 200;

/// The address of twoOverPi as f64, a constant of the module that is being written to.
Value digitTable(Lanes &l) {
  constexpr llvm::StringLiteral name = "metile.two_over_pi";
  auto module = l.builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    SmallVector<double> values;
    for (auto [i, digits] : llvm::enumerate(twoOverPi))
      values.push_back(std::ldexp(double(digits), tableShift - 53 * int(i + 1)));
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto shape = RankedTensorType::get(int64_t(values.size()), builder.getF64Type());
    LLVM::GlobalOp::create(builder, l.loc,
                           LLVM::LLVMArrayType::get(builder.getF64Type(), values.size()),
                           /*isConstant=*/true, LLVM::Linkage::Private, name,
                           DenseElementsAttr::get(shape, ArrayRef(values)), /*alignment=*/8);
  }
  auto pointer = LLVM::LLVMPointerType::get(l.builder.getContext());
  return LLVM::AddressOfOp::create(l.builder, l.loc, pointer, name);
}

/// The product x 2/π modulo 4 digit group by digit group: each partial product is exact as a sum of
/// two floats, and whole multiples of 4 are dropped from both at once. For f64 x of any size.
Quadrant reduceLarge(Lanes &l, Value x, unsigned groups) {
  x = l.mul(x, std::ldexp(1.0, -tableShift));
  Value table = digitTable(l);
  auto index = [&](int64_t value) { return l.integer(l.builder.getI64Type(), value); };
  Value zero = l.floating(x, 0);
  auto loop = scf::ForOp::create(l.builder, l.loc, index(0), index(groups), index(1),
                                 ValueRange{zero, zero, zero});
  {
    OpBuilder::InsertionGuard guard(l.builder);
    l.builder.setInsertionPointToStart(loop.getBody());
    Type f64 = l.builder.getF64Type();
    Value address = LLVM::GEPOp::create(l.builder, l.loc, table.getType(), f64, table,
                                        ArrayRef<LLVM::GEPArg>{loop.getInductionVar()});
    Value digits = LLVM::LoadOp::create(l.builder, l.loc, f64, address);
    if (l.count() > 0)
      digits = vector::BroadcastOp::create(l.builder, l.loc, x.getType(), digits);
    auto modulo4 = [&](Value number) {
      return l.fma(l.roundEven(l.mul(number, 0.25)), -4.0, number);
    };
    Value high = l.mul(x, digits);
    Value low = l.fma(x, digits, l.neg(high));
    ExactSum sum{loop.getRegionIterArg(0), loop.getRegionIterArg(1), loop.getRegionIterArg(2)};
    sum.add(l, modulo4(high));
    sum.add(l, modulo4(low));
    scf::YieldOp::create(l.builder, l.loc, ValueRange{sum.first, sum.second, sum.third});
  }
  ExactSum sum{loop.getResult(0), loop.getResult(1), loop.getResult(2)};
  Value rounded = l.add(sum.first, magic);
  Value rest = l.sub(sum.first, l.sub(rounded, magic));
  Value lost = l.add(ExactSum::addTo(l, rest, sum.second), sum.third);
  // Times π/2, both to twice the precision.
  const double high = 0x1.921fb54442d18p0, low = 0x1.1a62633145c07p-54;
  lost = l.fma(rest, low, l.mul(lost, high));
  return {l.bits(rounded), l.fma(rest, high, lost)};
}

/// |x| = n π/2 + r for every x.
Quadrant reduce(Lanes &l, Value magnitude) {
  Quadrant moderate = reduceModerate(l, magnitude);
  Value large = l.cmp(FCmp::OGE, magnitude, l.floating(magnitude, limitOf(magnitude)));
  auto choose =
      scf::IfOp::create(l.builder, l.loc, TypeRange{moderate.n.getType(), moderate.r.getType()},
                        l.any(large), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(l.builder);
  l.builder.setInsertionPointToStart(choose.thenBlock());
  Quadrant exact;
  if (Lanes::elementOf(magnitude.getType()).isF64()) {
    exact = reduceLarge(l, magnitude, std::size(twoOverPi));
  } else {
    // Four groups hold the digits of a number below 2^128 down to 2^-84.
    exact = reduceLarge(l, l.extend(magnitude, l.f64()), 4);
    exact = {l.truncate(exact.n, l.integer(32)), l.narrow(exact.r, l.f32())};
  }
  scf::YieldOp::create(
      l.builder, l.loc,
      ValueRange{l.select(large, exact.n, moderate.n), l.select(large, exact.r, moderate.r)});
  l.builder.setInsertionPointToStart(choose.elseBlock());
  scf::YieldOp::create(l.builder, l.loc, ValueRange{moderate.n, moderate.r});
  return {choose.getResult(0), choose.getResult(1)};
}

/// sin(n π/2 + r), with the sign bit of `sign` flipped in.
Value emitQuadrant(Lanes &l, const Quadrant &quadrant, Value sign) {
  Value r = quadrant.r, n = quadrant.n, z = l.mul(r, r);
  const bool wide = Lanes::elementOf(r.getType()).isF64();
  // 2^-57.9, 2^-37.5
  Value s =
      wide ? l.polynomial(z, {1.589585608273925138e-10, -2.505074149246023801e-8,
                              2.755731358257578407e-6, -0.0001984126982948147292,
                              0.008333333333321988712, -0.1666666666666663023})
           : l.polynomial(z, {2.718035202e-6, -0.0001983930324, 0.008333329277, -0.1666666664});
  Value sine = l.fma(l.mul(r, z), s, r);
  // 2^-63.9, 2^-33.0
  Value c = wide ? l.polynomial(z, {-1.135827651616487954e-11, 2.087569592987040194e-9,
                                    -2.755731414399811603e-7, 2.48015872887325478e-5,
                                    -0.00138888888888728707, 0.04166666666666659188})
                 : l.polynomial(z, {2.443230045e-5, -0.00138873089, 0.04166664553});
  // 1 - z/2 loses digits that are added back.
  Value half = l.mul(z, 0.5);
  Value whole = l.sub(l.floating(z, 1.0), half);
  Value lost = l.sub(l.sub(l.floating(z, 1.0), whole), half);
  Value cosine = l.add(whole, l.fma(l.mul(z, z), c, lost));
  Value odd = l.cmp(arith::CmpIPredicate::ne, l.band(n, l.integer(n, 1)), l.integer(n, 0));
  Value result = l.bits(l.select(odd, cosine, sine));
  const unsigned width = wide ? 64 : 32;
  Value flip = l.shl(l.band(n, l.integer(n, 2)), width - 2);
  result = l.bxor(result, flip);
  if (sign)
    result = l.bxor(result, l.band(sign, l.integer(sign, uint64_t(1) << (width - 1))));
  return l.bitcast(result, r.getType());
}

} // namespace

Value emitSin(Lanes &l, Value x) {
  // By magnitude: sin(-0) is -0, which the polynomial alone would lose.
  return emitQuadrant(l, reduce(l, l.abs(x)), l.bits(x));
}

Value emitCos(Lanes &l, Value x) {
  Quadrant quadrant = reduce(l, l.abs(x));
  quadrant.n = l.add(quadrant.n, l.integer(quadrant.n, 1));
  return emitQuadrant(l, quadrant, {});
}

} // namespace metile::cpu
