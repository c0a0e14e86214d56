// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 1: a first kernel. y = 2 x + 1 on a vector of any length.
//
// A kernel describes the work of one *program*, which handles one tile; the grid has as many
// programs as it takes to cover the output.

#include <metile/code_loader.h>
#include <metile/metile.h>
#include <metile/runtime.h>

#include <cstdio>
#include <vector>

using namespace metile;

int main() {
  Kernel twice = kernel("twice", [](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64, 256, 1024> B) {
    Index i = tile_of(y, 0, B);   // where this program's tile of y starts
    Tile tile = x.load({i}, {B}); // what lies behind the end of x reads as 0
    y.store({i}, 2 * tile + 1);   // and is not written
  });

  std::vector<float> x(1000), y(1000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  auto n = static_cast<int64_t>(x.size());

  // Compile for two vectors of f32. orExit() ends the program with the message if there is one.
  Artifact artifact = compile(twice, {{f32, {n}}, {f32, {n}}}).orExit();

  DeviceOptions options;
  options.codeLoader = &jitLoader();
  Device device = Device::open("cpu", options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  executable.launch({Argument::view(x.data(), f32, {n}), Argument::view(y.data(), f32, {n})})
      .orExit();

  std::printf("y[0] = %g, y[1] = %g, y[999] = %g\n", y[0], y[1], y[999]);
  return y[999] == 1999 ? 0 : 1;
}
