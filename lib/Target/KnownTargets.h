// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips meTile knows, and the one it runs on. Must not know LLVM, IR or the runtime.
#pragma once

#include "Target/TargetDesc.h"
#include "metile/result.h"

#include <span>

namespace metile {

/// One row a chip, in ascending order within a kind. Caches and cores are those of a typical
/// machine.
std::span<const TargetDesc> knownTargets();

/// What kernels for the interpreter are compiled for: no chip, and not among knownTargets().
TargetDesc referenceTarget();

/// The row named `name` ("cpu:x86-64-v3"); "cpu" is hostTarget(), "reference" is referenceTarget().
/// Rows that this machine can run carry this machine's caches and cores. An unknown name is an
/// error that lists the known ones.
Result<TargetDesc> findTarget(std::string_view name);

/// The most capable row that this machine can run, with its caches and cores. An error if there is
/// none.
Result<TargetDesc> hostTarget();

/// The features of knownTargets() that this machine has, sorted.
const std::vector<std::string> &hostFeatures();

/// Those of `features` (comma separated, as TargetDesc::featureList) that this machine lacks.
std::vector<std::string> missingFeatures(std::string_view features);

} // namespace metile
