// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verifiers of tile operations share. Messages say what was found and what is allowed.
// Only for the sources of the dialect.
#pragma once

#include "Dialect/Tile/Tile.h"

namespace metile::tile {

/// A scalar that a tile, a view or a pointer may hold.
bool isNumber(mlir::Type type);

/// Both are scalars, or both tensors (or both vectors) of one shape.
bool haveSameShape(mlir::Type a, mlir::Type b);
llvm::LogicalResult verifySameShape(mlir::Operation *op, llvm::StringRef aName, mlir::Type a,
                                    llvm::StringRef bName, mlir::Type b);
llvm::LogicalResult verifySameElement(mlir::Operation *op, llvm::StringRef aName, mlir::Type a,
                                      llvm::StringRef bName, mlir::Type b);
/// `axis` is one of `rank` axes.
llvm::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank);

} // namespace metile::tile
