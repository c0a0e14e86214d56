// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise kernels: ragged edges, masks, strides, changes of shape, order of effects.

#include "KernelRunner.h"

#include <Eigen/Core>

using namespace metile;
using namespace metile::cpu;

namespace {

const char *maskedScale = R"(
func.func @scale(%x: !tile.ptr<f32> {tile.role = "pointer", tile.name = "x"},
                 %y: !tile.ptr<f32> {tile.role = "pointer", tile.name = "y"},
                 %n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %size = arith.constant SIZE : i64
  %g = tile.div ceil %n, %size : i64
  tile.grid %g
  %p = tile.program_id 0
  %o = arith.muli %p, %size : i64
  %r = tile.arange 0 : tensor<SIZExi64>
  %os = tile.splat %o : i64 -> tensor<SIZExi64>
  %i = arith.addi %os, %r : tensor<SIZExi64>
  %ns = tile.splat %n : i64 -> tensor<SIZExi64>
  %m = arith.cmpi slt, %i, %ns : tensor<SIZExi64>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<SIZEx!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<SIZEx!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<SIZEx!tile.ptr<f32>>, tensor<SIZExi64>
  %yp = tile.addptr %ys, %i : tensor<SIZEx!tile.ptr<f32>>, tensor<SIZExi64>
  %v = tile.load %xp, %m : tensor<SIZEx!tile.ptr<f32>> -> tensor<SIZExf32> mask tensor<SIZExi1>
  %w = arith.addf %v, %v : tensor<SIZExf32>
  tile.store %yp, %w, %m : tensor<SIZEx!tile.ptr<f32>>, tensor<SIZExf32> mask tensor<SIZExi1>
  return
})";

TEST_P(KernelTest, PointersWithBoundMask) {
  for (const char *size : {"1", "2", "8", "64", "1024"}) {
    KernelRunner kernel(with(maskedScale, "SIZE", size), GetParam());
    for (int64_t n : {0, 1, 7, 63, 64, 65, 1000, 1024, 3001}) {
      Guarded<float> x(n), y(n, NAN);
      fillSmall(x, n);
      kernel.run({{slot(x.data())}, {slot(y.data())}, {slot(n)}});
      expectAll(y, [&](size_t i) { return 2 * x[i]; });
    }
  }
}

// All loads of a tile come before its stores, even when the arrays overlap.
TEST_P(KernelTest, StoreMayNotOvertakeLoad) {
  KernelRunner kernel(with(maskedScale, "SIZE", "1024"), GetParam());
  for (int shift : {-3, 0, 1, 200}) {
    int64_t n = 1000;
    Guarded<float> memory(n + 400);
    fillSmall(memory, 5);
    std::vector<float> old(memory.data(), memory.data() + memory.size());
    kernel.run({{slot(memory.data() + 200)}, {slot(memory.data() + 200 + shift)}, {slot(n)}});
    expectAll(memory, [&](size_t i) {
      int64_t from = int64_t(i) - 200 - shift;
      return from >= 0 && from < n ? 2 * old[from + 200] : old[i];
    });
  }
}

const char *affineView = R"(
func.func @affine(%x: !tile.view<?x?xELEM, STRIDES> {tile.role = "in", tile.name = "x"},
                  %b: !tile.view<?xf32, [1]> {tile.role = "in", tile.name = "b"},
                  %y: !tile.view<?x?xELEM, [?, 1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %cm = arith.constant TM : i64
  %cn = arith.constant TN : i64
  %m = tile.view_size %y, 0 : !tile.view<?x?xELEM, [?, 1]>
  %n = tile.view_size %y, 1 : !tile.view<?x?xELEM, [?, 1]>
  %gm = tile.div ceil %m, %cm : i64
  %gn = tile.div ceil %n, %cn : i64
  tile.grid %gn, %gm
  %pn = tile.program_id 0
  %pm = tile.program_id 1
  %om = arith.muli %pm, %cm : i64
  %on = arith.muli %pn, %cn : i64
  %xs = tile.view_load %x[%om, %on] : !tile.view<?x?xELEM, STRIDES> -> tensor<TMxTNxELEM>
  %bs = tile.view_load %b[%on] : !tile.view<?xf32, [1]> -> tensor<TNxf32>
  %be = tile.expand_dims %bs, 0 : tensor<TNxf32> -> tensor<1xTNxf32>
  %bb = tile.broadcast %be : tensor<1xTNxf32> -> tensor<TMxTNxf32>
  WIDEN
  %s = arith.addf %xw, %bb : tensor<TMxTNxf32>
  NARROW
  tile.view_store %r, %y[%om, %on] : tensor<TMxTNxELEM>, !tile.view<?x?xELEM, [?, 1]>
  return
})";

