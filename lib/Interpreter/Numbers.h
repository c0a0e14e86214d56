// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of single numbers: integers of any width in 64 bits, floats of every type as the
// doubles that they are, and how a number of one type becomes one of another. Written out with
// integers, so that it can be read beside the formats' definitions.
// Must not know tiles, memory or MLIR.
#pragma once

#include <cstdint>

namespace metile::interpreter {

//===--- Integers ---===//

/// `bits` modulo 2^width, which is how an integer of `width` bits is held.
uint64_t wrap(uint64_t bits, unsigned width);
/// The integer of `width` bits read as a signed number.
int64_t asSigned(uint64_t bits, unsigned width);

/// Which way a quotient goes to a whole number.
enum class Rounding : uint8_t { towardZero, down, up };

/// Quotient and remainder of integers of `width` bits. By zero both are 0.
struct Division {
  uint64_t quotient = 0, remainder = 0;
};
Division divide(uint64_t a, uint64_t b, unsigned width, bool isUnsigned, Rounding rounding);

//===--- Floats ---===//

/// A binary float type. Its numbers are a subset of the doubles.
struct FloatFormat {
  unsigned exponentBits = 0, fractionBits = 0;
  /// The largest exponent encodes infinity and NaN as in IEEE 754. Otherwise it encodes numbers as
  /// the others do, and only the pattern of ones is NaN.
  bool hasInfinity = true;
  /// What is too large becomes the largest finite number instead of infinity.
  bool saturates = false;

  unsigned width() const { return 1 + exponentBits + fractionBits; }
};

inline constexpr FloatFormat float64{11, 52}, float32{8, 23}, float16{5, 10}, bfloat16{8, 7};
inline constexpr FloatFormat float8e5m2{5, 2, true, true}, float8e4m3{4, 3, false, true};

/// The number that `bits` encode. NaN keeps its sign and as much of its payload as there is room.
double decode(uint64_t bits, FloatFormat format);
/// `value` to nearest even in one rounding; subnormals are kept, NaN stays NaN.
uint64_t encode(double value, FloatFormat format);
/// The number of `format` nearest to `value`.
double roundTo(double value, FloatFormat format);
/// The number of `format` nearest to a whole number, in one rounding.
double fromInteger(bool isNegative, uint64_t magnitude, FloatFormat format);
/// Toward zero; what is out of range becomes the nearest integer of `width` bits, NaN becomes 0.
uint64_t toInteger(double value, unsigned width, bool isUnsigned);
/// a · b + c for numbers of `format`, in one rounding.
double fusedMultiplyAdd(double a, double b, double c, FloatFormat format);

/// The larger number, NaN if one is NaN; -0 is less than +0.
double maximum(double a, double b);
double minimum(double a, double b);
/// The larger number; NaN counts as missing.
double maximumNumber(double a, double b);
double minimumNumber(double a, double b);

} // namespace metile::interpreter
