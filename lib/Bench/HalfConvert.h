// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole arrays of f16 or bf16 to and from f32 at the speed of the memory, so that a library variant
// which has to convert is not slowed by us. Knows nothing of who needs them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metile::bench {

void widenF16(const uint16_t *from, float *to, size_t count);
/// Nearest even.
void narrowToF16(const float *from, uint16_t *to, size_t count);
void widenBf16(const uint16_t *from, float *to, size_t count);
/// Nearest even; NaN stays NaN.
void narrowToBf16(const float *from, uint16_t *to, size_t count);

} // namespace metile::bench
