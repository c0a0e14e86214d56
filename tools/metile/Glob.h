// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shell-like patterns over names: * is any text, ? any one character. Knows nothing else.
#pragma once

#include <string_view>

namespace metile {

bool matchesGlob(std::string_view text, std::string_view glob);

} // namespace metile
