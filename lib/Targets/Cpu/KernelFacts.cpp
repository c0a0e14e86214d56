// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/KernelFacts.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace metile::cpu {

bool isElementwise(Operation *op) {
  if (op->getNumRegions() || op->getNumResults() != 1)
    return false;
  if (op->hasTrait<OpTrait::Elementwise>() || isa<math::MathDialect>(op->getDialect()))
    return true;
  return isa<tile::DivOp, tile::RemOp, tile::ShlOp, tile::ShrOp, tile::MulHiOp, tile::ToIntOp,
             tile::FromIntOp, tile::RoundOp, tile::AddPtrOp, arith::SelectOp>(op);
}

static bool isShapeOp(Operation *op) {
  return isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransposeOp,
             tile::SplatOp, tile::FlipOp, tile::JoinOp, tile::SplitOp>(op);
}

bool isLazy(Operation *op) {
  if (op->getNumResults() == 0 ||
      !llvm::all_of(op->getResults(), [](Value result) { return isTile(result); }))
    return false;
  return isElementwise(op) || isShapeOp(op) ||
         isa<arith::ConstantOp, tile::ArangeOp, tile::LoadOp, tile::ViewLoadOp,
             tile::ViewPointersOp, tile::GatherOp>(op);
}

bool isGathered(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    return isa<tile::GatherOp>(use.getOwner()) && use.getOperandNumber() == 0;
  });
}

static int weight(Operation *op) {
  if (isShapeOp(op) || isa<arith::ConstantOp, tile::ArangeOp, tile::AddPtrOp>(op))
    return 0;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp, math::CeilOp, math::RoundEvenOp,
          math::CopySignOp>(op))
    return 1;
  if (isa<math::MathDialect>(op->getDialect()) || isa<tile::DivOp, tile::RemOp>(op))
    return 10;
  return isa<arith::DivFOp>(op) ? 4 : 1;
}

KernelFacts::KernelFacts(func::FuncOp kernel, bool keepAll) : kernel(kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == kernel)
      return;
    orders[op] = program.size();
    program.push_back(op);
    if (isa<tile::GridOp>(op))
      grid = op;
    if (isa<tile::StoreOp, tile::ViewStoreOp, tile::AtomicRmwOp, tile::AtomicCasOp>(op))
      stores.push_back(op);
  });
  computeCosts(kernel);
  chooseKept(keepAll);
}

void KernelFacts::computeCosts(func::FuncOp kernel) {
  for (Operation *op : program) {
    if (!isLazy(op)) {
      for (Value result : op->getResults())
        costs[result] = 1;
      continue;
    }
    int cost = weight(op);
    for (Value operand : op->getOperands())
      if (isTile(operand))
        cost += costs.lookup(operand);
    for (Value result : op->getResults())
      costs[result] = std::min(cost, 1 << 20);
  }
}

std::optional<KeptReason> KernelFacts::keptReason(Value value) const {
  auto it = kept.find(value);
  return it == kept.end() ? std::nullopt : std::optional(it->second);
}

ArrayRef<Root> KernelFacts::roots(Value value) const {
  auto it = rootsOf.find(value);
  return it == rootsOf.end() ? ArrayRef<Root>() : ArrayRef<Root>(it->second);
}

/// A row of the source serves many rows of the result, so an expensive source is evaluated again
/// for each of them.
static bool repeatsRows(Operation *op) {
  auto broadcast = dyn_cast<tile::BroadcastOp>(op);
  if (!broadcast)
    return false;
  ArrayRef<int64_t> source = tile::shapeOf(broadcast.getSource().getType());
  ArrayRef<int64_t> result = tile::shapeOf(broadcast.getType());
  bool grown = false;
  for (auto [from, to] : llvm::zip(source, result)) {
    if (from == 1 && to > 1)
      grown = true;
    else if (grown && from > 1)
      return true;
  }
  return false;
}

/// Whether some loop holds `inner` but not `outer`.
static bool isInDeeperLoop(Operation *inner, Operation *outer) {
  for (Operation *parent = inner->getParentOp(); parent; parent = parent->getParentOp()) {
    if (parent->isAncestor(outer))
      return false;
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      return true;
  }
  return false;
}

