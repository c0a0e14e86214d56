// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `legalize` as a pass, for metile-opt.

#include "Target/KnownTargets.h"
#include "Targets/Cpu/Legalize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace metile::cpu {
namespace {

class LegalizePass : public PassWrapper<LegalizePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LegalizePass)

  LegalizePass() = default;
  LegalizePass(const LegalizePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "cpu-legalize"; }
  StringRef getDescription() const override {
    return "Give scalar and vector operations the promised meaning in operations a CPU has";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect, vector::VectorDialect,
                    LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    Result<TargetDesc> target = findTarget(std::string(name));
    if (!target) {
      getOperation().emitError() << target.errors().str();
      return signalPassFailure();
    }
    if (failed(legalize(getOperation(), *target)))
      signalPassFailure();
  }

private:
  Option<std::string> name{*this, "target", llvm::cl::desc("Row of KnownTargets"),
                           llvm::cl::init("cpu:x86-64-v4")};
};

} // namespace

void registerLegalizePass() { PassRegistration<LegalizePass>(); }

} // namespace metile::cpu
