// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checksum of artifact files. Knows nothing of what the bytes mean.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace metile {

/// Each step is a bijection of the state for a given word and of the word for a given state, so a
/// change within one 8-byte word is always noticed, and any other with probability 1 - 2^-64.
/// Not a cryptographic hash: it guards against accidents, not against malice.
inline uint64_t checksum(std::string_view bytes, uint64_t seed) {
  constexpr uint64_t odd = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
  uint64_t state = seed * odd + bytes.size();
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    if (std::endian::native == std::endian::little && bytes.size() - at >= 8)
      std::memcpy(&word, bytes.data() + at, 8);
    else
      for (size_t i = 0; i < 8 && at + i < bytes.size(); ++i)
        word |= uint64_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    state = std::rotl(state ^ word, 29) * odd;
  }
  state = (state ^ state >> 32) * odd;
  return state ^ state >> 29;
}

} // namespace metile