void KernelFacts::chooseKept(bool keepAll) {
  auto collect = [&](Value value, bool *repeated) {
    SmallVector<Root, 2> found;
    auto add = [&](Root root) {
      if (!llvm::is_contained(found, root))
        found.push_back(root);
    };
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (!isLazy(user)) {
        add({user, use.getOperandNumber()});
        continue;
      }
      for (Value result : user->getResults()) {
        if (kept.contains(result)) {
          add({user, use.getOperandNumber()});
          continue;
        }
        for (const Root &root : rootsOf.lookup(result))
          add(root);
        if (repeated && (repeatsRows(user) || repeatedRows.contains(result)))
          *repeated = true;
      }
    }
    return found;
  };
  for (Operation *op : llvm::reverse(program)) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (isTile(argument))
            rootsOf[argument] = collect(argument, nullptr);
    for (Value result : op->getResults()) {
      if (!isTile(result))
        continue;
      bool repeated = false;
      SmallVector<Root, 2> found = collect(result, &repeated);
      rootsOf[result] = found;
      if (repeated)
        repeatedRows.insert(result);
      if (!isLazy(op) || found.empty())
        continue;
      std::optional<KeptReason> reason;
      if (costs.lookup(result) >= 8 && !isShapeOp(op)) {
        for (const Root &root : found) {
          if (root.op != found.front().op)
            reason = KeptReason::manyUsers;
          if (isInDeeperLoop(root.op, op))
            reason = KeptReason::usedInLoop;
        }
        if (repeated)
          reason = KeptReason::rowsRepeat;
      }
      if (isa<tile::LoadOp, tile::ViewLoadOp>(op) && isOvertaken(op))
        reason = KeptReason::storeBetween;
      if (isGathered(result))
        reason = KeptReason::gathered;
      if (keepAll)
        reason = KeptReason::asked;
      if (reason) {
        kept.try_emplace(result, *reason);
        repeatedRows.erase(result);
      }
    }
  }
}

/// Whether `load` and `store` touch the same address for the same element.
static bool sameAddress(Operation *load, Operation *store) {
  if (auto from = dyn_cast<tile::LoadOp>(load))
    if (auto to = dyn_cast<tile::StoreOp>(store))
      return from.getPtr() == to.getPtr();
  auto from = dyn_cast<tile::ViewLoadOp>(load);
  auto to = dyn_cast<tile::ViewStoreOp>(store);
  return from && to && from.getView() == to.getView() && from.getOffsets() == to.getOffsets();
}

/// Whether every way from `load` to `value` keeps each element in its place.
static bool flowsInPlace(Value value, Operation *load) {
  Operation *op = value.getDefiningOp();
  if (!op || op == load || !isLazy(op))
    return true;
  for (Value operand : op->getOperands()) {
    if (!isTile(operand))
      continue;
    if (isElementwise(op) ? !flowsInPlace(operand, load) : operand == load->getResult(0))
      return false;
    if (!isElementwise(op) && operand.getDefiningOp() && operand.getDefiningOp() != load) {
      // A change of shape below which the load might stand: only harmless if it does not.
      llvm::SmallVector<Value> work{operand};
      llvm::DenseSet<Value> seen;
      while (!work.empty()) {
        Value next = work.pop_back_val();
        if (next == load->getResult(0))
          return false;
        if (!seen.insert(next).second)
          continue;
        if (Operation *def = next.getDefiningOp(); def && isLazy(def))
          llvm::append_range(work, def->getOperands());
      }
    }
  }
  return true;
}

static Value addressOf(Operation *op) {
  if (auto store = dyn_cast<tile::ViewStoreOp>(op))
    return store.getView();
  return op->getOperand(0);
}

/// Whether `op` may make what other programs wrote visible, or tell them that they may write.
static bool synchronizes(Operation *op) {
  if (auto rmw = dyn_cast<tile::AtomicRmwOp>(op))
    return rmw.getOrder() != tile::MemoryOrder::Relaxed;
  auto cas = dyn_cast<tile::AtomicCasOp>(op);
  return cas && cas.getOrder() != tile::MemoryOrder::Relaxed;
}

