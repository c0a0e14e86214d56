// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emitter: builds the lowered function. A tile value is lazy (evaluated piece by piece where it is
// needed), kept in a scratch buffer, or in registers while a loop nest runs. Internal to the CPU
// lowering; must not know single kernels.
#pragma once

#include "Report/IrMarks.h"
#include "Targets/Cpu/KernelFacts.h"
#include "Targets/Cpu/LowerTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace metile::cpu {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using mlir::Location;
using mlir::Operation;
using mlir::Type;
using mlir::Value;

/// Index along one axis for each lane of a piece: base + offset + table[lane]. Table 0 is 0 in all
/// lanes.
struct Coord {
  Value base;
  int64_t offset = 0;
  unsigned lanes = 0;

  bool operator==(const Coord &other) const {
    return base == other.base && offset == other.offset && lanes == other.lanes;
  }
};
using Coords = SmallVector<Coord, 4>;

/// Marks of coordinates that stand for an axis while a tree is only inspected: the axis is in
/// `offset`, or the coordinate is some unknown function of axes.
inline constexpr unsigned axisMark = ~0u, unknownMark = ~0u - 1;
inline bool isMark(const Coord &coord) { return coord.lanes >= unknownMark; }

/// The elements of a value at the lanes of a piece.
struct Piece {
  enum class Kind : uint8_t {
    uniform, ///< One scalar for all lanes.
    affine,  ///< i64: value + lane * stride.
    vector,
  };
  Kind kind = Kind::uniform;
  Value value;
  /// For affine; strideValue wins if set.
  int64_t stride = 0;
  Value strideValue;
  /// Pointers: an address (scalar or vector of them) to which the rest is an offset in elements; a
  /// null `value` is an offset of zero.
  Value pointer;

  bool isUniform() const { return kind == Kind::uniform; }
  /// A vector, or one scalar for all lanes.
  static Piece lanes(Value value) {
    Piece piece;
    piece.kind = mlir::isa<mlir::VectorType>(value.getType()) ? Kind::vector : Kind::uniform;
    piece.value = value;
    return piece;
  }
};

/// A tile in memory of our own.
struct Buffer {
  Value pointer;
  Type element; ///< Of the tile; memory may hold another type (memoryType).
  SmallVector<int64_t, 4> strides;
  /// Nonzero: the last axis is cut in panels of so many elements, `panelStride` apart.
  int64_t panel = 0, panelStride = 0;
};

struct View {
  Value data;
  Type element;
  SmallVector<Value, 4> sizes, strides;
  Value valid; ///< i1; null: true. False makes the view empty.
};

/// Addresses of the lanes of a piece.
struct Address {
  Type memory;   ///< Element type in memory.
  Value pointer; ///< Scalar or vector.
  Piece offset;  ///< In elements; a null value is zero.
};

/// Which lanes of an access are wanted. Null parts want all.
struct Mask {
  Value scalar; ///< i1
  Value vector; ///< Vector of i1.
  bool isAll() const { return !scalar && !vector; }
};

/// Bytes of scratch with lifetimes in the manner of a stack.
class ScratchArena {
public:
  /// Offset of `bytes` bytes, 64-byte aligned.
  int64_t allocate(int64_t bytes);
  int64_t mark() const { return top; }
  /// Frees everything allocated since mark().
  void release(int64_t to) { top = to; }
  int64_t size() const { return peak; }

private:
  int64_t top = 0, peak = 0;
};

/// One result of a nest.
struct NestRoot {
  enum class Kind : uint8_t { store, keep, reduce, scan, visit };
  Kind kind;
  Operation *op = nullptr;   ///< All but keep.
  Value value;               ///< What keep evaluates.
  Buffer target;             ///< Where keep writes.
  bool isUnsigned = false;   ///< keep: integers are zero-extended where memory is wider.
  bool isDefinition = false; ///< keep: from now on the value is read from target.
  /// visit: called for each piece of the operation's tiles.
  std::function<void(const Coords &)> visit = {};
};

