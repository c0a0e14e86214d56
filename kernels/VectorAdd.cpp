// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

namespace metile::kernels {

Kernel vectorAdd() {
  return kernel("vector_add",
                [](In<"a"> a, In<"b"> b, Out<"c"> c, Const<"BLOCK", 256, 1024, 4096> B) {
                  Index i = tile_of(c, 0, B);
                  c.store({i}, a.load({i}, {B}) + b.load({i}, {B}));
                });
}

CaseFamily vectorAddCases() {
  CaseFamily family;
  family.kernel = "vector_add";
  family.axes = {"N"};
  family.dtypes = {f16, bf16, f32, f64, i32, i64};
  family.defaults = {"float32_65536", "float32_4194304", "float16_1000003"};
  family.make = [](const CaseName &name) {
    int64_t n = name.sizes[0];
    Case made;
    made.arguments = {input("a", name.dtype, {n}), input("b", name.dtype, {n}),
                      output("c", name.dtype, {n})};
    if (isInteger(name.dtype))
      for (CaseArgument &argument : made.arguments)
        argument.low = -1000, argument.high = 1000;
    made.flops = static_cast<double>(n);
    made.bytes = 3.0 * static_cast<double>(n) * byteSize(name.dtype);
    made.tolerance = {.depth = 0, .magnitude = 0, .relativeDepth = 1, .accumulator = f32};
    if (name.dtype == f64)
      made.tolerance.accumulator = f64;
    made.reference = [](ReferenceArrays &arrays) {
      for (size_t i = 0; i < arrays[2].size(); ++i)
        arrays[2][i] = arrays[0][i] + arrays[1][i];
    };
    return made;
  };
  return family;
}

} // namespace metile::kernels
