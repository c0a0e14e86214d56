// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/StoredRows.h"

#include "Targets/Cpu/KernelFacts.h"

using namespace mlir;

namespace metile::cpu {

namespace {

class RowWalk {
public:
  explicit RowWalk(unsigned axis) : axis(axis) {}

  /// False if some use of `value` may read all rows.
  bool follow(Value value) {
    if (!seen.insert(value).second)
      return true;
    return llvm::all_of(value.getUses(), [&](OpOperand &use) { return isClipped(use); });
  }

  SmallVector<RowEdge> edges;

private:
  bool isClipped(OpOperand &use) {
    Operation *user = use.getOwner();
    unsigned operand = use.getOperandNumber();
    if (auto store = dyn_cast<tile::ViewStoreOp>(user)) {
      // A loop that carries the value may store it in another turn than the one that made it.
      Value offset = store.getOffsets()[axis];
      edges.push_back({store.getView(), axis, offset});
      return isSameForProgram(store.getView()) && isSameForProgram(offset);
    }
    if (isElementwise(user))
      return follow(user->getResult(0));
    if (auto dot = dyn_cast<tile::DotOp>(user))
      return operand == 2 && follow(dot.getResult());
    if (auto loop = dyn_cast<scf::ForOp>(user))
      return operand >= loop.getNumControlOperands() &&
             followCarried(loop, operand - loop.getNumControlOperands());
    if (isa<scf::YieldOp>(user))
      if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp()))
        return followCarried(loop, operand);
    return false;
  }

  bool followCarried(scf::ForOp loop, unsigned index) {
    return follow(loop.getRegionIterArg(index)) && follow(loop.getResult(index));
  }

  static bool isSameForProgram(Value value) {
    return isa<func::FuncOp>(value.getParentBlock()->getParentOp());
  }

  unsigned axis;
  llvm::DenseSet<Value> seen;
};

} // namespace

std::optional<SmallVector<RowEdge>> storedRows(Value value, unsigned axis) {
  RowWalk walk(axis);
  if (!walk.follow(value))
    return std::nullopt;
  return walk.edges;
}

} // namespace metile::cpu