/// Loops over one tile shape. Stages run one after the other inside the loops over rows, each of
/// them a loop over the lane axis.
struct Nest {
  SmallVector<int64_t, 4> shape;
  unsigned laneAxis = 0;
  /// The axis reduced, if it is not the lane axis: then the nest holds only such reductions.
  int columnAxis = -1;
  /// Axes that are not looped over (batch axes of a dot), with their coordinate.
  std::map<unsigned, Coord> fixed;
  /// Lanes of a piece at most; 0: no limit.
  int64_t maxLanes = 0;
  SmallVector<SmallVector<NestRoot, 2>, 2> stages;
  SmallVector<Operation *> loads;
};

class Emitter {
public:
  Emitter(mlir::func::FuncOp kernel, const TargetDesc &target, const CpuPlan &plan,
          CpuLoweringInfo &info);
  mlir::LogicalResult run();

private:
  // EmitFunction.cpp: the function, its arguments, operations on scalars.
  void collectArguments();
  std::optional<SizeExpr> sizeExpr(Value value);
  void collectGrid();
  void emitArguments(Value slots);
  void emitBlock(mlir::Block &block);
  Operation *skipIfFailed();
  void emitOp(Operation *op);
  void emitScalarOp(Operation *op);
  void emitScalarMemory(Operation *op);
  void emitView(Operation *op);

