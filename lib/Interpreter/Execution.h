// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution: one program of a launch, operation by operation in the order of the text. Each value
// of the program is kept as it was computed; nothing is fused, skipped or reordered. Must not know
// how the kernel was loaded or launched.
#pragma once

#include "Interpreter/Elementwise.h"
#include "Interpreter/Memory.h"
#include "Interpreter/Tile.h"
#include "Interpreter/Types.h"

#include "Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace metile::interpreter {

/// A kernel whose operations are all understood.
struct LoadedKernel {
  mlir::func::FuncOp function;
  std::vector<ArgumentInfo> arguments;
  /// What each elementwise operation of the kernel does.
  llvm::DenseMap<mlir::Operation *, ElementFunction> elementwise;
  /// The number of each debug site.
  llvm::DenseMap<mlir::Operation *, int32_t> debugSites;
};

class Execution {
public:
  Execution(const LoadedKernel &kernel, const InterpretedLaunch &launch, Memory &memory,
            Findings &findings);

  /// Whether some operation of this kind is executed here; elementwise ones are not among them.
  static bool handles(mlir::Operation &op);

  /// The extents that the kernel's tile.grid computes, 0 for those below; 1 on missing axes.
  std::array<int64_t, 3> grid();
  /// Runs one program of a grid of these extents.
  void run(const Program &program, const std::array<int64_t, 3> &extents);

private:
  friend struct Handlers;
  using Tiles = std::vector<Tile>;

  // ---- values and control (Execution.cpp, Control.cpp) ----
  void bindArguments(const InterpretedLaunch &launch);
  void execute(mlir::Operation &op);
  void executeElementwise(mlir::Operation &op, const ElementFunction &function);
  /// Runs the operations of `block` with these values of its arguments; the operands of its
  /// terminator come back.
  Tiles runBlock(mlir::Block &block, const Tiles &arguments);
  /// Computes `value` and what it depends on, for values that need no program.
  void compute(mlir::Value value);
  const Tile &get(mlir::Value value) const;
  Tiles get(mlir::ValueRange values) const;
  int64_t integer(mlir::Value scalar) const;
  std::vector<int64_t> integers(mlir::ValueRange scalars) const;
  void set(mlir::Value value, Tile tile) { tiles[value] = std::move(tile); }
  void set(mlir::ValueRange values, Tiles results);

  void constant(mlir::arith::ConstantOp op);
  void forLoop(mlir::scf::ForOp op);
  void whileLoop(mlir::scf::WhileOp op);
  void branch(mlir::scf::IfOp op);
  void declareGrid(tile::GridOp) {} // Evaluated before the launch.
  void programId(tile::ProgramIdOp op);
  void numPrograms(tile::NumProgramsOp op);

  // ---- shapes (Shapes.cpp) ----
  void arange(tile::ArangeOp op);
  void splat(tile::SplatOp op);
  void expandDims(tile::ExpandDimsOp op);
  void broadcast(tile::BroadcastOp op);
  void reshape(tile::ReshapeOp op);
  void transpose(tile::TransposeOp op);
  void join(tile::JoinOp op);
  void split(tile::SplitOp op);
  void flip(tile::FlipOp op);
  void gather(tile::GatherOp op);

  // ---- memory (Access.cpp) ----
  void advance(tile::AddPtrOp op);
  void load(tile::LoadOp op);
  void store(tile::StoreOp op);
  void viewSize(tile::ViewSizeOp op);
  void viewStride(tile::ViewStrideOp op);
  void viewAt(tile::ViewAtOp op);
  void viewTranspose(tile::ViewTransposeOp op);
  void viewLoad(tile::ViewLoadOp op);
  void viewStore(tile::ViewStoreOp op);
  void viewPointers(tile::ViewPointersOp op);

  /// Calls visit(i, access) for each element i of a tile of `tileType` that has memory in the view.
  void visitView(mlir::Operation *op, mlir::Value view, mlir::ValueRange offsets,
                 std::optional<llvm::ArrayRef<bool>> inBounds, mlir::Type tileType,
                 llvm::function_ref<void(int64_t, const Access &)> visit);

  // ---- atomics (Atomics.cpp) ----
  void atomicRmw(tile::AtomicRmwOp op);
  void atomicCas(tile::AtomicCasOp op);

  // ---- combining elements (Reductions.cpp) ----
  void dot(tile::DotOp op);
  void reduce(tile::ReduceOp op);
  void scan(tile::ScanOp op);
  /// One application of a combine region.
  Tiles combine(mlir::Region &region, const Tiles &first, const Tiles &second);

  // ---- sorting and counting (Sorting.cpp) ----
  void sort(tile::SortOp op);
  void histogram(tile::HistogramOp op);

  // ---- debugging (Debugging.cpp) ----
  /// Hands the operands of a debug site to the host.
  void show(mlir::Operation &op);
  void print(tile::PrintOp op) { show(*op); }
  void probe(tile::ProbeOp op) { show(*op); }
  void require(tile::AssertOp op);

  const LoadedKernel &kernel;
  mlir::func::FuncOp function;
  Memory &memory;
  Findings &findings;
  const DebugChannel *debug;
  Program program;
  std::array<int64_t, 3> extents{1, 1, 1};
  llvm::DenseMap<mlir::Value, Tile> tiles;
  llvm::DenseMap<mlir::Value, View> views;
};

} // namespace metile::interpreter
