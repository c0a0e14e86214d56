// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans, sorting and counting along an axis.

#include "Harness.h"

#include "Bench/Tolerance.h"

#include <fmt/format.h>

#include <cmath>

namespace metile::conformance {

/// What becomes of a tile along `axis`.
using AlongAxis = std::function<Tile(const Tile &, int axis)>;

/// Runs `tile` on tiles of 64 elements along each axis of a view; the results have `extent`
/// elements there. Elements outside the view equal `fill`.
static void along(Suite &suite, const std::string &operation, DType dtype, DType result,
                  int64_t extent, int fill, AlongAxis tile, Bound bound, bool wide) {
  static unsigned turn = 0;
  for (int axis : {0, 1})
    for (int64_t other : {4, 16}) {
      // Each axis with one of the two, by turns, unless there is time for both.
      if (!suite.isFull() && (other == 4) != ((axis + turn / 2) % 2 == 0))
        continue;
      Form form = allForms[turn % std::size(allForms)];
      const std::string &schedule = suite.schedules()[turn / 2 % suite.schedules().size()];
      ++turn;
      Kernel scanning = kernel("along", [=](In<"x"> x, Out<"y"> y, Const<"B", 4, 16> b) {
        Index i = tile_of(y, 1 - axis, b);
        Operand outside = dtype == boolean ? Operand(fill != 0) : Operand(fill);
        if (axis == 0)
          y.store({0, i}, tile(x.load({0, i}, {64, b}, outside), axis));
        else
          y.store({i, 0}, tile(x.load({i, 0}, {b, 64}, outside), axis));
      });
      for (auto [lines, length] :
           {std::pair<int64_t, int64_t>{5, 7}, {33, 61}, {1, 1}, {0, 9}, {16, 64}}) {
        bool isEven = length == 64; // Has code of its own.
        if (isEven && turn % 4 != 0 && !suite.isFull())
          continue;
        auto shape = [&, lines = lines](int64_t n) {
          return axis == 0 ? std::vector{n, lines} : std::vector{lines, n};
        };
        Array x(dtype, shape(length), form), y(result, shape(extent));
        x.fillRandom(static_cast<uint64_t>(lines + axis), wide);
        std::string text = fmt::format("{} {} axis {} {} B={} {}", operation, metile::name(dtype),
                                       axis, name(form), other, schedule);
        Check check{
            fmt::format("{} {} x {}", text, lines, length), scanning, {x, y}, {1}, {{"B", other}}};
        check.schedule = schedule;
        check.bound = bound;
        if (!isEven)
          check.sharedCode = text;
        suite.run(operation, dtype, std::move(check));
      }
    }
}

/// Of up to 64 terms in [-2, 2): both sides stray, each by its own order.
static Bound sumBound(DType result) {
  if (!isFloat(result))
    return {};
  return [=](double) { return 2 * bench::accumulationBound(64, result, 128); };
}

static Bound productBound(DType result) {
  if (!isFloat(result))
    return {};
  return [=](double expected) {
    return 2 * 64 * bench::unitRoundoff(result) * std::abs(expected) +
           ulps(result, 64)(0); // Partial products may be subnormal.
  };
}

void scans(Suite &suite) {
  for (DType dtype : allDTypes) {
    DType result = sumType(dtype);
    for (bool reverse : {false, true}) {
      std::string suffix = reverse ? " reverse" : "";
      along(
          suite, "cumsum" + suffix, dtype, result, 64, 0,
          [=](const Tile &x, int axis) { return x.cumsum(axis, reverse); }, sumBound(result),
          false);
      if (dtype != boolean)
        along(
            suite, "cumprod" + suffix, dtype, result, 64, 1,
            [=](const Tile &x, int axis) { return x.cumprod(axis, reverse); }, productBound(result),
            false);
    }
  }
  for (DType dtype : {i8, i32, i64, u16})
    for (bool reverse : {false, true}) {
      // x ↦ a·x + b, one after the other: associative, not commutative, and exact in integers.
      using Line = std::pair<Tile, Tile>;
      along(
          suite, reverse ? "associative_scan reverse" : "associative_scan", dtype, dtype, 64, 1,
          [=](const Tile &x, int axis) {
            Line line{x, x + 1};
            auto after = [](const Line &first, const Line &then) {
              return Line{first.first * then.first, first.second * then.first + then.second};
            };
            return associative_scan(line, axis, after, reverse).second;
          },
          {}, true);
    }
}

void sorts(Suite &suite) {
  for (DType dtype : allDTypes) {
    for (bool descending : {false, true}) {
      std::string suffix = descending ? " descending" : "";
      along(
          suite, "sort" + suffix, dtype, dtype, 64, 0,
          [=](const Tile &x, int axis) { return sort(x, axis, descending); }, {}, true);
      along(
          suite, "argsort" + suffix, dtype, i64, 64, 0,
          [=](const Tile &x, int axis) { return argsort(x, axis, descending); }, {}, true);
    }
    along(
        suite, "topk", dtype, dtype, 8, 0, [](const Tile &x, int axis) { return topk(x, 8, axis); },
        {}, true);
    along(
        suite, "topk_with_indices", dtype, i64, 8, 0,
        [](const Tile &x, int axis) { return topk_with_indices(x, 8, axis).second; }, {}, true);
  }
  for (DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (int64_t n : {1, 63, 64})
      for (int64_t bins : {1, 16, 256}) {
        Array x(dtype, {n}), y(i32, {bins});
        x.fillRandom(101, n == 63);
        Kernel counting = kernel("histogram", [bins](In<"x"> x, Out<"y"> y) {
          grid(1);
          Tile inside = arange(64) < x.size(0);
          y.store({0}, histogram(x.load({0}, {64}), bins, inside));
        });
        Check check{
            fmt::format("histogram {} {} in {}", name(dtype), n, bins), counting, {x, y}, {1}};
        check.sharedCode = fmt::format("histogram {} {}", name(dtype), bins);
        suite.run("histogram", dtype, std::move(check));
      }
}

} // namespace metile::conformance
