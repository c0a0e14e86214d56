// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dots: dtypes, ragged sizes, operand forms, producers, epilogues, batches, two in a row.

#include "Harness.h"

#include "Bench/Tolerance.h"

#include <fmt/format.h>

#include <cmath>

namespace metile::conformance {

static DType accumulatorOf(DType dtype) {
  return isFloat(dtype) ? (dtype == f64 ? f64 : f32) : i32;
}

/// Of `depth` products of numbers in [-2, 2): both sides sum them in the accumulator's type, each
/// in its own order, and round once to the output's.
static Bound boundOf(DType accumulator, DType output, int64_t depth) {
  if (!isFloat(output))
    return {};
  double sum = 2 * bench::accumulationBound(double(depth), accumulator, 4.0 * double(depth));
  return [=](double expected) {
    double rounding =
        output == accumulator ? 0 : 2 * bench::roundingBound(output, std::abs(expected) + sum);
    return sum + rounding;
  };
}

struct Sizes {
  int64_t m, n, k;
};
/// The first ones divide no block, and share code.
static const Sizes raggedProblems[] = {{33, 65, 17}, {5, 3, 2}, {7, 130, 1}, {40, 24, 0}};
static const Sizes evenProblems[] = {{16, 16, 16}, {64, 128, 96}, {1, 64, 64}};
/// BLOCK_M, BLOCK_N, BLOCK_K.
static const Sizes blockings[] = {{16, 16, 16}, {32, 64, 32}, {4, 8, 2}};

using BlockM = Const<"M", 4, 16, 32>;
using BlockN = Const<"N", 8, 16, 64>;
using BlockK = Const<"K", 2, 16, 32>;

static std::string spell(const Sizes &sizes) {
  return fmt::format("{}x{}x{}", sizes.m, sizes.n, sizes.k);
}

/// Runs the check that `make` makes of each problem, with each blocking and schedule; even problems
/// and schedules take turns unless there is time for all.
static void runProblems(Suite &suite, const std::string &operation, DType dtype,
                        const std::string &variant,
                        const std::function<Check(const Sizes &problem)> &make) {
  static unsigned turn = 0;
  auto runOne = [&](const Sizes &problem, const Sizes &blocks, const std::string &schedule,
                    bool isShared) {
    Check check = make(problem);
    check.constants = {{"M", blocks.m}, {"N", blocks.n}, {"K", blocks.k}};
    check.schedule = schedule;
    std::string text =
        fmt::format("{} {} {}{} {}", operation, name(dtype), variant, constantsOf(check), schedule);
    check.name = fmt::format("{} {}", text, spell(problem));
    if (isShared)
      check.sharedCode = text;
    suite.run(operation, dtype, std::move(check));
  };
  for (const Sizes &blocks : blockings) {
    const std::vector<std::string> &schedules = suite.schedules();
    for (size_t i = 0; i < schedules.size(); ++i)
      if (suite.isFull() || i == (turn % 4 == 0 ? schedules.size() - 1 : 0))
        for (const Sizes &problem : raggedProblems)
          runOne(problem, blocks, schedules[i], true);
    for (size_t i = 0; i < std::size(evenProblems); ++i)
      if (suite.isFull() || turn % 5 == i)
        runOne(evenProblems[i], blocks, "", false);
    ++turn;
  }
}

/// c = a · b with operands in all forms.
static void forms(Suite &suite) {
  static const std::pair<Form, Form> pairs[] = {
      {Form::dense, Form::dense},      {Form::dense, Form::transposed},
      {Form::transposed, Form::dense}, {Form::transposed, Form::transposed},
      {Form::sliced, Form::offset},    {Form::repeated, Form::strided}};
  for (DType dtype : {f8e4m3, f8e5m2, f16, bf16, f32, f64, i8, u8})
    for (auto [formA, formB] : pairs) {
      DType acc = accumulatorOf(dtype);
      Kernel gemm =
          kernel("gemm", [acc](In<"a"> a, In<"b"> b, Out<"c"> c, BlockM bm, BlockN bn, BlockK bk) {
            Index i = tile_of(c, 0, bm), j = tile_of(c, 1, bn);
            Tile sum = zeros(acc, {bm, bn});
            for (Index p : range(0, a.size(1), bk))
              sum = dot(a.load({i, p}, {bm, bk}), b.load({p, j}, {bk, bn}), sum);
            c.store({i, j}, sum);
          });
      runProblems(suite, "dot", dtype, fmt::format("{} {}", name(formA), name(formB)),
                  [&, formA = formA, formB = formB](const Sizes &size) {
                    Array a(dtype, {size.m, size.k}, formA), b(dtype, {size.k, size.n}, formB);
                    a.fillRandom(31);
                    b.fillRandom(37);
                    Check check{"", gemm, {a, b, Array(acc, {size.m, size.n})}, {2}};
                    check.bound = boundOf(acc, acc, size.k);
                    return check;
                  });
    }
}

/// Signed times unsigned bytes.
static void mixedBytes(Suite &suite) {
  Kernel gemm =
      kernel("mixed", [](In<"a"> a, In<"b"> b, Out<"c"> c, BlockM bm, BlockN bn, BlockK bk) {
        Index i = tile_of(c, 0, bm), j = tile_of(c, 1, bn);
        Tile sum = zeros(i32, {bm, bn});
        for (Index p : range(0, a.size(1), bk))
          sum = dot(a.load({i, p}, {bm, bk}), b.load({p, j}, {bk, bn}), sum);
        c.store({i, j}, sum);
      });
  for (DType left : {i8, u8}) {
    DType right = left == i8 ? u8 : i8;
    runProblems(suite, "dot of mixed signs", left, "", [&](const Sizes &size) {
      Array a(left, {size.m, size.k}), b(right, {size.k, size.n});
      a.fillRandom(33, true);
      b.fillRandom(35, true);
      return Check{"", gemm, {a, b, Array(i32, {size.m, size.n})}, {2}};
    });
  }
}

/// Operands that are computed, and an epilogue with a bias and a residual.
static void fused(Suite &suite) {
  for (DType dtype : {f16, bf16, f32}) {
    Kernel gemm = kernel("fused", [dtype](In<"a"> a, In<"b"> b, In<"bias"> bias, Out<"c"> c,
                                          BlockM bm, BlockN bn, BlockK bk) {
      Index i = tile_of(c, 0, bm), j = tile_of(c, 1, bn);
      Tile sum = zeros(f32, {bm, bn});
      for (Index p : range(0, a.size(1), bk)) {
        Tile x = cast(a.load({i, p}, {bm, bk}), f32);
        Tile y = cast(b.load({p, j}, {bk, bn}), f32);
        sum = dot(x * 0.5, maximum(y, 0), sum);
      }
      Tile shifted = sum + bias.load({j}, {bn}).expand(0);
      c.store({i, j}, cast(maximum(shifted, -1), dtype));
    });
    runProblems(suite, "dot with producers", dtype, "", [&](const Sizes &size) {
      Array a(dtype, {size.m, size.k}), b(dtype, {size.k, size.n}), bias(f32, {size.n});
      a.fillRandom(41);
      b.fillRandom(43);
      bias.fillRandom(47);
      Check check{"", gemm, {a, b, bias, Array(dtype, {size.m, size.n})}, {3}};
      check.bound = boundOf(f32, dtype, size.k + 1);
      return check;
    });
  }
}

static void batched(Suite &suite) {
  for (DType dtype : {f16, f32, f64, i8}) {
    DType acc = accumulatorOf(dtype);
    Kernel gemm =
        kernel("batched", [acc](In<"a"> a, In<"b"> b, Out<"c"> c, BlockM bm, BlockN bn, BlockK bk) {
          Index i = tile_of(c, 0, 2), j = tile_of(c, 1, bm), l = tile_of(c, 2, bn);
          Tile sum = zeros(acc, {2, bm, bn});
          for (Index p : range(0, a.size(2), bk))
            sum = dot(a.load({i, j, p}, {2, bm, bk}), b.load({i, p, l}, {2, bk, bn}), sum);
          c.store({i, j, l}, sum);
        });
    runProblems(suite, "batched dot", dtype, "", [&](const Sizes &size) {
      Array a(dtype, {3, size.m, size.k}), b(dtype, {3, size.k, size.n});
      a.fillRandom(53);
      b.fillRandom(59);
      Check check{"", gemm, {a, b, Array(acc, {3, size.m, size.n})}, {2}};
      check.bound = boundOf(acc, acc, size.k);
      return check;
    });
  }
}

/// softmax(q · kᵀ) · v with the online recurrence: two dots and three carried values in one loop.
static void attention(Suite &suite) {
  Kernel flash = kernel("attention", [](In<"q"> q, In<"k"> k, In<"v"> v, Out<"o"> o,
                                        Const<"M", 16, 32> bm, Const<"N", 16, 32> bn) {
    Index i = tile_of(o, 0, bm);
    Tile query = q.load({i, 0}, {bm, 16});
    Tile best = full(f32, {bm}, -INFINITY), total = zeros(f32, {bm}), sum = zeros(f32, {bm, 16});
    for (Index j : range(0, k.size(0), bn)) {
      Tile score = dot(query, transpose(k.load({j, 0}, {bn, 16})));
      score = where((j + arange(bn) < k.size(0)).expand(0), score, -INFINITY);
      Tile higher = maximum(best, score.max(1));
      Tile weight = exp(score - higher.expand(1));
      Tile scale = exp(best - higher);
      total = total * scale + weight.sum(1);
      sum = dot(weight, cast(v.load({j, 0}, {bn, 16}), f32), sum * scale.expand(1));
      best = higher;
    }
    o.store({i, 0}, sum / total.expand(1));
  });
  for (DType dtype : {f16, f32})
    for (int64_t length : {16, 50, 64})
      for (auto [bm, bn] : {std::pair<int64_t, int64_t>{16, 16}, {32, 16}, {16, 32}}) {
        int64_t width = 16;
        Array q(dtype, {length, width}), k(dtype, {length, width}), v(dtype, {length, width}),
            o(f32, {length, width});
        q.fillRandom(61);
        k.fillRandom(67);
        v.fillRandom(71);
        Check check{fmt::format("attention {} {} M={} N={}", name(dtype), length, bm, bn),
                    flash,
                    {q, k, v, o},
                    {3},
                    {{"M", bm}, {"N", bn}}};
        // A score is off by the bound of its sum at most, which moves its weight by as much
        // relatively; values lie in [-2, 2). Both sides stray.
        check.bound = [=](double) {
          return 2 * (4 * bench::accumulationBound(double(width), f32, 64) +
                      4 * bench::accumulationBound(double(length), f32, 2));
        };
        suite.run("attention", dtype, std::move(check));
      }
}

void dots(Suite &suite) {
  forms(suite);
  mixedBytes(suite);
  fused(suite);
  batched(suite);
  attention(suite);
}

} // namespace metile::conformance
