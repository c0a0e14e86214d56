// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter behind the device "reference": reads the text of a kernel, makes sure that each
// of its operations is understood, and runs the programs of a launch one after another.

#include "Dialect/Tile/DebugSite.h"
#include "Interpreter/DebugSites.h"
#include "Interpreter/Execution.h"

#include "Support/ProgramId.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <mutex>

using namespace mlir;

namespace metile {
namespace interpreter {
namespace {

class Kernel final : public InterpretedKernel {
public:
  Kernel(OwningOpRef<ModuleOp> module, LoadedKernel loaded, std::string name)
      : module(std::move(module)), loaded(std::move(loaded)), name(std::move(name)) {}

  Status run(const InterpretedLaunch &launch) const override {
    Findings findings;
    Memory memory(loaded.arguments, launch, findings);
    std::array<int64_t, 3> extents = Execution(loaded, launch, memory, findings).grid();
    auto execute = [&](int64_t x, int64_t y, int64_t z) {
      Program program{{x, y, z}, x + extents[0] * (y + extents[1] * z)};
      Execution(loaded, launch, memory, findings).run(program, extents);
    };
    for (const std::array<int64_t, 3> &id : launch.programs) {
      if (!isOnGrid(id, extents))
        return offGrid(name, id, extents);
      execute(id[0], id[1], id[2]);
    }
    for (int64_t z = 0; z < extents[2] && launch.programs.empty(); ++z)
      for (int64_t y = 0; y < extents[1]; ++y)
        for (int64_t x = 0; x < extents[0]; ++x)
          execute(x, y, z);
    if (findings.any())
      return findings.take();
    return Done{};
  }

private:
  OwningOpRef<ModuleOp> module;
  LoadedKernel loaded;
  std::string name;
};

/// Whether the slots of `argument` hold what a parameter of type `type` is.
bool fits(Type type, const ArgumentInfo &argument) {
  auto holds = [&](Type element) {
    DType dtype = tile::dtypeOf(element);
    // Types have no sign.
    return dtype == argument.dtype || (isInteger(dtype) && isInteger(argument.dtype) &&
                                       byteSize(dtype) == byteSize(argument.dtype));
  };
  if (auto view = dyn_cast<tile::ViewType>(type))
    return argument.isView() && view.getRank() == argument.rank && holds(view.getElementType());
  if (auto pointer = dyn_cast<tile::PtrType>(type))
    return argument.role == ArgumentRole::pointer && holds(pointer.getElementType());
  return argument.role == ArgumentRole::scalar && holds(type);
}

/// Whether sites show the same values.
bool showAlike(const std::vector<DebugSite> &one, const std::vector<DebugSite> &other) {
  return llvm::equal(one, other, [](const DebugSite &a, const DebugSite &b) {
    return a.kind == b.kind && a.values == b.values;
  });
}

/// Finds the kernel in `module` and what its elementwise operations do.
Result<LoadedKernel> understand(ModuleOp module, const Artifact &artifact) {
  LoadedKernel loaded;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(tile::kernelAttrName))
      loaded.function = function;
  if (!loaded.function ||
      !llvm::equal(loaded.function.getArgumentTypes(), artifact.arguments, fits))
    return error(artifact.kernel + ": the code holds no kernel with the artifact's arguments", {},
                 "compile the kernel again");
  if (!showAlike(debugSites(module), artifact.debugSites))
    return error(artifact.kernel + ": the code shows other values than the artifact says", {},
                 "compile the kernel again");
  loaded.arguments = artifact.arguments;
  Errors errors;
  loaded.function.getBody().walk([&](Operation *op) {
    if (ElementFunction function = elementFunction(*op))
      loaded.elementwise[op] = std::move(function);
    else if (!Execution::handles(*op))
      errors.diagnostics.push_back(
          {tile::sourceOf(op->getLoc()),
           artifact.kernel + " holds '" + op->getName().getStringRef().str() + "'",
           "the interpreter knows no such operation", ""});
  });
  if (!errors.diagnostics.empty())
    return errors;
  for (Operation *op : debugOperations(module))
    loaded.debugSites.try_emplace(op, loaded.debugSites.size());
  return loaded;
}

class ReferenceInterpreter final : public Interpreter {
public:
  ReferenceInterpreter() {
    context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, scf::SCFDialect>();
  }

  Result<std::shared_ptr<InterpretedKernel>> load(const Artifact &artifact) override {
    std::lock_guard lock(mutex);
    Errors errors;
    ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.diagnostics.push_back({{}, artifact.kernel + ": " + diagnostic.str(), {}, {}});
    });
    auto module = parseSourceString<ModuleOp>(artifact.code, &context, artifact.kernel);
    if (!module)
      return errors;
    Result<LoadedKernel> loaded = understand(*module, artifact);
    if (!loaded)
      return loaded.takeErrors();
    return std::shared_ptr<InterpretedKernel>(
        std::make_shared<Kernel>(std::move(module), std::move(*loaded), artifact.kernel));
  }

private:
  std::mutex mutex;
  MLIRContext context{MLIRContext::Threading::DISABLED};
};

} // namespace
} // namespace interpreter

Interpreter &referenceInterpreter() {
  // Never destroyed: kernels may be released by destructors that run later than any of ours.
  static auto *instance = new interpreter::ReferenceInterpreter;
  return *instance;
}

} // namespace metile
