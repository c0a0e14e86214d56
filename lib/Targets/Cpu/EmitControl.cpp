// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches. Scalars are carried as values; a carried tile has one home in scratch, which
// is written in place where nothing else still reads the old tile.

#include "Targets/Cpu/Emitter.h"

using namespace mlir;

namespace metile::cpu {

/// Whether `writer` may replace the carried tile while it evaluates its operand: everybody else has
/// read it by then, and it reads each element just before it writes it.
bool Emitter::mayOverwrite(Value carried, Operation *writer, unsigned operand) {
  for (const Root &root : facts.roots(carried)) {
    if (root.op == writer ? root.operand != operand : facts.order(root.op) > facts.order(writer))
      return false;
  }
  bool inPlace = true;
  size_t rank = tile::shapeOf(carried.getType()).size();
  Coords marks(rank);
  for (size_t axis = 0; axis < rank; ++axis)
    marks[axis] = {{}, int64_t(axis), axisMark};
  walkTree(writer->getOperand(operand), marks, [&](Value node, const Coords &coords) {
    if (node == carried)
      inPlace &= coords == marks;
    return true;
  });
  return inPlace;
}

void Emitter::yieldTiles(Operation *terminator, unsigned first, ArrayRef<Buffer> targets,
                         ArrayRef<Value> carried) {
  flush();
  SmallVector<std::tuple<Value, Buffer, Buffer>> copies;
  for (unsigned i = 0; i < targets.size(); ++i) {
    const Buffer &home = targets[i];
    Value value = terminator->getOperand(first + i);
    if (!home.pointer)
      continue;
    if (auto it = buffers.find(value); it != buffers.end() && it->second.pointer == home.pointer)
      continue;
    if (carried.empty() || mayOverwrite(carried[i], terminator, first + i)) {
      keep(value, &home);
      continue;
    }
    Buffer next = allocate(tile::shapeOf(value.getType()), home.element, "next");
    keep(value, &next);
    copies.push_back({value, next, home});
  }
  flush();
  for (auto &[value, next, home] : copies) {
    auto old = buffers.find(value);
    std::optional<Buffer> saved;
    if (old != buffers.end())
      saved = old->second;
    buffers[value] = next;
    keep(value, &home);
    flush();
    if (saved)
      buffers[value] = *saved;
    else
      buffers.erase(value);
  }
}

/// The scalar (in the kernel's IR) by which alone the carried tile grows, the same for all
/// elements: then the scalar is carried and the tile stays lazy. Null if there is none.
Value Emitter::uniformStep(scf::ForOp op, unsigned index) {
  if (plan.scratchEverything)
    return {};
  Value argument = op.getRegionIterArgs()[index];
  Operation *next = op.getBody()->getTerminator()->getOperand(index).getDefiningOp();
  if (!isa_and_nonnull<tile::AddPtrOp, arith::AddIOp>(next))
    return {};
  Type element = tile::elementTypeOf(argument.getType());
  if (!isa<tile::PtrType>(element) && element != i64)
    return {};
  Value other;
  if (next->getOperand(0) == argument)
    other = next->getOperand(1);
  else if (isa<arith::AddIOp>(next) && next->getOperand(1) == argument)
    other = next->getOperand(0);
  else
    return {};
  Value step;
  if (auto constant = other.getDefiningOp<arith::ConstantOp>()) {
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!dense || !dense.isSplat())
      return {};
    step = other;
  } else if (auto splat = other.getDefiningOp<tile::SplatOp>()) {
    step = splat.getValue();
  } else {
    return {};
  }
  // The first tile is evaluated again wherever the carried one is used, so it must not change.
  bool isStable = true;
  size_t rank = tile::shapeOf(argument.getType()).size();
  walkTree(op.getInitArgs()[index], Coords(rank), [&](Value node, const Coords &) {
    Operation *def = node.getDefiningOp();
    if (isTile(node))
      isStable &= def && isLazy(def) && !isa<tile::LoadOp, tile::ViewLoadOp>(def) &&
                  !buffers.count(node) && !facts.isKept(node);
    return isStable;
  });
  return isStable ? step : Value();
}

