// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How layouts are written, and read back:
//
//   (lane: [(0,2), (1,0)], register: [(0,1)]) -> (row: 2, col: 4)
//   (offset: [(0,1), (0,2), (1,0)]) -> (row: 2, col: 4) pad [4:+1]
//
// In-dims with their bases, lowest bit first, then out-dims with their sizes. With one out-dim a
// basis is a number: (lane: [1, 2, 0]) -> (col: 4). Must not know what layouts are used for.
#pragma once

#include "Layout/SharedLayout.h"

namespace metile {

/// As above; parseLayout() reads it back as the same layout.
std::string spell(const LinearLayout &layout);
/// The same with the padding; parseSharedLayout() reads it back, but for the alignment.
std::string spell(const SharedLayout &layout);
/// "(row: 2, col: 4)".
std::string spell(const LayoutSpace &space);

/// The layout as CuTe writes it, if it can: "((2,2),2):((8,1),4)". One mode an in-dim; the index is
/// that of the element with the first out-dim fastest. XORs that CuTe has are written as
/// "Swizzle<2,0,2> o (4,4):(4,1)".
std::optional<std::string> spellCute(const LinearLayout &layout);
/// From the element to its offset; here a mode a dim of the tile, and padding is a stride.
std::optional<std::string> spellCute(const SharedLayout &layout);

/// `name` stands in messages ("name:1:7: error: ...").
Result<LinearLayout> parseLayout(std::string_view text, std::string_view name);
/// Also row_major(row: 8, col: 64) and swizzle_none, swizzle_32B, swizzle_64B, swizzle_128B, with
/// or without padding behind them.
Result<SharedLayout> parseSharedLayout(std::string_view text, std::string_view name,
                                       unsigned elementBits);

} // namespace metile
