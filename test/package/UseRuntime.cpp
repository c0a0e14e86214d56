// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs code that the program itself links, described by an artifact that was read from a file.
#include <metile/runtime.h>

#include <cstdio>
#include <vector>

using namespace metile;

// y[i] = x[i] + 1, a thousand elements a program.
static int32_t addOne(const uint64_t *slots, int64_t begin, int64_t end, void *) {
  auto *x = reinterpret_cast<const float *>(slots[0]);
  auto *y = reinterpret_cast<float *>(slots[3]);
  auto size = static_cast<int64_t>(slots[1]);
  for (int64_t i = begin * 1000; i < end * 1000 && i < size; ++i)
    y[i] = x[i] + 1;
  return 0;
}

int main() {
  Artifact written;
  written.kernel = "add_one";
  written.target = "cpu";
  written.arguments = {{"x", ArgumentRole::in, f32, 1}, {"y", ArgumentRole::out, f32, 1}};
  Step step;
  step.entry = "add_one";
  step.grid = {
      SizeExpr::binary(SizeExpr::Kind::cdiv, SizeExpr::size(1, 0), SizeExpr::constant(1000)),
      SizeExpr::constant(1), SizeExpr::constant(1)};
  step.programCost = SizeExpr::constant(5000);
  written.steps = {step};
  Artifact artifact = parseArtifact(serialize(written), "add_one").orExit();

  DeviceOptions options;
  options.threads = 2;
  Device device = Device::open("cpu", options).orExit();
  const Symbol symbols[] = {{"add_one", addOne}};
  Executable executable = Executable::fromSymbols(device, artifact, symbols).orExit();
  std::vector<float> x(123456, 2), y(x.size());
  auto size = static_cast<int64_t>(x.size());
  executable.launch({Argument::view(x.data(), f32, {size}), Argument::view(y.data(), f32, {size})})
      .orExit();
  for (float value : y)
    if (value != 3) {
      std::puts("wrong");
      return 1;
    }
  return 0;
}
