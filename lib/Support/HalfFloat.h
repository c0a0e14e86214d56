// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 and bf16 as 16 bits, to and from float and double: widening is exact, narrowing rounds once
// to nearest even, subnormals included, NaN stays NaN. For hosts that lack the types; not for
// kernels.
#pragma once

#include <bit>
#include <cstdint>

namespace metile {
namespace detail {

/// The 16-bit float with `M` mantissa bits and 15-M exponent bits that is nearest to `value`.
template <int M> constexpr uint16_t narrowFloat(double value) {
  constexpr int maxExponent = (1 << (15 - M)) - 1;
  constexpr int bias = maxExponent >> 1;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  auto sign = static_cast<uint16_t>(bits >> 63 << 15);
  int sourceExponent = static_cast<int>(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  constexpr uint16_t infinity = maxExponent << M;
  if (sourceExponent == 0x7ff) {
    constexpr uint16_t quiet = 1 << (M - 1);
    return sign | infinity |
           (fraction ? static_cast<uint16_t>(quiet | fraction >> (52 - M)) : uint16_t(0));
  }
  int exponent = sourceExponent - 1023 + bias;
  if (exponent >= maxExponent)
    return sign | infinity;
  // A double's own subnormals lie far below half the smallest result.
  if (sourceExponent == 0 || exponent < -M)
    return sign;
  uint64_t significand = fraction | uint64_t(1) << 52;
  int shift = 52 - M;
  if (exponent <= 0) {
    shift += 1 - exponent;
    exponent = 0;
  }
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry out of the mantissa lands in the exponent, where it belongs, up to infinity.
  uint64_t base = exponent ? uint64_t(exponent - 1) << M : 0;
  return static_cast<uint16_t>(sign | (base + kept));
}

} // namespace detail

constexpr uint16_t f16FromDouble(double value) { return detail::narrowFloat<10>(value); }
constexpr uint16_t bf16FromDouble(double value) { return detail::narrowFloat<7>(value); }
constexpr uint16_t f16FromFloat(float value) { return detail::narrowFloat<10>(value); }

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

} // namespace metile
