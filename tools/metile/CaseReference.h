// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a case without a reference of its own is compared with: its kernel on the interpreter. Must
// not know verbs.
#pragma once

#include "Selection.h"

namespace metile::tools {

/// Gives `made` the interpreter as its reference if it has none. `request` says with which options
/// the kernel is compiled. What the interpreter finds wrong with the kernel goes to stderr, and the
/// outputs it then leaves are NaN.
Status completeReference(Case &made, const Kernel &kernel, const CompileRequest &request);

} // namespace metile::tools
