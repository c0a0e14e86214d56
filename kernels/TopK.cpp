// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace metile::kernels {

static constexpr double infinity = std::numeric_limits<double>::infinity();

Kernel topK() {
  return kernel("topk", [](In<"x"> x, Out<"values"> values, Out<"indices"> indices,
                           Const<"ROWS", 1, 2, 4, 8> R) {
    int64_t columns = std::bit_ceil(static_cast<uint64_t>(x.fixed_size(1)));
    int64_t k = std::bit_ceil(static_cast<uint64_t>(values.fixed_size(1)));
    Index row = tile_of(values, 0, R);
    auto [top, at] = topk_with_indices(x.load({row, 0}, {R, columns}, -infinity), k);
    values.store({row, 0}, top);
    indices.store({row, 0}, at);
  });
}

CaseFamily topKCases() {
  CaseFamily family;
  family.kernel = "topk";
  family.axes = {"ROWS", "COLS", "K"};
  family.dtypes = {f16, bf16, f32};
  family.defaults = {"float32_1024x1024x8", "float16_1024x1024x8", "float32_100x777x10"};
  family.make = [](const CaseName &name) -> Result<Case> {
    int64_t rows = name.sizes[0], cols = name.sizes[1], k = name.sizes[2];
    if (k > cols)
      return error(name.text + " asks for the " + std::to_string(k) + " largest of " +
                       std::to_string(cols),
                   "K is at most COLS");
    Case made;
    made.arguments = {input("x", name.dtype, {rows, cols}), output("values", name.dtype, {rows, k}),
                      output("indices", i64, {rows, k})};
    made.bytes = static_cast<double>(rows * cols) * byteSize(name.dtype);
    made.tolerance.relativeDepth = 0;
    made.reference = [rows, k](ReferenceArrays &arrays) {
      forEachRow(arrays[0], arrays[2], rows, [&](std::span<const double> x, std::span<double> y) {
        std::vector<double> order(x.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](double a, double b) {
          return x[static_cast<size_t>(a)] > x[static_cast<size_t>(b)];
        });
        std::copy_n(order.begin(), k, y.begin());
      });
      size_t cols = arrays[0].size() / static_cast<size_t>(rows);
      for (size_t i = 0; i < arrays[1].size(); ++i)
        arrays[1][i] =
            arrays[0][i / static_cast<size_t>(k) * cols + static_cast<size_t>(arrays[2][i])];
    };
    return made;
  };
  return family;
}

} // namespace metile::kernels
