// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that only move elements: flip, join, split, gather, addresses of views; and storage of
// floats of 8 bits.

#include "KernelRunner.h"

#include <map>

using namespace metile;
using namespace metile::cpu;

namespace {

/// One program that makes `%r` of a tile `%x`, both whole views.
std::string unary(const std::string &from, const std::string &to, const std::string &element,
                  const std::string &body) {
  auto strides = [](const std::string &shape) {
    return shape.find('x') == std::string::npos ? "[1]" : "[?, 1]";
  };
  auto zeros = [](const std::string &shape) {
    return shape.find('x') == std::string::npos ? "%c0" : "%c0, %c0";
  };
  auto dynamic = [](const std::string &shape) {
    return shape.find('x') == std::string::npos ? "?x" : "?x?x";
  };
  std::string source = "!tile.view<" + (dynamic(from) + element) + ", " + strides(from) + ">";
  std::string target = "!tile.view<" + (dynamic(to) + element) + ", " + strides(to) + ">";
  return with(with("func.func @kernel(%a: SOURCE {tile.role = \"in\", tile.name = \"a\"},\n"
                   "                  %b: TARGET {tile.role = \"out\", tile.name = \"b\"})\n"
                   "    attributes {tile.kernel} {\n"
                   "  %one = arith.constant 1 : i64\n  %c0 = arith.constant 0 : i64\n"
                   "  tile.grid %one\n  %x = tile.view_load %a[" +
                       std::string(zeros(from)) + "] : SOURCE -> tensor<" + from + "x" + element +
                       ">\n" + body + "\n  tile.view_store %r, %b[" + zeros(to) + "] : tensor<" +
                       to + "x" + element + ">, TARGET\n  return\n}",
                   "SOURCE", source),
              "TARGET", target);
}

TEST_P(KernelTest, FlipAlongEachAxis) {
  for (auto [rows, columns] : {std::pair{4, 256}, {32, 64}, {64, 2}, {2, 1}, {1, 16}})
    for (int axis : {0, 1})
      for (bool computes : {false, true}) {
        std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
        std::string type = "tensor<" + shape + "xf32>";
        // A kept tile is flipped in scratch, a loaded one while it is read.
        std::string body = computes
                               ? "  %y = math.exp2 %x : TYPE\n  %z = tile.flip %y, AXIS : TYPE\n"
                                 "  %r = arith.addf %z, %y : TYPE"
                               : "  %r = tile.flip %x, AXIS : TYPE";
        body = with(with(body, "TYPE", type), "AXIS", std::to_string(axis));
        KernelRunner kernel(unary(shape, shape, "f32", body), GetParam());
        for (int edge : {0, 1}) {
          int m = std::max(1, rows - edge), n = std::max(1, columns - edge);
          Guarded<float> x(m * n), y(rows * columns, NAN);
          fillSmall(x, rows);
          kernel.run({view(x.data(), {m, n}), view(y.data(), {rows, columns})});
          auto at = [&](int row, int column) {
            return row < m && column < n ? x[row * n + column] : 0.0f;
          };
          expectAll(
              y,
              [&](size_t i) {
                int row = int(i) / columns, column = int(i) % columns;
                float flipped =
                    axis == 0 ? at(rows - 1 - row, column) : at(row, columns - 1 - column);
                return computes ? std::exp2(flipped) + std::exp2(at(row, column)) : flipped;
              },
              1e-6);
        }
      }
}

// Shapes are cut apart by bits of an index, also of one that runs backwards.
TEST_P(KernelTest, FlipUnderChangesOfShape) {
  KernelRunner kernel(unary("8x64", "512", "f32", R"(
  %f = tile.flip %x, 0 : tensor<8x64xf32>
  %t = tile.transpose %f, [1, 0] : tensor<8x64xf32> -> tensor<64x8xf32>
  %s = tile.reshape %t : tensor<64x8xf32> -> tensor<16x32xf32>
  %g = tile.flip %s, 1 : tensor<16x32xf32>
  %h = tile.reshape %g : tensor<16x32xf32> -> tensor<512xf32>
  %r = tile.flip %h, 0 : tensor<512xf32>)"),
                      GetParam());
  Guarded<float> x(512), y(512, NAN);
  for (size_t i = 0; i < 512; ++i)
    x[i] = float(i);
  kernel.run({view(x.data(), {8, 64}), view(y.data(), {512})});
  expectAll(y, [&](size_t i) {
    size_t h = 511 - i, g = h / 32 * 32 + (31 - h % 32);
    size_t row = g % 8, column = g / 8;
    return x[(7 - row) * 64 + column];
  });
}

TEST_P(KernelTest, SplitAndJoin) {
  for (int size : {1, 8, 256}) {
    // (re, im) -> interleaved (im, re + im), by way of every operation on pairs.
    std::string n = std::to_string(size), two = std::to_string(2 * size);
    std::string body = R"(
  %p = tile.reshape %x : tensor<TWOxf32> -> tensor<Nx2xf32>
  %re, %im = tile.split %p : tensor<Nx2xf32> -> tensor<Nxf32>
  %s = arith.addf %re, %im : tensor<Nxf32>
  %j = tile.join %im, %s : tensor<Nxf32> -> tensor<Nx2xf32>
  %r = tile.reshape %j : tensor<Nx2xf32> -> tensor<TWOxf32>)";
    KernelRunner kernel(unary(two, two, "f32", with(with(body, "TWO", two), "N", n)), GetParam());
    Guarded<float> x(2 * size), y(2 * size, NAN);
    fillSmall(x, size);
    kernel.run({view(x.data(), {2 * size}), view(y.data(), {2 * size})});
    expectAll(y, [&](size_t i) { return i % 2 == 0 ? x[i + 1] : x[i - 1] + x[i]; });
  }
}

