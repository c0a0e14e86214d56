// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that use the whole language, for tests of the front end. The file with the kernels is
// also compiled by a second compiler, whose traces must be the same.
#pragma once

#include "Frontend/TestSupport.h"
#include "metile/dsl.h"

#include <vector>

namespace metile {

std::vector<Sample> sampleKernels();

} // namespace metile