bool KernelFacts::isOvertaken(Operation *load) const {
  unsigned lastUse = 0;
  for (const Root &root : roots(load->getResult(0))) {
    // Used in a loop that the load stands outside of, it is used again on every turn.
    Operation *last = root.op;
    for (Operation *parent = root.op->getParentOp(); !parent->isAncestor(load);
         parent = parent->getParentOp())
      last = parent;
    unsigned end = order(root.op);
    if (last != root.op)
      last->walk([&](Operation *op) { end = std::max(end, order(op)); });
    lastUse = std::max(lastUse, end);
  }
  for (Operation *store : stores) {
    if (order(store) < order(load) || order(store) > lastUse)
      continue;
    if (!(synchronizes(store) ? mayChange(addressOf(load))
                              : mayAlias(addressOf(load), addressOf(store))))
      continue;
    // The use is this store: harmless when each element is read just before it is written.
    if (order(store) == lastUse && sameAddress(load, store)) {
      Value stored = isa<tile::StoreOp>(store) ? cast<tile::StoreOp>(store).getValue()
                                               : cast<tile::ViewStoreOp>(store).getValue();
      if (flowsInPlace(stored, load))
        continue;
    }
    return true;
  }
  return false;
}

Value KernelFacts::baseOf(Value address) const {
  while (address) {
    if (auto argument = dyn_cast<BlockArgument>(address)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (parent == kernel)
        return address;
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop || argument.getArgNumber() == 0)
        return {};
      // Sound for a carried pointer only if each turn goes on from the last.
      Value yielded = loop.getBody()->getTerminator()->getOperand(argument.getArgNumber() - 1);
      while (auto add = yielded.getDefiningOp<tile::AddPtrOp>())
        yielded = add.getPtr();
      if (yielded != address)
        return {};
      address = loop.getInitArgs()[argument.getArgNumber() - 1];
      continue;
    }
    Operation *op = address.getDefiningOp();
    if (!isa<tile::AddPtrOp, tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp,
             tile::TransposeOp, tile::FlipOp, tile::SplitOp, tile::ViewPointersOp, tile::ViewAtOp,
             tile::ViewTransposeOp>(op))
      return {};
    address = op->getOperand(0);
  }
  return {};
}

bool KernelFacts::mayAlias(Value address, Value otherAddress) const {
  auto left = dyn_cast_or_null<BlockArgument>(baseOf(address));
  auto right = dyn_cast_or_null<BlockArgument>(baseOf(otherAddress));
  if (!left || !right || left == right)
    return true;
  auto isShared = [&](BlockArgument argument) {
    auto role = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::roleAttrName);
    return !role || (role.getValue() != "in" && role.getValue() != "out");
  };
  return isShared(left) && isShared(right);
}

/// Whether anybody may write to what lies at `address` during the launch.
bool KernelFacts::mayChange(Value address) const {
  auto argument = dyn_cast_or_null<BlockArgument>(baseOf(address));
  auto role = argument
                  ? kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::roleAttrName)
                  : StringAttr();
  return !role || role.getValue() != "in";
}

int64_t KernelFacts::argumentAttr(Value argument, StringRef name, unsigned axis) const {
  auto block = dyn_cast<BlockArgument>(argument);
  if (!block || block.getOwner()->getParentOp() != kernel.getOperation())
    return 1;
  Attribute attr = kernel.getArgAttr(block.getArgNumber(), name);
  if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
    return std::max<int64_t>(1, number.getInt());
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attr))
    return axis < array.size() ? std::max<int64_t>(1, array[axis]) : 1;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attr))
    if (axis < array.size())
      if (auto number = dyn_cast<IntegerAttr>(array[axis]))
        return std::max<int64_t>(1, number.getInt());
  return 1;
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

int64_t KernelFacts::divisor(Value value) const {
  if (auto number = constantOf(value))
    return std::abs(*number);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner()->getParentOp() == kernel.getOperation())
      return argumentAttr(value, tile::divisibilityAttrName, 0);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument.getArgNumber() == 0)
      return std::gcd(divisor(loop.getLowerBound()), divisor(loop.getStep()));
    return 1;
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::MulIOp>(op)) {
    int64_t left = divisor(op->getOperand(0)), right = divisor(op->getOperand(1));
    if (left && right && left > (int64_t(1) << 40) / right)
      return std::max(left, right);
    return left * right;
  }
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(divisor(op->getOperand(0)), divisor(op->getOperand(1)));
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
    return divisor(op->getOperand(0));
  if (auto size = dyn_cast<tile::ViewSizeOp>(op)) {
    ViewAxis axis = viewAxis(size.getView(), size.getAxis());
    if (axis.argument >= 0)
      return argumentAttr(kernel.getArgument(axis.argument), tile::sizeDivisibilityAttrName,
                          axis.axis);
  }
  return 1;
}

