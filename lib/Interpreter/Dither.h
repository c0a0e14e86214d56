// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dither: rounds the results of arithmetic another way for a while. How far the results of a kernel
// move is how far another order of evaluation, or a function that is off by a little, may move
// them. Idea: Vignes, "A stochastic arithmetic for reliable scientific computation", 1993. Must not
// know operations.
#pragma once

#include "Interpreter/Numbers.h"

namespace metile::interpreter {

/// In force on the thread that makes it, until it is destroyed.
class Dither {
public:
  enum class Way : uint8_t { nearest, up, down, random };

  explicit Dither(Way way, uint64_t seed = 0);
  ~Dither();
  Dither(const Dither &) = delete;

  /// `value`, an exact result or one in double, as a number of `format`: the nearest one, or where
  /// it lies between two numbers, the one that the Dither in force picks. An f64 counts as exact if
  /// the lower half of its fraction is zero.
  static double round(double value, FloatFormat format) {
    return round(value, roundTo(value, format), format);
  }
  /// The same where `nearest`, the nearest number, is known already.
  static double round(double value, double nearest, FloatFormat format) {
    return inForce ? inForce->pick(value, nearest, format) : nearest;
  }

private:
  double pick(double value, double nearest, FloatFormat format);

  Way way;
  uint64_t state;
  Dither *outer;
  static thread_local Dither *inForce;
};

} // namespace metile::interpreter
