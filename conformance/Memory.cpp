// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and pointers: edges, fills, masks, strides, offsets.

#include "Harness.h"

#include <fmt/format.h>

namespace metile::conformance {

/// A copy through views, whatever the form of both sides.
static void viewCopies(Suite &suite) {
  unsigned turn = 0;
  for (DType dtype : allDTypes)
    for (Form from : allForms)
      for (Form to : allForms) {
        // Pairs of forms take turns over the dtypes, unless there is time for all.
        if (to == Form::repeated || (turn++ % 4 != 0 && !suite.isFull()))
          continue;
        for (auto [m, n] :
             {std::pair<int64_t, int64_t>{33, 67}, {3, 5}, {32, 64}, {1, 130}, {0, 8}})
          for (auto [bm, bn] : {std::pair<int64_t, int64_t>{8, 32}, {32, 16}}) {
            Array x(dtype, {m, n}, from), y(dtype, {m, n}, to);
            x.fillRandom(3, true);
            Kernel copy = kernel(
                "copy", [](In<"x"> x, Out<"y"> y, Const<"M", 8, 32> bm, Const<"N", 32, 16> bn) {
                  Index i = tile_of(y, 0, bm), j = tile_of(y, 1, bn);
                  y.store({i, j}, x.load({i, j}, {bm, bn}));
                });
            Check check{fmt::format("copy {} {} to {} {}x{}", metile::name(dtype), name(from),
                                    name(to), m, n),
                        copy,
                        {x, y},
                        {1},
                        {{"M", bm}, {"N", bn}}};
            bool isEven = m == 32; // Has code of its own.
            if (isEven && bm == 32 && !suite.isFull())
              continue;
            if (!isEven)
              check.sharedCode = fmt::format("copy {} {} {}{}", metile::name(dtype), name(from),
                                             name(to), constantsOf(check));
            check.name += constantsOf(check);
            suite.run("view load and store", dtype, std::move(check));
          }
      }
}

/// Elements outside a view equal the fill, on every side of it.
static void fills(Suite &suite) {
  for (DType dtype : allDTypes)
    for (int64_t shift : {-5, 0, 9})
      for (int64_t n : {1, 30, 64})
        for (int64_t block : {32, 128}) {
          if (!suite.isFull() && (n + block / 32) % 2 == 0)
            continue;
          Array x(dtype, {n}), y(dtype, {128});
          x.fillRandom(5);
          Kernel shifted = kernel("shifted", [shift](In<"x"> x, Out<"y"> y, Const<"B", 32, 128> b) {
            Index i = tile_of(y, 0, b);
            y.store({i}, x.load({i + shift}, {b}, 1));
          });
          Check check{fmt::format("fill shift {} {} {}", shift, name(dtype), n),
                      shifted,
                      {x, y},
                      {1},
                      {{"B", block}}};
          check.name += constantsOf(check);
          check.sharedCode = n == 64 ? "" : fmt::format("fill {} {} {}", shift, name(dtype), block);
          suite.run("view load with fill", dtype, std::move(check));
        }
}

/// Rows of a matrix by view.at, some of them outside: those load the fill and store nothing.
static void rows(Suite &suite) {
  for (DType dtype : allDTypes)
    for (Form form : {Form::dense, Form::sliced, Form::transposed}) {
      int64_t m = 5, n = 37;
      Array x(dtype, {m, n}, form), y(dtype, {m, n}, form);
      x.fillRandom(13, true);
      Kernel rotate = kernel("rotate", [](In<"x"> x, Out<"y"> y, Const<"B", 16> b) {
        Index i = tile_of(y, 0, 1), j = tile_of(y, 1, b);
        y.at({i}).store({j}, x.at({i + 2}).load({j}, {b}));
        y.at({i + 5}).store({j}, x.at({i}).load({j}, {b}));
      });
      suite.run("view at", dtype,
                {fmt::format("rotate {} {}", metile::name(dtype), name(form)),
                 rotate,
                 {x, y},
                 {1},
                 {{"B", 16}}});
    }
}

static void pointers(Suite &suite) {
  using Block = Const<"B", 32, 256>;
  for (DType dtype : allDTypes)
    for (int64_t n : {1, 63, 200})
      for (int64_t block : {32, 256}) {
        Array x(dtype, {n}), y(dtype, {n}), count(i64, {});
        x.fillRandom(11, true);
        count.set(0, {n, 0});
        // Backwards, so that neither side is a plain vector access of both.
        Kernel reverse = kernel("reverse", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n, Block b) {
          grid(cdiv(n, b));
          Tile i = program_id(0) * b + arange(b);
          store(y + i, load(x + (n - 1 - i), i < n), i < n);
        });
        Kernel holes = kernel("holes", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n, Block b) {
          grid(cdiv(n, b));
          Tile i = program_id(0) * b + arange(b);
          Tile inside = i < n;
          store(y + i, load(x + i, inside && i % 3 != 1, 1), inside && i % 5 != 2);
        });
        Kernel strided = kernel("every_third", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n, Block b) {
          grid(cdiv(n, b));
          Tile i = program_id(0) * b + arange(b);
          store(y + i, load(x + i * 3, i * 3 < n), i < n);
        });
        for (const Kernel &access : {reverse, holes, strided}) {
          Check check{fmt::format("{} {} {}", access.name(), name(dtype), n),
                      access,
                      {x, y, count},
                      {1},
                      {{"B", block}}};
          check.sharedCode = fmt::format("{} {}{}", access.name(), name(dtype), constantsOf(check));
          check.name += constantsOf(check);
          suite.run("pointers and masks", dtype, std::move(check));
        }
      }
}

/// Indices read from memory: what no analysis can follow.
static void gathers(Suite &suite) {
  for (DType dtype : allDTypes)
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
      suite.run("gather and scatter", dtype,
                {fmt::format("gather {} {}", name(dtype), n),
                 gather,
                 {x, index, y, z},
                 {2, 3},
                 {{"B", 64}}});
    }
}

void memory(Suite &suite) {
  viewCopies(suite);
  fills(suite);
  rows(suite);
  pointers(suite);
  gathers(suite);
}

} // namespace metile::conformance
