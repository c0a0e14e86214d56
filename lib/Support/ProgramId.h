// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text about one program of a grid. Must not know how programs run.
#pragma once

#include "metile/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace metile {

/// "program (2, 0, 1)".
std::string programName(const std::array<int64_t, 3> &id);
/// Whether `id` is a place of a grid with these extents, of which one below 1 makes it empty.
bool isOnGrid(const std::array<int64_t, 3> &id, const std::array<int64_t, 3> &grid);
/// What to say of an `id` that is not.
Errors offGrid(std::string_view kernel, const std::array<int64_t, 3> &id,
               const std::array<int64_t, 3> &grid);

} // namespace metile
