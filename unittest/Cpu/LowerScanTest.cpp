// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans along every axis, in both directions, with regions that are not commutative.

#include "KernelRunner.h"

#include <Eigen/Core>

#include <limits>

using namespace metile;
using namespace metile::cpu;

namespace {

/// Scans a TRxTC tile along AXIS: running sums, and the affine maps x -> a x + b composed in order.
const char *scans = R"(
func.func @scan(%x: !tile.view<?x?xi32, [?, 1]> {tile.role = "in", tile.name = "x"},
                %s: !tile.view<?x?xi32, [?, 1]> {tile.role = "out", tile.name = "s"},
                %p: !tile.view<?x?xi32, [?, 1]> {tile.role = "out", tile.name = "p"},
                %q: !tile.view<?x?xi32, [?, 1]> {tile.role = "out", tile.name = "q"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0, %c0] : !tile.view<?x?xi32, [?, 1]> -> tensor<TRxTCxi32>
  %sum = tile.scan(%t) axis AXIS REVERSE : (tensor<TRxTCxi32>) -> tensor<TRxTCxi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  %three = arith.constant dense<3> : tensor<TRxTCxi32>
  %f = arith.addi %t, %three : tensor<TRxTCxi32>
  %map:2 = tile.scan(%f, %t) axis AXIS REVERSE : (tensor<TRxTCxi32>, tensor<TRxTCxi32>) -> (tensor<TRxTCxi32>, tensor<TRxTCxi32>) {
  ^bb0(%a0: i32, %b0: i32, %a1: i32, %b1: i32):
    %a = arith.muli %a0, %a1 : i32
    %ab = arith.muli %b0, %a1 : i32
    %b = arith.addi %ab, %b1 : i32
    tile.yield %a, %b : i32, i32
  }
  tile.view_store %sum, %s[%c0, %c0] : tensor<TRxTCxi32>, !tile.view<?x?xi32, [?, 1]>
  tile.view_store %map#0, %p[%c0, %c0] : tensor<TRxTCxi32>, !tile.view<?x?xi32, [?, 1]>
  tile.view_store %map#1, %q[%c0, %c0] : tensor<TRxTCxi32>, !tile.view<?x?xi32, [?, 1]>
  return
})";

TEST_P(KernelTest, ScansAlongEachAxis) {
  for (bool isReverse : {false, true})
    for (int axis : {0, 1})
      for (auto [rows, columns] :
           {std::pair{8, 128}, {64, 16}, {256, 2}, {2, 1}, {1, 64}, {4, 1024}, {1024, 1}}) {
        std::string text = with(scans, "AXIS", std::to_string(axis));
        text = with(text, "REVERSE", isReverse ? "reverse" : "");
        text = with(text, "TR", std::to_string(rows));
        text = with(text, "TC", std::to_string(columns));
        KernelRunner kernel(text, GetParam());
        int m = rows, n = std::max(1, columns - 1);
        int count = rows * columns;
        Guarded<uint32_t> x(m * n), s(count, 77), p(count, 77), q(count, 77);
        std::mt19937 random(rows);
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = random();
        kernel.run({view(x.data(), {m, n}), view(s.data(), {rows, columns}),
                    view(p.data(), {rows, columns}), view(q.data(), {rows, columns})});
        std::vector<uint32_t> sums(count), factors(count), terms(count);
        int depth = axis == 0 ? rows : columns, lines = count / depth;
        for (int line = 0; line < lines; ++line) {
          uint32_t sum = 0, factor = 1, term = 0;
          for (int d = 0; d < depth; ++d) {
            int at = isReverse ? depth - 1 - d : d;
            int row = axis == 0 ? at : line, column = axis == 0 ? line : at;
            uint32_t value = row < m && column < n ? x[row * n + column] : 0;
            sums[row * columns + column] = sum += value;
            term = term * (value + 3) + value;
            factor *= value + 3;
            factors[row * columns + column] = factor;
            terms[row * columns + column] = term;
          }
        }
        expectAll(s, [&](size_t i) { return sums[i]; });
        expectAll(p, [&](size_t i) { return factors[i]; });
        expectAll(q, [&](size_t i) { return terms[i]; });
      }
}

