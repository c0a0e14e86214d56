// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dots in all forms of operands. Operands are small integers, so that sums are exact in any order.

#include "KernelRunner.h"

#include <Eigen/Core>

using namespace metile;
using namespace metile::cpu;

namespace {

/// A GEMM over views of any strides: TM x TN x TK tiles, operands ELEM, result ACC.
const char *gemmText = R"(
func.func @gemm(%a: !tile.view<?x?xELEM, ASTRIDES> {tile.role = "in", tile.name = "a"},
                %b: !tile.view<?x?xELEM, BSTRIDES> {tile.role = "in", tile.name = "b"},
                %c: !tile.view<?x?xACC, [?, 1]> {tile.role = "out", tile.name = "c"})
    attributes {tile.kernel} {
  %tm = arith.constant TM : i64
  %tn = arith.constant TN : i64
  %tk = arith.constant TK : i64
  %c0 = arith.constant 0 : i64
  %m = tile.view_size %c, 0 : !tile.view<?x?xACC, [?, 1]>
  %n = tile.view_size %c, 1 : !tile.view<?x?xACC, [?, 1]>
  %k = tile.view_size %a, 1 : !tile.view<?x?xELEM, ASTRIDES>
  %gm = tile.div ceil %m, %tm : i64
  %gn = tile.div ceil %n, %tn : i64
  tile.grid %gn, %gm
  %pn = tile.program_id 0
  %pm = tile.program_id 1
  %on = arith.muli %pn, %tn : i64
  %om = arith.muli %pm, %tm : i64
  %z = arith.constant dense<ZERO> : tensor<TMxTNxACC>
  %s = scf.for %kk = %c0 to %k step %tk iter_args(%acc = %z) -> (tensor<TMxTNxACC>) : i64 {
    %x0 = tile.view_load %a[%om, %kk] : !tile.view<?x?xELEM, ASTRIDES> -> tensor<TMxTKxELEM>
    %y0 = tile.view_load %b[%kk, %on] : !tile.view<?x?xELEM, BSTRIDES> -> tensor<TKxTNxELEM>
    OPERANDS
    %d = tile.dot %x, %y, %acc FLAGS : tensor<TMxTKxELEM>, tensor<TKxTNxELEM> -> tensor<TMxTNxACC>
    scf.yield %d : tensor<TMxTNxACC>
  }
  tile.view_store %s, %c[%om, %on] : tensor<TMxTNxACC>, !tile.view<?x?xACC, [?, 1]>
  return
})";

struct Tile {
  int m, n, k;
};

/// Runs gemmText for one tile. `lhs` and `rhs` say what the kernel makes of an element.
template <class T, class Acc, class Lhs, class Rhs>
void checkGemm(const Way &way, std::string element, std::string accumulator, Tile tile,
               std::string operands, std::string flags, bool isTransposedA, bool isTransposedB,
               Lhs lhs, Rhs rhs) {
  std::string text = gemmText;
  text = with(text, "OPERANDS", operands);
  text = with(text, "FLAGS", flags);
  text = with(text, "ZERO", accumulator[0] == 'f' ? "0.0" : "0");
  text = with(text, "ASTRIDES", isTransposedA ? "[1, ?]" : "[?, 1]");
  text = with(text, "BSTRIDES", isTransposedB ? "[1, ?]" : "[?, 1]");
  text = with(text, "ELEM", element);
  text = with(text, "ACC", accumulator);
  text = with(text, "TM", std::to_string(tile.m));
  text = with(text, "TN", std::to_string(tile.n));
  text = with(text, "TK", std::to_string(tile.k));
  KernelRunner kernel(text, way);
  for (auto [m, n, k] : {Tile{1, 1, 1},
                         tile,
                         {2 * tile.m, 2 * tile.n, 3 * tile.k},
                         {tile.m + 1, tile.n + 3, 2 * tile.k - 1},
                         {3, 5, 0}}) {
    Guarded<T> a(size_t(m) * k), b(size_t(k) * n);
    Guarded<Acc> c(size_t(m) * n, Acc(-99));
    fillSmall(a, m);
    fillSmall(b, n + 1);
    std::vector<int64_t> as{k, 1}, bs{n, 1};
    if (isTransposedA)
      as = {1, m};
    if (isTransposedB)
      bs = {1, k};
    kernel.run({view(a.data(), {m, k}, as), view(b.data(), {k, n}, bs), view(c.data(), {m, n})});
    expectAll(c, [&](size_t i) {
      double sum = 0;
      for (int64_t d = 0; d < k; ++d)
        sum +=
            double(lhs(a[i / n * as[0] + d * as[1]])) * double(rhs(b[d * bs[0] + i % n * bs[1]]));
      return Acc(sum);
    });
  }
}

