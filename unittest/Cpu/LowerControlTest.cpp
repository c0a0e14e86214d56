// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions over every axis, loops that carry tiles, branches.

#include "KernelRunner.h"

#include <map>

using namespace metile;
using namespace metile::cpu;

namespace {

/// Sum, maximum and argmax along AXIS of a TRxTC tile.
const char *reductions = R"(
func.func @reduce(%x: !tile.view<?x?xf32, [?, 1]> {tile.role = "in", tile.name = "x"},
                  %s: !tile.view<?xf32, [1]> {tile.role = "out", tile.name = "s"},
                  %m: !tile.view<?xf32, [1]> {tile.role = "out", tile.name = "m"},
                  %i: !tile.view<?xi32, [1]> {tile.role = "out", tile.name = "i"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0, %c0] : !tile.view<?x?xf32, [?, 1]> -> tensor<TRxTCxf32>
  %sum = tile.reduce(%t) axis AXIS : (tensor<TRxTCxf32>) -> tensor<LENxf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %max = tile.reduce(%t) axis AXIS : (tensor<TRxTCxf32>) -> tensor<LENxf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %ar = tile.arange 0 : tensor<DEPTHxi64>
  %an = arith.trunci %ar : tensor<DEPTHxi64> to tensor<DEPTHxi32>
  %ae = tile.expand_dims %an, OTHER : tensor<DEPTHxi32> -> tensor<EXPANDEDxi32>
  %ab = tile.broadcast %ae : tensor<EXPANDEDxi32> -> tensor<TRxTCxi32>
  %arg:2 = tile.reduce(%t, %ab) axis AXIS : (tensor<TRxTCxf32>, tensor<TRxTCxi32>) -> (tensor<LENxf32>, tensor<LENxi32>) {
  ^bb0(%av: f32, %ai: i32, %bv: f32, %bi: i32):
    %gt = arith.cmpf ogt, %av, %bv : f32
    %eq = arith.cmpf oeq, %av, %bv : f32
    %lt = arith.cmpi slt, %ai, %bi : i32
    %tie = arith.andi %eq, %lt : i1
    %first = arith.ori %gt, %tie : i1
    %rv = arith.select %first, %av, %bv : f32
    %ri = arith.select %first, %ai, %bi : i32
    tile.yield %rv, %ri : f32, i32
  }
  tile.view_store %sum, %s[%c0] : tensor<LENxf32>, !tile.view<?xf32, [1]>
  tile.view_store %max, %m[%c0] : tensor<LENxf32>, !tile.view<?xf32, [1]>
  tile.view_store %arg#1, %i[%c0] : tensor<LENxi32>, !tile.view<?xi32, [1]>
  return
})";

TEST_P(KernelTest, ReductionsAlongEachAxis) {
  for (int axis : {0, 1})
    for (auto [rows, columns] :
         {std::pair{8, 256}, {64, 16}, {256, 2}, {2, 1}, {1, 64}, {4, 1024}}) {
      int length = axis == 0 ? columns : rows, depth = axis == 0 ? rows : columns;
      std::string text = reductions;
      text = with(text, "AXIS", std::to_string(axis));
      text = with(text, "OTHER", std::to_string(1 - axis));
      text = with(text, "EXPANDED", axis == 0 ? "TRx1" : "1xTC");
      text = with(text, "DEPTH", std::to_string(depth));
      text = with(text, "LEN", std::to_string(length));
      text = with(text, "TR", std::to_string(rows));
      text = with(text, "TC", std::to_string(columns));
      KernelRunner kernel(text, GetParam());
      for (int edge : {0, 1}) {
        int m = std::max(1, rows - edge), n = std::max(1, columns - edge);
        Guarded<float> x(m * n), s(length, NAN), t(length, NAN);
        Guarded<int32_t> index(length, -1);
        fillSmall(x, rows);
        kernel.run({view(x.data(), {m, n}), view(s.data(), {length}), view(t.data(), {length}),
                    view(index.data(), {length})});
        // What lies outside the view is zero.
        auto at = [&](int i, int d) {
          int row = axis == 0 ? d : i, column = axis == 0 ? i : d;
          return row < m && column < n ? x[row * n + column] : 0.0f;
        };
        auto best = [&](int i) {
          int found = 0;
          for (int d = 1; d < depth; ++d)
            if (at(i, d) > at(i, found))
              found = d;
          return found;
        };
        expectAll(s, [&](size_t i) {
          float sum = 0;
          for (int d = 0; d < depth; ++d)
            sum += at(i, d);
          return sum;
        });
        expectAll(t, [&](size_t i) { return at(i, best(i)); });
        expectAll(index, [&](size_t i) { return best(i); });
      }
    }
}

