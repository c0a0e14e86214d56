// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel language: everything that may stand in the body of a kernel, and kernel() itself.
// These headers only record what a body does; types, checks and compilation live in the library.
// They know nothing of MLIR and compile without exceptions and without RTTI.
#pragma once

#include "metile/dsl/control.h"
#include "metile/dsl/kernel.h"
#include "metile/dsl/operations.h"
#include "metile/dsl/random.h"
#include "metile/dsl/tile.h"
