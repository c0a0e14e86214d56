// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dialect/Tile/Tile.h"
#include "Targets/Cpu/LegalizeRules.h"

#include <cmath>

using namespace mlir;

namespace metile::cpu {
namespace {

using ICmp = arith::CmpIPredicate;
using FCmp = arith::CmpFPredicate;

/// bf16 is the upper half of an f32. The rounding constant carries into it where the lower half is
/// above one half, or is one half and the upper half is odd.
Value roundF32ToBF16(Lanes &l, Value x, Type type) {
  Value bits = l.bits(x);
  Value odd = l.band(l.lshr(bits, 16), l.integer(bits, 1));
  Value rounded = l.add(bits, l.add(odd, l.integer(bits, 0x7fff)));
  Value quietNaN = l.bor(bits, l.integer(bits, 0x400000));
  Value upper = l.lshr(l.select(l.isNaN(x), quietNaN, rounded), 16);
  return l.bitcast(l.truncate(upper, l.integer(16)), type);
}

/// f64 to f32 with the last fraction bit set where digits were lost ("round to odd"): a second
/// rounding, to a type at least two bits shorter, then comes out as if it were the first. Only for
/// numbers that are normal in f32, or whose second rounding ends in 0.
Value roundF64ToOddF32(Lanes &l, Value x) {
  Value bits = l.bits(x);
  const uint64_t lost = (uint64_t(1) << 29) - 1;
  Value inexact = l.cmp(ICmp::ne, l.band(bits, l.integer(bits, lost)), l.integer(bits, 0));
  Value sticky = l.shl(l.zeroExtend(inexact, bits.getType()), 29);
  Value kept = l.bor(l.band(bits, l.integer(bits, ~lost)), sticky);
  return l.narrow(l.bitcast(kept, x.getType()), l.f32());
}

Value roundF64ToBF16(Lanes &l, Value x, Type type) {
  // Normal in bf16: round the fraction to 7 bits in place; what is left fits f32 exactly.
  Value bits = l.bits(x);
  Value odd = l.band(l.lshr(bits, 45), l.integer(bits, 1));
  Value moved = l.add(bits, l.add(odd, l.integer(bits, (uint64_t(1) << 44) - 1)));
  Value cut = l.band(moved, l.integer(bits, ~((uint64_t(1) << 45) - 1)));
  Value normal = l.bitcast(cut, x.getType());
  // Subnormal: the sum's last bit is worth the smallest bf16, 2^-133, so the addition rounds.
  Value magnitude = l.abs(x);
  const double shift = std::ldexp(1.5, 52 - 133);
  Value tiny = l.withSignOf(l.sub(l.add(magnitude, shift), shift), x);
  Value rounded = l.select(l.less(magnitude, 0x1p-126), tiny, normal);
  // The carry must not make a number of a NaN.
  rounded = l.select(l.isNaN(x), x, rounded);
  Value upper = l.lshr(l.bits(l.narrow(rounded, l.f32())), 16);
  return l.bitcast(l.truncate(upper, l.integer(16)), type);
}

/// How a float of 8 bits is laid out: sign, exponent, fraction.
struct Float8 {
  unsigned fractionBits;
  int bias;
  unsigned largest; ///< Bits of the largest finite number.
  unsigned nan;