/// gemmText with the loads used as they are.
template <class T, class Acc>
void checkPlain(const Way &way, const char *element, const char *accumulator, Tile tile,
                bool isTransposedA = false, bool isTransposedB = false) {
  auto same = [](T value) { return double(value); };
  checkGemm<T, Acc>(way, element, accumulator, tile,
                    "%x = tile.reshape %x0 : tensor<TMxTKxELEM> -> tensor<TMxTKxELEM>\n"
                    "%y = tile.reshape %y0 : tensor<TKxTNxELEM> -> tensor<TKxTNxELEM>",
                    "", isTransposedA, isTransposedB, same, same);
}

TEST_P(KernelTest, DotOfTiles) {
  for (Tile tile : {Tile{64, 128, 32},
                    {16, 64, 16},
                    {32, 16, 64},
                    {8, 8, 8},
                    {1, 64, 32},
                    {64, 1, 16},
                    {4, 2, 1},
                    {128, 32, 4}})
    checkPlain<float, float>(GetParam(), "f32", "f32", tile);
}

TEST_P(KernelTest, DotTypes) {
  for (Tile tile : {Tile{32, 64, 32}, {16, 4, 16}}) {
    checkPlain<Eigen::half, float>(GetParam(), "f16", "f32", tile);
    checkPlain<Eigen::bfloat16, float>(GetParam(), "bf16", "f32", tile);
    checkPlain<double, double>(GetParam(), "f64", "f64", tile);
    checkPlain<int8_t, int32_t>(GetParam(), "i8", "i32", tile);
  }
}

TEST_P(KernelTest, DotLayouts) {
  for (Tile tile : {Tile{32, 64, 32}, {8, 32, 16}, {16, 8, 4}})
    for (bool a : {false, true})
      for (bool b : {false, true}) {
        checkPlain<float, float>(GetParam(), "f32", "f32", tile, a, b);
        checkPlain<Eigen::half, float>(GetParam(), "f16", "f32", tile, a, b);
      }
}

TEST_P(KernelTest, DotUnsignedOperands) {
  auto asSigned = [](int8_t value) { return value; };
  auto asUnsigned = [](int8_t value) { return uint8_t(value); };
  std::string operands = "%x = tile.reshape %x0 : tensor<TMxTKxi8> -> tensor<TMxTKxi8>\n"
                         "%y = tile.reshape %y0 : tensor<TKxTNxi8> -> tensor<TKxTNxi8>";
  checkGemm<int8_t, int32_t>(GetParam(), "i8", "i32", {16, 32, 8}, operands, "unsigned_lhs", false,
                             false, asUnsigned, asSigned);
  checkGemm<int8_t, int32_t>(GetParam(), "i8", "i32", {16, 32, 32}, operands, "unsigned_rhs", false,
                             true, asSigned, asUnsigned);
}

TEST_P(KernelTest, DotOfComputedOperands) {
  auto twice = [](float value) { return 2 * value; };
  auto square = [](float value) { return value * value; };
  checkGemm<float, float>(GetParam(), "f32", "f32", {32, 64, 16},
                          "%x = arith.addf %x0, %x0 : tensor<TMxTKxf32>\n"
                          "%y = arith.mulf %y0, %y0 : tensor<TKxTNxf32>",
                          "", false, false, twice, square);
  // Operands that are kept in scratch because they are dear.
  checkGemm<float, float>(
      GetParam(), "f32", "f32", {32, 64, 16},
      "%e = math.exp2 %x0 : tensor<TMxTKxf32>\n%l = math.log2 %e : tensor<TMxTKxf32>\n"
      "%x = math.roundeven %l : tensor<TMxTKxf32>\n"
      "%t = tile.transpose %y0, [1, 0] : tensor<TKxTNxf32> -> tensor<TNxTKxf32>\n"
      "%u = arith.addf %t, %t : tensor<TNxTKxf32>\n"
      "%y = tile.transpose %u, [1, 0] : tensor<TNxTKxf32> -> tensor<TKxTNxf32>",
      "", false, false, [](float value) { return value; }, twice);
}

