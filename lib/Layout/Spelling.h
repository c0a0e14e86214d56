// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How layouts are written, and read back:
//
//   (lane: [(0,2), (1,0)], register: [(0,1)]) -> (row: 2, col: 4)
//
// In-dims with their bases, lowest bit first, then out-dims with their sizes. With one out-dim a
// basis is a number: (lane: [1, 2, 0]) -> (col: 4). Must not know what layouts are used for.
#pragma once

#include "Layout/LinearLayout.h"

namespace metile {

/// As above; parseLayout() reads it back as the same layout.
std::string spell(const LinearLayout &layout);
/// "(row: 2, col: 4)".
std::string spell(const LayoutSpace &space);

/// `name` stands in messages ("name:1:7: error: ...").
Result<LinearLayout> parseLayout(std::string_view text, std::string_view name);

} // namespace metile
