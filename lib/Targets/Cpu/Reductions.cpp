// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace metile::cpu {

void Emitter::emitReduce(tile::ReduceOp op) {
  ArrayRef<int64_t> shape = tile::shapeOf(op.getSources()[0].getType());
  unsigned axis = op.getAxis();
  unsigned lane = chooseLaneAxis(op.getSources()[0], nullptr, shape);
  NestRoot root{NestRoot::Kind::reduce, op, {}, {}, false, false};
  addRoot(root, shape, lane, lane == axis ? -1 : int(axis));
}

/// The combine region applied to scalars or to vectors, lane by lane.
SmallVector<Value> Emitter::combine(Region &region, ArrayRef<Value> lhs, ArrayRef<Value> rhs) {
  llvm::DenseMap<Value, Piece> known;
  auto define = [&](Value from, Value to) { known[from] = Piece::lanes(to); };
  Block &block = region.front();
  for (auto [i, value] : llvm::enumerate(lhs))
    define(block.getArgument(i), value);
  for (auto [i, value] : llvm::enumerate(rhs))
    define(block.getArgument(lhs.size() + i), value);
  auto pieceOf = [&](Value value) {
    auto it = known.find(value);
    return it != known.end() ? it->second : evaluate(value, {});
  };
  SmallVector<Value> results;
  for (Operation &inner : block) {
    if (auto yield = dyn_cast<tile::YieldOp>(inner)) {
      for (Value value : yield.getValues())
        results.push_back(lanesOf(pieceOf(value), value.getType()));
      break;
    }
    if (auto number = dyn_cast<arith::ConstantOp>(inner)) {
      define(number, constant(number.getType(), number.getValue()));
      continue;
    }
    if (!isElementwise(&inner)) {
      known[inner.getResult(0)] = fail(&inner, "no rule for this operation in a combine region",
                                       inner.getResult(0).getType());
      continue;
    }
    SmallVector<Piece, 3> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(pieceOf(operand));
    known[inner.getResult(0)] = elementwise(&inner, operands, inner.getResult(0).getType());
  }
  return results;
}

/// The value that a combination with it leaves alone, where the region is a single known operation.
std::optional<SmallVector<Value>> Emitter::identity(tile::ReduceOp op, int64_t lanes) {
  Block &block = op.getCombine().front();
  if (op.getSources().size() != 1 || block.getOperations().size() != 2)
    return std::nullopt;
  Operation &inner = block.front();
  if (inner.getNumOperands() != 2 || inner.getOperand(0) == inner.getOperand(1) ||
      !llvm::all_of(inner.getOperands(), [&](Value v) { return v.getParentBlock() == &block; }))
    return std::nullopt;
  Type type = inner.getResult(0).getType();
  TypedAttr attr;
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    auto set = [&](llvm::APFloat number) { attr = b.getFloatAttr(type, number); };
    if (isa<arith::AddFOp>(inner))
      set(llvm::APFloat::getZero(semantics, true));
    else if (isa<arith::MulFOp>(inner))
      set(llvm::APFloat::getOne(semantics));
    else if (isa<arith::MaximumFOp>(inner))
      set(llvm::APFloat::getInf(semantics, true));
    else if (isa<arith::MinimumFOp>(inner))
      set(llvm::APFloat::getInf(semantics));
    else if (isa<arith::MaxNumFOp, arith::MinNumFOp>(inner))
      set(llvm::APFloat::getNaN(semantics));
  } else {
    unsigned bits = type.getIntOrFloatBitWidth();
    auto set = [&](APInt number) { attr = b.getIntegerAttr(type, number); };
    if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(inner))
      set(APInt::getZero(bits));
    else if (isa<arith::MulIOp>(inner))
      set(APInt(bits, 1));
    else if (isa<arith::AndIOp, arith::MinUIOp>(inner))
      set(APInt::getAllOnes(bits));
    else if (isa<arith::MaxSIOp>(inner))
      set(APInt::getSignedMinValue(bits));
    else if (isa<arith::MinSIOp>(inner))
      set(APInt::getSignedMaxValue(bits));
  }
  if (!attr)
    return std::nullopt;
  Piece piece;
  piece.value = constant(type, attr);
  return SmallVector<Value>{lanesOf(piece, type)};
}

SmallVector<Type> Emitter::accumulatorTypes(ArrayRef<NestRoot> roots, unsigned pieces) {
  SmallVector<Type> types;
  for (const NestRoot &root : roots) {
    if (root.kind != NestRoot::Kind::reduce)
      continue;
    for (unsigned piece = 0; piece < pieces; ++piece)
      for (Value source : cast<tile::ReduceOp>(root.op).getSources()) {
        Type element = tile::elementTypeOf(source.getType());
        types.push_back(width == 1 ? element : vectorOf(element, width));
      }
  }
  return types;
}