// Narrow floats and bools, along the middle of three axes; the source is computed.
TEST_P(KernelTest, ScansOfEveryElement) {
  struct Case {
    const char *element, *one, *add, *combine;
  };
  for (auto [element, one, add, combine] : {Case{"f16", "1.0", "arith.addf", "arith.maximumf"},
                                            {"bf16", "1.0", "arith.addf", "arith.maximumf"},
                                            {"f64", "1.0", "arith.addf", "arith.maximumf"},
                                            {"i8", "1", "arith.addi", "arith.maxsi"},
                                            {"i64", "1", "arith.addi", "arith.maxsi"},
                                            {"i1", "true", "arith.xori", "arith.xori"}}) {
    std::string text = R"(
func.func @scan(%x: !tile.view<4x16x32xELEM, [512, 32, 1]> {tile.role = "in", tile.name = "x"},
                %y: !tile.view<4x16x32xELEM, [512, 32, 1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0, %c0, %c0] : !tile.view<4x16x32xELEM, [512, 32, 1]> -> tensor<4x16x32xELEM>
  %k = arith.constant dense<ONE> : tensor<4x16x32xELEM>
  %u = ADD %t, %k : tensor<4x16x32xELEM>
  %r = tile.scan(%u) axis 1 : (tensor<4x16x32xELEM>) -> tensor<4x16x32xELEM> {
  ^bb0(%a: ELEM, %b: ELEM):
    %c = COMBINE %a, %b : ELEM
    tile.yield %c : ELEM
  }
  tile.view_store %r, %y[%c0, %c0, %c0] : tensor<4x16x32xELEM>, !tile.view<4x16x32xELEM, [512, 32, 1]>
  return
})";
    std::string name = element;
    text =
        with(with(with(with(text, "ELEM", element), "ONE", one), "ADD", add), "COMBINE", combine);
    KernelRunner kernel(text, GetParam());
    auto check = [&](auto sample) {
      using T = decltype(sample);
      Guarded<T> x(2048), y(2048);
      std::mt19937 random(2);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = name == "i1" ? T(random() % 2) : T(int(random() % 61) - 30);
      kernel.run({view(x.data(), {4, 16, 32}), view(y.data(), {4, 16, 32})});
      expectAll(y, [&](size_t i) {
        size_t line = i / 512 * 512 + i % 32, depth = i / 32 % 16;
        bool isOdd = false;
        T best = T(x[line] + T(1));
        for (size_t d = 0; d <= depth; ++d) {
          T next = x[line + d * 32];
          isOdd ^= next == T(0);
          best = std::max<T>(best, T(next + T(1)));
        }
        return name == "i1" ? T(int(isOdd)) : best;
      });
    };
    if (name == "f16")
      check(Eigen::half());
    else if (name == "bf16")
      check(Eigen::bfloat16());
    else if (name == "f64")
      check(double());
    else if (name == "i64")
      check(int64_t());
    else
      check(int8_t());
  }
}

// A scan of what a loop carries, used by a reduction and by the next turn.
TEST_P(KernelTest, ScanInALoop) {
  KernelRunner kernel(R"(
func.func @scan(%x: !tile.view<64xi32, [1]> {tile.role = "in", tile.name = "x"},
                %y: !tile.view<64xi32, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0] : !tile.view<64xi32, [1]> -> tensor<64xi32>
  %r = scf.for %i = %c0 to %c3 step %one iter_args(%u = %t) -> (tensor<64xi32>) : i64 {
    %s = tile.scan(%u) axis 0 : (tensor<64xi32>) -> tensor<64xi32> {
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tile.yield %c : i32
    }
    %m = tile.reduce(%s) axis 0 : (tensor<64xi32>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %c = arith.maxsi %a, %b : i32
      tile.yield %c : i32
    }
    %ms = tile.splat %m : i32 -> tensor<64xi32>
    %next = arith.subi %ms, %s : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  }
  tile.view_store %r, %y[%c0] : tensor<64xi32>, !tile.view<64xi32, [1]>
  return
})",
                      GetParam());
  Guarded<int32_t> x(64), y(64);
  fillSmall(x, 1);
  kernel.run({view(x.data(), {64}), view(y.data(), {64})});
  std::vector<int32_t> expected(x.data(), x.data() + 64);
  for (int turn = 0; turn < 3; ++turn) {
    int32_t sum = 0, most = std::numeric_limits<int32_t>::min();
    for (int32_t &value : expected) {
      value = sum += value;
      most = std::max(most, sum);
    }
    for (int32_t &value : expected)
      value = most - value;
  }
  expectAll(y, [&](size_t i) { return expected[i]; });
}

} // namespace
