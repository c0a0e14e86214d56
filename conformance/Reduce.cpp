// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions along every axis.

#include "Harness.h"

#include "Bench/Tolerance.h"

#include <fmt/format.h>

#include <cmath>

namespace metile::conformance {

using Reduction = std::function<Tile(const Tile &, int axis)>;

/// Floats of 8 bits are compared in f32.
static DType arithmeticType(DType dtype) { return isFloat8(dtype) ? f32 : dtype; }

/// Reduces tiles [64, B] or [B, 64] of a view [m, n] along the axis of 64; elements outside the
/// view equal `fill`, an element that changes nothing.
static void reduction(Suite &suite, const std::string &operation, DType dtype, DType result,
                      double fill, Reduction tile, bool isSum, bool wide = false) {
  static unsigned turn = 0;
  for (int axis : {0, 1})
    for (int64_t other : {4, 16}) {
      Form form = allForms[turn % std::size(allForms)];
      const std::string &schedule = suite.schedules()[turn / 2 % suite.schedules().size()];
      ++turn;
      Kernel reducing = kernel("reduce", [=](In<"x"> x, Out<"y"> y, Const<"B", 4, 16> b) {
        Index i = tile_of(y, 0, b);
        Operand outside = isFloat(dtype)     ? Operand(fill)
                          : dtype == boolean ? Operand(fill != 0)
                          : fill < 0         ? Operand(int64_t(fill))
                                             : Operand(uint64_t(fill));
        Tile loaded =
            axis == 0 ? x.load({0, i}, {64, b}, outside) : x.load({i, 0}, {b, 64}, outside);
        y.store({i}, tile(loaded, axis));
      });
      for (auto [m, n] : {std::pair<int64_t, int64_t>{5, 7}, {33, 17}, {1, 1}, {16, 64}}) {
        bool isEven = m == 16; // Has code of its own.
        if (isEven && turn % 4 != 0 && !suite.isFull())
          continue;
        int64_t lines = axis == 0 ? n : m, length = axis == 0 ? m : n;
        Array x(dtype, {m, n}, form), y(result, {lines});
        x.fillRandom(static_cast<uint64_t>(m * n + axis), wide);
        std::string text = fmt::format("{} {} axis {} {} B={} {}", operation, metile::name(dtype),
                                       axis, name(form), other, schedule);
        Check check{fmt::format("{} {}x{}", text, m, n), reducing, {x, y}, {1}, {{"B", other}}};
        check.schedule = schedule;
        if (!isEven)
          check.sharedCode = text;
        if (isSum && isFloat(dtype))
          // Elements lie in [-2, 2). Both sides stray from the sum, each by its own order.
          check.bound = [=](double) {
            return 2 * bench::accumulationBound(double(length), result, 2.0 * double(length));
          };
        suite.run(operation, dtype, std::move(check));
      }
    }
}

void reductions(Suite &suite) {
  for (DType dtype : allDTypes) {
    reduction(
        suite, "sum", dtype, sumType(dtype), 0, [](const Tile &x, int axis) { return x.sum(axis); },
        true);
    if (dtype == boolean)
      continue;
    for (bool largest : {true, false})
      for (nan mode : {nan::propagate, nan::ignore}) {
        if (!isFloat(dtype) && mode == nan::ignore)
          continue;
        // A value that loses against all, so that the filled part of the tile does not count.
        auto bits = int(8 * byteSize(dtype));
        double loser = isFloat(dtype) ? (largest ? -INFINITY : INFINITY)
                       : isSigned(dtype)
                           ? (largest ? -std::ldexp(1, bits - 1) : std::ldexp(1, bits - 2))
                           : (largest ? 0 : std::ldexp(1, bits - 1));
        std::string suffix = mode == nan::ignore ? " nan::ignore" : "";
        reduction(
            suite, (largest ? "max" : "min") + suffix, dtype, arithmeticType(dtype), loser,
            [=](const Tile &x, int axis) {
              return largest ? x.max(axis, mode) : x.min(axis, mode);
            },
            false, true);
        reduction(
            suite, (largest ? "argmax" : "argmin") + suffix, dtype, i64, loser,
            [=](const Tile &x, int axis) {
              return largest ? x.argmax(axis, mode) : x.argmin(axis, mode);
            },
            false, true);
      }
  }
  for (DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    reduction(
        suite, "reduce by a function", dtype, dtype, 1,
        [](const Tile &x, int axis) {
          return x.reduce(axis, [](const Tile &a, const Tile &b) { return a * b; });
        },
        false);
  for (DType dtype : {i8, i32, i64, u16}) {
    // The sum and, beside it, the parity of the terms: both make the result.
    using Pair = std::pair<Tile, Tile>;
    reduction(
        suite, "reduce two tiles by a function", dtype, dtype, 0,
        [](const Tile &x, int axis) {
          Pair both = reduce(Pair{x, x + x}, axis, [](const Pair &a, const Pair &b) {
            return Pair{a.first + b.first, a.second ^ b.second};
          });
          return both.first * 3 - both.second;
        },
        false, true);
  }
}

} // namespace metile::conformance
