// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind a Kernel, and the launch that the device shares with it.
#pragma once

#include "Emulator/Module.h"
#include "metile/emulator.h"

namespace metile::emulator {

struct Kernel::Impl {
  std::unique_ptr<Module> module;
  bool fromCache = false;
  Checking checking = Checking::full;
  std::vector<ParameterInfo> parameters;
};

/// Checks the arguments and runs. `inPlace`: buffers are used where they lie, which is faster, but
/// then an access outside them is found only if it faults.
Result<Report> launchModule(const Module &module, Checking checking, const Launch &launch,
                            bool inPlace);

/// The parameters of `module` as users see them.
std::vector<ParameterInfo> parametersOf(const Module &module);

} // namespace metile::emulator
