// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/runtime.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace metile {
namespace {

/// y[i] = factor x[i], 64 elements a program; x any stride.
Artifact scale(const std::string &body) {
  Artifact artifact;
  artifact.kernel = "scale";
  artifact.target = "metal:m1";
  artifact.codeKind = CodeKind::msl;
  artifact.arguments = {{"x", ArgumentRole::in, f32, 1},
                        {"y", ArgumentRole::out, f32, 1},
                        {"factor", ArgumentRole::scalar, f32, 0}};
  artifact.code = R"(
#include <metal_stdlib>
using namespace metal;
[[kernel, max_total_threads_per_threadgroup(64)]] void scale(
    device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
    constant long *slots [[buffer(2)]], uint group [[threadgroup_position_in_grid]],
    uint thread_index [[thread_index_in_threadgroup]]) {
  long i = group * 64 + thread_index;
  float factor = as_type<float>(uint(slots[6]));
)" + body + "}\n";
  Step step;
  step.entry = "scale";
  step.grid = {SizeExpr::binary(SizeExpr::Kind::cdiv, SizeExpr::size(1, 0), SizeExpr::constant(64)),
               SizeExpr::constant(1), SizeExpr::constant(1)};
  artifact.steps = {step};
  return artifact;
}

} // namespace

TEST(EmulatorDevice, RunsMetalText) {
  Device device = Device::open("metal-emu").orExit();
  EXPECT_EQ(device.name(), "metal-emu");
  Artifact artifact = scale("if (i < slots[4]) y[i] = factor * x[i * slots[2]];");
  Executable executable = Executable::load(device, artifact).orExit();
  std::vector<float> x(2 * 100), y(100);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  // Every other element, from the back.
  Argument view = Argument::view(x.data() + 198, f32, {100}, {-2});
  executable.launch({view, Argument::view(y.data(), f32, {100}), Argument::scalar(3.0f)}).orExit();
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(y[i], 3 * x[198 - 2 * i]);
}

TEST(EmulatorDevice, ChecksOnRequest) {
  setenv("METILE_CHECK", "1", 1);
  Device device = Device::open("metal-emu").orExit();
  unsetenv("METILE_CHECK");
  Executable right =
      Executable::load(device, scale("if (i < slots[4]) y[i] = factor * x[i * slots[2]];"))
          .orExit();
  std::vector<float> x(200), y(100);
  Argument reversed = Argument::view(x.data() + 99, f32, {100}, {-1});
  EXPECT_TRUE(
      right.launch({reversed, Argument::view(y.data(), f32, {100}), Argument::scalar(3.0f)}));
  Executable wrong = Executable::load(device, scale("y[i] = factor;")).orExit();
  Status status = wrong.launch({Argument::view(x.data(), f32, {100}),
                                Argument::view(y.data(), f32, {100}), Argument::scalar(3.0f)});
  ASSERT_FALSE(status);
  EXPECT_NE(
      status.errors().str().find("scale.metal:10:6: error: scale: out of bounds of device memory "
                                 "'y', which has 400 bytes"),
      std::string::npos)
      << status.errors().str();
}

TEST(EmulatorDevice, RefusesOtherCode) {
  Device device = Device::open("metal-emu").orExit();
  Artifact artifact = scale("");
  artifact.codeKind = CodeKind::object;
  artifact.target = "cpu";
  Result<Executable> loaded = Executable::load(device, artifact);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.errors().str(), "error: scale: the artifact is for 'cpu'; the device is "
                                   "'metal-emu'; compile the kernel for a metal target");
}

} // namespace metile
