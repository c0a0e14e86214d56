// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU lowering must know of a kernel before it emits anything: which tile values are worth
// keeping, which loads a store may overtake, which edges are never crossed. Reads the tile dialect;
// must not know vectors or targets.
#pragma once

#include "Dialect/Tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace metile::cpu {

/// True for a ranked tensor, the type of a tile of at least one axis.
inline bool isTile(mlir::Type type) { return mlir::isa<mlir::RankedTensorType>(type); }
inline bool isTile(mlir::Value value) { return isTile(value.getType()); }

/// A tile operation that can be evaluated anywhere, element by element: elementwise operations,
/// changes of shape, constants, addresses, loads and gathers (whose source is kept).
bool isLazy(mlir::Operation *op);
/// Whether some gather picks elements of `value`, which needs all of them at once.
bool isGathered(mlir::Value value);
/// One result element for each element of the operands at the same place.
bool isElementwise(mlir::Operation *op);

/// A use of a tile value by an operation that is emitted as a loop nest of its own.
struct Root {
  mlir::Operation *op;
  unsigned operand;
  bool operator==(const Root &) const = default;
};

/// An axis of an argument's view; `argument` is -1 if unknown.
struct ViewAxis {
  int argument = -1;
  int axis = -1;
};

/// Why a value that could be evaluated wherever it is needed is computed once.
enum class KeptReason : uint8_t {
  asked,        ///< The plan wants every value kept.
  rowsRepeat,   ///< Each of its rows serves many rows of what uses it.
  manyUsers,    ///< Several loop nests use it.
  usedInLoop,   ///< A loop uses it that it does not depend on.
  storeBetween, ///< A store may change what it loads before its last use.
  gathered,     ///< A gather picks from all of its elements.
};

class KernelFacts {
public:
  /// `keepAll`: every tile value is to be kept.
  KernelFacts(mlir::func::FuncOp kernel, bool keepAll);

  /// The value is computed once, where it is defined, and kept in scratch.
  bool isKept(mlir::Value value) const { return kept.contains(value); }
  /// None for a value that is made as a whole: by a loop, a dot, a reduction.
  std::optional<KeptReason> keptReason(mlir::Value value) const;
  /// Roots that evaluate `value`, itself lazy or kept elsewhere.
  llvm::ArrayRef<Root> roots(mlir::Value value) const;
  /// Position in the program, outer operations before their bodies.
  unsigned order(mlir::Operation *op) const { return orders.lookup(op); }
  /// Operations per element to evaluate the value once, saturating.
  int cost(mlir::Value value) const { return costs.lookup(value); }

  bool mayAlias(mlir::Value address, mlir::Value otherAddress) const;
  /// Whether the tile at `offset` with `extent` elements starts at or after 0 on its axis.
  bool startsInside(mlir::Value offset) const;
  /// Whether it also ends inside axis `axis` of `view`.
  bool endsInside(mlir::Value view, unsigned axis, mlir::Value offset, int64_t extent) const;
  /// The argument's axis behind an axis of `view`.
  ViewAxis viewAxis(mlir::Value view, unsigned axis) const;
  /// The largest known power-of-two-times-odd divisor; 0 for zero.
  int64_t divisor(mlir::Value value) const;

private:
  void computeCosts(mlir::func::FuncOp kernel);
  void chooseKept(bool keepAll);
  bool isOvertaken(mlir::Operation *load) const;
  mlir::Value baseOf(mlir::Value address) const;
  bool mayChange(mlir::Value address) const;
  bool isSizeOf(mlir::Value value, ViewAxis axis, int64_t staticSize) const;
  bool isBelow(mlir::Value offset, int64_t extent, ViewAxis axis, int64_t staticSize) const;
  int64_t argumentAttr(mlir::Value argument, llvm::StringRef name, unsigned axis) const;

  mutable mlir::func::FuncOp kernel; // A handle; its accessors are not const.
  mlir::Operation *grid = nullptr;
  llvm::SmallVector<mlir::Operation *> program;
  llvm::SmallVector<mlir::Operation *> stores;
  llvm::DenseMap<mlir::Operation *, unsigned> orders;
  llvm::DenseMap<mlir::Value, int> costs;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Root, 2>> rootsOf;
  llvm::DenseMap<mlir::Value, KeptReason> kept;
  llvm::DenseSet<mlir::Value> repeatedRows;
};

} // namespace metile::cpu
