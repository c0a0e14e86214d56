// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dots: dtypes, ragged sizes, operand layouts, producers, epilogues, batches, two in a row.

#include "Harness.h"

#include "Bench/Tolerance.h"

#include <cmath>

namespace metile::conformance {

static DType accumulatorOf(DType dtype) {
  return isFloat(dtype) ? (dtype == f64 ? f64 : f32) : i32;
}

/// One product of a[i, :] and b[:, j], in double or 64-bit integers.
static Number product(const Array &a, const Array &b, int64_t i, int64_t j, int64_t depth,
                      int64_t columns) {
  Number sum;
  for (int64_t k = 0; k < depth; ++k) {
    Number x = a.get(i * depth + k), y = b.get(k * columns + j);
    sum.real += x.real * y.real;
    sum.integer += x.integer * y.integer;
  }
  return sum;
}

static std::function<double(double)> boundOf(DType accumulator, DType output, int64_t depth,
                                             double scale = 1) {
  if (!isFloat(output))
    return {};
  // Inputs lie in [-2, 2).
  double sum = bench::accumulationBound(double(depth), accumulator, 4.0 * double(depth));
  return [=](double expected) {
    // Both sides are rounded to the output type.
    return scale * sum + 2 * bench::roundingBound(output, std::abs(expected) + scale * sum) +
           std::abs(expected) * 4 * bench::unitRoundoff(accumulator);
  };
}

struct Sizes {
  int64_t m, n, k;
};
static const Sizes problems[] = {{16, 16, 16}, {33, 65, 17}, {5, 3, 2},  {64, 128, 96},
                                 {7, 130, 1},  {40, 24, 0},  {1, 64, 64}};

static std::string label(const std::string &op, DType dtype, const Sizes &size) {
  return op + " " + std::string(name(dtype)) + " " + std::to_string(size.m) + "x" +
         std::to_string(size.n) + "x" + std::to_string(size.k);
}

struct Blocks {
  int64_t m, n, k;
};
static const Blocks blockings[] = {{16, 16, 16}, {32, 64, 32}, {4, 8, 2}};

static std::vector<std::pair<std::string, int64_t>> constantsOf(const Blocks &blocks) {
  return {{"M", blocks.m}, {"N", blocks.n}, {"K", blocks.k}};
}

static std::string spell(const Blocks &blocks) {
  return " blocks " + std::to_string(blocks.m) + "x" + std::to_string(blocks.n) + "x" +
         std::to_string(blocks.k);
}

using BlockM = Const<"M", 4, 16, 32>;
using BlockN = Const<"N", 8, 16, 64>;
using BlockK = Const<"K", 2, 16, 32>;

/// c = a · b with each operand's memory row-major or transposed.
static void layouts(Suite &suite) {
  for (DType dtype : {f16, bf16, f32, f64, i8})
    for (bool transposeA : {false, true})
      for (bool transposeB : {false, true})
        for (const Sizes &size : problems)
          for (const Blocks &blocks : blockings) {
            DType acc = accumulatorOf(dtype);
            auto [m, n, k] = size;
            Array a(dtype, {m, k},
                    transposeA ? std::vector<int64_t>{1, m} : std::vector<int64_t>{});
            Array b(dtype, {k, n},
                    transposeB ? std::vector<int64_t>{1, k} : std::vector<int64_t>{});
            Array c(acc, {m, n});
            a.fillRandom(31);
            b.fillRandom(37);
            Kernel gemm = kernel(
                "gemm", [acc](In<"a"> a, In<"b"> b, Out<"c"> c, BlockM bm, BlockN bn, BlockK bk) {
                  Index i = tile_of(c, 0, bm), j = tile_of(c, 1, bn);
                  Tile sum = zeros(acc, {bm, bn});
                  for (Index p : range(0, a.size(1), bk))
                    sum = dot(a.load({i, p}, {bm, bk}), b.load({p, j}, {bk, bn}), sum);
                  c.store({i, j}, sum);
                });
            Check check{
                label(std::string("dot ") + (transposeA ? "t" : "n") + (transposeB ? "t" : "n"),
                      dtype, size) +
                    spell(blocks),
                gemm,
                {a, b, c},
                {2},
                constantsOf(blocks),
                {},
                {}};
            check.reference = [=, n = n, k = k](const std::vector<Array> &in,
                                                std::vector<Array> &out) {
              for (int64_t i = 0; i < out[0].count(); ++i)
                out[0].set(i, product(in[0], in[1], i / n, i % n, k, n));
            };
            check.bound = boundOf(acc, acc, k);
            suite.run("dot", std::move(check));
          }
}

/// Operands that are computed, and an epilogue with a bias and a residual.
static void fused(Suite &suite) {
  for (DType dtype : {f16, f32})
    for (const Sizes &size : problems)
      for (const Blocks &blocks : blockings) {
        auto [m, n, k] = size;
        Array a(dtype, {m, k}), b(dtype, {k, n}), bias(f32, {n}), c(dtype, {m, n});
        a.fillRandom(41);
        b.fillRandom(43);
        bias.fillRandom(47);
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
        Check check{label("fused dot", dtype, size) + spell(blocks),
                    gemm,
                    {a, b, bias, c},
                    {3},
                    constantsOf(blocks),
                    {},
                    {}};
        check.reference = [=, n = n, k = k](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < out[0].count(); ++i) {
            double sum = 0;
            for (int64_t p = 0; p < k; ++p)
              sum += 0.5 * in[0].get(i / n * k + p).real *
                     std::max(0.0, in[1].get(p * n + i % n).real);
            double value = std::max(-1.0, sum + in[2].get(i % n).real);
            out[0].set(i, {0, roundTo(dtype, value)});
          }
        };
        check.bound = boundOf(f32, dtype, k + 1);
        suite.run("dot with producers", std::move(check));
      }
}

