// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probes and assertions from the kernel's text to the host.

#include "Driver/CompileModule.h"
#include "metile/code_loader.h"
#include "metile/interpreter.h"
#include "metile/runtime.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace metile;

namespace {

/// 4 programs of 8 elements each.
const char *watched = R"(
func.func @watched(%x: !tile.view<?xf32, [1]> {tile.role = "in", tile.name = "x"},
                   %y: !tile.view<?xf32, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %c8 = arith.constant 8 : i64
  %n = tile.view_size %x, 0 : !tile.view<?xf32, [1]>
  %g = tile.div ceil %n, %c8 : i64
  tile.grid %g
  %p = tile.program_id 0
  %o = arith.muli %p, %c8 : i64
  %t = tile.view_load %x[%o] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  %s = arith.addf %t, %t : tensor<8xf32>
  tile.probe "doubled" %s : tensor<8xf32>
  tile.view_store %s, %y[%o] : tensor<8xf32>, !tile.view<?xf32, [1]>
  ASSERT
  return
})";

/// On the device that the parameter names.
class ProbeTest : public testing::TestWithParam<std::string> {
protected:
  std::vector<float> x = std::vector<float>(30), y = std::vector<float>(30);

  ProbeTest() {
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i);
  }

  Artifact compile(bool probes, std::string_view assertion = "") {
    std::string text = watched;
    text.replace(text.find("ASSERT"), 6, assertion);
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text), &context, "test.mlir");
    if (!module)
      return {};
    return compileModule(*module, GetParam(), "", probes).orExit();
  }

  Executable load(const Artifact &artifact) {
    DeviceOptions options;
    options.codeLoader = &jitLoader();
    options.interpreter = &referenceInterpreter();
    return Executable::load(Device::open(GetParam(), options).orExit(), artifact).orExit();
  }

  std::vector<Argument> arguments() {
    return {Argument::view(std::as_const(x).data(), f32, {30}),
            Argument::view(y.data(), f32, {30})};
  }
};

TEST_P(ProbeTest, RecordsChosenPrograms) {
  ProbeRequest request;
  request.programs = {{1, 0, 0}, {3, 0, 0}};
  ASSERT_TRUE(load(compile(true)).probe(arguments(), request));
  ASSERT_EQ(request.records.size(), 2u);
  for (const ProbeRecord &record : request.records) {
    EXPECT_EQ(record.name, "doubled");
    EXPECT_EQ(record.location.str(), "test.mlir:13:3");
    EXPECT_EQ(record.shape, std::vector<int64_t>{8});
    float values[8];
    ASSERT_EQ(record.values.size(), sizeof(values));
    std::memcpy(values, record.values.data(), sizeof(values));
    for (int64_t i = 0; i < 8; ++i) {
      int64_t at = 8 * record.program[0] + i;
      EXPECT_EQ(values[i], at < 30 ? 2 * static_cast<float>(at) : 0);
    }
  }
  EXPECT_EQ(y[29], 58);
}

TEST_P(ProbeTest, NotAskedForLeavesNothing) {
  Artifact artifact = compile(false);
  EXPECT_TRUE(artifact.debugSites.empty());
  EXPECT_LT(artifact.code.size(), compile(true).code.size());
  ProbeRequest request;
  ASSERT_TRUE(load(artifact).probe(arguments(), request));
  EXPECT_TRUE(request.records.empty());
  EXPECT_EQ(y[29], 58);
}

TEST_P(ProbeTest, AFailedAssertionNamesItsPlace) {
  Artifact artifact = compile(false, R"(
  %limit = arith.constant dense<20.0> : tensor<8xf32>
  %small = arith.cmpf olt, %t, %limit : tensor<8xf32>
  tile.assert %small, "x is below 20" : tensor<8xi1>)");
  Status failed = load(artifact).launch(arguments());
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.errors().isFinding);
  // The interpreter goes on, and says how many more there are.
  EXPECT_EQ(failed.errors().str().find(
                "test.mlir:18:3: error: watched: assertion failed: x is below 20, in program "
                "(2, 0, 0), element [4]"),
            0u)
      << failed.errors().str();
}

INSTANTIATE_TEST_SUITE_P(Devices, ProbeTest, testing::Values("cpu", "reference"),
                         [](const auto &info) { return info.param; });

} // namespace