template <class T> void checkAffineView(const Way &way, std::string element, bool isTransposed) {
  bool isF32 = element == "f32";
  for (auto [tm, tn] : {std::pair{4, 64}, {32, 256}, {16, 2}, {1, 16}, {64, 1}}) {
    std::string text = affineView;
    text = with(text, "WIDEN",
                isF32 ? "%xw = arith.mulf %xs, %one : tensor<TMxTNxf32>"
                      : "%xw = arith.extf %xs : tensor<TMxTNxELEM> to tensor<TMxTNxf32>");
    text = with(text, "NARROW",
                isF32 ? "%r = arith.addf %s, %zero : tensor<TMxTNxf32>"
                      : "%r = tile.round %s : tensor<TMxTNxf32> -> tensor<TMxTNxELEM>");
    text = with(text, "  %cm =",
                "  %one = arith.constant dense<1.0> : tensor<TMxTNxf32>\n"
                "  %zero = arith.constant dense<0.0> : tensor<TMxTNxf32>\n  %cm =");
    text = with(text, "ELEM", element);
    text = with(text, "STRIDES", isTransposed ? "[1, ?]" : "[?, 1]");
    text = with(text, "TM", std::to_string(tm));
    text = with(text, "TN", std::to_string(tn));
    KernelRunner kernel(text, way);
    for (auto [m, n] :
         {std::pair{1, 1}, {tm, tn}, {2 * tm, 3 * tn}, {tm + 1, 2 * tn - 1}, {5, 77}}) {
      Guarded<T> x(size_t(m) * n), y(size_t(m) * n, T(NAN));
      Guarded<float> b(n);
      fillSmall(x, 1);
      fillSmall(b, 2);
      std::vector<int64_t> strides{n, 1};
      if (isTransposed)
        strides = {1, m};
      kernel.run({view(x.data(), {m, n}, strides), view(b.data(), {n}), view(y.data(), {m, n})});
      expectAll(y, [&](size_t i) {
        size_t row = i / n, column = i % n;
        return T(float(x[row * strides[0] + column * strides[1]]) + b[column]);
      });
    }
  }
}

TEST_P(KernelTest, ViewsWithEdges) {
  checkAffineView<float>(GetParam(), "f32", false);
  checkAffineView<Eigen::half>(GetParam(), "f16", false);
  checkAffineView<Eigen::bfloat16>(GetParam(), "bf16", false);
}

TEST_P(KernelTest, TransposedViews) {
  checkAffineView<float>(GetParam(), "f32", true);
  checkAffineView<Eigen::half>(GetParam(), "f16", true);
}