// Registers, panels and code stay in bounds for every row, this machine's or not.
TEST(LowerTile, CompilesDotsForEveryRow) {
  for (const TargetDesc &row : knownTargets()) {
    if (row.kind != TargetKind::cpu)
      continue;
    for (std::string element : {"f32", "f16"})
      for (bool isTransposed : {false, true}) {
        std::string text = with(gemmText, "OPERANDS",
                                "%x = tile.reshape %x0 : tensor<TMxTKxELEM> -> tensor<TMxTKxELEM>\n"
                                "%y = tile.reshape %y0 : tensor<TKxTNxELEM> -> tensor<TKxTNxELEM>");
        text = with(text, "ASTRIDES", isTransposed ? "[1, ?]" : "[?, 1]");
        text = with(text, "BSTRIDES", isTransposed ? "[1, ?]" : "[?, 1]");
        text = with(with(with(text, "FLAGS", ""), "ZERO", "0.0"), "ELEM", element);
        text = with(with(with(with(text, "ACC", "f32"), "TM", "256"), "TN", "256"), "TK", "64");
        KernelRunner kernel(text, {"", row.name.c_str(), false});
        EXPECT_GT(kernel.bytes, 0u);
        EXPECT_LE(kernel.bytes, 65536u) << row.name;
        ASSERT_EQ(kernel.info.dots.size(), 1u);
        const RegisterTile &tile = kernel.info.dots[0].tile;
        EXPECT_LT(tile.rows * tile.vectors + tile.vectors, row.vectorRegisters) << row.name;
        EXPECT_EQ(tile.lanes * 4, row.vectorBytes) << row.name;
      }
  }
}

// Batch axes, and an accumulator that is not zero.
TEST_P(KernelTest, BatchedDot) {
  KernelRunner kernel(R"(
func.func @batched(%a: !tile.view<4x8x16xf16, [128, 16, 1]> {tile.role = "in", tile.name = "a"},
                   %b: !tile.view<4x16x32xf16, [512, 32, 1]> {tile.role = "in", tile.name = "b"},
                   %c: !tile.view<4x8x32xf32, [256, 32, 1]> {tile.role = "inout", tile.name = "c"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %x = tile.view_load %a[%c0, %c0, %c0] : !tile.view<4x8x16xf16, [128, 16, 1]> -> tensor<4x8x16xf16>
  %y = tile.view_load %b[%c0, %c0, %c0] : !tile.view<4x16x32xf16, [512, 32, 1]> -> tensor<4x16x32xf16>
  %z = tile.view_load %c[%c0, %c0, %c0] : !tile.view<4x8x32xf32, [256, 32, 1]> -> tensor<4x8x32xf32>
  %d = tile.dot %x, %y, %z : tensor<4x8x16xf16>, tensor<4x16x32xf16> -> tensor<4x8x32xf32>
  tile.view_store %d, %c[%c0, %c0, %c0] : tensor<4x8x32xf32>, !tile.view<4x8x32xf32, [256, 32, 1]>
  return
})",
                      GetParam());
  Guarded<Eigen::half> a(512), b(2048);
  Guarded<float> c(1024);
  fillSmall(a, 1);
  fillSmall(b, 2);
  fillSmall(c, 3);
  std::vector<float> old(c.data(), c.data() + c.size());
  kernel.run({view(a.data(), {4, 8, 16}), view(b.data(), {4, 16, 32}), view(c.data(), {4, 8, 32})});
  expectAll(c, [&](size_t i) {
    size_t batch = i / 256, row = i / 32 % 8, column = i % 32;
    float sum = old[i];
    for (size_t k = 0; k < 16; ++k)
      sum += float(a[batch * 128 + row * 16 + k]) * float(b[batch * 512 + k * 32 + column]);
    return sum;
  });
}

