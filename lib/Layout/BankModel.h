// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BankModel: how many turns threadgroup memory needs for an access, by counting which lanes meet in
// a bank. The numbers come from the caller's target description; where a maker documents none,
// what comes out is a model to rank layouts by, not a measurement.
#pragma once

#include "Layout/SharedLayout.h"

namespace metile {

/// Memory is cut into words, word i of bank i % banks. In one turn (*wavefront*) each bank serves
/// one word to all lanes that want it. The lanes of a simdgroup go in phases: as many consecutive
/// lanes at once as together access at most `phaseBytes`.
struct BankModel {
  int64_t banks = 1;
  int64_t wordBytes = 4;
  int64_t phaseBytes = 128;

  /// Lanes of a phase when each accesses `bytes`.
  int64_t lanesInPhase(int64_t bytes, int64_t lanes) const;
};

/// What all accesses cost by which a simdgroup (or several) reads or writes its registers.
struct BankCost {
  int64_t accesses = 0;   ///< Instructions: one for each simdgroup and group of registers.
  int64_t wavefronts = 0; ///< Turns of the memory.
  int64_t ideal = 0;      ///< Turns if words were spread evenly over the banks.
  int64_t degree = 0;     ///< Most words that one phase wants of one bank: "8-way" is 8.

  bool isConflictFree() const { return wavefronts == ideal; }
};

/// The cost of accessing every place of `registers` in `shared`, when one access covers the
/// registers that differ in `accessBits` (SharedLayout::accessBits() or fewer). `registers` leads
/// into the tile of `shared`; without a dim called lane it has one lane.
BankCost countWavefronts(const BankModel &model, const LinearLayout &registers,
                         const SharedLayout &shared, const std::vector<unsigned> &accessBits);

} // namespace metile
