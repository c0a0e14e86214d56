// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/LowerTile.h"

#include "Target/KnownTargets.h"
#include "Targets/Cpu/Emitter.h"
#include "Targets/Cpu/LowerTilePass.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace metile::cpu {

LogicalResult lowerTileToVector(ModuleOp module, const TargetDesc &target, const CpuPlan &plan,
                                CpuLoweringInfo &info) {
  MLIRContext *context = module.getContext();
  context->getOrLoadDialect<LLVM::LLVMDialect>();
  context->getOrLoadDialect<vector::VectorDialect>();
  func::FuncOp kernel;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(tile::kernelAttrName))
      continue;
    if (kernel)
      return function.emitError("CPU lowering: a module holds one kernel, and '")
             << kernel.getName() << "' is another";
    kernel = function;
  }
  if (!kernel)
    return module.emitError("CPU lowering: the module holds no kernel");
  return Emitter(kernel, target, plan, info).run();
}

namespace {
struct LowerPass : PassWrapper<LowerPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)

  LowerPass() = default;
  LowerPass(const LowerPass &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "metile-cpu-lower"; }
  StringRef getDescription() const final { return "Lower a tile kernel to loops over vectors"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, scf::SCFDialect, func::FuncDialect, LLVM::LLVMDialect,
                    vector::VectorDialect, math::MathDialect>();
  }
  void runOnOperation() final {
    Result<TargetDesc> found = findTarget(targetName);
    if (!found.ok()) {
      getOperation().emitError("unknown target ") << targetName;
      return signalPassFailure();
    }
    CpuPlan plan;
    plan.unroll = unroll;
    plan.scratchEverything = scratchEverything;
    CpuLoweringInfo info;
    if (failed(lowerTileToVector(getOperation(), *found, plan, info)))
      signalPassFailure();
  }

  Option<std::string> targetName{*this, "target", llvm::cl::desc("Row of KnownTargets"),
                                 llvm::cl::init("cpu:x86-64-v4")};
  Option<unsigned> unroll{*this, "unroll", llvm::cl::desc("Vectors a step; 0: chosen"),
                          llvm::cl::init(0)};
  Option<bool> scratchEverything{*this, "scratch-everything",
                                 llvm::cl::desc("Keep every tile value in scratch"),
                                 llvm::cl::init(false)};
};
} // namespace

void registerLowerTilePass() { PassRegistration<LowerPass>(); }

} // namespace metile::cpu