// Offsets before the view, fill values, and a store that is clipped on both sides.
TEST_P(KernelTest, NegativeOffsetsAndFill) {
  KernelRunner kernel(R"(
func.func @shift(%x: !tile.view<?xi32, [1]> {tile.role = "in", tile.name = "x"},
                 %y: !tile.view<?xi32, [1]> {tile.role = "out", tile.name = "y"},
                 %from: i64 {tile.name = "from"}, %to: i64 {tile.name = "to"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  %fill = arith.constant 7 : i32
  %t = tile.view_load %x[%from] fill %fill : i32 : !tile.view<?xi32, [1]> -> tensor<256xi32>
  tile.view_store %t, %y[%to] : tensor<256xi32>, !tile.view<?xi32, [1]>
  return
})",
                      GetParam());
  for (int64_t from : {-300, -5, 0, 3, 1000})
    for (int64_t to : {-300, -7, 0, 2, 400}) {
      int64_t n = 100, m = 300;
      Guarded<int32_t> x(n), y(m, -1);
      fillSmall(x, 3);
      kernel.run({view(x.data(), {n}), view(y.data(), {m}), {slot(from)}, {slot(to)}});
      expectAll(y, [&](size_t i) {
        int64_t lane = int64_t(i) - to, source = lane + from;
        if (lane < 0 || lane >= 256)
          return -1;
        return source >= 0 && source < n ? x[source] : 7;
      });
    }
}

// Masks that depend on data, over bytes, bools and halves; gathers through loaded indices.
TEST_P(KernelTest, DataDependentMaskAndGather) {
  for (const char *element : {"i8", "i1", "i16", "i64", "f16", "f64"}) {
    std::string text = with(R"(
func.func @pick(%x: !tile.ptr<ELEM> {tile.role = "in", tile.name = "x"},
                %i: !tile.ptr<i32> {tile.role = "in", tile.name = "i"},
                %y: !tile.ptr<ELEM> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  %r = tile.arange 0 : tensor<128xi64>
  %is = tile.splat %i : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %ip = tile.addptr %is, %r : tensor<128x!tile.ptr<i32>>, tensor<128xi64>
  %index = tile.load %ip : tensor<128x!tile.ptr<i32>> -> tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi32>
  %m = arith.cmpi sge, %index, %zero : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<ELEM> -> tensor<128x!tile.ptr<ELEM>>
  %xp = tile.addptr %xs, %index : tensor<128x!tile.ptr<ELEM>>, tensor<128xi32>
  %other = arith.constant dense<OTHER> : tensor<128xELEM>
  %v = tile.load %xp, %m, %other : tensor<128x!tile.ptr<ELEM>> -> tensor<128xELEM> mask tensor<128xi1> other tensor<128xELEM>
  %ys = tile.splat %y : !tile.ptr<ELEM> -> tensor<128x!tile.ptr<ELEM>>
  %yp = tile.addptr %ys, %r : tensor<128x!tile.ptr<ELEM>>, tensor<128xi64>
  %c5 = arith.constant dense<5> : tensor<128xi32>
  %sm = arith.cmpi ne, %index, %c5 : tensor<128xi32>
  tile.store %yp, %v, %sm : tensor<128x!tile.ptr<ELEM>>, tensor<128xELEM> mask tensor<128xi1>
  return
})",
                            "ELEM", element);
    std::string name = element;
    text = with(text, "OTHER", name[0] == 'f' ? "1.0" : "1");
    KernelRunner kernel(text, GetParam());
    auto check = [&](auto sample, auto one) {
      using T = decltype(sample);
      Guarded<T> x(40), y(128, T(0));
      Guarded<int32_t> index(128);
      fillSmall(x, 9);
      if (name == "i1")
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = T(i % 3 == 0);
      std::mt19937 random(4);
      for (size_t i = 0; i < 128; ++i)
        index[i] = int(random() % 60) < 40 ? int(random() % 40) : -1000000;
      kernel.run({{slot(x.data())}, {slot(index.data())}, {slot(y.data())}});
      expectAll(y, [&](size_t i) {
        return index[i] == 5 ? T(0) : index[i] >= 0 ? x[index[i]] : one;
      });
    };
    if (name == "i8" || name == "i1")
      check(int8_t(), int8_t(1));
    else if (name == "i16")
      check(int16_t(), int16_t(1));
    else if (name == "i64")
      check(int64_t(), int64_t(1));
    else if (name == "f16")
      check(Eigen::half(), Eigen::half(1.0f));
    else
      check(double(), 1.0);
  }
}

