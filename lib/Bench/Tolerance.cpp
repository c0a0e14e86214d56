// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Tolerance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace metile::bench {

double unitRoundoff(DType dtype) {
  switch (dtype) {
  case DType::f8e4m3:
    return 0x1p-4;
  case DType::f8e5m2:
    return 0x1p-3;
  case DType::f16:
    return 0x1p-11;
  case DType::bf16:
    return 0x1p-8;
  case DType::f32:
    return 0x1p-24;
  default:
    assert(dtype == DType::f64 && "integers do not round");
    return 0x1p-53;
  }
}

double accumulationBound(double terms, DType accumulator, double magnitude) {
  constexpr double lambda = 10;
  double u = unitRoundoff(accumulator);
  if (terms <= 0)
    return 0;
  if (terms * u >= 1)
    return magnitude;
  double worst = terms * u / (1 - terms * u);
  double likely = lambda * std::sqrt(terms) * u;
  return std::min(worst, likely) * magnitude;
}

double roundingBound(DType dtype, double value) {
  double smallest = 0; // Half the smallest subnormal.
  switch (dtype) {
  case DType::f8e4m3:
    smallest = 0x1p-10;
    break;
  case DType::f8e5m2:
    smallest = 0x1p-17;
    break;
  case DType::f16:
    smallest = 0x1p-25;
    break;
  case DType::bf16:
    smallest = 0x1p-134;
    break;
  case DType::f32:
    smallest = 0x1p-150;
    break;
  default:
    break;
  }
  return std::max(unitRoundoff(dtype) * std::abs(value), smallest);
}

double errorBound(const Tolerance &tolerance, DType output, double reference) {
  DType accumulator = isFloat(tolerance.accumulator) ? tolerance.accumulator : output;
  auto growth = [&](int64_t roundings, double magnitude) {
    return accumulationBound(static_cast<double>(roundings), accumulator, magnitude);
  };
  double sum = growth(tolerance.depth, tolerance.magnitude) +
               growth(tolerance.relativeDepth, std::abs(reference));
  double bound = sum + roundingBound(output, std::abs(reference) + sum);
  return accumulator == DType::f64 ? 2 * bound : bound;
}

double largestFinite(DType dtype) {
  switch (dtype) {
  case DType::f8e4m3:
    return 448;
  case DType::f8e5m2:
    return 57344;
  case DType::f16:
    return 65504;
  case DType::bf16:
    return 0x1.fep127;
  case DType::f32:
    return 0x1.fffffep127;
  default:
    return std::numeric_limits<double>::max();
  }
}

} // namespace metile::bench
