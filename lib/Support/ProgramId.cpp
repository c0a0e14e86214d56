// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/ProgramId.h"

namespace metile {

static std::string list(const std::array<int64_t, 3> &numbers, const char *between) {
  return std::to_string(numbers[0]) + between + std::to_string(numbers[1]) + between +
         std::to_string(numbers[2]);
}

std::string programName(const std::array<int64_t, 3> &id) {
  return "program (" + list(id, ", ") + ")";
}

bool isOnGrid(const std::array<int64_t, 3> &id, const std::array<int64_t, 3> &grid) {
  for (size_t axis = 0; axis < 3; ++axis)
    if (id[axis] < 0 || id[axis] >= grid[axis])
      return false;
  return true;
}

Errors offGrid(std::string_view kernel, const std::array<int64_t, 3> &id,
               const std::array<int64_t, 3> &grid) {
  return error(std::string(kernel) + ": there is no " + programName(id),
               "the grid of this launch is " + list(grid, " x "));
}

} // namespace metile
