// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random numbers of the language, drawn by the interpreter.
#include "metile/compile.h"
#include "metile/interpreter.h"
#include "metile/runtime.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace metile;

namespace {

/// Launches `kernel`, whose one parameter is a view that it fills.
template <class T> std::vector<T> draw(const Kernel &kernel, DType dtype, int64_t size) {
  std::vector<T> result(static_cast<size_t>(size));
  CompileOptions options;
  options.target = "reference";
  options.useCache = false;
  DeviceOptions deviceOptions;
  deviceOptions.interpreter = &referenceInterpreter();
  Device device = Device::open("reference", deviceOptions).orExit();
  Artifact artifact = compile(kernel, {{dtype, {size}}}, options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  executable.launch({Argument::view(result.data(), dtype, {size})}).orExit();
  return result;
}

using Words = std::vector<uint32_t>;

/// The vectors for philox4x32 with 10 rounds that come with Random123 1.14 (kat_vectors).
TEST(Random, PhiloxGivesThePublishedVectors) {
  struct Vector {
    Words counter, key, expected;
  };
  const Vector vectors[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Vector &vector : vectors) {
    uint64_t seed = uint64_t(vector.key[1]) << 32 | vector.key[0];
    const Words &c = vector.counter;
    Kernel k = kernel("k", [&, seed](Out<"y"> y) {
      grid(1);
      auto [a, b, d, e] = philox(seed, c[0], c[1], c[2], c[3]);
      y.store({0}, a);
      y.store({1}, b);
      y.store({2}, d);
      y.store({3}, e);
    });
    EXPECT_EQ(draw<uint32_t>(k, u32, 4), vector.expected);
  }
}

TEST(Random, AnOffsetOf64BitsCountsWhole) {
  Kernel k = kernel("k", [](Out<"y"> y) {
    grid(1);
    Tile low = full(i64, {}, 5), high = low + (int64_t(1) << 32);
    y.store({0}, randint(1, low));
    y.store({1}, randint(1, high));
    y.store({2}, philox(1, 5, 1, 0, 0)[0]);
    y.store({3}, randint(1, cast(low, u8)));
  });
  Words drawn = draw<uint32_t>(k, u32, 4);
  EXPECT_NE(drawn[0], drawn[1]);
  EXPECT_EQ(drawn[1], drawn[2]);
  EXPECT_EQ(drawn[0], drawn[3]);
}

TEST(Random, UniformNumbersFillTheUnitInterval) {
  constexpr int64_t size = 1 << 14;
  std::vector<float> x = draw<float>(kernel("k",
                                            [](Out<"y"> y, Const<"BLOCK", 1024> block) {
                                              Index i = tile_of(y, 0, block);
                                              y.store({i}, rand(42, i + arange(block)));
                                            }),
                                     f32, size);
  double sum = 0;
  for (float value : x) {
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  // Five standard deviations of a mean of this many.
  EXPECT_NEAR(sum / size, 0.5, 5 * std::sqrt(1.0 / 12 / size));
}

TEST(Random, NormalNumbersHaveMeanZeroAndVarianceOne) {
  constexpr int64_t size = 1 << 14;
  std::vector<float> x = draw<float>(kernel("k",
                                            [](Out<"y"> y, Const<"BLOCK", 1024> block) {
                                              Index i = tile_of(y, 0, block);
                                              y.store({i}, randn(42, i + arange(block)));
                                            }),
                                     f32, size);
  double sum = 0, squares = 0;
  for (float value : x) {
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += double(value) * value;
  }
  EXPECT_NEAR(sum / size, 0, 5 / std::sqrt(double(size)));
  EXPECT_NEAR(squares / size, 1, 5 * std::sqrt(2.0 / size));
}

} // namespace