TEST_P(KernelTest, PairsOfRowsAndScalars) {
  // The pairs are joined along the axis that is looped over.
  KernelRunner kernel(unary("16x32", "2x512", "f32", R"(
  %y = arith.addf %x, %x : tensor<16x32xf32>
  %j = tile.join %x, %y : tensor<16x32xf32> -> tensor<16x32x2xf32>
  %t = tile.transpose %j, [2, 0, 1] : tensor<16x32x2xf32> -> tensor<2x16x32xf32>
  %r = tile.reshape %t : tensor<2x16x32xf32> -> tensor<2x512xf32>)"),
                      GetParam());
  Guarded<float> x(512), y(1024, NAN);
  fillSmall(x, 2);
  kernel.run({view(x.data(), {16, 32}), view(y.data(), {2, 512})});
  expectAll(y, [&](size_t i) { return x[i % 512] * (i < 512 ? 1 : 2); });

  KernelRunner scalars(unary("2", "2", "i64", R"(
  %p0, %p1 = tile.split %x : tensor<2xi64> -> i64
  %q = arith.muli %p0, %p1 : i64
  %r = tile.join %q, %p0 : i64 -> tensor<2xi64>)"),
                       GetParam());
  Guarded<int64_t> pair(2), swapped(2);
  pair[0] = 3;
  pair[1] = 5;
  scalars.run({view(pair.data(), {2}), view(swapped.data(), {2})});
  EXPECT_EQ(swapped[0], 15);
  EXPECT_EQ(swapped[1], 3);
}

