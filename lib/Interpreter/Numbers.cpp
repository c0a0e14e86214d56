// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace metile::interpreter {

//===--- Integers ---===//

uint64_t wrap(uint64_t bits, unsigned width) {
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

int64_t asSigned(uint64_t bits, unsigned width) {
  bool isNegative = bits >> (width - 1) & 1;
  uint64_t above = width == 64 ? 0 : ~uint64_t(0) << width;
  return static_cast<int64_t>(isNegative ? bits | above : bits);
}

Division divide(uint64_t a, uint64_t b, unsigned width, bool isUnsigned, Rounding rounding) {
  if (b == 0)
    return {};
  // Magnitudes divide without overflow, then the signs come back.
  bool aNegative = !isUnsigned && asSigned(a, width) < 0;
  bool bNegative = !isUnsigned && asSigned(b, width) < 0;
  uint64_t aMagnitude = aNegative ? wrap(0 - a, width) : a;
  uint64_t bMagnitude = bNegative ? wrap(0 - b, width) : b;
  uint64_t quotient = aMagnitude / bMagnitude;
  bool isExact = aMagnitude % bMagnitude == 0;
  bool isNegative = aNegative != bNegative;
  bool awayFromZero =
      (rounding == Rounding::down && isNegative) || (rounding == Rounding::up && !isNegative);
  if (!isExact && awayFromZero)
    ++quotient;
  if (isNegative)
    quotient = 0 - quotient;
  return {wrap(quotient, width), wrap(a - quotient * b, width)};
}

//===--- Floats ---===//

static constexpr uint64_t one = 1;

static int lowestExponent(FloatFormat format) {
  return 2 - static_cast<int>(one << (format.exponentBits - 1));
}

static uint64_t largestFinite(FloatFormat format) {
  uint64_t ones = (one << (format.exponentBits + format.fractionBits)) - 1;
  uint64_t infinity = ones & ~((one << format.fractionBits) - 1);
  return format.hasInfinity ? infinity - 1 : ones - 1;
}

double decode(uint64_t bits, FloatFormat format) {
  uint64_t fraction = bits & ((one << format.fractionBits) - 1);
  uint64_t field = bits >> format.fractionBits & ((one << format.exponentBits) - 1);
  uint64_t sign = bits >> (format.width() - 1) & 1;
  uint64_t magnitude = bits & ((one << (format.width() - 1)) - 1);
  if (magnitude > largestFinite(format)) // Infinity or NaN: a double with the same fraction.
    return std::bit_cast<double>(sign << 63 | uint64_t(0x7ff) << 52 |
                                 fraction << (52 - format.fractionBits));
  // Subnormals have the exponent of field 1 and no leading one.
  uint64_t significand = field ? fraction | one << format.fractionBits : fraction;
  int exponent = lowestExponent(format) + static_cast<int>(std::max<uint64_t>(field, 1)) - 1;
  double value = std::ldexp(static_cast<double>(significand),
                            exponent - static_cast<int>(format.fractionBits));
  return sign ? -value : value;
}

/// Encodes ±significand · 2^exponent.
static uint64_t encodeExact(bool isNegative, uint64_t significand, int exponent,
                            FloatFormat format) {
  uint64_t sign = uint64_t(isNegative) << (format.width() - 1);
  if (significand == 0)
    return sign;
  int leading = exponent + 63 - std::countl_zero(significand);
  int lowest = lowestExponent(format);
  // The result is a multiple of 2^last: the place of the last fraction bit.
  int last = std::max(leading, lowest) - static_cast<int>(format.fractionBits);
  int dropped = last - exponent;
  uint64_t kept = 0;
  if (dropped <= 0) {
    kept = significand << -dropped;
  } else if (dropped <= 64) {
    kept = dropped == 64 ? 0 : significand >> dropped;
    uint64_t rest = dropped == 64 ? significand : significand & ((one << dropped) - 1);
    uint64_t half = one << (dropped - 1);
    if (rest > half || (rest == half && kept % 2 == 1))
      ++kept;
  } // Else less than half of the last place: 0.

  // Numbers with a leading one have exponent field 1 and up; one that rounding brought up to the
  // next power of two carries into that field by itself.
  uint64_t bits = kept;
  if (leading >= lowest)
    bits += static_cast<uint64_t>(leading - lowest) << format.fractionBits;
  uint64_t largest = largestFinite(format);
  if (bits > largest)
    bits = format.saturates ? largest : largest + 1;
  return sign | bits;
}

uint64_t encode(double value, FloatFormat format) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t sign = bits >> 63 << (format.width() - 1);
  if (std::isnan(value)) {
    if (!format.hasInfinity)
      return sign | (largestFinite(format) + 1);
    uint64_t payload = bits << 12 >> (64 - format.fractionBits);
    if (payload == 0)
      payload = one << (format.fractionBits - 1);
    return sign | (largestFinite(format) + 1) | payload;
  }
  if (std::isinf(value))
    return sign | (format.saturates ? largestFinite(format) : largestFinite(format) + 1);
  int exponent = 0;
  double significand = std::ldexp(std::frexp(std::abs(value), &exponent), 53);
  return encodeExact(std::signbit(value), static_cast<uint64_t>(significand), exponent - 53,
                     format);
}

double roundTo(double value, FloatFormat format) {
  if (format.fractionBits == float64.fractionBits)
    return value;
  if (format.fractionBits == float32.fractionBits)
    return static_cast<float>(value); // C++'s conversion rounds to nearest even.
  return decode(encode(value, format), format);
}

double fromInteger(bool isNegative, uint64_t magnitude, FloatFormat format) {
  return decode(encodeExact(isNegative, magnitude, 0, format), format);
}

uint64_t toInteger(double value, unsigned width, bool isUnsigned) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  double end = std::ldexp(1.0, static_cast<int>(isUnsigned ? width : width - 1));
  uint64_t highest = wrap(~uint64_t(0), isUnsigned ? width : width - 1);
  if (value >= end)
    return highest;
  if (isUnsigned)
    return value <= 0 ? 0 : static_cast<uint64_t>(value);
  if (value < -end)
    return highest + 1; // The lowest number: a one and zeros.
  return wrap(static_cast<uint64_t>(static_cast<int64_t>(value)), width);
}

double fusedMultiplyAdd(double a, double b, double c, FloatFormat format) {
  if (format.fractionBits == float64.fractionBits)
    return std::fma(a, b, c);
  // The product of two numbers of a narrower format is a double. Their sum with c may not be: where
  // it is rounded, its last bit is set to one (rounding to odd), so that a tie of the second
  // rounding is never mistaken. Source: Boldo and Melquiond, "Emulation of FMA and correctly
  // rounded sums", 2008.
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double cPart = sum - product, productPart = sum - cPart;
  double error = (product - productPart) + (c - cPart);
  if (error != 0 && std::bit_cast<uint64_t>(sum) % 2 == 0)
    sum = std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
  return roundTo(sum, format);
}

double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

double maximumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
}

double minimumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
}

} // namespace metile::interpreter
