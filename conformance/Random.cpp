// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers: functions of a seed and a counter.

#include "Harness.h"

#include <fmt/format.h>

namespace metile::conformance {

using Numbers = std::function<Tile(Operand seed, const Tile &counter)>;

static void numbers(Suite &suite, const std::string &operation, DType dtype, Numbers draw,
                    Bound bound) {
  for (int64_t block : {16, 64}) {
    Kernel drawing = kernel(
        "draw", [=](Scalar<"seed"> seed, In<"counter"> counter, Out<"y"> y, Const<"B", 16, 64> b) {
          Index i = tile_of(y, 0, b);
          y.store({i}, draw(seed, counter.load({i}, {b})));
        });
    for (int64_t n : {1, 97}) {
      Array seed(i32, {}), counter(u32, {n}), y(dtype, {n});
      seed.fillRandom(7, true);
      counter.fillRandom(11, true);
      std::string text = fmt::format("{} {} B={}", operation, name(dtype), block);
      Check check{
          fmt::format("{} n={}", text, n), drawing, {seed, counter, y}, {2}, {{"B", block}}};
      check.bound = bound;
      check.sharedCode = text;
      suite.run(operation, dtype, std::move(check));
    }
  }
}

void random(Suite &suite) {
  numbers(suite, "randint", u32,
          [](const Operand &seed, const Tile &counter) { return randint(seed, counter); }, {});
  numbers(suite, "philox", u32,
          [](const Operand &seed, const Tile &counter) {
            return philox(seed, counter, 1, counter + 1, 3, 7)[2];
          },
          {});
  numbers(suite, "rand", f32,
          [](const Operand &seed, const Tile &counter) { return rand(seed, counter); }, {});
  // A product of a logarithm's root and a cosine, each off by up to four units. The cosine's error
  // counts where it is near zero, so it is one of the largest result.
  numbers(
      suite, "randn", f32,
      [](const Operand &seed, const Tile &counter) { return randn(seed, counter); },
      [](double) { return 16 * 6.0 * 0x1p-23; });
}

} // namespace metile::conformance
