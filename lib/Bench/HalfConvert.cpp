// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/HalfConvert.h"

#include "Support/HalfFloat.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace metile::bench {
namespace {

#if defined(__x86_64__)

/// Every processor with AVX2 has F16C.
bool hasFastHalves() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

__attribute__((target("avx2,f16c"))) size_t widenFast(const uint16_t *from, float *to,
                                                      size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(to + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i))));
  return i;
}

__attribute__((target("avx2,f16c"))) size_t narrowFast(const float *from, uint16_t *to,
                                                       size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}

#elif defined(__aarch64__)

bool hasFastHalves() { return true; }

size_t widenFast(const uint16_t *from, float *to, size_t count) {
  const auto *halves = reinterpret_cast<const __fp16 *>(from);
  for (size_t i = 0; i < count; ++i)
    to[i] = halves[i];
  return count;
}

size_t narrowFast(const float *from, uint16_t *to, size_t count) {
  auto *halves = reinterpret_cast<__fp16 *>(to);
  for (size_t i = 0; i < count; ++i)
    halves[i] = static_cast<__fp16>(from[i]);
  return count;
}

#else

bool hasFastHalves() { return false; }
size_t widenFast(const uint16_t *, float *, size_t) { return 0; }
size_t narrowFast(const float *, uint16_t *, size_t) { return 0; }

#endif

} // namespace

void widenF16(const uint16_t *from, float *to, size_t count) {
  for (size_t i = hasFastHalves() ? widenFast(from, to, count) : 0; i < count; ++i)
    to[i] = floatFromF16(from[i]);
}

void narrowToF16(const float *from, uint16_t *to, size_t count) {
  for (size_t i = hasFastHalves() ? narrowFast(from, to, count) : 0; i < count; ++i)
    to[i] = f16FromFloat(from[i]);
}

void widenBf16(const uint16_t *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = floatFromBf16(from[i]);
}

void narrowToBf16(const float *from, uint16_t *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = bf16FromFloat(from[i]);
}

} // namespace metile::bench
