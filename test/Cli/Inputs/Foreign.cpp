// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel library of a version that does not exist yet.

#include "metile/tool.h"

extern "C" __attribute__((visibility("default"))) const metile::KernelLibrary metileKernelLibrary;
const metile::KernelLibrary metileKernelLibrary = {metile::registryVersion + 1,
                                                   [](metile::Registry &) {}};
