// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer functions of the Metal standard library.
#pragma once

#include "Math.h"

namespace metal {

#define METILE_INTEGER(name, expression)                                                           \
  template <::metile::emulator::Integer T> METILE_SHIM constexpr T name(T x) {                     \
    using U = make_unsigned_t<T>;                                                                  \
    constexpr int bits = sizeof(T) * 8;                                                            \
    auto wide = static_cast<ulong>(static_cast<U>(x));                                             \
    (void)bits;                                                                                    \
    return static_cast<T>(expression);                                                             \
  }                                                                                                \
  template <class T, int N> METILE_SHIM constexpr vec<T, N> name(const vec<T, N> &v) {             \
    return ::metile::emulator::eachLane([](T x) { return name(x); }, v);                           \
  }
METILE_INTEGER(popcount, __builtin_popcountl(wide))
METILE_INTEGER(clz, wide ? __builtin_clzl(wide) - (64 - bits) : bits)
METILE_INTEGER(ctz, wide ? __builtin_ctzl(wide) : bits)
METILE_INTEGER(reverse_bits, __builtin_bitreverse64(wide) >> (64 - bits))
#undef METILE_INTEGER

/// The exact result of `wide` arithmetic of two integers, as 64 bits or 128.
template <class T> using Wide = conditional_t<is_signed_v<T>, __int128, unsigned __int128>;
template <class T> METILE_SHIM constexpr T clampWide(Wide<T> value) {
  constexpr Wide<T> low = numeric_limits<T>::min(), high = numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

#define METILE_INTEGER(name, expression)                                                           \
  template <::metile::emulator::Integer T>                                                         \
  METILE_SHIM constexpr T name(T a, type_identity_t<T> b) {                                        \
    using W = Wide<T>;                                                                             \
    constexpr int bits = sizeof(T) * 8;                                                            \
    (void)bits;                                                                                    \
    return static_cast<T>(expression);                                                             \
  }                                                                                                \
  template <class T, int N>                                                                        \
  METILE_SHIM constexpr vec<T, N> name(const vec<T, N> &a, const vec<T, N> &b) {                   \
    return ::metile::emulator::eachLane([](T x, T y) { return name(x, y); }, a, b);                \
  }
METILE_INTEGER(mulhi, static_cast<W>(a) * static_cast<W>(b) >> bits)
METILE_INTEGER(hadd, static_cast<W>(a) + static_cast<W>(b) >> 1)
METILE_INTEGER(rhadd, static_cast<W>(a) + static_cast<W>(b) + 1 >> 1)
METILE_INTEGER(absdiff, a < b ? static_cast<W>(b) - static_cast<W>(a)
                              : static_cast<W>(a) - static_cast<W>(b))
METILE_INTEGER(addsat, clampWide<T>(static_cast<W>(a) + static_cast<W>(b)))
METILE_INTEGER(rotate, static_cast<ulong>(static_cast<make_unsigned_t<T>>(a)) << (b & bits - 1) |
                           static_cast<ulong>(static_cast<make_unsigned_t<T>>(a)) >>
                               (bits - (b & bits - 1) & bits - 1))
#undef METILE_INTEGER
template <::metile::emulator::Integer T> METILE_SHIM constexpr T subsat(T a, type_identity_t<T> b) {
  if constexpr (is_unsigned_v<T>)
    return a < b ? T(0) : static_cast<T>(a - b);
  else
    return clampWide<T>(static_cast<__int128>(a) - static_cast<__int128>(b));
}
template <class T> METILE_SHIM constexpr T mad24(T a, T b, T c) { return a * b + c; }
template <class T> METILE_SHIM constexpr T mul24(T a, T b) { return a * b; }
template <class T> METILE_SHIM constexpr T madhi(T a, T b, T c) { return mulhi(a, b) + c; }
template <::metile::emulator::Integer T>
METILE_SHIM constexpr T extract_bits(T x, uint offset, uint bits) {
  constexpr uint width = sizeof(T) * 8;
  if (bits == 0)
    return T(0);
  using U = make_unsigned_t<T>;
  T high = static_cast<T>(static_cast<U>(x) << (width - offset - bits));
  return static_cast<T>(high >> (width - bits));
}
template <::metile::emulator::Integer T>
METILE_SHIM constexpr T insert_bits(T base, T insert, uint offset, uint bits) {
  ulong mask = (bits >= 64 ? ~0ul : (1ul << bits) - 1) << offset;
  return static_cast<T>((static_cast<ulong>(base) & ~mask) |
                        (static_cast<ulong>(insert) << offset & mask));
}

//===--- Packing ---===//

METILE_SHIM float2 unpack_unorm2x16_to_float(uint x) {
  return float2(x & 0xffff, x >> 16) / 65535.0f;
}
METILE_SHIM float4 unpack_unorm4x8_to_float(uint x) {
  return float4(x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24) / 255.0f;
}
METILE_SHIM float4 unpack_snorm4x8_to_float(uint x) {
  float4 v(static_cast<char>(x), static_cast<char>(x >> 8), static_cast<char>(x >> 16),
           static_cast<char>(x >> 24));
  return max(v / 127.0f, -1.0f);
}
METILE_SHIM uint pack_float_to_unorm4x8(float4 v) {
  uint4 lanes(rint(saturate(v) * 255.0f));
  return lanes.x | lanes.y << 8 | lanes.z << 16 | lanes.w << 24;
}
METILE_SHIM uint pack_float_to_unorm2x16(float2 v) {
  uint2 lanes(rint(saturate(v) * 65535.0f));
  return lanes.x | lanes.y << 16;
}

} // namespace metal
