// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts recorded operations in an order that does not depend on the order in which a C++ compiler
// evaluates operands, and drops what nothing needs. Knows nothing of the tracer or of MLIR.
#pragma once

#include "Frontend/Tracer.h"

namespace metile {

/// Fills types, body and locations of `trace` from `raw`. Writes keep their order; everything else
/// is placed by demand, in its own region; reads stay before later writes they may conflict with.
void orderTrace(const RawTrace &raw, const std::vector<Location> &locations, Trace &trace);

/// Arguments that a pointer or view may point into, as a bit set (arguments beyond 63 share a bit).
uint64_t argumentsBehind(const RawTrace &raw, ValueId value);

} // namespace metile
