// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of threadgroup memory that those who write and read a tile access in few turns: a swizzle
// computed from their layouts, or the least padding. Which of them to take is the caller's choice.
#pragma once

#include "Layout/BankModel.h"

namespace metile {

/// Those who write and read a tile of one element type, each with the layout of its registers.
struct TileUsers {
  std::vector<LinearLayout> layouts; ///< All lead into one tile, the out-dims in one order.
  unsigned elementBits = 8;
  int64_t maxAccessBytes = 16; ///< Of one lane, a power of two; the memory is aligned to it.
};

/// The part of shared.accessBits(layout) with which `layout` needs the fewest wavefronts, and then
/// the fewest accesses; and what it costs.
struct BestAccess {
  std::vector<unsigned> bits;
  BankCost cost;
};
BestAccess bestAccess(const BankModel &model, const LinearLayout &layout,
                      const SharedLayout &shared, int64_t maxBytes);

/// What `users` cost together in `shared`, each with its best accesses.
BankCost totalCost(const BankModel &model, const TileUsers &users, const SharedLayout &shared);

/// A layout without padding. Its offsets first run through registers that all users can access
/// together. With accesses of that size no lanes that access at once meet in a bank, for up to two
/// users and phases of no more lanes than there are banks, a power of two. With more users that may
/// be impossible; then it is tried one basis after the other.
SharedLayout conflictFreeSwizzle(const BankModel &model, const TileUsers &users);

/// The tile row by row, each row with the padding for which `users` need the fewest wavefronts, and
/// of several such paddings the least.
SharedLayout leastPadding(const BankModel &model, const TileUsers &users);

} // namespace metile
