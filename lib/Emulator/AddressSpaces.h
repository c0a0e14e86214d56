// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the address spaces out of a text. What remains is C++: variables in threadgroup memory get
// their place from the emulator, and declarations that differed by address space alone become one.
#pragma once

#include "Emulator/Scopes.h"

namespace metile::emulator {

/// device, threadgroup, constant, thread and the like.
bool isAddressSpace(std::string_view word);

/// Removes all but the first of the declarations in a scope that the removal of address spaces
/// would make the same.
void mergeDuplicates(TokenEditor &editor, const ScopeTable &scopes);

/// Rewrites threadgroup variables and removes the qualifiers that are left.
void eraseAddressSpaces(TokenEditor &editor, const ScopeTable &scopes);

} // namespace metile::emulator
