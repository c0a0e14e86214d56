// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shrinking: makes a program that fails smaller while it goes on failing.
#pragma once

#include "Program.h"

#include <functional>

namespace metile::fuzz {

/// The smallest program found from `program` for which `fails` stays true, within about `seconds`.
/// Programs that do not verify are not tried.
Program shrink(Program program, const std::function<bool(const Program &)> &fails, double seconds);

} // namespace metile::fuzz
