// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generator: grows a kernel from its stores backwards: each value that is needed is taken from what
// is in scope or made by a random operation whose operands are grown the same way.
// Must not know targets.
#pragma once

#include "Program.h"
#include "Random.h"

#include "Dialect/Tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace metile::fuzz {

class Generator {
public:
  Generator(uint64_t seed, mlir::MLIRContext &context);
  Program run();

private:
  using Shape = llvm::SmallVector<int64_t, 4>;
  /// An output view: programs write blocks of these extents, disjoint along the first axes.
  struct Output {
    mlir::Value view;
    Shape block; ///< Extents on the axes of the grid.
    bool isReadable = false;
  };
  /// A pointer with `count` elements behind it.
  struct Pointer {
    mlir::Value pointer, count;
  };

  // Kernel.cpp: arguments, grid and statements.
  void addArguments();
  void declareGrid();
  void statements(unsigned depth, unsigned count);
  void store();
  void storeThroughPointer();
  void updateAtomically();
  void forLoop(unsigned depth);
  void whileLoop(unsigned depth);
  void branch(unsigned depth);
  /// A value of the type of each of `like`, to yield.
  llvm::SmallVector<mlir::Value> likes(llvm::ArrayRef<mlir::Value> like);
  llvm::SmallVector<mlir::Value> someInScope(unsigned most);

  // Expressions.cpp: values of a wanted type.
  mlir::Value grow(mlir::Type type, unsigned depth);
  mlir::Value leaf(mlir::Type type, unsigned depth);
  mlir::Value constant(mlir::Type type);
  mlir::Value loadView(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value loadPointer(llvm::ArrayRef<int64_t> shape, mlir::Type element, unsigned depth);
  mlir::Value elementwise(mlir::Type type, unsigned depth);
  mlir::Value floatArithmetic(mlir::Type type, unsigned depth);
  mlir::Value integerArithmetic(mlir::Type type, unsigned depth);
  mlir::Value boolean(mlir::Type type, unsigned depth);
  mlir::Value convert(mlir::Type type, unsigned depth);
  mlir::Value index(int64_t value);
  mlir::Value offset(int64_t extent);

  // Shapes.cpp: values of a wanted type from tiles of another shape.
  mlir::Value reshaped(mlir::Type type, unsigned depth);
  mlir::Value reduced(mlir::Type type, unsigned depth);
  mlir::Value scanned(mlir::Type type, unsigned depth);
  mlir::Value multiplied(mlir::Type type, unsigned depth);
  mlir::Value moved(mlir::Type type, unsigned depth);
  /// Fills the combine region of a reduction or scan over one tile of `element`.
  void combineRegion(mlir::Region &region, mlir::Type element, bool isCommutative);

  mlir::Type element();
  Shape shape(unsigned rank, int64_t most = 256);
  int64_t size(int64_t extent);

  Random random;
  mlir::OpBuilder b;
  mlir::Location loc;
  Program program;
  mlir::func::FuncOp kernel;
  unsigned gridRank = 1;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<Output> outputs;
  llvm::SmallVector<Pointer> sources, targets, counters;
  llvm::SmallVector<mlir::Value> programIds;
  /// What a statement may use, innermost last; indices are scalars of i64 that are small.
  llvm::SmallVector<mlir::Value> scope, indices;
};

} // namespace metile::fuzz
