// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each elementwise operation does to one element of each operand. Must not know tiles or
// memory.
#pragma once

#include "Interpreter/Tile.h"

#include "mlir/IR/Operation.h"

#include <functional>

namespace metile::interpreter {

/// The result for one element of each operand, in their order.
using ElementFunction = std::function<Element(const Element *operands)>;

/// What `op` does to its elements; empty if it is not elementwise, or not known.
ElementFunction elementFunction(mlir::Operation &op);

} // namespace metile::interpreter