static void batched(Suite &suite) {
  for (DType dtype : {f16, f32})
    for (const Sizes &size : problems) {
      auto [m, n, k] = size;
      int64_t batch = 3;
      Array a(dtype, {batch, m, k}), b(dtype, {batch, k, n}), c(f32, {batch, m, n});
      a.fillRandom(53);
      b.fillRandom(59);
      Kernel gemm =
          kernel("batched", [](In<"a"> a, In<"b"> b, Out<"c"> c, BlockM bm, BlockN bn, BlockK bk) {
            Index i = tile_of(c, 0, 2), j = tile_of(c, 1, bm), l = tile_of(c, 2, bn);
            Tile sum = zeros(f32, {2, bm, bn});
            for (Index p : range(0, a.size(2), bk))
              sum = dot(a.load({i, j, p}, {2, bm, bk}), b.load({i, p, l}, {2, bk, bn}), sum);
            c.store({i, j, l}, sum);
          });
      Check check{label("batched dot", dtype, size), gemm, {a, b, c}, {2},
                  constantsOf({16, 16, 16}),         {},   {}};
      check.reference = [=, m = m, n = n, k = k](const std::vector<Array> &in,
                                                 std::vector<Array> &out) {
        for (int64_t i = 0; i < out[0].count(); ++i) {
          int64_t matrix = i / (m * n), row = i / n % m, column = i % n;
          double sum = 0;
          for (int64_t p = 0; p < k; ++p)
            sum += in[0].get((matrix * m + row) * k + p).real *
                   in[1].get((matrix * k + p) * n + column).real;
          out[0].set(i, {0, roundTo(f32, sum)});
        }
      };
      check.bound = boundOf(f32, f32, k);
      suite.run("batched dot", std::move(check));
    }
}

/// softmax(q · kᵀ) · v with the online recurrence: two dots and three carried values in one loop.
static void attention(Suite &suite) {
  for (DType dtype : {f16, f32})
    for (int64_t length : {16, 50, 64}) {
      int64_t width = 16;
      Array q(dtype, {length, width}), k(dtype, {length, width}), v(dtype, {length, width}),
          o(f32, {length, width});
      q.fillRandom(61);
      k.fillRandom(67);
      v.fillRandom(71);
      Kernel flash = kernel("attention", [](In<"q"> q, In<"k"> k, In<"v"> v, Out<"o"> o,
                                            Const<"M", 16, 32> bm, Const<"N", 16, 32> bn) {
        Index i = tile_of(o, 0, bm);
        Tile query = q.load({i, 0}, {bm, 16});
        Tile best = full(f32, {bm}, -INFINITY), total = zeros(f32, {bm}),
             sum = zeros(f32, {bm, 16});
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
      for (auto [bm, bn] : {std::pair<int64_t, int64_t>{16, 16}, {32, 16}, {16, 32}}) {
        Check check{"attention " + std::string(name(dtype)) + " " + std::to_string(length) +
                        " M=" + std::to_string(bm) + " N=" + std::to_string(bn),
                    flash,
                    {q, k, v, o},
                    {3},
                    {{"M", bm}, {"N", bn}},
                    {},
                    {}};
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < length; ++i) {
            std::vector<double> score(length);
            double best = -INFINITY, total = 0;
            for (int64_t j = 0; j < length; ++j) {
              for (int64_t p = 0; p < width; ++p)
                score[j] += in[0].get(i * width + p).real * in[1].get(j * width + p).real;
              best = std::max(best, score[j]);
            }
            for (double &value : score)
              total += value = std::exp(value - best);
            for (int64_t p = 0; p < width; ++p) {
              double sum = 0;
              for (int64_t j = 0; j < length; ++j)
                sum += score[j] * in[2].get(j * width + p).real;
              out[0].set(i * width + p, {0, roundTo(f32, sum / total)});
            }
          }
        };
        // A score is off by 64 ulps of its sum at most, which moves its weight by as much
        // relatively; values lie in [-2, 2).
        check.bound = [=](double) {
          return 4 * bench::accumulationBound(double(width), f32, 64) +
                 4 * bench::accumulationBound(double(length), f32, 2);
        };
        suite.run("attention", std::move(check));
      }
    }
}

void dots(Suite &suite) {
  layouts(suite);
  fused(suite);
  batched(suite);
  attention(suite);
}

} // namespace metile::conformance
