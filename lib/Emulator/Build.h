// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel's text to a module: preprocess, rewrite, compile, keep in the cache.
#pragma once

#include "Emulator/Module.h"
#include "metile/emulator.h"

namespace metile::emulator {

struct BuildResult {
  std::unique_ptr<Module> module;
  bool fromCache = false;
};

Result<BuildResult> buildModule(const Source &source, const BuildOptions &options);

} // namespace metile::emulator