// Rows behind the edge of the result are worth nothing, unless somebody else reads them.
TEST_P(KernelTest, DotRowsBehindTheEdge) {
  std::string text = R"(
func.func @rows(%a: !tile.view<?x16xf32, [16, 1]> {tile.role = "in", tile.name = "a"},
                %b: !tile.view<16x32xf32, [32, 1]> {tile.role = "in", tile.name = "b"},
                %c: !tile.view<?x32xf32, [32, 1]> {tile.role = "out", tile.name = "c"},
                %t: !tile.view<?x32xf32, [32, 1]> {tile.role = "out", tile.name = "t"})
    attributes {tile.kernel} {
  %c64 = arith.constant 64 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c0 = arith.constant 0 : i64
  %m = tile.view_size %c, 0 : !tile.view<?x32xf32, [32, 1]>
  %g = tile.div ceil %m, %c64 : i64
  tile.grid %g
  %p = tile.program_id 0
  %o = arith.muli %p, %c64 : i64
  %ones = arith.constant dense<1.0> : tensor<64x32xf32>
  %s = scf.for %k = %c0 to %c16 step %c8 iter_args(%acc = %ones) -> (tensor<64x32xf32>) : i64 {
    %x = tile.view_load %a[%o, %k] : !tile.view<?x16xf32, [16, 1]> -> tensor<64x8xf32>
    %y = tile.view_load %b[%k, %c0] : !tile.view<16x32xf32, [32, 1]> -> tensor<8x32xf32>
    %d = tile.dot %x, %y, %acc : tensor<64x8xf32>, tensor<8x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  %r = arith.addf %s, %ones : tensor<64x32xf32>
  tile.view_store %r, %c[%o, %c0] : tensor<64x32xf32>, !tile.view<?x32xf32, [32, 1]>
  ALSO
  return
})";
  const char *also[] = {
      "",
      // A second store, with rows of its own.
      "tile.view_store %s, %t[%o, %c0] : tensor<64x32xf32>, !tile.view<?x32xf32, [32, 1]>",
      // The sum over all rows, and it in each of them.
      R"(%sums = tile.reduce(%s) axis 0 : (tensor<64x32xf32>) -> tensor<32xf32> {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tile.yield %w : f32
  }
  %e = tile.expand_dims %sums, 0 : tensor<32xf32> -> tensor<1x32xf32>
  %f = tile.broadcast %e : tensor<1x32xf32> -> tensor<64x32xf32>
  tile.view_store %f, %t[%o, %c0] : tensor<64x32xf32>, !tile.view<?x32xf32, [32, 1]>)"};
  for (int which : {0, 1, 2}) {
    KernelRunner kernel(with(text, "ALSO", also[which]), GetParam());
    for (int m : {1, 5, 37, 60, 61, 64, 70})
      for (bool isInfinite : {false, true}) {
        int rows = which == 1 ? m + 3 : m, n = 32, k = 16;
        Guarded<float> a(m * k), b(k * n), c(m * n, NAN), t(rows * n, NAN);
        fillSmall(a, m);
        fillSmall(b, 3);
        // Rows of zeros make NaN of it, all others infinity.
        if (isInfinite) {
          b[0] = INFINITY;
          for (int row = 0; row < m; ++row)
            a[row * k] = 1;
        }
        kernel.run({view(a.data(), {m, k}), view(b.data(), {k, n}), view(c.data(), {m, n}),
                    view(t.data(), {rows, n})});
        auto dot = [&](int row, int column) {
          float sum = 1;
          for (int i = 0; i < k; ++i)
            sum += (row < m ? a[row * k + i] : 0.0f) * b[i * n + column];
          return sum;
        };
        expectAll(c, [&](size_t i) { return dot(i / n, i % n) + 1; });
        if (which == 0)
          continue;
        int programs = (m + 63) / 64;
        expectAll(t, [&](size_t i) {
          int row = int(i) / n;
          // Rows beyond the last program's are not written.
          if (row >= programs * 64)
            return NAN;
          if (which == 1)
            return dot(row, i % n);
          float sum = 0;
          for (int j = 0; j < 64; ++j)
            sum += dot(row / 64 * 64 + j, i % n);
          return sum;
        });
      }
  }
}

