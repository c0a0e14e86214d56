// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <bit>
#include <cmath>

namespace metile::kernels {

Kernel rmsNorm() {
  return kernel("rms_norm",
                [](In<"x"> x, In<"weight"> weight, Scalar<"eps"> eps, Out<"y"> y,
                   Const<"ROWS", 1, 2, 4, 8> R, Const<"BLOCK", 256, 512, 1024, 4096> B) {
                  Index row = tile_of(y, 0, R);
                  Tile squares = zeros(f32, {R});
                  for (Index i : range(0, x.size(1), B)) {
                    Tile values = cast(x.load({row, i}, {R, B}), f32);
                    squares += (values * values).sum(1);
                  }
                  Tile scale = rsqrt(squares / cast(x.size(1), f32) + eps);
                  for (Index i : range(0, x.size(1), B)) {
                    Tile values = cast(x.load({row, i}, {R, B}), f32);
                    Tile factor = cast(weight.load({i}, {B}), f32).expand(0);
                    y.store({row, i}, cast(values * scale.expand(1) * factor, y.dtype()));
                  }
                });
}

Kernel layerNorm() {
  return kernel("layer_norm", [](In<"x"> x, In<"weight"> weight, In<"bias"> bias, Scalar<"eps"> eps,
                                 Out<"y"> y, Const<"ROWS", 1, 2, 4, 8> R) {
    int64_t columns = std::bit_ceil(static_cast<uint64_t>(x.fixed_size(1)));
    Index row = tile_of(y, 0, R);
    Tile count = cast(x.size(1), f32);
    Tile values = cast(x.load({row, 0}, {R, columns}), f32);
    Tile inside = (arange(columns) < x.size(1)).expand(0);
    Tile centred = where(inside, values - (values.sum(1) / count).expand(1), 0);
    Tile scale = rsqrt((centred * centred).sum(1) / count + eps);
    Tile factor = cast(weight.load({0}, {columns}), f32).expand(0);
    Tile offset = cast(bias.load({0}, {columns}), f32).expand(0);
    y.store({row, 0}, cast(centred * scale.expand(1) * factor + offset, y.dtype()));
  });
}

static constexpr double epsilon = 1e-5;

CaseFamily rmsNormCases() {
  auto make = [](DType dtype, int64_t rows, int64_t cols) {
    Case made;
    made.arguments = {input("x", dtype, {rows, cols}), input("weight", dtype, {cols}),
                      scalar("eps", f32, epsilon), output("y", dtype, {rows, cols})};
    made.bytes = 2.0 * static_cast<double>(rows * cols) * byteSize(dtype);
    made.tolerance.relativeDepth = cols + 8;
    made.reference = [rows](ReferenceArrays &arrays) {
      forEachRow(arrays[0], arrays[3], rows, [&](std::span<const double> x, std::span<double> y) {
        double squares = 0;
        for (double value : x)
          squares += value * value;
        double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + arrays[2][0]);
        for (size_t i = 0; i < x.size(); ++i)
          y[i] = x[i] * scale * arrays[1][i];
      });
    };
    return made;
  };
  return rowFamily("rms_norm", {"float32_4096x1024", "float16_4096x1024", "float32_1000x777"},
                   make);
}

CaseFamily layerNormCases() {
  auto make = [](DType dtype, int64_t rows, int64_t cols) {
    Case made;
    made.arguments = {input("x", dtype, {rows, cols}), input("weight", dtype, {cols}),
                      input("bias", dtype, {cols}), scalar("eps", f32, epsilon),
                      output("y", dtype, {rows, cols})};
    made.bytes = 2.0 * static_cast<double>(rows * cols) * byteSize(dtype);
    // Inputs lie in ±1, so a normalised value stays under √cols and in practice under 8.
    made.tolerance.depth = cols + 8;
    made.tolerance.magnitude = 8;
    made.reference = [rows](ReferenceArrays &arrays) {
      forEachRow(arrays[0], arrays[4], rows, [&](std::span<const double> x, std::span<double> y) {
        double count = static_cast<double>(x.size()), mean = 0, variance = 0;
        for (double value : x)
          mean += value / count;
        for (double value : x)
          variance += (value - mean) * (value - mean) / count;
        double scale = 1 / std::sqrt(variance + arrays[3][0]);
        for (size_t i = 0; i < x.size(); ++i)
          y[i] = (x[i] - mean) * scale * arrays[1][i] + arrays[2][i];
      });
    };
    return made;
  };
  return rowFamily("layer_norm", {"float32_4096x1024", "float16_4096x1024", "float32_1000x777"},
                   make);
}

} // namespace metile::kernels