ViewAxis KernelFacts::viewAxis(Value view, unsigned axis) const {
  while (Operation *op = view.getDefiningOp()) {
    if (auto at = dyn_cast<tile::ViewAtOp>(op)) {
      axis += at.getIndices().size();
      view = at.getView();
    } else if (auto transpose = dyn_cast<tile::ViewTransposeOp>(op)) {
      axis = transpose.getPermutation()[axis];
      view = transpose.getView();
    } else {
      return {};
    }
  }
  auto argument = cast<BlockArgument>(view);
  if (argument.getOwner()->getParentOp() != kernel.getOperation())
    return {};
  return {int(argument.getArgNumber()), int(axis)};
}

bool KernelFacts::startsInside(Value offset) const {
  if (auto number = constantOf(offset))
    return *number >= 0;
  if (auto argument = dyn_cast<BlockArgument>(offset)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    // scf.for steps are positive.
    return loop && argument.getArgNumber() == 0 && startsInside(loop.getLowerBound());
  }
  Operation *op = offset.getDefiningOp();
  if (!op)
    return false;
  if (isa<tile::ProgramIdOp, tile::NumProgramsOp, tile::ViewSizeOp>(op))
    return true;
  if (isa<arith::AddIOp, arith::MulIOp>(op))
    return startsInside(op->getOperand(0)) && startsInside(op->getOperand(1));
  if (isa<tile::DivOp, tile::RemOp>(op))
    return startsInside(op->getOperand(0)) && startsInside(op->getOperand(1));
  return false;
}

bool KernelFacts::isSizeOf(Value value, ViewAxis axis, int64_t staticSize) const {
  if (auto number = constantOf(value))
    return staticSize >= 0 && *number == staticSize;
  auto size = value.getDefiningOp<tile::ViewSizeOp>();
  if (!size || axis.argument < 0)
    return false;
  ViewAxis found = viewAxis(size.getView(), size.getAxis());
  return found.argument == axis.argument && found.axis == axis.axis;
}

/// offset < size of the axis, from the loop or the grid that made the offset.
bool KernelFacts::isBelow(Value offset, int64_t extent, ViewAxis axis, int64_t staticSize) const {
  if (auto number = constantOf(offset))
    return staticSize >= 0 && *number < staticSize;
  if (auto argument = dyn_cast<BlockArgument>(offset)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument.getArgNumber() == 0 && isSizeOf(loop.getUpperBound(), axis, staticSize);
  }
  // program_id * extent, with cdiv(size, extent) programs.
  auto product = offset.getDefiningOp<arith::MulIOp>();
  Value id = product ? product.getLhs() : offset;
  std::optional<int64_t> factor = product ? constantOf(product.getRhs()) : 1;
  if (product && !factor) {
    factor = constantOf(product.getLhs());
    id = product.getRhs();
  }
  auto program = id.getDefiningOp<tile::ProgramIdOp>();
  if (!program || !factor || *factor <= 0 || !grid)
    return false;
  auto extents = cast<tile::GridOp>(grid).getExtents();
  if (program.getAxis() >= extents.size())
    return false;
  Value programs = extents[program.getAxis()];
  if (*factor == 1 && isSizeOf(programs, axis, staticSize))
    return true;
  if (auto count = constantOf(programs))
    return staticSize >= 0 && (*count - 1) * *factor < staticSize;
  auto quotient = programs.getDefiningOp<tile::DivOp>();
  return quotient && quotient.getRounding() == tile::Rounding::Ceil &&
         constantOf(quotient.getRhs()) == factor && isSizeOf(quotient.getLhs(), axis, staticSize);
}

bool KernelFacts::endsInside(Value view, unsigned axis, Value offset, int64_t extent) const {
  int64_t size = cast<tile::ViewType>(view.getType()).getShape()[axis];
  if (extent == 0)
    return true;
  if (auto number = constantOf(offset); number && size >= 0)
    return *number + extent <= size;
  ViewAxis source = viewAxis(view, axis);
  int64_t sizeDivisor = size >= 0 ? size : 1;
  if (size < 0 && source.argument >= 0)
    sizeDivisor = argumentAttr(kernel.getArgument(source.argument), tile::sizeDivisibilityAttrName,
                               source.axis);
  // offset and size are multiples of the extent and offset < size: a whole tile fits between.
  return sizeDivisor % extent == 0 && divisor(offset) % extent == 0 &&
         isBelow(offset, extent, source, size);
}

} // namespace metile::cpu
