// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments: which lane and register holds which element of the matrix operands that chips take.
// The rows of TargetDesc refer to them by name. Must not know IR or instructions.
#pragma once

#include "Layout/LinearLayout.h"

#include <span>

namespace metile {

struct Fragment {
  std::string name;    ///< "mma.m16n8k16.a".
  std::string summary; ///< One line for people, with the source of the layout.
  LinearLayout layout; ///< From (simdgroup,) lane, register to row, col.
};

/// All fragments, grouped by instruction.
std::span<const Fragment> knownFragments();

/// The fragment called `name`, or null.
const Fragment *findFragment(std::string_view name);

} // namespace metile