TEST_P(KernelTest, MaximumSpreadsNaN) {
  KernelRunner kernel(R"(
func.func @maxima(%x: !tile.view<?xf32, [1]> {tile.role = "in", tile.name = "x"},
                  %y: !tile.view<2xf32, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %fill = arith.constant 0xFF800000 : f32
  %t = tile.view_load %x[%c0] fill %fill : f32 : !tile.view<?xf32, [1]> -> tensor<512xf32>
  %a = tile.reduce(%t) axis 0 : (tensor<512xf32>) -> f32 {
  ^bb0(%p: f32, %q: f32):
    %c = arith.maximumf %p, %q : f32
    tile.yield %c : f32
  }
  %b = tile.reduce(%t) axis 0 : (tensor<512xf32>) -> f32 {
  ^bb0(%p: f32, %q: f32):
    %c = arith.maxnumf %p, %q : f32
    tile.yield %c : f32
  }
  %v0 = tile.view_at %y[%c0] : !tile.view<2xf32, [1]> -> !tile.view<f32, []>
  %v1 = tile.view_at %y[%one] : !tile.view<2xf32, [1]> -> !tile.view<f32, []>
  tile.view_store %a, %v0[] : f32, !tile.view<f32, []>
  tile.view_store %b, %v1[] : f32, !tile.view<f32, []>
  return
})",
                      GetParam());
  float infinity = std::numeric_limits<float>::infinity();
  for (bool hasNaN : {false, true})
    for (float value : {-infinity, -3.0f}) {
      Guarded<float> x(300, value), y(2, 99);
      if (hasNaN)
        x[137] = NAN;
      kernel.run({view(x.data(), {300}), view(y.data(), {2})});
      expectAll(y, [&](size_t i) { return i == 0 && hasNaN ? NAN : value; });
    }
}