TEST_P(KernelTest, GatherAlongEachAxis) {
  for (const char *element : {"f32", "f16", "i8", "i1", "i64"})
    for (int axis : {0, 1}) {
      std::string text = R"(
func.func @pick(%a: !tile.view<?x?xELEM, [?, 1]> {tile.role = "in", tile.name = "a"},
                %i: !tile.view<?x?xi64, [?, 1]> {tile.role = "in", tile.name = "i"},
                %b: !tile.view<?x?xELEM, [?, 1]> {tile.role = "out", tile.name = "b"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %x = tile.view_load %a[%c0, %c0] : !tile.view<?x?xELEM, [?, 1]> -> tensor<16x64xELEM>
  %at = tile.view_load %i[%c0, %c0] : !tile.view<?x?xi64, [?, 1]> -> tensor<SHAPExi64>
  %y = tile.gather %x[%at] axis AXIS : tensor<16x64xELEM>, tensor<SHAPExi64> -> tensor<SHAPExELEM>
  tile.view_store %y, %b[%c0, %c0] : tensor<SHAPExELEM>, !tile.view<?x?xELEM, [?, 1]>
  return
})";
      int rows = axis == 0 ? 8 : 16, columns = axis == 0 ? 64 : 128;
      text = with(text, "SHAPE", std::to_string(rows) + "x" + std::to_string(columns));
      text = with(with(text, "AXIS", std::to_string(axis)), "ELEM", element);
      KernelRunner kernel(text, GetParam());
      auto check = [&](auto sample) {
        using T = decltype(sample);
        Guarded<T> x(16 * 64), y(rows * columns, T(99));
        Guarded<int64_t> index(rows * columns);
        std::mt19937 random(3);
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = std::string(element) == "i1" ? T(random() % 2) : T(int(random() % 100));
        for (size_t i = 0; i < index.size(); ++i)
          index[i] = random() % 5 == 0 ? int64_t(random()) - (int64_t(1) << 40)
                                       : int64_t(random() % (axis == 0 ? 18 : 66));
        kernel.run({view(x.data(), {16, 64}), view(index.data(), {rows, columns}),
                    view(y.data(), {rows, columns})});
        expectAll(y, [&](size_t i) {
          int64_t at = index[i], row = int64_t(i) / columns, column = int64_t(i) % columns;
          if (at < 0 || at >= (axis == 0 ? 16 : 64))
            return T(0);
          return axis == 0 ? x[at * 64 + column] : x[row * 64 + at];
        });
      };
      std::string name = element;
      if (name == "f32")
        check(float());
      else if (name == "f16")
        check(uint16_t());
      else if (name == "i64")
        check(int64_t());
      else
        check(int8_t());
    }
}

// The source is computed, carried through a loop and overwritten by what is gathered from it.
TEST_P(KernelTest, GatherOfACarriedTile) {
  KernelRunner kernel(unary("64", "64", "i64", R"(
  %c3 = arith.constant 3 : i64
  %r = scf.for %k = %c0 to %c3 step %one iter_args(%t = %x) -> (tensor<64xi64>) : i64 {
    %next = tile.gather %t[%t] axis 0 : tensor<64xi64>, tensor<64xi64> -> tensor<64xi64>
    scf.yield %next : tensor<64xi64>
  })"),
                      GetParam());
  Guarded<int64_t> x(64), y(64);
  for (int64_t i = 0; i < 64; ++i)
    x[i] = (i * 29 + 7) % 64;
  kernel.run({view(x.data(), {64}), view(y.data(), {64})});
  std::vector<int64_t> expected(x.data(), x.data() + 64), next(64);
  for (int turn = 0; turn < 3; ++turn) {
    for (int64_t i = 0; i < 64; ++i)
      next[i] = expected[expected[i]];
    expected = next;
  }
  expectAll(y, [&](size_t i) { return expected[i]; });
}

