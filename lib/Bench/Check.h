// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks outputs against their reference, element by element, and says where and how one is wrong.
// Knows nothing of who wrote the output.
#pragma once

#include "Bench/Argument.h"

#include <span>
#include <string>
#include <vector>

namespace metile::bench {

struct CheckResult {
  bool done = false; ///< False: not checked.
  bool right = false;
  double maxAbsoluteError = 0;  ///< Over all floating-point elements that could be compared.
  double maxErrorOverBound = 0; ///< The largest |error| / bound; at most 1 when right.
  int64_t mismatches = 0;
  /// When wrong: the first mismatches, their number, the box that holds them and the pattern.
  std::string message;
};

/// Fills an output so that an element nobody writes is recognised: NaN for floats, the repeated
/// byte 0xa5 (with `salt` 1: 0x5a) for integers.
void poison(Argument &output, unsigned salt = 0);

/// Compares `output` with the dense row-major `expected`. Integers must be equal, floats as near as
/// errorBound of Tolerance.h says; NaN where NaN is expected, infinity where the type overflows.
/// `unwritten` counts as wrong: elements that still hold the poison of `salt`, unless it is what is
/// expected (integers: check twice with different salts).
CheckResult check(const Argument &output, std::span<const double> expected,
                  const Tolerance &tolerance, unsigned salt = 0);

} // namespace metile::bench
