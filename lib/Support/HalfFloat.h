// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 and bf16 as 16 bits, f8e4m3 and f8e5m2 as 8 bits, to and from float and double: widening is
// exact, narrowing rounds once to nearest even, subnormals included, NaN stays NaN. What is too
// large becomes infinite, in 8 bits the largest finite number. For hosts that lack the types; not
// for kernels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace metile {
namespace detail {

/// The bits without the sign of the float with `M` mantissa bits and exponent bias `Bias` that is
/// nearest to the finite `value`, as if its exponent had no upper end.
template <int M, int Bias> constexpr uint64_t nearestMagnitude(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  int sourceExponent = static_cast<int>(bits >> 52 & 0x7ff);
  int exponent = sourceExponent - 1023 + Bias;
  // A double's own subnormals lie far below half the smallest result.
  if (sourceExponent == 0 || exponent < -M)
    return 0;
  uint64_t significand = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  int shift = 52 - M;
  if (exponent <= 0) {
    shift += 1 - exponent;
    exponent = 0;
  }
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry out of the mantissa lands in the exponent, where it belongs.
  uint64_t base = exponent ? uint64_t(exponent - 1) << M : 0;
  return base + kept;
}

/// The float of type `Bits` with `M` mantissa bits that is nearest to `value`; what is larger than
/// `largest` becomes that. A NaN has the bits of `nan` and of its payload what fits.
template <class Bits, int M, int Bias>
constexpr Bits narrowFloat(double value, uint64_t largest, uint64_t nan) {
  uint64_t source = std::bit_cast<uint64_t>(value);
  uint64_t fraction = source & ((uint64_t(1) << 52) - 1);
  uint64_t sign = source >> 63 << (8 * sizeof(Bits) - 1);
  uint64_t magnitude = largest;
  if ((source >> 52 & 0x7ff) != 0x7ff)
    magnitude = std::min(nearestMagnitude<M, Bias>(value), largest);
  else if (fraction)
    magnitude = nan | fraction >> (52 - M);
  return static_cast<Bits>(sign | magnitude);
}

} // namespace detail

constexpr uint16_t f16FromDouble(double value) {
  return detail::narrowFloat<uint16_t, 10, 15>(value, 0x7c00, 0x7e00);
}
constexpr uint16_t bf16FromDouble(double value) {
  return detail::narrowFloat<uint16_t, 7, 127>(value, 0x7f80, 0x7fc0);
}
constexpr uint8_t f8e4m3FromDouble(double value) {
  return detail::narrowFloat<uint8_t, 3, 7>(value, 0x7e, 0x7f);
}
constexpr uint8_t f8e5m2FromDouble(double value) {
  return detail::narrowFloat<uint8_t, 2, 15>(value, 0x7b, 0x7e);
}
constexpr uint16_t f16FromFloat(float value) { return f16FromDouble(value); }

constexpr uint16_t bf16FromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

constexpr float floatFromF16(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 31;
  uint32_t fraction = half & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

constexpr float floatFromBf16(uint16_t half) { return std::bit_cast<float>(uint32_t(half) << 16); }

constexpr float floatFromF8e4m3(uint8_t byte) {
  uint32_t sign = uint32_t(byte & 0x80) << 24;
  uint32_t exponent = byte >> 3 & 15;
  uint32_t fraction = byte & 7;
  if ((byte & 0x7f) == 0x7f)
    return std::bit_cast<float>(sign | 0x7fc00000);
  if (exponent == 0) {
    float magnitude = static_cast<float>(fraction) * 0x1p-9f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 120) << 23 | fraction << 20);
}

/// f8e5m2 is the upper half of f16.
constexpr float floatFromF8e5m2(uint8_t byte) {
  return floatFromF16(static_cast<uint16_t>(byte << 8));
}

} // namespace metile