/// "kb" for a loop that walks the K of a dot in its body.
std::string Emitter::describeLoop(scf::ForOp op) {
  Value index = op.getInductionVar();
  bool walksDepth = false;
  op.getBody()->walk([&](tile::DotOp dot) {
    SmallVector<Value> work{dot.getLhs(), dot.getRhs()};
    llvm::DenseSet<Value> seen;
    while (!work.empty() && !walksDepth) {
      Value value = work.pop_back_val();
      walksDepth |= value == index;
      if (!seen.insert(value).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        // A pointer that each turn moves on walks as well as an index does.
        walksDepth |= argument.getOwner() == op.getBody();
        continue;
      }
      if (Operation *def = value.getDefiningOp(); op->isProperAncestor(def))
        llvm::append_range(work, def->getOperands());
    }
  });
  if (walksDepth)
    return "kb";
  return nameOf(index, "i");
}

void Emitter::emitFor(scf::ForOp op) {
  flush();
  unsigned count = op.getInitArgs().size();
  SmallVector<Value> init;
  SmallVector<Buffer> homes(count);
  SmallVector<Value> steps(count);
  Operation *terminator = op.getBody()->getTerminator();
  for (unsigned i = 0; i < count; ++i) {
    Value first = op.getInitArgs()[i];
    if (!isTile(first)) {
      init.push_back(scalarOf(first));
    } else if ((steps[i] = uniformStep(op, i))) {
      init.push_back(constant(0));
    } else {
      homes[i] = allocate(tile::shapeOf(first.getType()), tile::elementTypeOf(first.getType()),
                          nameOf(op.getRegionIterArgs()[i], "carried"));
      keep(first, &homes[i]);
    }
  }
  flush();
  SmallVector<Value> carried(op.getRegionIterArgs().begin(), op.getRegionIterArgs().end());
  for (unsigned i = 0; i < count; ++i) {
    if (!homes[i].pointer)
      continue;
    buffers[carried[i]] = homes[i];
    // A dot that makes the next tile may leave it right there.
    auto dot = terminator->getOperand(i).getDefiningOp<tile::DotOp>();
    if (dot && dot->getBlock() == op.getBody() && mayOverwrite(carried[i], dot, 2))
      destinations[dot.getResult()] = homes[i];
  }
  auto scalarStep = [&](unsigned i) -> Value {
    if (auto number = steps[i].getDefiningOp<arith::ConstantOp>())
      if (auto dense = dyn_cast<DenseElementsAttr>(number.getValue()))
        return constant(dense.getSplatValue<APInt>().getSExtValue());
    return convert(scalarOf(steps[i]), i64, false);
  };
  std::string name = describeLoop(op), origin = "loop" + std::to_string(loopCount++);
  int64_t stepNumber = 0;
  if (auto number = op.getStep().getDefiningOp<arith::ConstantOp>())
    stepNumber = cast<IntegerAttr>(number.getValue()).getInt();

  auto copy = scf::ForOp::create(b, loc, scalarOf(op.getLowerBound()), scalarOf(op.getUpperBound()),
                                 scalarOf(op.getStep()), init);
  copy->setAttr(loopMark,
                b.getDictionaryAttr({b.getNamedAttr("induction_variable", b.getStringAttr(name)),
                                     b.getNamedAttr("origin", b.getStringAttr(origin)),
                                     b.getNamedAttr("step", b.getI64IntegerAttr(stepNumber))}));
  {
    OpBuilder::InsertionGuard guard(b);
    if (init.empty())
      copy.getBody()->getTerminator()->erase();
    b.setInsertionPointToStart(copy.getBody());
    int64_t mark = arena.mark();
    scalars[op.getInductionVar()] = copy.getInductionVar();
    auto argument = copy.getRegionIterArgs().begin();
    for (unsigned i = 0; i < count; ++i) {
      if (steps[i])
        shifted[carried[i]] = {op.getInitArgs()[i], *argument++};
      else if (!homes[i].pointer)
        scalars[carried[i]] = *argument++;
    }
    emitBlock(*op.getBody());
    yieldTiles(terminator, 0, homes, carried);
    SmallVector<Value> next;
    for (unsigned i = 0; i < count; ++i) {
      if (steps[i])
        next.push_back(add(shifted[carried[i]].second, scalarStep(i)));
      else if (!homes[i].pointer)
        next.push_back(scalarOf(terminator->getOperand(i)));
    }
    scf::YieldOp::create(b, loc, next);
    arena.release(mark);
  }
  auto result = copy.getResults().begin();
  for (unsigned i = 0; i < count; ++i) {
    if (steps[i])
      shifted[op.getResult(i)] = {op.getInitArgs()[i], *result++};
    else if (homes[i].pointer)
      buffers[op.getResult(i)] = homes[i];
    else
      scalars[op.getResult(i)] = *result++;
  }
}

