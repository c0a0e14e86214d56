// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places where a kernel shows values to the host, in the order that numbers them. Must not know
// how kernels are executed.
#pragma once

#include "metile/artifact.h"

#include "mlir/IR/BuiltinOps.h"

namespace metile::interpreter {

/// The operations of `module` that print or record values. Assertions are none of them here: they
/// come back as findings.
std::vector<mlir::Operation *> debugOperations(mlir::ModuleOp module);

/// What an artifact says of each of them.
std::vector<DebugSite> debugSites(mlir::ModuleOp module);

} // namespace metile::interpreter
