// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes by which lowered IR stays readable: which loop of the kernel a loop came from,
// which memory an address is. Passes put them on what they make and keep them on what they move;
// the report is read from them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace metile {

/// On a loop: a dictionary with `induction_variable` ("kb", "kk", or the author's), `origin` (a
/// string naming the source loop or dot, equal for all loops that it was split into) and `step`.
inline constexpr llvm::StringLiteral loopMark = "metile.loop";
/// On the operation that yields the address of threadgroup or scratch memory: a dictionary with
/// `name`, `element_type` (a type) and `elements`.
inline constexpr llvm::StringLiteral allocationMark = "metile.alloc";
/// On a load that copies an operand into threadgroup or scratch memory.
inline constexpr llvm::StringLiteral stagingMark = "metile.staging";

} // namespace metile
