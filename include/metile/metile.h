// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a program needs to write and compile kernels. runtime.h runs what was compiled.
#pragma once

#include "metile/compile.h"
#include "metile/dsl.h"
