// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

namespace metile::kernels {

Kernel cumsum() {
  return kernel("cumsum", [](In<"x"> x, Out<"y"> y, Const<"ROWS", 1, 4, 16> R,
                             Const<"BLOCK", 256, 512, 1024> B) {
    Index row = tile_of(y, 0, R);
    Tile before = zeros(f32, {R});
    for (Index i : range(0, x.size(1), B)) {
      Tile values = cast(x.load({row, i}, {R, B}), f32);
      y.store({row, i}, cast(before.expand(1) + values.cumsum(1), y.dtype()));
      before += values.sum(1);
    }
  });
}

CaseFamily cumsumCases() {
  auto make = [](DType dtype, int64_t rows, int64_t cols) {
    Case made;
    made.arguments = {input("x", dtype, {rows, cols}), output("y", dtype, {rows, cols})};
    made.flops = static_cast<double>(rows * cols);
    made.bytes = 2.0 * static_cast<double>(rows * cols) * byteSize(dtype);
    made.tolerance.depth = cols;
    made.tolerance.magnitude = static_cast<double>(cols);
    made.reference = [rows](ReferenceArrays &arrays) {
      forEachRow(arrays[0], arrays[1], rows, [](std::span<const double> x, std::span<double> y) {
        double sum = 0;
        for (size_t i = 0; i < x.size(); ++i)
          y[i] = sum += x[i];
      });
    };
    return made;
  };
  return rowFamily("cumsum", {"float32_4096x1024", "float16_4096x1024", "float32_1000x777"}, make);
}

} // namespace metile::kernels
