// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with mistakes, and right ones used wrongly, and the messages they give. The message
// stands in the source, below the line it is about, after "//~ "; a test compares all of them.
#pragma once

#include "Frontend/TestSupport.h"
#include "metile/dsl.h"

#include <string>
#include <vector>

namespace metile {

/// A wrong kernel and the types for which it is traced, as for a Sample.
using WrongKernel = Sample;

/// A wrong use of a right kernel: what is said about it. Messages that name no place in a source
/// file are about the line of `at`.
struct WrongUse {
  const char *name;
  Loc at;
  Errors (*run)();
};

std::vector<WrongKernel> wrongTypes();
std::vector<WrongKernel> wrongShapes();
std::vector<WrongKernel> wrongMemory();
std::vector<WrongKernel> wrongControl();
std::vector<WrongKernel> wrongOperations();
std::vector<WrongUse> wrongUses();

} // namespace metile
