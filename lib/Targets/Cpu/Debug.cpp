// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print, assert and probe: a call of the host through the DebugChannel of artifact.h, with the
// values in memory. A failed assertion is also what the entry point returns.

#include "Dialect/Tile/DebugSite.h"
#include "Targets/Cpu/Emitter.h"

using namespace mlir;

namespace metile::cpu {

/// Memory of the running call, beside the worker's scratch.
Value Emitter::stackSlot(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  Value size = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(count));
  return LLVM::AllocaOp::create(b, loc, pointerType, type, size, unsigned(byteSize(type)));
}

/// The address of `value`, whose elements lie there in row-major order.
Value Emitter::inMemory(Value value) {
  if (!isTile(value)) {
    Type memory = memoryType(value.getType());
    Value slot = stackSlot(memory, 1);
    LLVM::StoreOp::create(b, loc, convert(scalarOf(value), memory, true), slot,
                          unsigned(byteSize(memory)));
    return slot;
  }
  if (auto it = buffers.find(value); it != buffers.end())
    return it->second.pointer;
  Buffer shown = allocate(tile::shapeOf(value.getType()), tile::elementTypeOf(value.getType()),
                          nameOf(value, "shown"));
  keep(value, &shown);
  return shown.pointer;
}

/// Shows the values at `addresses` to whoever listens.
void Emitter::callHost(int64_t site, ArrayRef<Value> addresses) {
  Value listens =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, debugChannel, zero(pointerType));
  auto branch = scf::IfOp::create(b, loc, listens, false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  Value list = stackSlot(pointerType, std::max<size_t>(1, addresses.size()));
  for (auto [i, address] : llvm::enumerate(addresses))
    LLVM::StoreOp::create(b, loc, address, gep(list, pointerType, int64_t(i)));
  Value host = LLVM::LoadOp::create(b, loc, pointerType, debugChannel);
  Value function =
      LLVM::LoadOp::create(b, loc, pointerType, gep(debugChannel, pointerType, int64_t(1)));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointerType, i32, i64, i64, i64, pointerType});
  Value number = constant(i32, b.getI32IntegerAttr(int32_t(site)));
  LLVM::CallOp::create(
      b, loc, type,
      ValueRange{function, host, number, programIds[0], programIds[1], programIds[2], list});
}

/// The row-major index of the first element of a tile of bools that is false; the number of
/// elements if there is none.
Value Emitter::firstFalse(Value bytes, int64_t count) {
  int64_t lanes = std::min<int64_t>(count, target.vectorBytes / 4);
  width = lanes;
  VectorType type = vectorOf(i32, lanes);
  Value none = constant(type, DenseElementsAttr::get(type, b.getI32IntegerAttr(int32_t(count))));
  SmallVector<int64_t> steps = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  auto turns = loop({}, constant(count), lanes, {none}, [&](Value base, ValueRange least) {
    Value held = LLVM::LoadOp::create(b, loc, vectorOf(i8, lanes), gep(bytes, i8, base), 1u);
    Value first = arith::TruncIOp::create(b, loc, i32, base);
    Value index = arith::AddIOp::create(b, loc, splat(first, lanes), table(i32, steps));
    Value found = arith::SelectOp::create(b, loc, convert(held, i1, true), none, index);
    return SmallVector<Value>{arith::MinUIOp::create(b, loc, least[0], found)};
  });
  width = 1;
  Value least =
      vector::ReductionOp::create(b, loc, vector::CombiningKind::MINUI, turns.getResult(0));
  return arith::ExtUIOp::create(b, loc, i64, least);
}

void Emitter::emitAssert(tile::AssertOp op, int64_t site) {
  Value condition = op.getCondition(), index = constant(0), fails;
  if (isTile(condition)) {
    int64_t count = cast<RankedTensorType>(condition.getType()).getNumElements();
    Value bytes = inMemory(condition);
    flush();
    index = firstFalse(bytes, count);
    fails = compare(arith::CmpIPredicate::slt, index, constant(count));
  } else {
    fails = arith::XOrIOp::create(b, loc, scalarOf(condition), constant(i1, b.getBoolAttr(true)));
  }
  auto branch = scf::IfOp::create(b, loc, fails, false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  LLVM::StoreOp::create(b, loc, constant(i32, b.getI32IntegerAttr(int32_t(site + 1))), failedSite);
  Value slot = stackSlot(i64, 1);
  LLVM::StoreOp::create(b, loc, index, slot);
  callHost(site, {slot});
}

void Emitter::emitDebug(Operation *op) {
  flush();
  auto number = int64_t(info.debugSites.size());
  int64_t mark = arena.mark();
  if (auto check = dyn_cast<tile::AssertOp>(op)) {
    emitAssert(check, number);
  } else {
    SmallVector<Value> addresses;
    for (Value value : op->getOperands())
      addresses.push_back(inMemory(value));
    flush();
    callHost(number, addresses);
  }
  arena.release(mark);
  info.debugSites.push_back(tile::debugSiteOf(op));
}

} // namespace metile::cpu