  explicit Float8(Type type) {
    bool isE4M3 = isa<Float8E4M3FNType>(type);
    fractionBits = isE4M3 ? 3 : 2;
    bias = isE4M3 ? 7 : 15;
    largest = isE4M3 ? 0x7e : 0x7b;
    nan = isE4M3 ? 0x7f : 0x7e;
  }
};

Value roundF32ToFloat8(Lanes &l, Value x, Type type) {
  Float8 to(Lanes::elementOf(type));
  Value bits = l.bits(x);
  Value magnitude = l.band(bits, l.integer(bits, 0x7fffffff));
  // Normal: round the fraction in place and move the exponent's bias.
  unsigned dropped = 23 - to.fractionBits;
  Value odd = l.band(l.lshr(magnitude, dropped), l.integer(bits, 1));
  Value moved = l.add(magnitude, l.add(odd, l.integer(bits, (1u << (dropped - 1)) - 1)));
  Value normal =
      l.sub(l.lshr(moved, dropped), l.integer(bits, uint64_t(127 - to.bias) << to.fractionBits));
  normal = arith::MinUIOp::create(l.builder, l.loc, normal, l.integer(bits, to.largest));
  // Subnormal: the sum's last bit is worth the smallest number, so the addition rounds.
  int smallest = 1 - to.bias - int(to.fractionBits);
  Value shift = l.floating(x, std::ldexp(1.0, 23 + smallest));
  Value absolute = l.bitcast(magnitude, x.getType());
  Value subnormal = l.sub(l.bits(l.add(absolute, shift)), l.bits(shift));
  Value rounded = l.select(l.less(absolute, std::ldexp(1.0, 1 - to.bias)), subnormal, normal);
  rounded = l.select(l.isNaN(x), l.integer(bits, to.nan), rounded);
  Value sign = l.band(l.lshr(bits, 24), l.integer(bits, 0x80));
  return l.bitcast(l.truncate(l.bor(rounded, sign), l.integer(8)), type);
}

/// By way of f16, in which every number of either type is normal or, like E5M2's own, subnormal.
Value extendFloat8(Lanes &l, Value x) {
  Value bits = l.zeroExtend(l.bits(x), l.integer(16));
  if (isa<Float8E5M2Type>(Lanes::elementOf(x.getType())))
    return l.extend(l.bitcast(l.shl(bits, 8), l.f16()), l.f32());
  Value magnitude = l.band(bits, l.integer(bits, 0x7f));
  Value sign = l.shl(l.band(bits, l.integer(bits, 0x80)), 8);
  // The exponents' biases differ by 8.
  Value number = l.extend(l.bitcast(l.bor(l.shl(magnitude, 7), sign), l.f16()), l.f32());
  Value isNaN = l.cmp(ICmp::eq, magnitude, l.integer(magnitude, 0x7f));
  return l.select(isNaN, l.floating(number, std::nan("")), l.mul(number, 0x1p8));
}

/// A 64-bit integer of which the upper 53 bits are kept and the lowest of them says whether digits
/// were lost; smaller numbers are unchanged. Converts to f64 exactly.
Value stickyInteger(Lanes &l, Value x, bool isUnsigned) {
  const uint64_t exact = uint64_t(1) << 53, lost = 0xfff, sticky = 0x800;
  Value inexact = l.cmp(ICmp::ne, l.band(x, l.integer(x, lost)), l.integer(x, 0));
  Value kept = l.bor(l.band(x, l.integer(x, ~lost)),
                     l.select(inexact, l.integer(x, sticky), l.integer(x, 0)));
  Value small = isUnsigned
                    ? l.cmp(ICmp::ult, x, l.integer(x, exact))
                    : l.cmp(ICmp::ult, l.add(x, l.integer(x, exact)), l.integer(x, exact << 1));
  return l.select(small, x, kept);
}

} // namespace

Value lowerToInt(Lanes &l, Value source, Type type, bool isUnsigned) {
  if (Lanes::widthOf(source) == 16)
    source = lowerExtend(l, source, l.f32());
  unsigned width = Lanes::elementOf(type).getIntOrFloatBitWidth();
  // [low, high) are the floats whose integer part fits.
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  uint64_t highest = isUnsigned ? ~uint64_t(0) >> (64 - width) : ~uint64_t(0) >> (65 - width);
  Value notLow = l.cmp(FCmp::OGE, source, l.floating(source, low));
  Value isHigh = l.cmp(FCmp::OGE, source, l.floating(source, high));
  Value inside = l.band(notLow, l.cmp(FCmp::OLT, source, l.floating(source, high)));
  Value safe = l.select(inside, source, l.floating(source, 0));
  Type wide = width < 32 ? l.integer(32) : type;
  Value result = isUnsigned && width >= 32 ? l.toUnsigned(safe, wide) : l.toSigned(safe, wide);
  result = l.resize(result, type, isUnsigned);
  result = l.select(isHigh, l.integer(type, highest), result);
  if (isUnsigned)
    return result;
  Value isLow = l.cmp(FCmp::OLT, source, l.floating(source, low));
  return l.select(isLow, l.integer(type, uint64_t(1) << (width - 1)), result);
}

Value lowerFromInt(Lanes &l, Value source, Type type, bool isUnsigned) {
  unsigned width = Lanes::widthOf(source);
  if (width < 32) {
    source = l.resize(source, l.integer(32), isUnsigned);
    isUnsigned = false;
  }
  auto convert = [&](Value value, Type to) {
    return isUnsigned ? l.fromUnsigned(value, to) : l.fromSigned(value, to);
  };
  Type element = Lanes::elementOf(type);
  if (element.isF64())
    return convert(source, type);
  // Numbers of up to 24 bits are exact in f32, those of up to 53 in f64.
  if (width < 32)
    return element.isF32() ? convert(source, type) : lowerRound(l, convert(source, l.f32()), type);
  // What f32 rounds is infinite in f16, so the first rounding does no harm.
  bool throughF32 = element.isF32() || element.isF16();
  if (throughF32 && (width == 32 || l.count() == 0 || l.target.has("avx512dq"))) {
    Value single = convert(source, l.f32());
    return element.isF32() ? single : lowerRound(l, single, type);
  }
  if (width == 64)
    source = stickyInteger(l, source, isUnsigned);
  return lowerRound(l, convert(source, l.f64()), type);
}

Value lowerRound(Lanes &l, Value source, Type type) {
  Type from = Lanes::elementOf(source.getType()), to = Lanes::elementOf(type);
  if (tile::isFloat8(to)) {
    source = from.isF64() ? roundF64ToOddF32(l, source) : lowerExtend(l, source, l.f32());
    return roundF32ToFloat8(l, source, type);
  }
  if (from.isF32())
    return to.isBF16() ? roundF32ToBF16(l, source, type) : l.narrow(source, type);
  if (from.isF64() && to.isF32())
    return l.narrow(source, type);
  if (from.isF64() && to.isF16())
    return l.narrow(roundF64ToOddF32(l, source), type);
  return roundF64ToBF16(l, source, type);
}

Value lowerExtend(Lanes &l, Value source, Type type) {
  Type from = Lanes::elementOf(source.getType()), to = Lanes::elementOf(type);
  if (from == to)
    return source;
  if (tile::isFloat8(from)) {
    source = extendFloat8(l, source);
  } else if (from.isBF16()) {
    Value bits = l.shl(l.zeroExtend(l.bits(source), l.integer(32)), 16);
    source = l.bitcast(bits, l.f32());
  } else if (from.isF16()) {
    source = l.extend(source, l.f32());
  }
  if (to.isF16() || to.isBF16())
    return lowerRound(l, source, type);
  return source.getType() == type ? source : l.extend(source, type);
}

} // namespace metile::cpu
