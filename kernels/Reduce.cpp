// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace metile::kernels {

static constexpr double infinity = std::numeric_limits<double>::infinity();

Kernel rowSum() {
  return kernel("row_sum", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 4, 16> R,
                              Const<"BLOCK", 256, 512, 1024, 4096> B) {
    Index row = tile_of(y, 0, R);
    Tile total = zeros(f32, {R});
    for (Index i : range(0, x.size(1), B))
      total += cast(x.load({row, i}, {R, B}), f32).sum(1);
    y.store({row}, cast(total, y.dtype()));
  });
}

Kernel rowMax() {
  return kernel("row_max", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 4, 16> R,
                              Const<"BLOCK", 256, 512, 1024, 4096> B) {
    Index row = tile_of(y, 0, R);
    Tile top = full(x.dtype(), {R}, -infinity);
    for (Index i : range(0, x.size(1), B))
      top = maximum(top, x.load({row, i}, {R, B}, -infinity).max(1));
    y.store({row}, top);
  });
}

Kernel rowArgmax() {
  return kernel("row_argmax", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 4, 16> R,
                                 Const<"BLOCK", 256, 512, 1024, 4096> B) {
    Index row = tile_of(y, 0, R);
    Tile top = full(x.dtype(), {R}, -infinity), place = zeros(i64, {R});
    for (Index i : range(0, x.size(1), B)) {
      Tile values = x.load({row, i}, {R, B}, -infinity);
      Tile here = values.max(1);
      Tile higher = here > top || (here != here && top == top); // The first NaN wins.
      place = where(higher, values.argmax(1) + i, place);
      top = where(higher, here, top);
    }
    y.store({row}, cast(place, y.dtype()));
  });
}

/// A case of a kernel that turns each row into one number of `result`.
static Case reduceCase(DType dtype, DType result, int64_t rows, int64_t cols,
                       double (*reduce)(std::span<const double>)) {
  Case made;
  made.arguments = {input("x", dtype, {rows, cols}), output("y", result, {rows})};
  made.flops = static_cast<double>(rows * cols);
  made.bytes = static_cast<double>(rows * cols) * byteSize(dtype);
  made.reference = [rows, reduce](ReferenceArrays &arrays) {
    forEachRow(arrays[0], arrays[1], rows,
               [&](std::span<const double> x, std::span<double> y) { y[0] = reduce(x); });
  };
  return made;
}

static const std::vector<std::string> defaults = {"float32_4096x1024", "float16_4096x1024",
                                                  "float32_1000x777"};

CaseFamily rowSumCases() {
  return rowFamily("row_sum", defaults, [](DType dtype, int64_t rows, int64_t cols) {
    Case made = reduceCase(dtype, dtype, rows, cols, [](std::span<const double> x) {
      return std::accumulate(x.begin(), x.end(), 0.0);
    });
    made.tolerance.depth = cols;
    made.tolerance.magnitude = static_cast<double>(cols);
    return made;
  });
}

CaseFamily rowMaxCases() {
  return rowFamily("row_max", defaults, [](DType dtype, int64_t rows, int64_t cols) {
    Case made = reduceCase(dtype, dtype, rows, cols, [](std::span<const double> x) {
      return *std::max_element(x.begin(), x.end());
    });
    made.tolerance.relativeDepth = 0;
    return made;
  });
}

CaseFamily rowArgmaxCases() {
  return rowFamily("row_argmax", defaults, [](DType dtype, int64_t rows, int64_t cols) {
    return reduceCase(dtype, i64, rows, cols, [](std::span<const double> x) {
      return static_cast<double>(std::max_element(x.begin(), x.end()) - x.begin());
    });
  });
}

} // namespace metile::kernels
