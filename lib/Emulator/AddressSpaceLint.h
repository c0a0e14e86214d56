// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Metal's compiler refuses about address spaces, and what erasing them would hide from clang:
// pointers without one, variables in one where none may be, pointers that change theirs. Reads
// tokens as the rewriter does, and says nothing where they do not tell enough. Rewrites nothing.
#pragma once

#include "Emulator/Lexer.h"
#include "metile/result.h"

namespace metile::emulator {

/// All that is wrong in `tokens`, in their order.
std::vector<Diagnostic> lintAddressSpaces(const TokenList &tokens);

} // namespace metile::emulator
