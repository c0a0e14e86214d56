// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for the elements of a tile, as print() shows them.
#pragma once

#include "metile/dtype.h"

#include <cstdint>
#include <span>
#include <string>

namespace metile {

/// "[[1, 2], [3, 4]]" for row-major elements at `data`, "5" for a scalar. Floats have as many
/// digits as tell them from their neighbours. Of a tile of more than 1024 elements, three at either
/// end of each axis are shown.
std::string showValue(DType dtype, std::span<const int64_t> shape, const void *data);

} // namespace metile
