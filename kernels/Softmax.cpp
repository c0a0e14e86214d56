// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace metile::kernels {

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// `x`, with 0 where it is `unwanted`: keeps rows that are masked throughout away from inf - inf
/// and 0 / 0.
static Tile orElse(const Tile &x, double unwanted, double instead, Loc at = Loc::current()) {
  Site here(at);
  return where(x == unwanted, instead, x);
}

Kernel softmax() {
  return kernel("softmax", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 2, 4, 8> R) {
    int64_t columns = std::bit_ceil(static_cast<uint64_t>(x.fixed_size(1)));
    Index row = tile_of(y, 0, R);
    Tile values = cast(x.load({row, 0}, {R, columns}, -infinity), f32);
    Tile powers = exp(values - orElse(values.max(1), -infinity, 0).expand(1));
    Tile total = orElse(powers.sum(1), 0, 1);
    y.store({row, 0}, cast(powers / total.expand(1), y.dtype()));
  });
}

Kernel softmaxOnline() {
  return kernel("softmax_online", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 2, 4, 8> R,
                                     Const<"BLOCK", 256, 512, 1024, 4096> B) {
    Index row = tile_of(y, 0, R);
    Tile top = full(f32, {R}, -infinity), total = zeros(f32, {R});
    for (Index i : range(0, x.size(1), B)) {
      Tile values = cast(x.load({row, i}, {R, B}, -infinity), f32);
      Tile higher = maximum(top, values.max(1)), base = orElse(higher, -infinity, 0);
      total = total * exp(top - base) + exp(values - base.expand(1)).sum(1);
      top = higher;
    }
    Tile base = orElse(top, -infinity, 0), divisor = orElse(total, 0, 1);
    for (Index i : range(0, x.size(1), B)) {
      Tile values = cast(x.load({row, i}, {R, B}), f32);
      y.store({row, i}, cast(exp(values - base.expand(1)) / divisor.expand(1), y.dtype()));
    }
  });
}

Kernel crossEntropy() {
  return kernel("cross_entropy", [](In<"x"> x, In<"labels"> labels, Out<"loss"> loss,
                                    Const<"ROWS", 1, 2, 4, 8> R,
                                    Const<"BLOCK", 256, 512, 1024, 4096> B) {
    Index row = tile_of(loss, 0, R);
    Tile label = cast(labels.load({row}, {R}), i64).expand(1);
    Tile top = full(f32, {R}, -infinity), total = zeros(f32, {R}), chosen = zeros(f32, {R});
    for (Index i : range(0, x.size(1), B)) {
      Tile values = cast(x.load({row, i}, {R, B}, -infinity), f32);
      Tile higher = maximum(top, values.max(1)), base = orElse(higher, -infinity, 0);
      total = total * exp(top - base) + exp(values - base.expand(1)).sum(1);
      chosen += where((i + arange(B)).expand(0) == label, values, 0).sum(1);
      top = higher;
    }
    loss.store({row}, cast(log(total) + top - chosen, loss.dtype()));
  });
}

static Case softmaxCase(DType dtype, int64_t rows, int64_t cols) {
  Case made;
  made.arguments = {input("x", dtype, {rows, cols}, -4, 4), output("y", dtype, {rows, cols})};
  made.bytes = 2.0 * static_cast<double>(rows * cols) * byteSize(dtype);
  // All terms are positive, so every error is in proportion to the result.
  made.tolerance = {.depth = 0, .magnitude = 0, .relativeDepth = cols + 32, .accumulator = f32};
  made.reference = [rows](ReferenceArrays &arrays) {
    forEachRow(arrays[0], arrays[1], rows, [](std::span<const double> x, std::span<double> y) {
      double top = *std::max_element(x.begin(), x.end());
      double total = 0;
      for (size_t i = 0; i < x.size(); ++i)
        total += y[i] = std::isinf(top) ? 0 : std::exp(x[i] - top);
      for (double &value : y)
        value /= total == 0 ? 1 : total;
    });
  };
  return made;
}

CaseFamily softmaxCases() {
  return rowFamily("softmax", {"float32_4096x1024", "float16_4096x1024", "float32_1000x777"},
                   softmaxCase);
}

CaseFamily crossEntropyCases() {
  auto make = [](DType dtype, int64_t rows, int64_t cols) {
    Case made;
    made.arguments = {input("x", dtype, {rows, cols}, -4, 4),
                      input("labels", i64, {rows}, 0, static_cast<double>(cols - 1)),
                      output("loss", f32, {rows})};
    made.bytes = static_cast<double>(rows * cols) * byteSize(dtype);
    // The sum's relative error is the logarithm's absolute one; all other terms are below 16.
    made.tolerance = {.depth = cols + 32, .magnitude = 16, .relativeDepth = 4, .accumulator = f32};
    made.reference = [rows](ReferenceArrays &arrays) {
      size_t row = 0;
      forEachRow(arrays[0], arrays[2], rows, [&](std::span<const double> x, std::span<double> y) {
        double top = *std::max_element(x.begin(), x.end()), total = 0;
        for (double value : x)
          total += std::exp(value - top);
        y[0] = std::log(total) + top - x[static_cast<size_t>(arrays[1][row++])];
      });
    };
    return made;
  };
  return rowFamily("cross_entropy", {"float32_1024x4096", "float16_1024x4096", "float32_33x10007"},
                   make);
}

CaseFamily softmaxOnlineCases() {
  return rowFamily("softmax_online", {"float32_64x65536", "float16_64x65536", "float32_33x10007"},
                   softmaxCase);
}

} // namespace metile::kernels
