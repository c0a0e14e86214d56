// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowered function: arguments from slots, the loop over programs, and what is not a tile.

#include "Targets/Cpu/Emitter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace metile::cpu {

Emitter::Emitter(func::FuncOp kernel, const TargetDesc &target, const CpuPlan &plan,
                 CpuLoweringInfo &info)
    : kernel(kernel), target(target), plan(plan), info(info), facts(kernel, plan.scratchEverything),
      b(kernel.getContext()), loc(kernel.getLoc()) {
  i1 = b.getI1Type();
  i8 = b.getI8Type();
  i32 = b.getI32Type();
  i64 = b.getI64Type();
  f32 = b.getF32Type();
  pointerType = LLVM::LLVMPointerType::get(b.getContext());
  tables.emplace_back(); // Table 0: no lane differs.
}

void Emitter::collectArguments() {
  info.entry = kernel.getName().str();
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned number = argument.getArgNumber();
    ArgumentInfo described;
    auto name = kernel.getArgAttrOfType<StringAttr>(number, tile::nameAttrName);
    described.name = name ? name.str() : "arg" + std::to_string(number);
    auto role = kernel.getArgAttrOfType<StringAttr>(number, tile::roleAttrName);
    StringRef spelled = role ? role.getValue() : "inout";
    if (auto view = dyn_cast<tile::ViewType>(argument.getType())) {
      described.role = spelled == "in"    ? ArgumentRole::in
                       : spelled == "out" ? ArgumentRole::out
                                          : ArgumentRole::inout;
      described.dtype = tile::dtypeOf(view.getElementType());
      described.rank = view.getRank();
    } else if (auto pointer = dyn_cast<tile::PtrType>(argument.getType())) {
      described.role = ArgumentRole::pointer;
      described.dtype = tile::dtypeOf(pointer.getElementType());
    } else {
      described.role = ArgumentRole::scalar;
      described.dtype = tile::dtypeOf(argument.getType());
    }
    info.arguments.push_back(described);
  }
}

/// The host's formula for a grid extent.
std::optional<SizeExpr> Emitter::sizeExpr(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return SizeExpr::constant(number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner()->getParentOp() != kernel.getOperation())
      return std::nullopt;
    return SizeExpr::scalar(argument.getArgNumber());
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
    return sizeExpr(op->getOperand(0));
  if (isa<tile::ViewSizeOp, tile::ViewStrideOp>(op)) {
    bool isSize = isa<tile::ViewSizeOp>(op);
    unsigned axis =
        isSize ? cast<tile::ViewSizeOp>(op).getAxis() : cast<tile::ViewStrideOp>(op).getAxis();
    ViewAxis source = facts.viewAxis(op->getOperand(0), axis);
    if (source.argument < 0)
      return std::nullopt;
    SizeExpr expr;
    expr.terms.push_back({isSize ? SizeExpr::Kind::size : SizeExpr::Kind::stride, 0,
                          uint32_t(source.argument), uint32_t(source.axis)});
    return expr;
  }
  std::optional<SizeExpr::Kind> kind;
  if (isa<arith::AddIOp>(op))
    kind = SizeExpr::Kind::add;
  else if (isa<arith::SubIOp>(op))
    kind = SizeExpr::Kind::sub;
  else if (isa<arith::MulIOp>(op))
    kind = SizeExpr::Kind::mul;
  else if (isa<arith::MinSIOp>(op))
    kind = SizeExpr::Kind::min;
  else if (isa<arith::MaxSIOp>(op))
    kind = SizeExpr::Kind::max;
  else if (auto div = dyn_cast<tile::DivOp>(op); div && div.getRounding() == tile::Rounding::Ceil)
    kind = SizeExpr::Kind::cdiv;
  if (!kind)
    return std::nullopt;
  auto lhs = sizeExpr(op->getOperand(0)), rhs = sizeExpr(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return SizeExpr::binary(*kind, *lhs, *rhs);
}

void Emitter::collectGrid() {
  info.grid.fill(SizeExpr::constant(1));
  kernel.walk([&](tile::GridOp grid) {
    for (auto [i, extent] : llvm::enumerate(grid.getExtents())) {
      if (auto expr = sizeExpr(extent))
        info.grid[i] = *expr;
      else
        report(grid, "extent " + Twine(i) +
                         " of the grid is no sum, difference, product, cdiv, min or max of sizes "
                         "and scalars");
    }
  });
}

void Emitter::emitArguments(Value slots) {
  unsigned slot = 0;
  auto load = [&](Type type) -> Value {
    return LLVM::LoadOp::create(b, loc, type, gep(slots, i64, int64_t(slot++)),
                                unsigned(byteSize(type)));
  };
  for (BlockArgument argument : kernel.getArguments()) {
    loc = argument.getLoc();
    if (auto type = dyn_cast<tile::ViewType>(argument.getType())) {
      View view;
      view.data = load(pointerType);
      view.element = type.getElementType();
      for (ArrayRef<int64_t> known : {type.getShape(), type.getStrides()}) {
        auto &values = known.data() == type.getShape().data() ? view.sizes : view.strides;
        for (int64_t number : known) {
          Value value;
          if (ShapedType::isDynamic(number))
            value = load(i64);
          else
            ++slot;
          values.push_back(value ? value : constant(number));
        }
      }
      views[argument] = view;
    } else if (isa<tile::PtrType>(argument.getType())) {
      scalars[argument] = load(pointerType);
    } else {
      Type memory = memoryType(argument.getType());
      scalars[argument] = convert(load(memory), argument.getType(), false);
    }
  }
  for (Value &extent : gridExtents)
    extent = load(i64);
  bool shows = false, checks = false;
  kernel.walk([&](Operation *op) {
    shows |= isa<tile::PrintOp, tile::AssertOp, tile::ProbeOp>(op);
    checks |= isa<tile::AssertOp>(op);
  });
  if (shows)
    debugChannel = load(pointerType);
  if (checks) {
    failedSite = stackSlot(i32, 1);
    LLVM::StoreOp::create(b, loc, constant(i32, b.getI32IntegerAttr(0)), failedSite);
  }
}

LogicalResult Emitter::run() {
  collectArguments();
  collectGrid();
  if (failed)
    return failure();
  OpBuilder outer(kernel);
  auto type = b.getFunctionType({pointerType, i64, i64, pointerType}, {i32});
  auto lowered = func::FuncOp::create(outer, kernel.getLoc(), kernel.getName(), type);
  entry = lowered.addEntryBlock();
  entryPoint = entry->getArgument(3);
  b.setInsertionPointToEnd(entry);
  emitArguments(entry->getArgument(0));
  explainBounds();
  loc = kernel.getLoc();
  auto programs =
      scf::ForOp::create(b, loc, entry->getArgument(1), entry->getArgument(2), constant(1));
  b.setInsertionPoint(programs.getBody()->getTerminator());
  // The linear index taken apart, x fastest.
  unsigned axes = 1;
  kernel.walk([&](tile::GridOp grid) { axes = std::max<unsigned>(1, grid.getExtents().size()); });
  Value rest = programs.getInductionVar();
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axis + 1 >= axes) {
      programIds[axis] = axis + 1 == axes ? rest : constant(0);
      continue;
    }
    programIds[axis] = arith::RemUIOp::create(b, loc, rest, gridExtents[axis]);
    rest = arith::DivUIOp::create(b, loc, rest, gridExtents[axis]);
  }
  emitBlock(kernel.getBody().front());
  b.setInsertionPointToEnd(entry);
  Value status = failedSite ? LLVM::LoadOp::create(b, loc, i32, failedSite).getResult()
                            : constant(i32, b.getI32IntegerAttr(0));
  func::ReturnOp::create(b, kernel.getLoc(), status);
  info.scratchBytes = arena.size();
  kernel.erase();
  return failure(failed);
}

