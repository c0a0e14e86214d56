// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: element after element, whatever the operands were computed by.

#include "Targets/Cpu/Emitter.h"

using namespace mlir;

namespace metile::cpu {

namespace {
struct Orderings {
  LLVM::AtomicOrdering success, failure;

  explicit Orderings(tile::MemoryOrder order) {
    using Ordering = LLVM::AtomicOrdering;
    switch (order) {
    case tile::MemoryOrder::Relaxed:
      success = failure = Ordering::monotonic;
      break;
    case tile::MemoryOrder::Acquire:
      success = failure = Ordering::acquire;
      break;
    case tile::MemoryOrder::Release:
      success = Ordering::release;
      failure = Ordering::monotonic;
      break;
    case tile::MemoryOrder::AcqRel:
      success = Ordering::acq_rel;
      failure = Ordering::acquire;
      break;
    }
  }
};
} // namespace

/// The instruction that does the whole operation; none for sums and extrema of floats, for which
/// there is none of the promised meaning.
static std::optional<LLVM::AtomicBinOp> binOpOf(tile::AtomicRmwOp op) {
  using tile::AtomicKind;
  bool isFloat = isa<FloatType>(tile::elementTypeOf(op.getType()));
  switch (op.getKind()) {
  case AtomicKind::Add:
    return isFloat ? std::optional<LLVM::AtomicBinOp>() : LLVM::AtomicBinOp::add;
  case AtomicKind::Max:
    if (isFloat)
      return std::nullopt;
    return op.getIsUnsigned() ? LLVM::AtomicBinOp::umax : LLVM::AtomicBinOp::max;
  case AtomicKind::Min:
    if (isFloat)
      return std::nullopt;
    return op.getIsUnsigned() ? LLVM::AtomicBinOp::umin : LLVM::AtomicBinOp::min;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Xchg:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("no other kind");
}

/// Stores `bits[1]` where `bits[0]` is found; the bits found and whether they were those.
static std::pair<Value, Value> compareExchange(OpBuilder &b, Location loc, Value pointer,
                                               Value expected, Value desired, Orderings orderings) {
  Value pair = LLVM::AtomicCmpXchgOp::create(b, loc, pointer, expected, desired, orderings.success,
                                             orderings.failure);
  return {LLVM::ExtractValueOp::create(b, loc, pair, ArrayRef<int64_t>{0}),
          LLVM::ExtractValueOp::create(b, loc, pair, ArrayRef<int64_t>{1})};
}

/// One element; returns what was there before. `values` are the operands after the pointer.
Value Emitter::emitAtomicElement(Operation *op, Value pointer, ArrayRef<Value> values) {
  Type element = values[0].getType();
  Type bits = b.getIntegerType(memoryType(element).getIntOrFloatBitWidth());
  auto toBits = [&](Value value) -> Value {
    if (element == i1)
      return convert(value, i8, true);
    return element == bits ? value : arith::BitcastOp::create(b, loc, bits, value).getResult();
  };
  auto fromBits = [&](Value value) -> Value {
    if (element == i1)
      return convert(value, i1, true);
    return element == bits ? value : arith::BitcastOp::create(b, loc, element, value).getResult();
  };
  if (auto cas = dyn_cast<tile::AtomicCasOp>(op))
    return fromBits(compareExchange(b, loc, pointer, toBits(values[0]), toBits(values[1]),
                                    Orderings(cas.getOrder()))
                        .first);
  auto rmw = cast<tile::AtomicRmwOp>(op);
  Orderings orderings(rmw.getOrder());
  if (auto binOp = binOpOf(rmw))
    return fromBits(
        LLVM::AtomicRMWOp::create(b, loc, *binOp, pointer, toBits(values[0]), orderings.success));
  Value first = LLVM::LoadOp::create(b, loc, bits, pointer, unsigned(byteSize(bits)), false, false,
                                     false, false, LLVM::AtomicOrdering::monotonic);
  auto retry = scf::WhileOp::create(
      b, loc, TypeRange(bits), ValueRange(first),
      [&](OpBuilder &, Location, ValueRange old) {
        Value before = fromBits(old[0]), sum;
        if (rmw.getKind() == tile::AtomicKind::Add)
          sum = arith::AddFOp::create(b, loc, before, values[0]);
        else if (rmw.getKind() == tile::AtomicKind::Max)
          sum = arith::MaximumFOp::create(b, loc, before, values[0]);
        else
          sum = arith::MinimumFOp::create(b, loc, before, values[0]);
        auto [found, isDone] = compareExchange(b, loc, pointer, old[0], toBits(sum), orderings);
        Value goesOn = arith::XOrIOp::create(b, loc, isDone, constant(i1, b.getBoolAttr(true)));
        scf::ConditionOp::create(b, loc, goesOn, ValueRange(found));
      },
      [&](OpBuilder &, Location, ValueRange found) { scf::YieldOp::create(b, loc, found); });
  return fromBits(retry.getResult(0));
}

/// An atomic operation on the elements of a tile, or on one.
void Emitter::emitAtomic(Operation *op) {
  flush();
  Value pointers = op->getOperand(0), result = op->getResult(0), mask;
  unsigned last = op->getNumOperands();
  if (auto rmw = dyn_cast<tile::AtomicRmwOp>(op))
    mask = rmw.getMask();
  else
    mask = cast<tile::AtomicCasOp>(op).getMask();
  if (mask)
    --last;
  Type element = tile::elementTypeOf(result.getType());
  ArrayRef<int64_t> shape = tile::shapeOf(result.getType());
  std::optional<Buffer> target;
  if (isTile(result) && !result.use_empty())
    target = allocate(shape, element, nameOf(result, "old"));

  int64_t mark = arena.mark();
  auto visit = [&](const Coords &coords) {
    SmallVector<Piece> pieces;
    SmallVector<Type> types;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      pieces.push_back(evaluate(op->getOperand(i), coords));
      types.push_back(tile::elementTypeOf(op->getOperand(i).getType()));
    }
    Type memory = memoryType(element);
    Value line;
    if (target && width > 1)
      line = scratchPointer(width, memory, "lanes");
    forEachLane(pieces, types, [&](Value lane, ArrayRef<Value> elements) {
      Value old;
      auto access = [&] { return emitAtomicElement(op, elements[0], elements.slice(1, last - 1)); };
      if (mask) {
        auto branch = scf::IfOp::create(b, loc, TypeRange(element), elements.back(), true, true);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(b, loc, access());
        b.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(b, loc, zero(element));
        old = branch.getResult(0);
      } else {
        old = access();
      }
      if (line)
        LLVM::StoreOp::create(b, loc, convert(old, memory, true), gep(line, memory, lane),
                              unsigned(byteSize(memory)));
      else if (target)
        write(bufferAddress(*target, coords), Piece::lanes(old), element, {});
      else if (!isTile(result))
        scalars[result] = old;
    });
    if (line) {
      Value lanes =
          LLVM::LoadOp::create(b, loc, vectorOf(memory, width), line, unsigned(byteSize(memory)));
      write(bufferAddress(*target, coords), Piece::lanes(convert(lanes, element, false)), element,
            {});
    }
  };
  visitTile(op, shape, chooseLaneAxis(pointers, nullptr, shape), visit);
  arena.release(mark);
  if (target)
    buffers[result] = *target;
}

} // namespace metile::cpu
