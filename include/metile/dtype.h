// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of tiles, buffers and scalars, the same on every target.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace metile {

enum class DType : uint8_t {
  boolean, ///< One byte in memory, 0 or 1.
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f8e4m3, ///< Without infinities. Floats of 8 bits are for storage: arithmetic is done in f32.
  f8e5m2,
  f16,
  bf16,
  f32,
  f64,
};

/// Every dtype, in the order of the enumeration.
inline constexpr DType allDTypes[] = {DType::boolean, DType::i8,     DType::i16,    DType::i32,
                                      DType::i64,     DType::u8,     DType::u16,    DType::u32,
                                      DType::u64,     DType::f8e4m3, DType::f8e5m2, DType::f16,
                                      DType::bf16,    DType::f32,    DType::f64};

constexpr bool isFloat(DType d) { return d >= DType::f8e4m3; }
/// A float that is stored but not computed with.
constexpr bool isFloat8(DType d) { return d == DType::f8e4m3 || d == DType::f8e5m2; }
constexpr bool isInteger(DType d) { return d >= DType::i8 && d <= DType::u64; }
constexpr bool isSigned(DType d) { return isFloat(d) || (d >= DType::i8 && d <= DType::i64); }
constexpr bool isUnsignedInteger(DType d) { return d >= DType::u8 && d <= DType::u64; }
/// Size in memory.
constexpr unsigned byteSize(DType d) {
  switch (d) {
  case DType::boolean:
  case DType::i8:
  case DType::u8:
  case DType::f8e4m3:
  case DType::f8e5m2:
    return 1;
  case DType::i16:
  case DType::u16:
  case DType::f16:
  case DType::bf16:
    return 2;
  case DType::i32:
  case DType::u32:
  case DType::f32:
    return 4;
  default:
    return 8;
  }
}

/// The short name: "bool", "i32", "f8e4m3", "bf16".
std::string_view name(DType d);
/// The name used in benchmark cases and .npy files: "float16", "bfloat16", "int32", "uint8",
/// "bool".
std::string_view longName(DType d);
/// Accepts both spellings.
std::optional<DType> parseDType(std::string_view text);

inline constexpr DType boolean = DType::boolean;
inline constexpr DType i8 = DType::i8, i16 = DType::i16, i32 = DType::i32, i64 = DType::i64;
inline constexpr DType u8 = DType::u8, u16 = DType::u16, u32 = DType::u32, u64 = DType::u64;
inline constexpr DType f8e4m3 = DType::f8e4m3, f8e5m2 = DType::f8e5m2;
inline constexpr DType f16 = DType::f16, bf16 = DType::bf16, f32 = DType::f32, f64 = DType::f64;

} // namespace metile
