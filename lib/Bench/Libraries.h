// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variants that call a well-known library: OpenBLAS and oneDNN. Loaded when asked for, never
// linked. Must not know the compiler.
#pragma once

#include "Bench/BenchVariant.h"

#include <string>
#include <string_view>
#include <vector>

namespace metile::bench {

/// The names after "library:" that this build knows.
std::vector<std::string> knownLibraries();

/// A source for "openblas" or "onednn" with that many threads. Loads the library; one that is not
/// installed, or an unknown name, is an error that says what to install or what there is. Cases
/// whose operation or dtype the library lacks are refused when the variant is made.
///
/// OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE are taken out of the environment before OpenBLAS is
/// loaded, so that it measures as it would choose for itself; its core and version are recorded.
Result<VariantSource> librarySource(std::string_view name, unsigned threads);

} // namespace metile::bench
