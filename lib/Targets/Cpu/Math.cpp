// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The coefficients are minimax polynomials of ours (Remez exchange in 50 digits, weighted for
// relative error of the whole function); the power of two beside each is the largest relative
// error.

#include "Targets/Cpu/Math.h"

#include <limits>

using namespace mlir;

namespace metile::cpu {
namespace {

using FCmp = arith::CmpFPredicate;

bool isDouble(Value x) { return Lanes::elementOf(x.getType()).isF64(); }

/// Adding it leaves an integer in the low bits of a float: rounding without a conversion, defined
/// for NaN and infinities too.
double roundingMagic(Value x) { return isDouble(x) ? 0x1.8p52 : 0x1.8p23; }
uint64_t roundingMagicBits(Value x) { return isDouble(x) ? 0x4338000000000000 : 0x4b400000; }
unsigned fractionBits(Value x) { return isDouble(x) ? 52 : 23; }
uint64_t exponentBias(Value x) { return isDouble(x) ? 1023 : 127; }

/// An integer-valued float and the same number as an integer.
struct Rounded {
  Value number, integer;
};

/// `sum` is what the magic number was added to.
Rounded takeRounded(Lanes &l, Value sum) {
  Value bits = l.bits(sum);
  return {l.sub(sum, roundingMagic(sum)), l.sub(bits, l.integer(bits, roundingMagicBits(sum)))};
}

/// The nearest integer to x * factor; |x * factor| below 2^22 (f32) or 2^51 (f64).
Rounded roundScaled(Lanes &l, Value x, double factor) {
  return takeRounded(l, l.fma(x, l.floating(x, factor), roundingMagic(x)));
}

/// x, but no less than `low` and no more than `high`; NaN stays.
Value clamp(Lanes &l, Value x, double low, double high) {
  x = l.select(l.less(x, low), l.floating(x, low), x);
  return l.select(l.greater(x, high), l.floating(x, high), x);
}

/// 2^n for an n whose power is a normal number of `like`'s type.
Value powerOfTwo(Lanes &l, Value n, Value like) {
  Value biased = l.add(n, l.integer(n, exponentBias(like)));
  return l.bitcast(l.shl(biased, fractionBits(like)), like.getType());
}

/// p * 2^n, rounded once, for any n that twice a normal exponent reaches.
Value scale(Lanes &l, Value p, const Rounded &n) {
  unsigned width = Lanes::widthOf(p);
  if (l.fillsRegisters(width) && l.target.has("avx512f"))
    return l.maskedIntrinsic(width == 64 ? "llvm.x86.avx512.mask.scalef.pd.512"
                                         : "llvm.x86.avx512.mask.scalef.ps.512",
                             p, n.number);
  // In two steps, as 2^n itself may be out of range; only the second one can round.
  Value half = l.ashr(n.integer, 1);
  Value rest = l.sub(n.integer, half);
  return l.mul(l.mul(p, powerOfTwo(l, half, p)), powerOfTwo(l, rest, p));
}

struct Reduced {
  Rounded n;
  Value r; ///< |r| <= ln 2 / 2
};

/// x = n ln 2 + r.
Reduced reduceByLn2(Lanes &l, Value x) {
  Rounded n = roundScaled(l, x, 0x1.71547652b82fep0);
  Value r;
  if (isDouble(x)) {
    r = l.fma(n.number, -0x1.62e42fefa39efp-1, x);
    r = l.fma(n.number, -0x1.abc9e3b39803fp-56, r);
  } else {
    r = l.fma(n.number, -0x1.62e43p-1, x);
    r = l.fma(n.number, 0x1.05c61p-29, r);
  }
  return {n, r};
}

/// e^r - 1 for |r| <= ln 2 / 2, relative to itself 2^-31.8 (f32), 2^-58.3 (f64).
Value expMinus1Reduced(Lanes &l, Value r) {
  Value p =
      isDouble(r)
          ? l.polynomial(r, {1.765762933313321388e-9, 2.510534660777417863e-8,
                             2.756803894011601063e-7, 2.755725509546314644e-6,
                             2.480157438907691687e-5, 0.0001984126987505406191,
                             0.001388888889568317094, 0.008333333333326070979,
                             0.04166666666665208851, 0.1666666666666667104, 0.5000000000000000875})
          : l.polynomial(r, {0.000199621947, 0.001394325282, 0.008333219931, 0.04166632644,
                             0.166666669, 0.5000000053});
  return l.fma(l.mul(r, r), p, r);
}

/// e^r for |r| <= ln 2 / 2: 2^-28.3 (f32), 2^-57.9 (f64).
Value expReduced(Lanes &l, Value r) {
  Value p = isDouble(r) ? l.polynomial(r, {2.500125521456255295e-8, 2.763033821456921402e-7,
                                           2.755758339614833642e-6, 2.480149286526566358e-5,
                                           0.0001984126950902619912, 0.001388888894383589541,
                                           0.00833333333349373734, 0.04166666666652946225,
                                           0.1666666666666641303, 0.5000000000000010697})
                        : l.polynomial(r, {0.001381523362, 0.008368758886, 0.04166838273,
                                           0.1666652029, 0.4999999345});
  return l.add(l.fma(l.mul(r, r), p, r), 1.0);
}

struct Logarithm {
  Value exponent; ///< An integer-valued float.
  Value f;        ///< x = 2^exponent (1 + f), 1 + f in [sqrt 1/2, sqrt 2).
  Value tail;     ///< ln(1 + f) = f + tail.
};

/// For positive, finite x.
Logarithm splitLog(Lanes &l, Value x) {
  const bool wide = isDouble(x);
  const unsigned fraction = fractionBits(x);
  Value subnormal = l.less(x, wide ? 0x1p-1022 : 0x1p-126);
  Value normal = l.select(subnormal, l.mul(x, wide ? 0x1p52 : 0x1p23), x);
  Value bits = l.bits(normal);
  Value sqrtHalf = l.integer(bits, wide ? 0x3fe6a09e667f3bcd : 0x3f3504f3);
  Value exponent = l.ashr(l.sub(bits, sqrtHalf), fraction);
  Value mantissa = l.bitcast(l.sub(bits, l.shl(exponent, fraction)), x.getType());
  Value offset = l.add(exponent, l.integer(exponent, roundingMagicBits(x)));
  Value number = l.sub(l.bitcast(offset, x.getType()), roundingMagic(x));
  number = l.sub(number, l.select(subnormal, l.floating(x, double(fraction)), l.floating(x, 0)));
  Value f = l.sub(mantissa, 1.0);
  Value tail;
  if (wide) {
    // With s = f / (2 + f): ln(1 + f) = 2s + s^3 L(s^2) and 2s = f - s f. 2^-58.5
    Value s = l.div(f, l.add(f, 2.0)), z = l.mul(s, s), half = l.mul(l.mul(f, f), 0.5);
    Value series =
        l.polynomial(z, {0.1479872671417302675, 0.1531378794282993066, 0.1818357397846162472,
                         0.2222219839988818938, 0.2857142874394740321, 0.3999999999940829007,
                         0.6666666666666735272});
    tail = l.sub(l.mul(s, l.fma(z, series, half)), half);
  } else {
    // 2^-27.3
    Value series = l.polynomial(f, {-0.07632055903, 0.1276200565, -0.131612455, 0.1420177199,
                                    -0.1662325799, 0.2000122294, -0.2500082352, 0.3333333178});
    Value square = l.mul(f, f);
    tail = l.mul(square, l.fma(f, series, -0.5));
  }
  return {number, f, tail};
}

/// What a logarithm is outside the positive numbers.
Value finishLog(Lanes &l, Value x, Value result) {
  const double infinity = std::numeric_limits<double>::infinity();
  result = l.select(l.less(x, infinity), result, x);
  Value isZero = l.cmp(FCmp::OEQ, x, l.floating(x, 0));
  Value outside = l.select(isZero, l.floating(x, -infinity),
                           l.floating(x, std::numeric_limits<double>::quiet_NaN()));
  return l.select(l.greater(x, 0), result, outside);
}

} // namespace

Value emitExp(Lanes &l, Value x) {
  // Beyond these the result is 0 or infinity.
  x = isDouble(x) ? clamp(l, x, -746, 710) : clamp(l, x, -105, 89);
  Reduced reduced = reduceByLn2(l, x);
  return scale(l, expReduced(l, reduced.r), reduced.n);
}

Value emitExp2(Lanes &l, Value x) {
  x = isDouble(x) ? clamp(l, x, -1076, 1025) : clamp(l, x, -151, 129);
  Rounded n = takeRounded(l, l.add(x, roundingMagic(x)));
  Value r = l.sub(x, n.number);
  // 2^-28.9, 2^-58.0
  Value q =
      isDouble(x)
          ? l.polynomial(r, {4.434994889515566782e-10, 7.073794394401257954e-9,
                             1.017819828429902816e-7, 1.321543522159145415e-6,
                             1.525273349572351144e-5, 0.0001540353045722449602,
                             0.001333355814677246018, 0.009618129107594039572,
                             0.05550410866482008985, 0.2402265069591013143, 0.6931471805599453258})
          : l.polynomial(r, {0.0001535408926, 0.001339891524, 0.009618435472, 0.05550332371,
                             0.2402264792, 0.6931472029});
  return scale(l, l.fma(r, q, 1.0), n);
}

Value emitLog(Lanes &l, Value x) {
  Logarithm log = splitLog(l, x);
  // ln 2 in two parts; the first has so few digits that its product with an exponent is exact.
  double high = isDouble(x) ? 0x1.62e42feep-1 : 0x1.62ep-1;
  double low = isDouble(x) ? 0x1.a39ef35793c76p-33 : 0x1.0bfbe8p-15;
  Value rest = l.fma(log.exponent, low, log.tail);
  return finishLog(l, x, l.fma(log.exponent, high, l.add(log.f, rest)));
}

Value emitLog2(Lanes &l, Value x) {
  Logarithm log = splitLog(l, x);
  // log2(1 + f) = (f + tail) log2 e; the product with f is kept to twice the precision, as it is
  // all that is left near x = 1.
  double high = isDouble(x) ? 0x1.71547652b82fep0 : 0x1.715476p0;
  double low = isDouble(x) ? 0x1.777d0ffda0d24p-56 : 0x1.4ae0cp-26;
  Value product = l.mul(log.f, high);
  Value lost = l.fma(log.f, l.floating(x, high), l.neg(product));
  Value rest = l.fma(log.tail, high, l.fma(log.f, low, lost));
  return finishLog(l, x, l.add(log.exponent, l.add(product, rest)));
}

Value emitTanh(Lanes &l, Value x) {
  // u / (u + 2) with u = e^(2|x|) - 1; beyond the clamp it is 1.
  Value doubled = l.mul(l.abs(x), 2.0);
  double most = isDouble(x) ? 44 : 20;
  doubled = l.select(l.greater(doubled, most), l.floating(x, most), doubled);
  Reduced reduced = reduceByLn2(l, doubled);
  Value power = powerOfTwo(l, reduced.n.integer, x);
  Value u = l.fma(power, expMinus1Reduced(l, reduced.r), l.sub(power, 1.0));
  return l.withSignOf(l.div(u, l.add(u, 2.0)), x);
}

Value emitErf(Lanes &l, Value x) {
  const bool wide = isDouble(x);
  // |x| < 1: x + x R(x^2). 2^-34.8, 2^-62.7
  Value square = l.mul(x, x);
  Value small = wide ? l.polynomial(square, {5.945419300646072551e-11, -1.136580597349559567e-9,
                                             1.465792991115624769e-8, -1.635003505394791105e-7,
                                             1.646097401063505589e-6, -1.492559360141125956e-5,
                                             0.0001205533104188027139, -0.0008548326978916254487,
                                             0.005223977624784799122, -0.02686617064507343966,
                                             0.1128379167095486169, -0.3761263890318374775,
                                             0.1283791670955125738})
                     : l.polynomial(square, {-9.644257781e-6, 0.0001125804639, -0.0008483004554,
                                             0.005220959728, -0.02686540627, 0.1128378211,
                                             -0.3761263845, 0.1283791671});
  small = l.fma(x, small, x);
  // Else 1 - e^(-x^2) W(x), W = e^(x^2) erfc(x); beyond the clamp it is 1. 2^-28.6, 2^-57.1
  Value magnitude = l.abs(x);
  double most = wide ? 6 : 4;
  Value c = l.select(l.less(magnitude, most), magnitude, l.floating(x, most));
  Value w;
  if (wide) {
    Value t = l.div(l.sub(c, 3.0), l.add(c, 3.0));
    w = l.polynomial(t,
                     {1.52917698910102285e-5, 0.0001032175220211120513, 7.67411013217871444e-5,
                      -0.0005808341503407302928, 0.0007132950703158326734, 0.004270389538522899794,
                      -0.02439232111961586473, 0.07166585088373383033, -0.1501159363051620228,
                      0.2456038016638474469, -0.3262335600460227882, 0.1790011511813510245});
  } else {
    w = l.polynomial(c, {0.0001084472292, -0.001935400799, 0.01545093889, -0.07328298053,
                         0.2317000894, -0.5203865361, 0.8639839813, -1.080430408, 0.9923754397});
  }
  Reduced reduced = reduceByLn2(l, l.neg(l.mul(c, c)));
  Value e = l.mul(expReduced(l, reduced.r), powerOfTwo(l, reduced.n.integer, x));
  Value large = l.withSignOf(l.fma(l.neg(e), w, l.floating(x, 1.0)), x);
  return l.select(l.cmp(FCmp::OGE, magnitude, l.floating(x, 1.0)), large, small);
}

Value emitRsqrt(Lanes &l, Value x) { return l.div(l.floating(x, 1.0), l.sqrt(x)); }

} // namespace metile::cpu
