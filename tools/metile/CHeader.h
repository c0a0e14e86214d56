// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C header beside an object file: arguments as a struct, and inline functions that check, pack
// and launch. Must not know how the code was made.
#pragma once

#include "metile/artifact.h"

namespace metile::tools {

/// Plain C99, also valid C++. A kernel or argument whose name is no C identifier is an error.
Result<std::string> cHeader(const Artifact &artifact);

} // namespace metile::tools