// Attention in one loop: two dots, a running maximum and sum, and a rescaled accumulator.
TEST_P(KernelTest, TwoDotsInOneLoop) {
  KernelRunner kernel(R"(
func.func @attention(%q: !tile.view<?x32xf32, [32, 1]> {tile.role = "in", tile.name = "q"},
                     %k: !tile.view<?x32xf32, [32, 1]> {tile.role = "in", tile.name = "k"},
                     %v: !tile.view<?x32xf32, [32, 1]> {tile.role = "in", tile.name = "v"},
                     %o: !tile.view<?x32xf32, [32, 1]> {tile.role = "out", tile.name = "o"})
    attributes {tile.kernel} {
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %c0 = arith.constant 0 : i64
  %m = tile.view_size %q, 0 : !tile.view<?x32xf32, [32, 1]>
  %n = tile.view_size %k, 0 : !tile.view<?x32xf32, [32, 1]>
  %g = tile.div ceil %m, %c16 : i64
  tile.grid %g
  %p = tile.program_id 0
  %om = arith.muli %p, %c16 : i64
  %qt = tile.view_load %q[%om, %c0] : !tile.view<?x32xf32, [32, 1]> -> tensor<16x32xf32>
  %acc0 = arith.constant dense<0.0> : tensor<16x32xf32>
  %m0 = arith.constant dense<-1.0e30> : tensor<16xf32>
  %l0 = arith.constant dense<0.0> : tensor<16xf32>
  %r:3 = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %acc0, %mi = %m0, %li = %l0)
      -> (tensor<16x32xf32>, tensor<16xf32>, tensor<16xf32>) : i64 {
    %kt = tile.view_load %k[%i, %c0] : !tile.view<?x32xf32, [32, 1]> -> tensor<32x32xf32>
    %kk = tile.transpose %kt, [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    %zero = arith.constant dense<0.0> : tensor<16x32xf32>
    %s0 = tile.dot %qt, %kk, %zero : tensor<16x32xf32>, tensor<32x32xf32> -> tensor<16x32xf32>
    %scale = arith.constant dense<0.1> : tensor<16x32xf32>
    %s1 = arith.mulf %s0, %scale : tensor<16x32xf32>
    %ar = tile.arange 0 : tensor<32xi64>
    %is = tile.splat %i : i64 -> tensor<32xi64>
    %ai = arith.addi %ar, %is : tensor<32xi64>
    %ns = tile.splat %n : i64 -> tensor<32xi64>
    %in = arith.cmpi slt, %ai, %ns : tensor<32xi64>
    %ine = tile.expand_dims %in, 0 : tensor<32xi1> -> tensor<1x32xi1>
    %inb = tile.broadcast %ine : tensor<1x32xi1> -> tensor<16x32xi1>
    %low = arith.constant dense<-1.0e30> : tensor<16x32xf32>
    %s = arith.select %inb, %s1, %low : tensor<16x32xi1>, tensor<16x32xf32>
    %mx = tile.reduce(%s) axis 1 : (tensor<16x32xf32>) -> tensor<16xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      tile.yield %c : f32
    }
    %mn = arith.maximumf %mi, %mx : tensor<16xf32>
    %md = arith.subf %mi, %mn : tensor<16xf32>
    %alpha = math.exp %md : tensor<16xf32>
    %mne = tile.expand_dims %mn, 1 : tensor<16xf32> -> tensor<16x1xf32>
    %mnb = tile.broadcast %mne : tensor<16x1xf32> -> tensor<16x32xf32>
    %sd = arith.subf %s, %mnb : tensor<16x32xf32>
    %pr = math.exp %sd : tensor<16x32xf32>
    %ps = tile.reduce(%pr) axis 1 : (tensor<16x32xf32>) -> tensor<16xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %la = arith.mulf %li, %alpha : tensor<16xf32>
    %ln = arith.addf %la, %ps : tensor<16xf32>
    %ale = tile.expand_dims %alpha, 1 : tensor<16xf32> -> tensor<16x1xf32>
    %alb = tile.broadcast %ale : tensor<16x1xf32> -> tensor<16x32xf32>
    %accs = arith.mulf %acc, %alb : tensor<16x32xf32>
    %vt = tile.view_load %v[%i, %c0] : !tile.view<?x32xf32, [32, 1]> -> tensor<32x32xf32>
    %accn = tile.dot %pr, %vt, %accs : tensor<16x32xf32>, tensor<32x32xf32> -> tensor<16x32xf32>
    scf.yield %accn, %mn, %ln : tensor<16x32xf32>, tensor<16xf32>, tensor<16xf32>
  }
  %le = tile.expand_dims %r#2, 1 : tensor<16xf32> -> tensor<16x1xf32>
  %lb = tile.broadcast %le : tensor<16x1xf32> -> tensor<16x32xf32>
  %out = arith.divf %r#0, %lb : tensor<16x32xf32>
  tile.view_store %out, %o[%om, %c0] : tensor<16x32xf32>, !tile.view<?x32xf32, [32, 1]>
  return
})",
                      GetParam());
  for (auto [m, n] : {std::pair{16, 64}, {21, 77}}) {
    Guarded<float> q(m * 32), k(n * 32), v(n * 32), o(m * 32, NAN);
    fillSmall(q, 1);
    fillSmall(k, 2);
    fillSmall(v, 3);
    kernel.run({view(q.data(), {m, 32}), view(k.data(), {n, 32}), view(v.data(), {n, 32}),
                view(o.data(), {m, 32})});
    std::vector<double> expected(m * 32);
    for (int row = 0; row < m; ++row) {
      std::vector<double> scores(n);
      double top = -1e300, sum = 0;
      for (int i = 0; i < n; ++i) {
        for (int d = 0; d < 32; ++d)
          scores[i] += double(q[row * 32 + d]) * k[i * 32 + d];
        scores[i] *= double(0.1f);
        top = std::max(top, scores[i]);
      }
      for (double &score : scores)
        sum += score = std::exp(score - top);
      for (int i = 0; i < n; ++i)
        for (int d = 0; d < 32; ++d)
          expected[row * 32 + d] += scores[i] / sum * v[i * 32 + d];
    }
    expectAll(o, [&](size_t i) { return expected[i]; }, 2e-4);
  }
}

} // namespace
