// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLIR contexts of targets that read IR. Knows no parser.
#pragma once

#include "mlir/IR/MLIRContext.h"

namespace metile::fuzz {

/// A context with every dialect that is compiled from, valid until the next call. What a context
/// has seen stays in it, so it is replaced now and then.
mlir::MLIRContext &freshContext();

} // namespace metile::fuzz
