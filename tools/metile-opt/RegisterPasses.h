// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of passes that metile-opt offers. A new pass is added in RegisterPasses.cpp.
// Must not know how the passes are combined; that is for the pipelines of the targets.
#pragma once

namespace metile {

/// Makes the passes of the project, and the upstream ones that its tests use, known by name.
void registerMetilePasses();

} // namespace metile