// Transpose, reshape and expand of a computed tile.
TEST_P(KernelTest, ChangesOfShape) {
  KernelRunner kernel(R"(
func.func @shapes(%x: !tile.view<32x64xf32, [64, 1]> {tile.role = "in", tile.name = "x"},
                  %y: !tile.view<64x32xf32, [32, 1]> {tile.role = "out", tile.name = "y"},
                  %z: !tile.view<8x4x64xf32, [256, 64, 1]> {tile.role = "out", tile.name = "z"},
                  %w: !tile.view<2048xf32, [1]> {tile.role = "out", tile.name = "w"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0, %c0] : !tile.view<32x64xf32, [64, 1]> -> tensor<32x64xf32>
  %e = math.exp2 %t : tensor<32x64xf32>
  %tt = tile.transpose %e, [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  tile.view_store %tt, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32, [32, 1]>
  %r = tile.reshape %e : tensor<32x64xf32> -> tensor<8x4x64xf32>
  tile.view_store %r, %z[%c0, %c0, %c0] : tensor<8x4x64xf32>, !tile.view<8x4x64xf32, [256, 64, 1]>
  %f = tile.reshape %tt : tensor<64x32xf32> -> tensor<4x512xf32>
  %g = tile.transpose %f, [1, 0] : tensor<4x512xf32> -> tensor<512x4xf32>
  %h = tile.reshape %g : tensor<512x4xf32> -> tensor<2048xf32>
  tile.view_store %h, %w[%c0] : tensor<2048xf32>, !tile.view<2048xf32, [1]>
  return
})",
                      GetParam());
  Guarded<float> x(2048), y(2048, NAN), z(2048, NAN), w(2048, NAN);
  fillSmall(x, 8);
  kernel.run({view(x.data(), {32, 64}), view(y.data(), {64, 32}), view(z.data(), {8, 4, 64}),
              view(w.data(), {2048})});
  auto transposed = [&](size_t i) { return std::exp2(x[i % 32 * 64 + i / 32]); };
  expectAll(y, transposed, 1e-6);
  expectAll(z, [&](size_t i) { return std::exp2(x[i]); }, 1e-6);
  expectAll(w, [&](size_t i) { return transposed(i % 4 * 512 + i / 4); }, 1e-6);
}

// Each operation on halves rounds.
TEST_P(KernelTest, HalfArithmeticRoundsEachStep) {
  KernelRunner kernel(R"(
func.func @half(%x: !tile.view<?xf16, [1]> {tile.role = "in", tile.name = "x"},
                %y: !tile.view<?xf16, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0] : !tile.view<?xf16, [1]> -> tensor<512xf16>
  %k = arith.constant dense<1.001> : tensor<512xf16>
  %a = arith.mulf %t, %k : tensor<512xf16>
  %b = arith.addf %a, %t : tensor<512xf16>
  %c = arith.divf %b, %k : tensor<512xf16>
  %m = arith.cmpf ogt, %c, %t : tensor<512xf16>
  %s = arith.select %m, %c, %t : tensor<512xi1>, tensor<512xf16>
  tile.view_store %s, %y[%c0] : tensor<512xf16>, !tile.view<?xf16, [1]>
  return
})",
                      GetParam());
  Guarded<Eigen::half> x(500), y(500, Eigen::half(0.0f));
  std::mt19937 random(1);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = Eigen::half(std::uniform_real_distribution<float>(-4, 4)(random));
  kernel.run({view(x.data(), {500}), view(y.data(), {500})});
  Eigen::half k(1.001f);
  expectAll(y, [&](size_t i) {
    Eigen::half c = (x[i] * k + x[i]) / k;
    return c > x[i] ? c : x[i];
  });
}

INSTANTIATE_TEST_SUITE_P(Ways, KernelTest, testing::ValuesIn(ways()), wayName);

} // namespace
