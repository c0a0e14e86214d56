// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host is told of an operation: where it stands in the kernel's source and, of print,
// assert and probe, which values it shows. Must not know how values reach the host.
#pragma once

#include "metile/artifact.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace metile::tile {

/// The place in a file; of a call the callee's, with its callers as calledFrom. Empty if unknown.
metile::Location sourceOf(mlir::Location location);

/// `op` is a print, assert or probe.
DebugSite debugSiteOf(mlir::Operation *op);

} // namespace metile::tile
