// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From raw findings to what a person reads.
#pragma once

#include "Emulator/Findings.h"
#include "Emulator/Module.h"

namespace metile::emulator {

/// The findings of a launch with threadgroups of `threads` threads by axis.
std::vector<Finding> describeFindings(const FindingList &list, const Module &module,
                                      Extent threads);

} // namespace metile::emulator
