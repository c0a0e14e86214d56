// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textual IR: parsed, verified, printed, simplified, and compiled.

#include "ParserTarget.h"

#include "Contexts.h"
#include "Dialect/Tile/Tile.h"
#include "Driver/CompileModule.h"
#include "Report/ExecutionReport.h"
#include "metile/interpreter.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <memory>

namespace metile::fuzz {

mlir::MLIRContext &freshContext() {
  constexpr unsigned inputsEach = 256;
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned inputs = 0;
  if (inputs++ % inputsEach == 0) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }
  return *context;
}

namespace {

/// Parses `input`; null, with at least one message, if it is no module that verifies.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(std::string_view input, mlir::MLIRContext &context) {
  unsigned messages = 0;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &) { ++messages; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(input, &context, "input.mlir");
  require(module || messages > 0, "text that is refused gets a message");
  return module;
}

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

} // namespace

void feedTileText(std::string_view input) {
  mlir::MLIRContext &context = freshContext();
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(input, context);
  if (!module)
    return;
  std::string text = textOf(*module);
  mlir::OwningOpRef<mlir::ModuleOp> again = parseModule(text, context);
  require(again && textOf(*again) == text, "a module reads back as it prints");
  (void)readLoweredIr(*module, "scratch", 4);
  require(countEpilogueRegions(*module) >= 0, "there are no fewer epilogues than none");

  mlir::PassManager passes(&context);
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  require(succeeded(passes.run(*module)), "what was simplified verifies");
}

/// Whether code for `module` is made within a moment.
static bool isSmall(mlir::ModuleOp module) {
  int64_t elements = 0;
  module.walk([&](mlir::Operation *op) {
    ++elements;
    for (mlir::Type type : op->getResultTypes())
      if (auto tile = mlir::dyn_cast<mlir::RankedTensorType>(type))
        elements += tile.getNumElements();
  });
  return elements < 2048;
}

void feedCompile(std::string_view input) {
  mlir::MLIRContext &context = freshContext();
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(input, context);
  if (!module)
    return;
  mlir::ScopedDiagnosticHandler handler(&context, [](mlir::Diagnostic &) {});
  for (const char *target : {"reference", "cpu:x86-64-v3"}) {
    bool isReference = target == std::string_view("reference");
    if (!isReference && !isSmall(*module))
      continue;
    Result<Artifact> artifact = compileModule(*module, target, {}, true);
    if (!artifact) {
      requireForm(artifact.errors());
      continue;
    }
    Result<Artifact> loaded = parseArtifact(serialize(*artifact), "input.metile");
    require(loaded && serialize(*loaded) == serialize(*artifact),
            "what was compiled can be loaded");
    if (!isReference)
      continue;
    auto kernel = referenceInterpreter().load(*loaded);
    if (!kernel)
      requireForm(kernel.errors());
  }
}

} // namespace metile::fuzz
