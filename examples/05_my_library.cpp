// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 5: all verbs of the tool on a kernel of your own. Built as a shared library that exports a
// kernel and its cases:
//
//   metile run ./libmy_library.so:squared_distance --case float32_1000x300
//   metile bench ./libmy_library.so:squared_distance --case float32_1000x300 \
//       --baseline schedule:ROWS=1 --current self
//   metile explain ./libmy_library.so:squared_distance

#include <metile/tool.h>

using namespace metile;

/// Squared distance of each row of x from the point p.
static Kernel squaredDistance() {
  return kernel("squared_distance", [](In<"x"> x, In<"p"> p, Out<"y"> y, Const<"ROWS", 1, 4, 16> R,
                                       Const<"BLOCK", 64, 256> B) {
    Index row = tile_of(y, 0, R);
    Tile total = zeros(f32, {R});
    for (Index i : range(0, x.size(1), B)) {
      Tile away = x.load({row, i}, {R, B}) - p.load({i}, {B}).expand(0);
      total += (away * away).sum(1);
    }
    y.store({row}, total);
  });
}

/// Cases named float32_ROWSxCOLUMNS, with the contents of the arguments, the work and the right
/// result.
static CaseFamily squaredDistanceCases() {
  CaseFamily family;
  family.kernel = "squared_distance";
  family.axes = {"ROWS", "COLUMNS"};
  family.dtypes = {f32};
  family.defaults = {"float32_4096x1024", "float32_1000x300"};
  family.make = [](const CaseName &name) -> Result<Case> {
    int64_t rows = name.sizes[0], columns = name.sizes[1];
    Case made;
    CaseArgument x{"x", f32, {rows, columns}}, p{"p", f32, {columns}}, y{"y", f32, {rows}};
    y.output = true;
    y.random = false;
    made.arguments = {x, p, y};
    made.flops = 3.0 * static_cast<double>(rows * columns);
    made.bytes = 4.0 * static_cast<double>(rows * columns + columns + rows);
    // COLUMNS terms of at most 4 are summed, each with two roundings of its own.
    made.tolerance = {columns + 2, 4.0 * static_cast<double>(columns), 4, f32};
    made.reference = [=](ReferenceArrays &arrays) {
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
          double away = arrays[0][i * columns + j] - arrays[1][j];
          arrays[2][i] = (j ? arrays[2][i] : 0) + away * away;
        }
    };
    return made;
  };
  return family;
}

METILE_EXPORT_KERNELS(registry) {
  registry.add(squaredDistance());
  registry.add(squaredDistanceCases());
}
