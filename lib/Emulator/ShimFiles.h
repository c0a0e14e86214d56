// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of Shim/ and KernelAbi.h as text, so that the library carries them wherever it lies.
#pragma once

#include <span>
#include <string_view>

namespace metile::emulator {

struct ShimFile {
  std::string_view name, text;
};

std::span<const ShimFile> shimFiles();

/// Changes with the code that turns a text into a module.
std::string_view recipeId();

} // namespace metile::emulator
