// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a right result may lie from the exact one: a bound derived from the arithmetic of a case.
// Knows nothing of kernels.
#pragma once

#include "metile/case.h"
#include "metile/dtype.h"

#include <cstdint>

namespace metile::bench {

/// Half the distance from 1 to the next larger number: 2⁻¹¹ for f16, 2⁻⁸ for bf16, 2⁻²⁴ for f32,
/// 2⁻⁵³ for f64. Requires a floating-point type.
double unitRoundoff(DType dtype);

/// How far a sum of `terms` terms, each with a rounding of its own and accumulated in any order,
/// may lie from the exact sum; `magnitude` is (a bound on) the sum of the |terms|.
///
/// γₙ·magnitude with γₙ = n·u/(1 − n·u) is the worst case for every order of the additions (Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2nd ed., §3.1). For many terms the rounding
/// errors of random data cancel: λ√n·u·magnitude holds with probability at least
/// 1 − 2n·exp(−λ²/2) (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis",
/// 2019, theorem 3.1); with λ = 10 it fails less than once in 10¹⁷ sums of a thousand terms. The
/// smaller of the two is given: it is what makes a forgotten term of a long sum show.
double accumulationBound(double terms, DType accumulator, double magnitude);

/// How far one rounding to `dtype` moves a number of this magnitude at most: u·|value|, or half the
/// smallest subnormal number.
double roundingBound(DType dtype, double value);

/// The error that one element of type `output` may have against `reference`: the accumulation of
/// `depth` terms, `relativeDepth` roundings in proportion to the result, and one rounding to the
/// output type. Twice that where the accumulator is as wide as the reference itself (f64), whose
/// own error is then no smaller.
double errorBound(const Tolerance &tolerance, DType output, double reference);

/// The largest finite number of a floating-point type.
double largestFinite(DType dtype);

} // namespace metile::bench
