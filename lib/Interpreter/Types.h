// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR's types mean here: shapes, widths, float formats, and how an element of a type lies in
// memory. Must not know operations.
#pragma once

#include "Interpreter/Numbers.h"
#include "Interpreter/Tile.h"

#include "mlir/IR/Types.h"

namespace metile::interpreter {

/// The shape of a tile type; no axes for a scalar.
Shape shapeOf(mlir::Type type);
bool isFloat(mlir::Type type);
/// The format of a float type, or of a tile's elements.
FloatFormat formatOf(mlir::Type type);
/// Bits of an integer or float type, or of a tile's elements.
unsigned widthOf(mlir::Type type);
/// Bytes of an element in memory; i1 has one.
unsigned bytesOf(mlir::Type type);

/// The bytes of an element of `type` in the low bits, the rest zero, and back.
uint64_t toMemory(const Element &element, mlir::Type type);
Element fromMemory(uint64_t bits, mlir::Type type);

} // namespace metile::interpreter
