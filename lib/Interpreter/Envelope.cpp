// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Envelope.h"

#include "Interpreter/Numbers.h"

#include "Support/ShowValue.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace metile::interpreter {

static FloatFormat formatOf(DType dtype) {
  switch (dtype) {
  case DType::f8e4m3:
    return float8e4m3;
  case DType::f8e5m2:
    return float8e5m2;
  case DType::f16:
    return float16;
  case DType::bf16:
    return bfloat16;
  case DType::f32:
    return float32;
  default:
    return float64;
  }
}

/// Half the distance from 1 to the next number of `dtype`.
static double unitOf(DType dtype) {
  return std::ldexp(1.0, -static_cast<int>(formatOf(dtype).fractionBits) - 1);
}

static uint64_t bitsOf(DType dtype, std::span<const std::byte> elements, size_t index) {
  uint64_t bits = 0;
  std::memcpy(&bits, &elements[index * byteSize(dtype)], byteSize(dtype));
  return bits;
}

static double valueOf(DType dtype, uint64_t bits) {
  if (isFloat(dtype))
    return decode(bits, formatOf(dtype));
  if (isSigned(dtype))
    return static_cast<double>(asSigned(bits, 8 * byteSize(dtype)));
  return static_cast<double>(bits);
}

void Envelope::add(std::span<const std::byte> elements) {
  bool isFirst = ranges.empty();
  ranges.resize(elements.size() / byteSize(dtype));
  for (size_t i = 0; i < ranges.size(); ++i) {
    Range &range = ranges[i];
    uint64_t bits = bitsOf(dtype, elements, i);
    double value = valueOf(dtype, bits);
    if (isFirst) {
      range = {bits, value, value, false};
      continue;
    }
    if ((value == range.low && range.low == range.high) ||
        (std::isnan(value) && std::isnan(range.low)))
      continue;
    isInexact = true;
    range.isOpen |=
        !std::isfinite(value) || !std::isfinite(range.low) || !std::isfinite(range.high);
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
}

/// By how much of the evaluations' difference a result may lie beyond them. Between themselves they
/// differ by the rounding errors of one order of evaluation; another order, or functions that are
/// off by a few units, lie within a small multiple.
static constexpr double slack = 16;

std::optional<std::string> Envelope::mismatch(std::span<const std::byte> elements,
                                              int64_t index) const {
  const Range &range = ranges[static_cast<size_t>(index)];
  uint64_t bits = bitsOf(dtype, elements, static_cast<size_t>(index));
  if (bits == range.bits || range.isOpen)
    return std::nullopt;
  double value = valueOf(dtype, bits);
  // The sign of a zero is left open where two zeros meet, as in the smaller of 0 and -0.
  if (isFloat(dtype) &&
      ((std::isnan(value) && std::isnan(range.low)) || (value == 0 && range.low == 0)))
    return std::nullopt;
  double spread = range.high - range.low;
  // Errors may cancel in one element of an inexact tile, in every evaluation.
  if (isFloat(dtype) && isInexact)
    spread = std::max(spread, unitOf(dtype) * std::abs(range.low));
  if (spread > 0 && value >= range.low - slack * spread && value <= range.high + slack * spread)
    return std::nullopt;
  if (spread > 0)
    return showValue(DType::f64, {}, &range.low) + " to " + showValue(DType::f64, {}, &range.high);
  return showValue(dtype, {}, &range.bits);
}

} // namespace metile::interpreter