SmallVector<Value> Emitter::accumulateLoop(ArrayRef<NestRoot> roots, int64_t extent, int64_t step,
                                           llvm::function_ref<SmallVector<Coords>(Value)> at) {
  if (extent == step)
    return emitChunk(roots, at({}), {});
  SmallVector<Value> init;
  bool hasIdentities = true;
  unsigned pieces = at({}).size();
  for (const NestRoot &root : roots) {
    if (root.kind != NestRoot::Kind::reduce)
      continue;
    auto values = identity(cast<tile::ReduceOp>(root.op), width);
    if (!values) {
      hasIdentities = false;
      break;
    }
    for (unsigned piece = 0; piece < pieces; ++piece)
      init.append(*values);
  }
  if (!hasIdentities)
    init = emitChunk(roots, at({}), {});
  Value from = hasIdentities ? Value() : constant(step);
  auto turns = loop(from, constant(extent), step, init, [&](Value index, ValueRange sums) {
    return emitChunk(roots, at(index), llvm::to_vector(sums));
  });
  return SmallVector<Value>(turns.getResults());
}

void Emitter::finishLanes(ArrayRef<NestRoot> roots, unsigned pieces, ArrayRef<Value> accumulators,
                          const Coords &coords, unsigned laneAxis) {
  int64_t lanes = width;
  Coords row = coords;
  row.erase(row.begin() + laneAxis);
  for (const NestRoot &root : roots) {
    if (root.kind != NestRoot::Kind::reduce)
      continue;
    auto op = cast<tile::ReduceOp>(root.op);
    size_t count = op.getSources().size();
    width = lanes;
    SmallVector<Value> sum = llvm::to_vector(accumulators.take_front(count));
    accumulators = accumulators.drop_front(count);
    for (unsigned piece = 1; piece < pieces; ++piece) {
      sum = combine(op.getCombine(), sum, accumulators.take_front(count));
      accumulators = accumulators.drop_front(count);
    }
    while (width > 1) {
      int64_t half = width / 2;
      SmallVector<int64_t> low = llvm::to_vector(llvm::seq<int64_t>(0, half));
      SmallVector<int64_t> high = llvm::to_vector(llvm::seq<int64_t>(half, width));
      SmallVector<Value> left, right;
      for (Value value : sum) {
        if (half == 1) {
          left.push_back(vector::ExtractOp::create(b, loc, value, int64_t(0)));
          right.push_back(vector::ExtractOp::create(b, loc, value, int64_t(1)));
          continue;
        }
        left.push_back(vector::ShuffleOp::create(b, loc, value, value, low));
        right.push_back(vector::ShuffleOp::create(b, loc, value, value, high));
      }
      width = half;
      sum = combine(op.getCombine(), left, right);
    }
    for (auto [result, value] : llvm::zip(op.getResults(), sum)) {
      if (!isTile(result)) {
        scalars[result] = value;
        continue;
      }
      Type element = tile::elementTypeOf(result.getType());
      Buffer buffer = allocate(tile::shapeOf(result.getType()), element, nameOf(result, "reduced"));
      Piece piece;
      piece.value = value;
      write(bufferAddress(buffer, row), piece, element, {});
      buffers[result] = buffer;
      scopes.back()[{result.getAsOpaquePointer(), row}] = piece;
    }
  }
  width = lanes;
}

void Emitter::finishColumns(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces, unsigned columnAxis,
                            ArrayRef<Value> accumulators) {
  for (const NestRoot &root : roots) {
    auto op = cast<tile::ReduceOp>(root.op);
    for (Value result : op.getResults())
      if (!buffers.count(result))
        buffers[result] =
            allocate(tile::shapeOf(result.getType()), tile::elementTypeOf(result.getType()),
                     nameOf(result, "reduced"));
    for (const Coords &coords : pieces) {
      Coords at = coords;
      at.erase(at.begin() + columnAxis);
      for (Value result : op.getResults()) {
        Piece piece;
        piece.kind = width == 1 ? Piece::Kind::uniform : Piece::Kind::vector;
        piece.value = accumulators.front();
        accumulators = accumulators.drop_front();
        write(bufferAddress(buffers[result], at), piece, tile::elementTypeOf(result.getType()), {});
      }
    }
  }
}

} // namespace metile::cpu
