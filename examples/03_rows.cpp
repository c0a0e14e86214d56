// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 3: reductions, and helpers that are ordinary C++ functions. The softmax of each row.

#include <metile/code_loader.h>
#include <metile/metile.h>
#include <metile/runtime.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

using namespace metile;

/// exp(x - max(x)) along the rows. Site adds the place of the call to messages about this body.
static Tile powersOf(const Tile &x, Loc at = Loc::current()) {
  Site here(at);
  return exp(x - x.max(1).expand(1));
}

int main() {
  Kernel softmax = kernel("softmax", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 4> R) {
    Index row = tile_of(y, 0, R);
    // The third argument is what lies outside the view: it must not win the maximum.
    Tile values = x.load({row, 0}, {R, 1024}, -std::numeric_limits<double>::infinity());
    Tile powers = powersOf(values);
    y.store({row, 0}, powers / powers.sum(1).expand(1));
  });

  int64_t rows = 8, columns = 1000;
  std::vector<float> x(rows * columns), y(rows * columns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i % 97) / 10;

  Artifact artifact = compile(softmax, {{f32, {rows, columns}}, {f32, {rows, columns}}}).orExit();
  DeviceOptions options;
  options.codeLoader = &jitLoader();
  Device device = Device::open("cpu", options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  executable
      .launch({Argument::view(x.data(), f32, {rows, columns}),
               Argument::view(y.data(), f32, {rows, columns})})
      .orExit();

  double total = 0;
  for (int64_t i = 0; i < columns; ++i)
    total += y[columns + i];
  std::printf("a row sums to %.6f\n", total);
  return std::abs(total - 1) < 1e-5 ? 0 : 1;
}