// Several rows: maximum, exponential, sum and quotient share the loop over rows.
TEST_P(KernelTest, SoftmaxOfRows) {
  KernelRunner kernel(R"(
func.func @softmax(%x: !tile.view<?x?xf32, [?, 1]> {tile.role = "in", tile.name = "x"},
                   %y: !tile.view<?x?xf32, [?, 1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %m = tile.view_size %x, 0 : !tile.view<?x?xf32, [?, 1]>
  %g = tile.div ceil %m, %c4 : i64
  tile.grid %g
  %p = tile.program_id 0
  %o = arith.muli %p, %c4 : i64
  %low = arith.constant 0xFF800000 : f32
  %t = tile.view_load %x[%o, %c0] fill %low : f32 : !tile.view<?x?xf32, [?, 1]> -> tensor<4x256xf32>
  %mx = tile.reduce(%t) axis 1 : (tensor<4x256xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %me = tile.expand_dims %mx, 1 : tensor<4xf32> -> tensor<4x1xf32>
  %mb = tile.broadcast %me : tensor<4x1xf32> -> tensor<4x256xf32>
  %d = arith.subf %t, %mb : tensor<4x256xf32>
  %e = math.exp %d : tensor<4x256xf32>
  %s = tile.reduce(%e) axis 1 : (tensor<4x256xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %se = tile.expand_dims %s, 1 : tensor<4xf32> -> tensor<4x1xf32>
  %sb = tile.broadcast %se : tensor<4x1xf32> -> tensor<4x256xf32>
  %q = arith.divf %e, %sb : tensor<4x256xf32>
  tile.view_store %q, %y[%o, %c0] : tensor<4x256xf32>, !tile.view<?x?xf32, [?, 1]>
  return
})",
                      GetParam());
  if (!GetParam().scratchEverything) {
    // One row of exponentials, and the two results of each row.
    ASSERT_FALSE(kernel.facts.allocations.empty());
    for (const AllocationFact &allocation : kernel.facts.allocations)
      EXPECT_LE(allocation.bytes, 1024) << allocation.name;
  }
  for (auto [m, n] : {std::pair{8, 256}, {7, 200}, {3, 1}}) {
    Guarded<float> x(m * n), y(m * n, NAN);
    fillSmall(x, n);
    kernel.run({view(x.data(), {m, n}), view(y.data(), {m, n})});
    expectAll(
        y,
        [&](size_t i) {
          double top = -1e30, sum = 0;
          for (int column = 0; column < n; ++column)
            top = std::max<double>(top, x[i / n * n + column]);
          for (int column = 0; column < n; ++column)
            sum += std::exp(x[i / n * n + column] - top);
          return std::exp(x[i] - top) / sum;
        },
        1e-6);
  }
}

// Two carried tiles change places on every turn; one of them is moved by a lane's neighbour.
TEST_P(KernelTest, CarriedTilesSwap) {
  KernelRunner kernel(R"(
func.func @swap(%x: !tile.view<64xi32, [1]> {tile.role = "inout", tile.name = "x"},
                %y: !tile.view<64xi32, [1]> {tile.role = "inout", tile.name = "y"},
                %n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %a0 = tile.view_load %x[%c0] : !tile.view<64xi32, [1]> -> tensor<64xi32>
  %b0 = tile.view_load %y[%c0] : !tile.view<64xi32, [1]> -> tensor<64xi32>
  %r:3 = scf.for %i = %c0 to %n step %one iter_args(%a = %a0, %b = %b0, %k = %c0)
      -> (tensor<64xi32>, tensor<64xi32>, i64) : i64 {
    %t = tile.reshape %a : tensor<64xi32> -> tensor<8x8xi32>
    %u = tile.transpose %t, [1, 0] : tensor<8x8xi32> -> tensor<8x8xi32>
    %v = tile.reshape %u : tensor<8x8xi32> -> tensor<64xi32>
    %w = arith.addi %v, %b : tensor<64xi32>
    %k1 = arith.addi %k, %i : i64
    scf.yield %b, %w, %k1 : tensor<64xi32>, tensor<64xi32>, i64
  }
  %k32 = arith.trunci %r#2 : i64 to i32
  %ks = tile.splat %k32 : i32 -> tensor<64xi32>
  %f = arith.addi %r#0, %ks : tensor<64xi32>
  tile.view_store %f, %x[%c0] : tensor<64xi32>, !tile.view<64xi32, [1]>
  tile.view_store %r#1, %y[%c0] : tensor<64xi32>, !tile.view<64xi32, [1]>
  return
})",
                      GetParam());
  for (int64_t n : {0, 1, 2, 5}) {
    Guarded<int32_t> x(64), y(64);
    fillSmall(x, 1);
    fillSmall(y, 2);
    std::vector<int32_t> a(x.data(), x.data() + 64), b(y.data(), y.data() + 64);
    kernel.run({view(x.data(), {64}), view(y.data(), {64}), {slot(n)}});
    int32_t k = 0;
    for (int64_t turn = 0; turn < n; ++turn) {
      std::vector<int32_t> w(64);
      for (int i = 0; i < 64; ++i)
        w[i] = a[i % 8 * 8 + i / 8] + b[i];
      a = b;
      b = w;
      k += turn;
    }
    expectAll(x, [&](size_t i) { return a[i] + k; });
    expectAll(y, [&](size_t i) { return b[i]; });
  }
}

// Pointers that a loop moves on, a sum in a carried tile.
TEST_P(KernelTest, CarriedPointers) {
  KernelRunner kernel(R"(
func.func @walk(%x: !tile.ptr<f32> {tile.role = "in", tile.name = "x"},
                %y: !tile.ptr<f32> {tile.role = "out", tile.name = "y"},
                %n: i64 {tile.name = "n"}, %stride: i64 {tile.name = "stride"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %r = tile.arange 0 : tensor<128xi64>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi64>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi64>
  %z = arith.constant dense<0.0> : tensor<128xf32>
  %step = tile.splat %stride : i64 -> tensor<128xi64>
  %s:2 = scf.for %i = %c0 to %n step %one iter_args(%p = %xp, %sum = %z)
      -> (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) : i64 {
    %v = tile.load %p : tensor<128x!tile.ptr<f32>> -> tensor<128xf32>
    %t = arith.addf %sum, %v : tensor<128xf32>
    %q = tile.addptr %p, %step : tensor<128x!tile.ptr<f32>>, tensor<128xi64>
    scf.yield %q, %t : tensor<128x!tile.ptr<f32>>, tensor<128xf32>
  }
  tile.store %yp, %s#1 : tensor<128x!tile.ptr<f32>>, tensor<128xf32>
  return
})",
                      GetParam());
  int64_t n = 5, stride = 70;
  Guarded<float> x(4 * stride + 128), y(128, NAN);
  fillSmall(x, 3);
  kernel.run({{slot(x.data())}, {slot(y.data())}, {slot(n)}, {slot(stride)}});
  expectAll(y, [&](size_t i) {
    float sum = 0;
    for (int64_t turn = 0; turn < n; ++turn)
      sum += x[i + turn * stride];
    return sum;
  });
}

// A branch with tile results, a while loop that halves until all is small, an early end.
TEST_P(KernelTest, BranchAndWhile) {
  KernelRunner kernel(R"(
func.func @halve(%x: !tile.view<?xf32, [1]> {tile.role = "inout", tile.name = "x"},
                 %limit: f32 {tile.name = "limit"}) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i64
  %c2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : i64
  %n = tile.view_size %x, 0 : !tile.view<?xf32, [1]>
  %g = tile.div ceil %n, %c64 : i64
  tile.grid %g
  %p = tile.program_id 0
  %o = arith.muli %p, %c64 : i64
  %t = tile.view_load %x[%o] : !tile.view<?xf32, [1]> -> tensor<64xf32>
  %odd = tile.rem trunc %p, %c2 : i64
  %isOdd = arith.cmpi ne, %odd, %c0 : i64
  %u = scf.if %isOdd -> (tensor<64xf32>) {
    %d = arith.addf %t, %t : tensor<64xf32>
    scf.yield %d : tensor<64xf32>
  } else {
    scf.yield %t : tensor<64xf32>
  }
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %w = scf.while (%a = %u) : (tensor<64xf32>) -> tensor<64xf32> {
    %m = tile.reduce(%a) axis 0 : (tensor<64xf32>) -> f32 {
    ^bb0(%p1: f32, %q1: f32):
      %c = arith.maximumf %p1, %q1 : f32
      tile.yield %c : f32
    }
    %more = arith.cmpf ogt, %m, %limit : f32
    scf.condition(%more) %a : tensor<64xf32>
  } do {
  ^bb0(%b: tensor<64xf32>):
    %h = arith.mulf %b, %half : tensor<64xf32>
    scf.yield %h : tensor<64xf32>
  }
  %first = arith.cmpi sgt, %p, %c0 : i64
  scf.if %first {
    tile.view_store %w, %x[%o] : tensor<64xf32>, !tile.view<?xf32, [1]>
  }
  return
})",
                      GetParam());
  Guarded<float> x(150);
  fillSmall(x, 12);
  std::vector<float> old(x.data(), x.data() + x.size());
  kernel.run({view(x.data(), {150}), {slot(1.5f)}});
  expectAll(x, [&](size_t i) {
    size_t program = i / 64;
    if (program == 0)
      return old[i];
    float factor = program % 2 ? 2 : 1, top = 0;
    for (size_t j = program * 64; j < std::min<size_t>(150, program * 64 + 64); ++j)
      top = std::max(top, factor * old[j]);
    while (top > 1.5f) {
      top /= 2;
      factor /= 2;
    }
    return factor * old[i];
  });
}

} // namespace
