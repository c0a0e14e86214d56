// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and pointers: edges, fills, masks, strides, offsets; and the operations that reshape tiles.

#include "Harness.h"

namespace metile::conformance {

static std::string label(const std::string &op, DType dtype, std::initializer_list<int64_t> sizes) {
  std::string text = op + " " + std::string(name(dtype));
  for (auto size = sizes.begin(); size != sizes.end(); ++size)
    text += (size == sizes.begin() ? " " : "x") + std::to_string(*size);
  return text;
}

static std::vector<DType> dtypes() { return computedDTypes(); }

static std::string constantsOf(const Check &check) {
  std::string text;
  for (const auto &[constant, value] : check.constants)
    text += " " + constant + "=" + std::to_string(value);
  return text;
}

/// A copy through views, whatever the strides of both sides.
static void viewCopies(Suite &suite) {
  struct Form {
    const char *name;
    std::vector<int64_t> (*strides)(int64_t rows, int64_t columns);
  };
  static const Form forms[] = {
      {"dense", [](int64_t, int64_t n) { return std::vector<int64_t>{n, 1}; }},
      {"sliced", [](int64_t, int64_t n) { return std::vector<int64_t>{n + 13, 1}; }},
      {"transposed", [](int64_t m, int64_t) { return std::vector<int64_t>{1, m}; }},
      {"strided", [](int64_t, int64_t n) { return std::vector<int64_t>{3 * n, 3}; }},
  };
  for (DType dtype : dtypes())
    for (const Form &from : forms)
      for (const Form &to : forms)
        for (auto [m, n] :
             {std::pair<int64_t, int64_t>{33, 67}, {3, 5}, {32, 64}, {1, 130}, {0, 8}})
          for (auto [bm, bn] : {std::pair<int64_t, int64_t>{8, 32}, {32, 16}}) {
            Array x(dtype, {m, n}, from.strides(m, n)), y(dtype, {m, n}, to.strides(m, n));
            x.fillRandom(3, true);
            Kernel copy = kernel(
                "copy", [](In<"x"> x, Out<"y"> y, Const<"M", 8, 32> bm, Const<"N", 32, 16> bn) {
                  Index i = tile_of(y, 0, bm), j = tile_of(y, 1, bn);
                  y.store({i, j}, x.load({i, j}, {bm, bn}));
                });
            Check check{label(std::string("copy ") + from.name + " to " + to.name, dtype, {m, n}),
                        copy,
                        {x, y},
                        {1},
                        {{"M", bm}, {"N", bn}},
                        {},
                        {}};
            if (m != 32) // that size has code of its own
              check.sharedCode =
                  label(std::string("copy ") + from.name + " to " + to.name, dtype, {}) +
                  constantsOf(check);
            check.name += constantsOf(check);
            check.reference = [](const std::vector<Array> &in, std::vector<Array> &out) {
              for (int64_t i = 0; i < in[0].count(); ++i)
                out[0].set(i, in[0].get(i));
            };
            suite.run("view load and store", std::move(check));
          }
}

/// Elements outside a view equal the fill, on every side of it.
static void fills(Suite &suite) {
  for (DType dtype : dtypes())
    for (int64_t shift : {-5, 0, 9})
      for (int64_t n : {1, 30, 64}) {
        Array x(dtype, {n}), y(dtype, {128});
        x.fillRandom(5);
        Kernel shifted = kernel("shifted", [shift](In<"x"> x, Out<"y"> y, Const<"B", 32, 128> b) {
          Index i = tile_of(y, 0, b);
          y.store({i}, x.load({i + shift}, {b}, 1));
        });
        for (int64_t block : {32, 128}) {
          Check check{label("fill shift " + std::to_string(shift), dtype, {n}),
                      shifted,
                      {x, y},
                      {1},
                      {{"B", block}},
                      {},
                      {}};
          check.name += constantsOf(check);
          check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
            for (int64_t i = 0; i < 128; ++i) {
              int64_t from = i + shift;
              out[0].set(i, from < 0 || from >= n ? Number{1, 1} : in[0].get(from));
            }
          };
          suite.run("view load with fill", std::move(check));
        }
      }
}

static void pointers(Suite &suite) {
  for (DType dtype : dtypes())
    for (int64_t n : {1, 63, 200})
      for (int64_t block : {32, 256}) {
        Array x(dtype, {n}), y(dtype, {n}), count(i64, {});
        x.fillRandom(11, true);
        count.set(0, {n, 0});
        Kernel reverse =
            kernel("reverse", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n, Const<"B", 32, 256> b) {
              grid(cdiv(n, b));
              Tile i = program_id(0) * b + arange(b);
              // Backwards, so that neither side is a plain vector access of both.
              store(y + i, load(x + (n - 1 - i), i < n), i < n);
            });
        Check check{
            label("reverse", dtype, {n}), reverse, {x, y, count}, {1}, {{"B", block}}, {}, {}};
        check.name += constantsOf(check);
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < n; ++i)
            out[0].set(i, in[0].get(n - 1 - i));
        };
        suite.run("pointer load and store", std::move(check));

        Kernel holes =
            kernel("holes", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n, Const<"B", 32, 256> b) {
              grid(cdiv(n, b));
              Tile i = program_id(0) * b + arange(b);
              Tile inside = i < n;
              store(y + i, load(x + i, inside && i % 3 != 1, 1), inside && i % 5 != 2);
            });
        Check masked{label("holes", dtype, {n}), holes, {x, y, count}, {1}, {{"B", block}}, {}, {}};
        masked.name += constantsOf(masked);
        masked.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < n; ++i)
            if (i % 5 != 2)
              out[0].set(i, i % 3 != 1 ? in[0].get(i) : Number{1, 1});
        };
        suite.run("arbitrary masks", std::move(masked));
      }
}

