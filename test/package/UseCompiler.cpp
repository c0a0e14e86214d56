// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a kernel and runs it.
#include <metile/code_loader.h>
#include <metile/metile.h>
#include <metile/runtime.h>

#include <cstdio>
#include <vector>

using namespace metile;

int main() {
  Kernel addOne = kernel("add_one", [](In<"x"> x, Out<"y"> y, Const<"BLOCK", 256, 1024> B) {
    Index i = tile_of(y, 0, B);
    y.store({i}, x.load({i}, {B}) + 1);
  });
  std::vector<float> x(12345, 2), y(x.size());
  auto size = static_cast<int64_t>(x.size());
  CompileOptions compileOptions;
  compileOptions.useCache = false;
  Artifact artifact = compile(addOne, {{f32, {size}}, {f32, {size}}}, compileOptions).orExit();

  DeviceOptions options;
  options.codeLoader = &jitLoader();
  Device device = Device::open("cpu", options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  executable.launch({Argument::view(x.data(), f32, {size}), Argument::view(y.data(), f32, {size})})
      .orExit();
  for (float value : y)
    if (value != 3) {
      std::puts("wrong");
      return 1;
    }
  return 0;
}
