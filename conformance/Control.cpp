// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids, loops with carried values, branches, while and early return.

#include "Harness.h"

namespace metile::conformance {

static std::string label(const std::string &op, int64_t n) { return op + " " + std::to_string(n); }

/// Two carried tiles that change places each trip, and a scalar.
static void swaps(Suite &suite) {
  for (int64_t trips : {0, 1, 2, 5})
    for (int64_t n : {3, 70}) {
      Array x(i32, {n}), y(i32, {n}), z(i32, {n}), count(i32, {});
      x.fillRandom(73);
      count.set(0, {trips, 0});
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
      Check check{label("swap", trips) + " n=" + std::to_string(n),
                  swapping,
                  {x, y, z, count},
                  {1, 2},
                  {{"B", 16}},
                  {},
                  {}};
      check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
        for (int64_t i = 0; i < n; ++i) {
          int64_t one = in[0].get(i).integer, other = one * 10;
          for (int64_t j = 0; j < trips; ++j) {
            std::swap(one, other);
            one += j;
          }
          out[0].set(i, {one - other, 0});
          out[1].set(i, {other + trips, 0});
        }
      };
      suite.run("loop", std::move(check));
    }
}

/// A running sum over column blocks, with the trip count from the view.
static void columns(Suite &suite) {
  for (int64_t n : {0, 1, 31, 200})
    for (int64_t block : {8, 64}) {
      int64_t m = 9;
      Array x(f32, {m, n}), y(f32, {m});
      x.fillRandom(79);
      Kernel summing = kernel("columns", [](In<"x"> x, Out<"y"> y, Const<"B", 8, 64> b) {
        Index i = tile_of(y, 0, 4);
        Tile total = zeros(f32, {4, b});
        for (Index j : range(0, x.size(1), b))
          total += x.load({i, j}, {4, b});
        y.store({i}, total.sum(1));
      });
      Check check{label("columns", n) + " B=" + std::to_string(block),
                  summing,
                  {x, y},
                  {1},
                  {{"B", block}},
                  {},
                  {}};
      check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
        for (int64_t i = 0; i < m; ++i) {
          double total = 0;
          for (int64_t j = 0; j < n; ++j)
            total += in[0].get(i * n + j).real;
          out[0].set(i, {0, total});
        }
      };
      check.bound = [=](double) { return double(n + 1) * 2 * double(n + 1) * 0x1p-24; };
      suite.run("loop over columns", std::move(check));
    }
}

static void branches(Suite &suite) {
  for (int64_t n : {1, 40, 100}) {
    Array x(i64, {n}), y(i64, {n});
    x.fillRandom(83);
    Kernel branching = kernel("branch", [](In<"x"> x, Out<"y"> y, Const<"B", 16> b) {
      Index i = tile_of(y, 0, b);
      Tile value = x.load({i}, {b});
      if_(i % 32 == 0, [&] { value = value + 100; }).else_([&] {
        value = value * 2;
        if_(i > 40, [&] { value = -value; });
      });
      y.store({i}, value);
    });
    Check check{label("branch", n), branching, {x, y}, {1}, {{"B", 16}}, {}, {}};
    check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
      for (int64_t i = 0; i < n; ++i) {
        int64_t start = i / 16 * 16, value = in[0].get(i).integer;
        out[0].set(i, {start % 32 == 0 ? value + 100 : start > 40 ? -2 * value : 2 * value, 0});
      }
    };
    suite.run("branch", std::move(check));

    Array z(i64, {n});
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
    Check loop{label("while", n), halving, {x, z}, {1}, {{"B", 16}}, {}, {}};
    loop.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
      for (int64_t i = 0; i < n; ++i) {
        int64_t value = in[0].get(i).integer;
        for (int64_t left = i / 16 * 16; left > 3;)
          value += left /= 2;
        out[0].set(i, {value, 0});
      }
    };
    suite.run("while", std::move(loop));

    Array w(i64, {n});
    Kernel early = kernel("early", [](In<"x"> x, InOut<"y"> y, Const<"B", 16> b) {
      Index i = tile_of(y, 0, b);
      return_if(i == 16);
      y.store({i}, x.load({i}, {b}) + 1);
    });
    Check returning{label("early return", n), early, {x, w}, {1}, {{"B", 16}}, {}, {}};
    returning.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
      for (int64_t i = 0; i < n; ++i)
        if (i / 16 != 1)
          out[0].set(i, {in[0].get(i).integer + 1, 0});
    };
    suite.run("early return", std::move(returning));
  }
}

/// Every axis of a grid reaches its programs.
static void grids(Suite &suite) {
  int64_t nx = 3, ny = 5, nz = 2;
  Array y(i64, {nz, ny, nx});
  Kernel ids = kernel("ids", [=](Ptr<"y"> y) {
    grid(nx, ny, nz);
    Index x = program_id(0), v = program_id(1), w = program_id(2);
    Index place = (w * num_programs(1) + v) * num_programs(0) + x;
    store(y + place, x + 10 * v + 100 * w);
  });
  Check check{"ids", ids, {y}, {0}, {}, {}, {}};
  check.reference = [=](const std::vector<Array> &, std::vector<Array> &out) {
    for (int64_t i = 0; i < nx * ny * nz; ++i)
      out[0].set(i, {i % nx + 10 * (i / nx % ny) + 100 * (i / (nx * ny)), 0});
  };
  suite.run("grid", std::move(check));
}

void control(Suite &suite) {
  grids(suite);
  swaps(suite);
  columns(suite);
  branches(suite);
}

} // namespace metile::conformance