  // EmitControl.cpp
  void emitFor(mlir::scf::ForOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitIf(mlir::scf::IfOp op);
  /// Writes the tiles among the operands of `terminator` (from `first` on) to `targets`; `carried`
  /// are the values that live in the targets until then, if any.
  void yieldTiles(Operation *terminator, unsigned first, ArrayRef<Buffer> targets,
                  ArrayRef<Value> carried);
  bool mayOverwrite(Value carried, Operation *writer, unsigned operand);
  Value uniformStep(mlir::scf::ForOp op, unsigned index);
  std::string describeLoop(mlir::scf::ForOp op);

  // Values.cpp: evaluation of lazy values.
  Piece evaluate(Value value, const Coords &coords);
  Piece evaluateNew(Value value, const Coords &coords);
  Piece evaluateConstant(mlir::arith::ConstantOp op, const Coords &coords);
  Piece evaluateJoin(tile::JoinOp op, const Coords &coords);
  Piece evaluateGather(tile::GatherOp op, const Coords &coords);
  Piece elementwise(Operation *op, ArrayRef<Piece> operands, Type resultElement);
  std::optional<Piece> affine(Operation *op, const Piece &lhs, const Piece &rhs);
  Piece addPointer(Piece pointer, Piece offset);
  Piece addPieces(const Piece &lhs, const Piece &rhs);
  Value lanesOf(const Piece &piece, Type element);
  Value toScalar(const Piece &piece, Type element);
  Piece coordPiece(const Coord &coord, int64_t start);
  /// Emits the first error; the rest are likely to follow from it.
  void report(Operation *op, const llvm::Twine &message);
  Piece fail(Operation *op, const llvm::Twine &message, Type element);
  Value scalarOf(Value value);

  // Coordinates.cpp
  bool operandCoords(Value value, unsigned operand, const Coords &coords, Coords &result);
  Coord flipCoord(const Coord &coord, int64_t extent);
  void reshapeCoords(ArrayRef<int64_t> from, ArrayRef<int64_t> to, const Coords &coords,
                     Coords &result);
  /// Calls `visit` for the values of a lazy tree, users first; descends where it returns true.
  void walkTree(Value value, const Coords &coords,
                llvm::function_ref<bool(Value, const Coords &)> visit);
  Value coordValue(const Coord &coord);
  unsigned laneTable(ArrayRef<int64_t> table);
  unsigned consecutiveLanes(int64_t count);
  ArrayRef<int64_t> lanesOf(unsigned table) const { return tables[table]; }
  std::optional<int64_t> strideOf(ArrayRef<int64_t> table) const;

  // Builders.cpp: small operations, folded where possible. A null i64 is zero.
  Value constant(int64_t value);
  Value constant(Type type, mlir::TypedAttr attr);
  Value zero(Type type);
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value land(Value lhs, Value rhs);
  Value compare(mlir::arith::CmpIPredicate predicate, Value lhs, Value rhs);
  mlir::VectorType vectorOf(Type element, int64_t lanes) const;
  Value toVector(const Piece &piece, Type element);
  Value splat(Value scalar, int64_t lanes);
  Value reversed(Value vector);
  Value table(Type element, ArrayRef<int64_t> values);
  Value gep(Value pointer, Type element, Value index);
  Value gep(Value pointer, Type element, int64_t index);
  Value convert(Value value, Type to, bool isUnsigned);
  Type memoryType(Type element) const;
  Type registerType(Type element) const;
  int64_t byteSize(Type memory) const;

  // Memory.cpp
  Piece read(const Address &address, Type element, const Mask &mask, const Piece *other);
  void write(const Address &address, const Piece &value, Type element, const Mask &mask,
             bool isUnsigned = false);
  Address bufferAddress(const Buffer &buffer, const Coords &coords);
  Address viewAddress(const View &view, mlir::ValueRange offsets, const Coords &coords);
  Address pointerAddress(Value pointers, const Coords &coords);
  Value pointerVector(const Address &address);
  Value contiguousPointer(const Address &address);
  Value vectorMask(const Mask &mask);
  Piece load(Operation *op, const Coords &coords);
  void store(Operation *op, const Coords &coords);

  // Bounds.cpp
  Mask viewMask(Operation *op, const Coords &coords);
  Mask edgeMask(Operation *op, const Coords &coords);
  Piece maskPiece(const Mask &mask);
  /// Lanes with base + lane < end, exact for all numbers.
  Value lanesBelow(Value base, Value end);
  Value lanesFromZero(Value base);
  Mask pointerMask(Operation *op, Value mask, const Coords &coords);
  bool isInside(Operation *viewAccess, unsigned axis, bool end) const;
  void edgeConditions(Operation *op, const Coords &coords, SmallVectorImpl<Value> &conditions);
  /// Appends what must hold for `op` to touch nothing outside, if that can be tested.
  void conditionsOf(Operation *op, const Coords &coords, SmallVectorImpl<Value> &conditions);
  bool allTrue(Value mask, const Coords &coords, SmallVectorImpl<Value> &conditions);

  // Nests.cpp
  void keep(Value value, const Buffer *target = nullptr);
  void addRoot(NestRoot root, ArrayRef<int64_t> shape, unsigned laneAxis, int columnAxis = -1);
  std::optional<unsigned> stageFor(const NestRoot &root, SmallVectorImpl<Operation *> &loads);
  void flush();
  /// One of the axes from `first` on.
  unsigned chooseLaneAxis(Value value, Operation *store, ArrayRef<int64_t> shape,
                          unsigned first = 0);
  void emitNest(Nest &nest);
  void emitRows(Nest &nest, unsigned axis, Coords &coords);
  void emitStage(Nest &nest, ArrayRef<NestRoot> roots, const Coords &coords);
  void hoist(const Nest &nest, ArrayRef<NestRoot> roots, const Coords &coords);
  SmallVector<Value> emitChunk(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces,
                               ArrayRef<Value> accumulators);
  SmallVector<Value> emitGuarded(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces,
                                 mlir::TypeRange types,
                                 llvm::function_ref<SmallVector<Value>()> body);
  SmallVector<Value> emitRoots(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces,
                               ArrayRef<Value> accumulators);
  /// A nest of its own that calls `visit` at each piece of `shape`, over which `op` has its
  /// operands.
  void visitTile(Operation *op, ArrayRef<int64_t> shape, unsigned laneAxis,
                 llvm::function_ref<void(const Coords &)> visit);
  /// A loop over the lanes of `pieces`; `body` gets the lane (null: there is but one) and the
  /// elements there.
  void forEachLane(ArrayRef<Piece> pieces, ArrayRef<Type> types,
                   llvm::function_ref<void(Value, ArrayRef<Value>)> body);
  int64_t chunkLanes(const Nest &nest, ArrayRef<NestRoot> roots, int64_t extent);
  std::pair<unsigned, std::string> chooseUnroll(const Nest &nest, ArrayRef<NestRoot> roots);
  void defineBuffers(ArrayRef<NestRoot> roots);
  mlir::scf::ForOp loop(Value from, Value to, int64_t step, mlir::ValueRange init,
                        llvm::function_ref<SmallVector<Value>(Value, mlir::ValueRange)> body);

  // Reductions.cpp
  void emitReduce(tile::ReduceOp op);
  SmallVector<Value> combine(mlir::Region &region, ArrayRef<Value> lhs, ArrayRef<Value> rhs);
  std::optional<SmallVector<Value>> identity(tile::ReduceOp op, int64_t lanes);
  SmallVector<Value> accumulateLoop(ArrayRef<NestRoot> roots, int64_t extent, int64_t step,
                                    llvm::function_ref<SmallVector<Coords>(Value)> at);
  SmallVector<Type> accumulatorTypes(ArrayRef<NestRoot> roots, unsigned pieces);
  void finishLanes(ArrayRef<NestRoot> roots, unsigned pieces, ArrayRef<Value> accumulators,
                   const Coords &coords, unsigned laneAxis);
  void finishColumns(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces, unsigned columnAxis,
                     ArrayRef<Value> accumulators);

  // Scans.cpp
  void emitScan(tile::ScanOp op);
  void emitScanStage(const Nest &nest, const NestRoot &root, const Coords &row);
  SmallVector<Value> scanPieces(const NestRoot &root, ArrayRef<Coords> pieces,
                                ArrayRef<Value> carried, ArrayRef<Type> types);
  SmallVector<Value> scanLanes(tile::ScanOp op, ArrayRef<Value> lanes);

  // Sorts.cpp
  struct SortItem;
  struct SortLine;
  void emitSort(tile::SortOp op);
  void sortLine(const SortLine &line);
  Value sortKey(Value value, Type element, bool isUnsigned, bool isDescending);
  std::pair<SortItem, SortItem> exchangeItems(const SortItem &a, const SortItem &z);
  SortItem exchangeLanes(const SortLine &line, const SortItem &items, int64_t partner);
  SortItem loadItems(const SortLine &line, Value at, bool isReversed);
  void storeItems(const SortLine &line, Value at, const SortItem &items, bool isReversed);
  void emitHistogram(tile::HistogramOp op);

  // Atomics.cpp
  void emitAtomic(Operation *op);
  Value emitAtomicElement(Operation *op, Value pointer, ArrayRef<Value> values);

  // Debug.cpp
  void emitDebug(Operation *op);
  void emitAssert(tile::AssertOp op, int64_t site);
  void callHost(int64_t site, ArrayRef<Value> addresses);
  Value inMemory(Value value);
  Value firstFalse(Value bytes, int64_t count);
  Value stackSlot(Type type, int64_t count);

  // Dot.cpp, MicroKernel.cpp
  struct DotShape;
  struct DotOperand;
  void emitDot(tile::DotOp op);
  Operation *viewBehind(Value operand, const Coords &at, Coords &coords);
  Value termsInside(Value operand, const DotShape &dot, unsigned depthMark);
  Value rowEnd(const DotShape &dot);
  std::optional<DotOperand> inPlace(Value operand, const DotShape &dot, const Coords &batch,
                                    SmallVectorImpl<Value> &conditions, std::string &obstacle);
  DotOperand lhsOperand(const DotShape &dot, const Coords &batch, DotInfo &described);
  DotOperand rhsOperand(const DotShape &dot, const Coords &batch, DotInfo &described);
  DotOperand choose(Value inside, const DotOperand &there, llvm::function_ref<DotOperand()> packed);
  void pack(Value operand, const Buffer &buffer, unsigned laneAxis, int64_t maxLanes,
            bool isUnsigned, const Coords &batch);
  void packTransposed(const DotShape &dot, const Buffer &buffer, const Coords &batch);
  void transposeInRegisters(llvm::MutableArrayRef<Value> rows);
  void emitMicroKernels(const DotShape &dot, const DotOperand &lhs, const DotOperand &rhs,
                        Value acc);
  void emitMicroKernel(const DotShape &dot, unsigned rows, Value lhs, Value rhs, Value acc,
                       const DotOperand &left, const DotOperand &right);

  // Explain.cpp: why things are as they are.
  void explainBounds();
  void explainRegisterTile(const DotInfo &described);
  /// `bytes`: of a copy. `obstacle`: why it cannot be read in place; empty if it can.
  void explainOperand(const DotInfo &described, llvm::StringRef operand, int64_t bytes,
                      bool isGuarded, const std::string &obstacle);
  void explainPlacement(const NestRoot &root, bool isLocal);
  void explainUnroll(ArrayRef<NestRoot> roots, int64_t extent, unsigned unroll,
                     const std::string &limit);

  // Scratch.
  Buffer allocate(ArrayRef<int64_t> shape, Type element, const llvm::Twine &name);
  Value scratchPointer(int64_t elements, Type memory, const llvm::Twine &name);
  std::string nameOf(Value value, llvm::StringRef fallback);

  struct Key {
    void *value;
    Coords coords;
    bool operator<(const Key &other) const;
  };
  void pushScope() { scopes.emplace_back(); }
  void popScope() { scopes.pop_back(); }

  mlir::func::FuncOp kernel;
  const TargetDesc &target;
  const CpuPlan &plan;
  CpuLoweringInfo &info;
  KernelFacts facts;
  mlir::OpBuilder b;
  Location loc;
  Type i1, i8, i32, i64, f32, pointerType;
  bool failed = false;

  Value entryPoint; ///< Scratch argument; pointers into it are made at the function's entry.
  mlir::Block *entry = nullptr;
  Value gridExtents[3], programIds[3];
  Value debugChannel; ///< Null if the kernel shows nothing.
  Value failedSite;   ///< Where 1 + the number of a failed assertion is kept; null without any.
  ScratchArena arena;
  llvm::StringMap<unsigned> usedNames;
  unsigned loopCount = 0;

  llvm::DenseMap<Value, Value> scalars;
  llvm::DenseMap<Value, Buffer> buffers;
  llvm::DenseMap<Value, View> views;
  /// Carried tiles that equal their first value plus a scalar: first value, sum of steps.
  llvm::DenseMap<Value, std::pair<Value, Value>> shifted;
  /// Where a dot may leave its result.
  llvm::DenseMap<Value, Buffer> destinations;
  llvm::DenseMap<std::pair<Type, mlir::Attribute>, Value> constants;

  // While a nest runs.
  int64_t width = 1;
  bool isInsideBounds = false; ///< Tests collected by conditionsOf hold.
  bool isStaging = false;      ///< Reads fill the packed copy of a dot's operand.
  llvm::DenseSet<Operation *> testedMasks;
  std::vector<std::map<Key, Piece>> scopes;
  std::vector<SmallVector<int64_t>> tables;
  std::map<SmallVector<int64_t>, unsigned> tableIds;

  std::optional<Nest> pending;
  llvm::DenseMap<Value, unsigned> pendingStage;
};

} // namespace metile::cpu
