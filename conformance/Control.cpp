// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids, loops with carried values, branches, while and early return.

#include "Harness.h"

#include "Bench/Tolerance.h"

#include <fmt/format.h>

#include <array>

namespace metile::conformance {

/// Two carried tiles that change places each trip, and a scalar.
static void swaps(Suite &suite) {
  Kernel swapping = kernel(
      "swap", [](In<"x"> x, Out<"y"> y, Out<"z"> z, Scalar<"trips"> trips, Const<"B", 16> b) {
        Index i = tile_of(y, 0, b);
        Tile one = x.load({i}, {b}), other = one * 10;
        Tile steps = cast(trips, i32) * 0;
        for (Index j : range(0, trips)) {
          std::swap(one, other);
          one = one + cast(j, i32);
          steps = steps + 1;
        }
        y.store({i}, one - other);
        z.store({i}, other + steps);
      });
  for (int64_t trips : {-1, 0, 1, 2, 5})
    for (int64_t n : {3, 70}) {
      Array x(i32, {n}), y(i32, {n}), z(i32, {n}), count(i32, {});
      x.fillRandom(73);
      count.set(0, {trips, 0});
      suite.run("loop", i32,
                {fmt::format("swap {} times n={}", trips, n),
                 swapping,
                 {x, y, z, count},
                 {1, 2},
                 {{"B", 16}}});
    }
}

/// A running sum over column blocks, with the trip count from the view.
static void columns(Suite &suite) {
  Kernel summing = kernel("columns", [](In<"x"> x, Out<"y"> y, Const<"B", 8, 64> b) {
    Index i = tile_of(y, 0, 4);
    Tile total = zeros(f32, {4, b});
    for (Index j : range(0, x.size(1), b))
      total += x.load({i, j}, {4, b});
    y.store({i}, total.sum(1));
  });
  for (int64_t n : {0, 1, 31, 200})
    for (int64_t block : {8, 64})
      for (const std::string &schedule : suite.schedules()) {
        int64_t m = 9;
        Array x(f32, {m, n}), y(f32, {m});
        x.fillRandom(79);
        Check check{fmt::format("columns {} B={} {}", n, block, schedule),
                    summing,
                    {x, y},
                    {1},
                    {{"B", block}}};
        check.schedule = schedule;
        check.bound = [=](double) {
          return 2 * bench::accumulationBound(double(n), f32, 2.0 * double(n));
        };
        suite.run("loop over columns", f32, std::move(check));
      }
}

static void branches(Suite &suite) {
  Kernel branching = kernel("branch", [](In<"x"> x, Out<"y"> y, Const<"B", 16> b) {
    Index i = tile_of(y, 0, b);
    Tile value = x.load({i}, {b});
    if_(i % 32 == 0, [&] { value = value + 100; }).else_([&] {
      value = value * 2;
      if_(i > 40, [&] { value = -value; });
    });
    y.store({i}, value);
  });
  Kernel halving = kernel("halve", [](In<"x"> x, Out<"y"> y, Const<"B", 16> b) {
    Index i = tile_of(y, 0, b);
    Tile value = x.load({i}, {b});
    Index left = i;
    while_([&] { return left > 3; },
           [&] {
             left = left / 2;
             value = value + left;
           });
    y.store({i}, value);
  });
  Kernel early = kernel("early", [](In<"x"> x, InOut<"y"> y, Const<"B", 16> b) {
    Index i = tile_of(y, 0, b);
    return_if(i == 16);
    y.store({i}, x.load({i}, {b}) + 1);
  });
  for (int64_t n : {1, 40, 100}) {
    Array x(i64, {n}), y(i64, {n});
    x.fillRandom(83);
    auto run = [&](const std::string &operation, const Kernel &kernel) {
      suite.run(operation, i64,
                {fmt::format("{} {}", operation, n), kernel, {x, y}, {1}, {{"B", 16}}});
    };
    run("branch", branching);
    run("while", halving);
    run("early return", early);
  }
}

/// Every axis of a grid reaches its programs; one without programs does nothing.
static void grids(Suite &suite) {
  Kernel ids = kernel("ids", [](Ptr<"y"> y, Scalar<"nx"> nx, Scalar<"ny"> ny, Scalar<"nz"> nz) {
    grid(nx, ny, nz);
    Index x = program_id(0), v = program_id(1), w = program_id(2);
    Index place = (w * num_programs(1) + v) * num_programs(0) + x;
    store(y + place, x + 10 * v + 100 * w);
  });
  for (auto [nx, ny, nz] :
       {std::array<int64_t, 3>{3, 5, 2}, {1, 1, 1}, {7, 1, 4}, {0, 5, 2}, {3, 0, 2}, {3, 5, -1}}) {
    Array y(i64, {2, 5, 7});
    std::vector<Array> arguments{y};
    for (int64_t extent : {nx, ny, nz})
      arguments.emplace_back(i64, std::vector<int64_t>{}).set(0, {extent, 0});
    suite.run("grid", i64, {fmt::format("grid {}x{}x{}", nx, ny, nz), ids, arguments, {0}});
  }
}

void control(Suite &suite) {
  grids(suite);
  swaps(suite);
  columns(suite);
  branches(suite);
}

} // namespace metile::conformance
