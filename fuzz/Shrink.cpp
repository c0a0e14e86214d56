// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every change is tried on a copy: an operation is named by its number in the order of a walk,
// which a clone keeps.

#include "Shrink.h"

#include "Dialect/Tile/Tile.h"
#include "Support/Stopwatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace metile::fuzz {

namespace {

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program &)> &fails, double seconds)
      : best(std::move(program)), fails(fails), seconds(seconds) {}

  Program run() {
    for (bool improved = true; improved && !isLate();) {
      improved = dropSchedules();
      improved |= eachOperation();
      improved |= shrinkSizes();
    }
    dropArguments();
    return std::move(best);
  }

private:
  bool isLate() const { return time.us() > seconds * 1e6; }

  /// Keeps `candidate` if it still fails.
  bool accept(Program candidate) {
    if (isLate())
      return false;
    ScopedDiagnosticHandler quiet(candidate.module->getContext(), [](mlir::Diagnostic &) {});
    IRRewriter rewriter(candidate.module->getContext());
    // Leaves no unused operation behind, so that each attempt counts.
    (void)runRegionDCE(rewriter, candidate.module->getOperation()->getRegions());
    if (failed(verify(*candidate.module)))
      return false;
    if (!fails(candidate))
      return false;
    best = std::move(candidate);
    return true;
  }

  bool dropSchedules() {
    bool improved = false;
    for (size_t i = best.schedules.size(); i-- > 0;) {
      Program candidate = best.clone();
      candidate.schedules.erase(candidate.schedules.begin() + static_cast<ptrdiff_t>(i));
      improved |= accept(std::move(candidate));
    }
    return improved;
  }

  static SmallVector<Operation *> operations(ModuleOp module) {
    SmallVector<Operation *> all;
    module.walk([&](func::FuncOp function) {
      function.getBody().walk([&](Operation *op) {
        if (!op->hasTrait<OpTrait::IsTerminator>() && !isa<tile::GridOp>(op))
          all.push_back(op);
      });
    });
    return all;
  }

  /// Tries, from the last operation to the first, all that may replace it.
  bool eachOperation() {
    bool improved = false;
    for (size_t number = operations(*best.module).size(); number-- > 0;) {
      for (unsigned way = 0; !isLate(); ++way) {
        if (number >= operations(*best.module).size())
          break;
        Program candidate = best.clone();
        Operation *op = operations(*candidate.module)[number];
        std::optional<bool> changed = replace(op, way);
        if (!changed)
          break;
        if (*changed && accept(std::move(candidate))) {
          improved = true;
          break;
        }
      }
    }
    return improved;
  }

  /// Change number `way` of `op`: none when there are no more, false if this one does not apply.
  static std::optional<bool> replace(Operation *op, unsigned way) {
    if (op->getNumResults() == 0 && op->getNumRegions() == 0) {
      if (way > 0)
        return std::nullopt;
      op->erase();
      return true;
    }
    OpBuilder b(op);
    if (way == 0) { // Zeros instead of its results.
      if (isa<arith::ConstantOp>(op))
        return false;
      SmallVector<Value> zeros;
      for (Type type : op->getResultTypes()) {
        if (isa<tile::ViewType, tile::PtrType>(tile::elementTypeOf(type)))
          return false;
        zeros.push_back(
            arith::ConstantOp::create(b, op->getLoc(), cast<TypedAttr>(b.getZeroAttr(type))));
      }
      op->replaceAllUsesWith(zeros);
      op->erase();
      return true;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && way == 1) { // The initial values instead.
      op->replaceAllUsesWith(loop.getInitArgs());
      op->erase();
      return true;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && way == 2) { // Its body once.
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), loop.getLowerBound());
      for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
        mapping.map(argument, value);
      for (Operation &inner : loop.getBody()->without_terminator())
        b.clone(inner, mapping);
      SmallVector<Value> results;
      for (Value yielded : loop.getBody()->getTerminator()->getOperands())
        results.push_back(mapping.lookupOrDefault(yielded));
      op->replaceAllUsesWith(results);
      op->erase();
      return true;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && way <= 2) { // One side.
      Block *block = way == 1 ? branch.thenBlock() : branch.elseBlock();
      if (!block)
        return false;
      IRMapping mapping;
      for (Operation &inner : block->without_terminator())
        b.clone(inner, mapping);
      SmallVector<Value> results;
      for (Value yielded : block->getTerminator()->getOperands())
        results.push_back(mapping.lookupOrDefault(yielded));
      op->replaceAllUsesWith(results);
      op->erase();
      return true;
    }
    unsigned first = op->getNumRegions() ? 3 : 1;
    if (way < first)
      return false;
    // An operand of the same type instead of the result.
    unsigned operand = way - first;
    if (operand >= op->getNumOperands())
      return std::nullopt;
    if (op->getNumResults() != 1 || op->getOperand(operand).getType() != op->getResult(0).getType())
      return false;
    op->getResult(0).replaceAllUsesWith(op->getOperand(operand));
    op->erase();
    return true;
  }

  bool shrinkSizes() {
    bool improved = false;
    for (size_t i = 0; i < best.arguments.size(); ++i)
      for (size_t axis = 0; axis < best.arguments[i].sizes.size(); ++axis)
        for (int64_t smaller :
             {int64_t(1), best.arguments[i].sizes[axis] / 2, best.arguments[i].sizes[axis] - 1}) {
          if (smaller < 0 || smaller >= best.arguments[i].sizes[axis] ||
              best.arguments[i].kind != LaunchArgument::Kind::view)
            continue;
          Program candidate = best.clone();
          candidate.arguments[i].sizes[axis] = smaller;
          if (accept(std::move(candidate))) {
            improved = true;
            break;
          }
        }
    return improved;
  }

  void dropArguments() {
    for (size_t i = best.arguments.size(); i-- > 0;) {
      Program candidate = best.clone();
      auto kernel = *candidate.module->getOps<func::FuncOp>().begin();
      if (!kernel.getArgument(static_cast<unsigned>(i)).use_empty() ||
          failed(kernel.eraseArgument(static_cast<unsigned>(i))))
        continue;
      candidate.arguments.erase(candidate.arguments.begin() + static_cast<ptrdiff_t>(i));
      accept(std::move(candidate));
    }
  }

  Program best;
  const std::function<bool(const Program &)> &fails;
  double seconds;
  Stopwatch time;
};

} // namespace

Program shrink(Program program, const std::function<bool(const Program &)> &fails, double seconds) {
  return Shrinker(std::move(program), fails, seconds).run();
}

} // namespace metile::fuzz
