// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 4: a loop that carries a tile, a dot, an epilogue, and what the planner made of it all.

#include <metile/code_loader.h>
#include <metile/metile.h>
#include <metile/runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace metile;

int main() {
  // c = max(a b, 0). The block sizes are open: any of them gives the same result, the planner takes
  // those which it expects to be fastest for the sizes at hand.
  Kernel gemm =
      kernel("my_gemm", [](In<"a"> a, In<"b"> b, Out<"c"> c, Const<"BLOCK_M", 32, 64, 128> M,
                           Const<"BLOCK_N", 32, 64, 128> N, Const<"BLOCK_K", 32, 128> K) {
        Index m = tile_of(c, 0, M), n = tile_of(c, 1, N);
        Tile sum = zeros(f32, {M, N});
        for (Index k : range(0, a.size(1), K)) // one loop in the kernel; `sum` is carried
          sum = dot(a.load({m, k}, {M, K}), b.load({k, n}, {K, N}), sum);
        c.store({m, n}, maximum(sum, 0)); // no masks: views know where they end
      });

  int64_t m = 300, n = 200, k = 100;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<float>(i % 5) - 2;

  Artifact artifact = compile(gemm, {{f32, {m, k}}, {f32, {k, n}}, {f32, {m, n}}}).orExit();
  for (const auto &[constant, value] : artifact.constants)
    std::printf("%s = %lld\n", constant.c_str(), static_cast<long long>(value));
  // artifact.report says why, as JSON; `metile explain` prints such a report for people.

  DeviceOptions options;
  options.codeLoader = &jitLoader();
  Device device = Device::open("cpu", options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  executable
      .launch({Argument::view(a.data(), f32, {m, k}), Argument::view(b.data(), f32, {k, n}),
               Argument::view(c.data(), f32, {m, n})})
      .orExit();

  int wrong = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float expected = 0;
      for (int64_t p = 0; p < k; ++p)
        expected += a[i * k + p] * b[p * n + j];
      wrong += c[i * n + j] != std::fmax(expected, 0); // whole numbers: exact in any order
    }
  std::printf("%d of %lld elements are wrong\n", wrong, static_cast<long long>(m * n));
  return wrong != 0;
}
