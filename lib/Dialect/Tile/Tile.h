// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect in C++. The operations are specified in the .td files beside this header.
// Must not know layouts, threads or targets.
#pragma once

#include "metile/dtype.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Dialect/Tile/TileDialect.h.inc"
#include "Dialect/Tile/TileEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Tile/TileTypes.h.inc"

namespace metile::tile {
/// Checks that every tensor among the operands and results of `op` is a tile.
llvm::LogicalResult verifyTiles(mlir::Operation *op);

/// Carried by every operation of the dialect.
template <typename ConcreteType>
class WellFormedTiles : public mlir::OpTrait::TraitBase<ConcreteType, WellFormedTiles> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifyTiles(op); }
};
} // namespace metile::tile

#define GET_OP_CLASSES
#include "Dialect/Tile/TileOps.h.inc"

namespace metile::tile {

/// The attribute that marks a `func.func` as a kernel.
inline constexpr llvm::StringLiteral kernelAttrName = "tile.kernel";
/// Argument attribute: the parameter's name, a string.
inline constexpr llvm::StringLiteral nameAttrName = "tile.name";
/// Argument attribute of pointers and views: the address is a multiple of so many bytes.
inline constexpr llvm::StringLiteral alignmentAttrName = "tile.alignment";
/// Argument attribute of an integer scalar: its value is a multiple of this.
inline constexpr llvm::StringLiteral divisibilityAttrName = "tile.divisibility";
/// Argument attributes of views: sizes and strides (one number an axis) are multiples of these.
inline constexpr llvm::StringLiteral sizeDivisibilityAttrName = "tile.size_divisibility";
inline constexpr llvm::StringLiteral strideDivisibilityAttrName = "tile.stride_divisibility";
/// Argument attribute of views and pointers: "in", "out", "inout" or "pointer". The buffers of in
/// and out arguments overlap no other argument's.
inline constexpr llvm::StringLiteral roleAttrName = "tile.role";

/// The most elements a tile may have.
inline constexpr int64_t maxTileElements = int64_t(1) << 20;

inline bool isFloat8(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type);
}

/// The dtype of a number; an integer counts as signed.
DType dtypeOf(mlir::Type type);

/// Shape of a tile, or of a vector that stands for a piece of one; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// Element type of a tile or vector; a scalar is its own.
mlir::Type elementTypeOf(mlir::Type type);
/// A tile type, or the element itself when `shape` is empty.
mlir::Type tileOrScalar(llvm::ArrayRef<int64_t> shape, mlir::Type element);

} // namespace metile::tile
