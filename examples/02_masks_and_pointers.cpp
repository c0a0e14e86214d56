// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 2: the same freedom as in Triton. Pointers instead of views, offsets instead of positions,
// masks instead of edges, and a grid of one's own.

#include <metile/code_loader.h>
#include <metile/metile.h>
#include <metile/runtime.h>

#include <cstdio>
#include <vector>

using namespace metile;

int main() {
  // Every third element of x, scaled.
  Kernel thin = kernel("thin", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                  Const<"BLOCK", 256, 1024> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    Tile inside = i < n;
    store(y + i, cast(load(x + 3 * i, inside) * factor, y.dtype()), inside);
  });

  std::vector<float> x(3000), y(1000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  int64_t n = 1000;

  // Of a pointer the compiler knows the type alone; of a scalar, if we like, a typical value.
  Artifact artifact = compile(thin, {{f32}, {f32}, {f32}, {i64, {}, {}, 1, n}}).orExit();

  DeviceOptions options;
  options.codeLoader = &jitLoader();
  Device device = Device::open("cpu", options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  executable
      .launch({Argument::pointer(x.data(), f32), Argument::pointer(y.data(), f32),
               Argument::scalar(0.5f), Argument::scalar(n)})
      .orExit();

  std::printf("y[1] = %g, y[999] = %g\n", y[1], y[999]);
  return y[999] == 0.5f * 2997 ? 0 : 1;
}
