// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TileRunner: compiles the MLIR text of one function for this machine and calls it, for tests. Must
// not know where the text comes from.
#pragma once

#include "Dialect/Tile/Tile.h"
#include "Target/KnownTargets.h"
#include "Targets/Cpu/Codegen.h"
#include "metile/code_loader.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <cctype>
#include <functional>
#include <gtest/gtest.h>

namespace metile::cpu {

class TileRunner {
public:
  /// Lowers a freshly parsed module to what emitObject takes; none for text that is there already.
  using Lowering = std::function<mlir::LogicalResult(mlir::ModuleOp, const TargetDesc &)>;

  /// For the row `name`; rows other than this machine's can only be compiled for.
  explicit TileRunner(std::string_view name = "cpu", Lowering lowering = {})
      : target(std::move(findTarget(name)).orExit()), lowering(std::move(lowering)) {
    mlir::DialectRegistry registry;
    registerCodegenDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.loadAllAvailableDialects();
  }

  /// Names of the rows whose code this machine runs.
  static std::vector<std::string> runnableRows() {
    std::vector<std::string> names;
    for (const TargetDesc &row : knownTargets())
      if (row.kind == TargetKind::cpu && missingFeatures(row.featureList()).empty())
        names.push_back(row.name);
    return names;
  }

  /// Names a test whose parameter is a row.
  static std::string testName(const testing::TestParamInfo<std::string> &info) {
    std::string name;
    for (char c : info.param)
      name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
  }

  /// The object file of `text`, or what kept us from it.
  Result<std::string> object(std::string_view text, CodegenTimings *timings = nullptr) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    if (!module)
      return error("the text does not parse or lower");
    return emitObject(*module, target, timings);
  }

  Result<std::string> assembly(std::string_view text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    if (!module)
      return error("the text does not parse or lower");
    return emitAssembly(*module, target);
  }

  /// The function `name` of `text`, ready to be called; null, with a test failure, if it does not
  /// compile. It lives as long as this runner.
  template <class Function>
  Function *compile(std::string_view text, std::string_view name = "kernel") {
    Result<std::string> bytes = object(text);
    if (!bytes) {
      ADD_FAILURE() << bytes.errors().str();
      return nullptr;
    }
    Result<std::shared_ptr<LoadedCode>> code = jitLoader().load(*bytes, name);
    if (!code) {
      ADD_FAILURE() << code.errors().str();
      return nullptr;
    }
    loaded.push_back(*code);
    void *address = loaded.back()->lookup(name);
    if (!address)
      ADD_FAILURE() << "no function " << name;
    return reinterpret_cast<Function *>(address);
  }

  mlir::MLIRContext context;
  TargetDesc target;

private:
  mlir::OwningOpRef<mlir::ModuleOp> parse(std::string_view text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text), &context);
    if (module && lowering && failed(lowering(*module, target)))
      return nullptr;
    return module;
  }

  Lowering lowering;
  std::vector<std::shared_ptr<LoadedCode>> loaded;
};

} // namespace metile::cpu
