// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Dither.h"

#include <bit>
#include <cmath>

namespace metile::interpreter {

thread_local Dither *Dither::inForce = nullptr;

Dither::Dither(Way way, uint64_t seed) : way(way), state(seed * 2 + 1), outer(inForce) {
  inForce = this;
}

Dither::~Dither() { inForce = outer; }

/// The next number of `format` above or below `value`.
static double neighbour(double value, bool above, FloatFormat format) {
  uint64_t sign = uint64_t(1) << (format.width() - 1);
  if (value == 0)
    return decode(above ? 1 : sign | 1, format);
  uint64_t bits = encode(value, format);
  return decode(above == !(bits & sign) ? bits + 1 : bits - 1, format);
}

double Dither::pick(double value, double nearest, FloatFormat format) {
  bool isWide = format.fractionBits == float64.fractionBits;
  bool isExact = isWide ? (std::bit_cast<uint64_t>(value) & 0x3ffffff) == 0 : value == nearest;
  // What overflows lies between the largest number and infinity.
  bool overflows = std::isinf(nearest) && std::isfinite(value);
  if (way == Way::nearest || isExact || !(std::isfinite(nearest) || overflows))
    return nearest;
  // Multiplier and increment of Knuth's MMIX.
  state = state * 6364136223846793005u + 1442695040888963407u;
  bool goesUp = way == Way::random ? state >> 63 : way == Way::up;
  // An f64 may be off to either side; of the others it is known to which.
  bool liesAbove = isWide ? goesUp : value > nearest;
  if (goesUp != liesAbove)
    return nearest;
  double next = neighbour(nearest, goesUp, format);
  return format.saturates && !std::isfinite(next) ? nearest : next;
}

} // namespace metile::interpreter
