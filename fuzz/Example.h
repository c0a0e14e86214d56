// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Examples of the manual as programs that run. Must not know which operations there are.
#pragma once

#include "Program.h"

namespace metile::fuzz {

/// `text` holds functions, with lines "// -----" between them: kernels, and functions that a kernel
/// is made for, which fetches their arguments from memory and stores their results. Mistakes in
/// the text are reported with the line in `file`.
Result<std::vector<Program>> examplePrograms(const std::string &text, const std::string &file,
                                             mlir::MLIRContext &context);

} // namespace metile::fuzz