/// Indices read from memory: what no analysis can follow.
static void gathers(Suite &suite) {
  for (DType dtype : dtypes())
    for (int64_t n : {5, 100}) {
      Array x(dtype, {n}), index(i32, {n}), y(dtype, {n}), z(dtype, {n});
      x.fillRandom(17, true);
      for (int64_t i = 0; i < n; ++i)
        index.set(i, {(i * 7 + 3) % n, 0});
      Kernel gather = kernel(
          "gather", [](Ptr<"x"> x, In<"index"> index, Out<"y"> y, Ptr<"z"> z, Const<"B", 64> b) {
            Index i = tile_of(y, 0, b);
            Tile at = index.load({i}, {b});
            Tile inside = i + arange(b) < index.size(0);
            Tile value = load(x + at, inside);
            y.store({i}, value);
            store(z + at, value, inside);
          });
      Check check{
          label("gather", dtype, {n}), gather, {x, index, y, z}, {2, 3}, {{"B", 64}}, {}, {}};
      check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
        for (int64_t i = 0; i < n; ++i) {
          int64_t from = in[1].get(i).integer;
          out[0].set(i, in[0].get(from));
          out[1].set(from, in[0].get(from));
        }
      };
      suite.run("gather and scatter", std::move(check));
    }
}

void memory(Suite &suite) {
  viewCopies(suite);
  fills(suite);
  pointers(suite);
  gathers(suite);
}

void shapes(Suite &suite) {
  for (DType dtype : dtypes())
    for (auto [m, n] : {std::pair<int64_t, int64_t>{37, 50}, {16, 32}, {1, 3}}) {
      Array x(dtype, {m, n}), row(dtype, {n}), y(dtype, {n, m}), z(dtype, {m, n});
      x.fillRandom(23, true);
      row.fillRandom(29, true);
      for (auto [bm, bn] : {std::pair<int64_t, int64_t>{16, 32}, {4, 8}}) {
        Kernel transposing = kernel(
            "transpose", [](In<"x"> x, Out<"y"> y, Const<"M", 16, 4> bm, Const<"N", 32, 8> bn) {
              Index i = tile_of(x, 0, bm), j = tile_of(x, 1, bn);
              y.store({j, i}, transpose(x.load({i, j}, {bm, bn})));
            });
        Check check{label("transpose", dtype, {m, n}),
                    transposing,
                    {x, y},
                    {1},
                    {{"M", bm}, {"N", bn}},
                    {},
                    {}};
        check.name += constantsOf(check);
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j)
              out[0].set(j * m + i, in[0].get(i * n + j));
        };
        suite.run("transpose", std::move(check));

        Kernel spread = kernel(
            "broadcast", [](In<"row"> row, Out<"z"> z, Const<"M", 16, 4> bm, Const<"N", 32, 8> bn) {
              Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
              z.store({i, j}, row.load({j}, {bn}).expand(0).broadcast_to({bm, bn}));
            });
        Check broadcasting{label("broadcast", dtype, {m, n}),
                           spread,
                           {row, z},
                           {1},
                           {{"M", bm}, {"N", bn}},
                           {},
                           {}};
        broadcasting.name += constantsOf(broadcasting);
        broadcasting.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < m * n; ++i)
            out[0].set(i, in[0].get(i % n));
        };
        suite.run("expand and broadcast", std::move(broadcasting));

        // Rows of pairs: [M, N] read as [M·2, N/2], its rows then added up in pairs by the store's
        // order.
        Kernel reshaping = kernel(
            "reshape", [](In<"x"> x, Out<"z"> z, Const<"M", 16, 4> bm, Const<"N", 32, 8> bn) {
              Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
              Tile tile = x.load({i, j}, {bm, bn});
              Tile other = permute(reshape(tile, {bm, bn / 2, 2}), {0, 2, 1});
              z.store({i, j}, reshape(other, {bm, bn}));
            });
        Check reshaped{label("reshape", dtype, {m, n}), reshaping, {x, z}, {1},
                       {{"M", bm}, {"N", bn}},          {},        {}};
        reshaped.name += constantsOf(reshaped);
        reshaped.reference = [=, bn = bn](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
              // Element (p, half) of the permuted tile was (half, p): all even columns, then all
              // odd ones.
              int64_t tile = j / bn * bn, p = (j - tile) / (bn / 2), half = (j - tile) % (bn / 2);
              int64_t from = tile + 2 * half + p;
              out[0].set(i * n + j, from < n ? in[0].get(i * n + from) : Number{0, 0});
            }
        };
        suite.run("reshape and permute", std::move(reshaped));
      }
    }
}

} // namespace metile::conformance
