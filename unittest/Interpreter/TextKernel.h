// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels that are text on the interpreter, for tests.
#pragma once

#include "Driver/CompileModule.h"
#include "metile/interpreter.h"
#include "metile/runtime.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace metile {

/// The one kernel of `text` for the interpreter.
inline Result<Artifact> compileText(std::string_view text) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text), &context, "test.mlir");
  if (!module)
    return error("the text does not parse");
  return compileModule(*module, "reference");
}

/// Launches the one kernel of `text`.
inline Status interpret(std::string_view text, const std::vector<Argument> &arguments) {
  Result<Artifact> artifact = compileText(text);
  if (!artifact)
    return artifact.takeErrors();
  DeviceOptions options;
  options.interpreter = &referenceInterpreter();
  Result<Device> device = Device::open("reference", options);
  if (!device)
    return device.takeErrors();
  Result<Executable> executable = Executable::load(*device, *artifact);
  if (!executable)
    return executable.takeErrors();
  return executable->launch(arguments);
}

} // namespace metile
