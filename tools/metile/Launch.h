// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of a case to a launch on a device. Must not know verbs or the compiler beyond
// its code loader.
#pragma once

#include "Bench/Argument.h"

#include "metile/runtime.h"

#include <span>
#include <string>
#include <vector>

namespace metile::tools {

/// Bytes to which the memory of an ArgumentSet is aligned.
inline constexpr unsigned argumentAlignment = 64;

/// Opens `name` with the compiler's code loader; an unknown one names the nearest.
Result<Device> openDevice(const std::string &name, unsigned threads);

/// The arguments as a launch takes them, in the kernel's order.
std::vector<Argument> launchArguments(std::span<const ArgumentInfo> infos,
                                      std::span<const bench::Argument> arguments);

} // namespace metile::tools
