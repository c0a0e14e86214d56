// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of the Metal standard library that the emulator has; stands before the text of every kernel.
#pragma once

#include "Copies.h"
#include "Internals.h"
#if METILE_CHECKING
#include "Callbacks.h"
#endif
