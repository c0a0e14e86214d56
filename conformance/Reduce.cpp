// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions along every axis.

#include "Harness.h"

#include "Bench/Tolerance.h"

#include <cmath>

namespace metile::conformance {

using Reduction = std::function<Tile(const Tile &, int axis)>;
/// Folds the elements of one line, in order, into the result.
using Fold = std::function<Number(DType dtype, const std::vector<Number> &line)>;

static DType sumType(DType dtype) {
  if (isFloat(dtype))
    return dtype == f64 ? f64 : f32;
  if (byteSize(dtype) == 8)
    return dtype;
  return dtype == boolean || isSigned(dtype) ? i32 : u32;
}

/// Reduces tiles [M, N] of a view [m, n] along one axis; the fill is the operation's identity or a
/// value that loses.
static void reduction(Suite &suite, const std::string &op, DType dtype, DType result, double fill,
                      Reduction tile, Fold fold, bool approximate, bool wide = false) {
  for (int axis : {0, 1})
    for (auto [m, n] : {std::pair<int64_t, int64_t>{5, 7}, {16, 64}, {33, 17}, {1, 1}}) {
      int64_t lines = axis == 0 ? n : m, length = axis == 0 ? m : n;
      for (int64_t other : {4, 16}) {
        Array x(dtype, {m, n}), y(result, {lines});
        x.fillRandom(static_cast<uint64_t>(m * n + axis), wide);
        Kernel reducing = kernel("reduce", [=](In<"x"> x, Out<"y"> y, Const<"B", 4, 16> b) {
          Index i = tile_of(y, 0, b);
          // The whole line in one tile of 64.
          Operand outside = isFloat(dtype)     ? Operand(fill)
                            : dtype == boolean ? Operand(fill != 0)
                            : fill < 0         ? Operand(int64_t(fill))
                                               : Operand(uint64_t(fill));
          Tile loaded =
              axis == 0 ? x.load({0, i}, {64, b}, outside) : x.load({i, 0}, {b, 64}, outside);
          y.store({i}, tile(loaded, axis));
        });
        Check check{op + " " + std::string(name(dtype)) + " axis " + std::to_string(axis) + " " +
                        std::to_string(m) + "x" + std::to_string(n) + " B=" + std::to_string(other),
                    reducing,
                    {x, y},
                    {1},
                    {{"B", other}},
                    {},
                    {}};
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < lines; ++i) {
            std::vector<Number> line;
            for (int64_t j = 0; j < length; ++j)
              line.push_back(in[0].get(axis == 0 ? j * n + i : i * n + j));
            Number value = fold(dtype, line);
            out[0].set(i, {wrapTo(result, value.integer), roundTo(result, value.real)});
          }
        };
        if (approximate)
          check.bound = [=](double) {
            return bench::accumulationBound(double(length), result, 2.0 * double(length));
          };
        suite.run(op, std::move(check));
      }
    }
}

static bool precedes(DType dtype, Number a, Number b, bool largest) {
  if (isFloat(dtype))
    return largest ? a.real > b.real : a.real < b.real;
  if (dtype == u64)
    return largest ? uint64_t(a.integer) > uint64_t(b.integer)
                   : uint64_t(a.integer) < uint64_t(b.integer);
  return largest ? a.integer > b.integer : a.integer < b.integer;
}

/// Position of the extremum: the first NaN if it propagates, of equals the first.
static size_t extremum(DType dtype, const std::vector<Number> &line, bool largest, bool ignoreNan) {
  size_t best = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    bool isNan = isFloat(dtype) && std::isnan(line[i].real);
    bool bestIsNan = isFloat(dtype) && std::isnan(line[best].real);
    if (isNan && !ignoreNan)
      return i;
    if (!isNan && (bestIsNan || precedes(dtype, line[i], line[best], largest)))
      best = i;
  }
  return best;
}

void reductions(Suite &suite) {
  for (DType dtype : computedDTypes()) {
    reduction(
        suite, "sum", dtype, sumType(dtype), 0, [](const Tile &x, int axis) { return x.sum(axis); },
        [](DType, const std::vector<Number> &line) {
          Number total;
          for (const Number &value : line) {
            total.integer = int64_t(uint64_t(total.integer) + uint64_t(value.integer));
            total.real += value.real;
          }
          return total;
        },
        isFloat(dtype));
    if (dtype == boolean)
      continue;
    for (bool largest : {true, false})
      for (nan mode : {nan::propagate, nan::ignore}) {
        if (!isFloat(dtype) && mode == nan::ignore)
          continue;
        // A value that loses against all, so that the filled part of the tile does not count.
        auto bits = int(8 * byteSize(dtype));
        double loser = isFloat(dtype) ? (largest ? -INFINITY : INFINITY)
                       : isSigned(dtype)
                           ? (largest ? -std::ldexp(1, bits - 1) : std::ldexp(1, bits - 2))
                           : (largest ? 0 : std::ldexp(1, bits - 1));
        std::string suffix = mode == nan::ignore ? " nan::ignore" : "";
        bool wide = isFloat(dtype);
        reduction(
            suite, (largest ? "max" : "min") + suffix, dtype, dtype, loser,
            [=](const Tile &x, int axis) {
              return largest ? x.max(axis, mode) : x.min(axis, mode);
            },
            [=](DType type, const std::vector<Number> &line) {
              return line[extremum(type, line, largest, mode == nan::ignore)];
            },
            false, wide);
        reduction(
            suite, (largest ? "argmax" : "argmin") + suffix, dtype, i64, loser,
            [=](const Tile &x, int axis) {
              return largest ? x.argmax(axis, mode) : x.argmin(axis, mode);
            },
            [=](DType type, const std::vector<Number> &line) {
              return Number{int64_t(extremum(type, line, largest, mode == nan::ignore)), 0};
            },
            false, wide);
      }
  }
  for (DType dtype : {i32, u8, i64})
    reduction(
        suite, "reduce by a function", dtype, dtype, 1,
        [](const Tile &x, int axis) {
          return x.reduce(axis, [](const Tile &a, const Tile &b) { return a * b; });
        },
        [](DType, const std::vector<Number> &line) {
          Number product{1, 1};
          for (const Number &value : line) {
            product.integer = int64_t(uint64_t(product.integer) * uint64_t(value.integer));
            product.real *= value.real;
          }
          return product;
        },
        false);
}

} // namespace metile::conformance