void Emitter::emitWhile(scf::WhileOp op) {
  flush();
  SmallVector<Value> init;
  SmallVector<Buffer> homes(op.getInits().size());
  for (auto [i, first] : llvm::enumerate(op.getInits())) {
    if (!isTile(first)) {
      init.push_back(scalarOf(first));
      continue;
    }
    homes[i] =
        allocate(tile::shapeOf(first.getType()), tile::elementTypeOf(first.getType()), "carried");
    keep(first, &homes[i]);
  }
  flush();
  // Tiles pass from the condition to the body, and out of the loop, through buffers of their own,
  // so that the body may write the carried ones.
  SmallVector<Buffer> passed(op.getNumResults());
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
    if (isTile(type))
      passed[i] = allocate(tile::shapeOf(type), tile::elementTypeOf(type), "passed");
    else
      types.push_back(registerType(type));
  }
  auto bind = [&](ValueRange from, ArrayRef<Buffer> tiles, ValueRange to) {
    auto next = to.begin();
    for (auto [i, value] : llvm::enumerate(from)) {
      if (tiles[i].pointer)
        buffers[value] = tiles[i];
      else
        scalars[value] = *next++;
    }
  };
  auto scalarOperands = [&](OperandRange operands) {
    SmallVector<Value> values;
    for (Value operand : operands)
      if (!isTile(operand))
        values.push_back(scalarOf(operand));
    return values;
  };
  auto copy = scf::WhileOp::create(
      b, loc, types, init, [](OpBuilder &, Location, ValueRange) {},
      [](OpBuilder &, Location, ValueRange) {});
  {
    OpBuilder::InsertionGuard guard(b);
    int64_t mark = arena.mark();
    b.setInsertionPointToStart(copy.getBeforeBody());
    bind(op.getBeforeArguments(), homes, copy.getBeforeArguments());
    emitBlock(*op.getBeforeBody());
    auto condition = op.getConditionOp();
    yieldTiles(condition, 1, passed, {});
    Value goesOn = scalarOf(condition.getCondition());
    scf::ConditionOp::create(b, loc, goesOn, scalarOperands(condition.getArgs()));
    b.setInsertionPointToStart(copy.getAfterBody());
    bind(op.getAfterArguments(), passed, copy.getAfterArguments());
    emitBlock(*op.getAfterBody());
    auto yield = op.getYieldOp();
    yieldTiles(yield, 0, homes, {});
    scf::YieldOp::create(b, loc, scalarOperands(yield->getOperands()));
    arena.release(mark);
  }
  bind(op.getResults(), passed, copy.getResults());
}

void Emitter::emitIf(scf::IfOp op) {
  flush();
  SmallVector<Buffer> tiles(op.getNumResults());
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
    if (isTile(type))
      tiles[i] = allocate(tile::shapeOf(type), tile::elementTypeOf(type),
                          nameOf(op.getResult(i), "chosen"));
    else
      types.push_back(registerType(type));
  }
  bool hasElse = !op.getElseRegion().empty();
  auto copy = scf::IfOp::create(b, loc, types, scalarOf(op.getCondition()), true, hasElse);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(b);
    if (!to.front().empty())
      to.front().getTerminator()->erase();
    b.setInsertionPointToStart(&to.front());
    int64_t mark = arena.mark();
    emitBlock(from.front());
    Operation *yield = from.front().getTerminator();
    yieldTiles(yield, 0, tiles, {});
    SmallVector<Value> values;
    for (Value operand : yield->getOperands())
      if (!isTile(operand))
        values.push_back(scalarOf(operand));
    scf::YieldOp::create(b, loc, values);
    arena.release(mark);
  }
  auto result = copy.getResults().begin();
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    if (tiles[i].pointer)
      buffers[value] = tiles[i];
    else
      scalars[value] = *result++;
  }
}

} // namespace metile::cpu