/// What follows is not run once an assertion has failed. Returns the branch that it is put in.
Operation *Emitter::skipIfFailed() {
  Value status = LLVM::LoadOp::create(b, loc, i32, failedSite);
  Value isGood = compare(arith::CmpIPredicate::eq, status, constant(i32, b.getI32IntegerAttr(0)));
  auto branch = scf::IfOp::create(b, loc, isGood, false);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  return branch;
}

void Emitter::emitBlock(Block &block) {
  Operation *outermost = nullptr;
  if (failedSite && &block == &kernel.getBody().front())
    outermost = skipIfFailed();
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    loc = op.getLoc();
    emitOp(&op);
    // The rest may rely on what was asserted; where a block yields values it has to go on.
    if (isa<tile::AssertOp>(op) && block.getTerminator()->getNumOperands() == 0) {
      Operation *branch = skipIfFailed();
      outermost = outermost ? outermost : branch;
    }
  }
  flush();
  if (outermost)
    b.setInsertionPointAfter(outermost);
}

static bool hasStores(const Nest &nest) {
  for (auto &roots : nest.stages)
    for (const NestRoot &root : roots)
      if (root.kind == NestRoot::Kind::store)
        return true;
  return false;
}

void Emitter::emitOp(Operation *op) {
  if (isLazy(op)) {
    for (Value result : op->getResults())
      if (facts.isKept(result))
        keep(result);
    return;
  }
  if (isa<tile::ViewAtOp, tile::ViewTransposeOp>(op))
    return emitView(op);
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return emitReduce(reduce);
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return emitDot(dot);
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return emitScan(scan);
  if (auto sort = dyn_cast<tile::SortOp>(op))
    return emitSort(sort);
  if (auto histogram = dyn_cast<tile::HistogramOp>(op))
    return emitHistogram(histogram);
  if (isa<tile::AtomicRmwOp, tile::AtomicCasOp>(op))
    return emitAtomic(op);
  if (isa<tile::PrintOp, tile::AssertOp, tile::ProbeOp>(op))
    return emitDebug(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (isa<tile::StoreOp, tile::ViewStoreOp>(op)) {
    Value value = isa<tile::StoreOp>(op) ? cast<tile::StoreOp>(op).getValue()
                                         : cast<tile::ViewStoreOp>(op).getValue();
    if (!isTile(value))
      return emitScalarMemory(op);
    ArrayRef<int64_t> shape = tile::shapeOf(value.getType());
    unsigned lane = chooseLaneAxis(value, op, shape);
    if (pending && ArrayRef<int64_t>(pending->shape) == shape && pending->columnAxis < 0)
      lane = pending->laneAxis;
    addRoot({NestRoot::Kind::store, op, {}, {}, false, false}, shape, lane);
    return;
  }
  if (isa<tile::LoadOp, tile::ViewLoadOp>(op))
    return emitScalarMemory(op);
  emitScalarOp(op);
}

void Emitter::emitScalarMemory(Operation *op) {
  if (pending && (op->getNumResults() == 0 || hasStores(*pending)))
    flush();
  width = 1;
  pushScope();
  if (op->getNumResults() == 0) {
    store(op, {});
  } else {
    Piece piece = load(op, {});
    scalars[op->getResult(0)] = piece.pointer ? piece.pointer : piece.value;
  }
  popScope();
}

void Emitter::emitView(Operation *op) {
  View view = views[op->getOperand(0)];
  if (auto transpose = dyn_cast<tile::ViewTransposeOp>(op)) {
    View result = view;
    for (auto [axis, from] : llvm::enumerate(transpose.getPermutation())) {
      result.sizes[axis] = view.sizes[from];
      result.strides[axis] = view.strides[from];
    }
    views[op->getResult(0)] = result;
    return;
  }
  auto at = cast<tile::ViewAtOp>(op);
  Value offset;
  for (auto [axis, source] : llvm::enumerate(at.getIndices())) {
    Value index = scalarOf(source);
    if (!facts.startsInside(source))
      view.valid = land(view.valid, compare(arith::CmpIPredicate::sge, index, {}));
    if (!facts.endsInside(at.getView(), axis, source, 1))
      view.valid = land(view.valid, compare(arith::CmpIPredicate::slt, index, view.sizes[axis]));
    offset = add(offset, mul(index, view.strides[axis]));
  }
  unsigned count = at.getIndices().size();
  view.data = gep(view.data, memoryType(view.element), offset);
  view.sizes.erase(view.sizes.begin(), view.sizes.begin() + count);
  view.strides.erase(view.strides.begin(), view.strides.begin() + count);
  views[op->getResult(0)] = view;
}

void Emitter::emitScalarOp(Operation *op) {
  if (isa<tile::GridOp>(op) || op->getNumResults() == 0) {
    if (!isa<tile::GridOp>(op))
      fail(op, "no rule for this operation", i32);
    return;
  }
  Value result = op->getResult(0);
  if (auto number = dyn_cast<arith::ConstantOp>(op)) {
    scalars[result] = constant(number.getType(), number.getValue());
  } else if (auto id = dyn_cast<tile::ProgramIdOp>(op)) {
    scalars[result] = programIds[id.getAxis()];
  } else if (auto count = dyn_cast<tile::NumProgramsOp>(op)) {
    scalars[result] = gridExtents[count.getAxis()];
  } else if (auto size = dyn_cast<tile::ViewSizeOp>(op)) {
    scalars[result] = views[size.getView()].sizes[size.getAxis()];
  } else if (auto stride = dyn_cast<tile::ViewStrideOp>(op)) {
    scalars[result] = views[stride.getView()].strides[stride.getAxis()];
  } else if (isa<tile::ReshapeOp>(op)) {
    flush();
    width = 1;
    pushScope();
    Value source = op->getOperand(0);
    Piece piece = evaluate(source, Coords(tile::shapeOf(source.getType()).size()));
    scalars[result] = toScalar(piece, tile::elementTypeOf(source.getType()));
    popScope();
  } else if (isa<tile::SplitOp>(op)) {
    flush();
    width = 1;
    pushScope();
    Type element = result.getType();
    for (auto [side, half] : llvm::enumerate(op->getResults()))
      scalars[half] = toScalar(evaluate(op->getOperand(0), {Coord{{}, int64_t(side), 0}}), element);
    popScope();
  } else if (auto pointers = dyn_cast<tile::ViewPointersOp>(op)) {
    const View &view = views[pointers.getView()];
    scalars[pointers.getPtr()] = view.data;
    scalars[pointers.getInside()] = maskPiece({view.valid, {}}).value;
  } else if (isElementwise(op) && !isTile(result)) {
    SmallVector<Piece, 3> operands;
    width = 1;
    pushScope();
    for (Value operand : op->getOperands())
      operands.push_back(evaluate(operand, {}));
    Piece piece = elementwise(op, operands, result.getType());
    scalars[result] = toScalar(piece, result.getType());
    popScope();
  } else {
    fail(
        op,
        "no rule for this operation with result " +
            [&] {
              std::string text;
              llvm::raw_string_ostream(text) << result.getType();
              return text;
            }(),
        tile::elementTypeOf(result.getType()));
  }
}

} // namespace metile::cpu