TEST_P(KernelTest, AddressesOfAView) {
  std::string text = R"(
func.func @copy(%a: !tile.view<?x?xf32, ASTRIDES> {tile.role = "in", tile.name = "a"},
                %b: !tile.view<?x?xf32, [?, 1]> {tile.role = "inout", tile.name = "b"},
                %m: i64 {tile.name = "m"}, %n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  %p, %in = tile.view_pointers %a[%m, %n] : !tile.view<?x?xf32, ASTRIDES>
      -> tensor<8x32x!tile.ptr<f32>>, tensor<8x32xi1>
  %x = tile.load %p, %in : tensor<8x32x!tile.ptr<f32>> -> tensor<8x32xf32> mask tensor<8x32xi1>
  %ten = arith.constant dense<10.0> : tensor<8x32xf32>
  %marked = arith.select %in, %x, %ten : tensor<8x32xi1>, tensor<8x32xf32>
  %q, %on = tile.view_pointers %b[%m, %n] : !tile.view<?x?xf32, [?, 1]>
      -> tensor<8x32x!tile.ptr<f32>>, tensor<8x32xi1>
  tile.store %q, %marked, %on : tensor<8x32x!tile.ptr<f32>>, tensor<8x32xf32> mask tensor<8x32xi1>
  return
})";
  for (bool isTransposed : {false, true}) {
    KernelRunner kernel(with(text, "ASTRIDES", isTransposed ? "[1, ?]" : "[?, 1]"), GetParam());
    for (int64_t m : {-3, 0, 2, 50})
      for (int64_t n : {-40, -1, 0, 5}) {
        int64_t rows = 9, columns = 33, sourceRows = 7, sourceColumns = 30;
        Guarded<float> a(sourceRows * sourceColumns), c(rows * columns, -1);
        fillSmall(a, 6);
        std::vector<int64_t> strides{sourceColumns, 1};
        if (isTransposed)
          strides = {1, sourceRows};
        kernel.run({view(a.data(), {sourceRows, sourceColumns}, strides),
                    view(c.data(), {rows, columns}),
                    {slot(m)},
                    {slot(n)}});
        expectAll(c, [&](size_t i) {
          int64_t row = int64_t(i) / columns, column = int64_t(i) % columns;
          if (row < m || row >= m + 8 || column < n || column >= n + 32)
            return -1.0f;
          return row < sourceRows && column < sourceColumns
                     ? a[row * strides[0] + column * strides[1]]
                     : 10.0f;
        });
      }
  }
}

// What narrow storage holds comes back as it was; arithmetic happens in between, on f32.
TEST_P(KernelTest, Float8Storage) {
  for (auto [element, step] : {std::pair{"f8E4M3FN", 1}, {"f8E5M2", 4}}) {
    std::string text = R"(
func.func @halve(%a: !tile.view<?xELEM, [1]> {tile.role = "in", tile.name = "a"},
                 %b: !tile.view<?xELEM, [1]> {tile.role = "out", tile.name = "b"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %fill = arith.constant 4.0 : ELEM
  %x = tile.view_load %a[%c0] fill %fill : ELEM : !tile.view<?xELEM, [1]> -> tensor<256xELEM>
  %w = arith.extf %x : tensor<256xELEM> to tensor<256xf32>
  %h = arith.constant dense<0.5> : tensor<256xf32>
  %y = arith.mulf %w, %h : tensor<256xf32>
  %z = tile.round %y : tensor<256xf32> -> tensor<256xELEM>
  %two = arith.constant dense<2.0> : tensor<256xELEM>
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %neg = arith.cmpf olt, %y, %zero : tensor<256xf32>
  %s = arith.select %neg, %two, %z : tensor<256xi1>, tensor<256xELEM>
  tile.view_store %s, %b[%c0] : tensor<256xELEM>, !tile.view<?xELEM, [1]>
  return
})";
    KernelRunner kernel(with(text, "ELEM", element), GetParam());
    // Codes of normal numbers, whose halves are one step of the exponent below.
    int fraction = step == 1 ? 3 : 2, bias = step == 1 ? 7 : 15;
    Guarded<uint8_t> x(250), y(256, 0xff);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = uint8_t((2 << fraction) + i % 64) | (i % 3 == 0 ? 0x80 : 0);
    kernel.run({view(x.data(), {250}), view(y.data(), {256})});
    uint8_t two = uint8_t((bias + 1) << fraction);
    expectAll(y, [&](size_t i) -> uint8_t {
      if (i >= 250)
        return two; // The fill, halved.
      return x[i] & 0x80 ? two : uint8_t(x[i] - (1 << fraction));
    });
  }
}

} // namespace
