// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <bit>

namespace metile::kernels {

Kernel histogram() {
  return kernel("histogram",
                [](In<"x"> x, InOut<"counts"> counts, Const<"BLOCK", 1024, 4096, 16384> B) {
                  int64_t bins = std::bit_ceil(static_cast<uint64_t>(counts.fixed_size(0)));
                  Index i = tile_of(x, 0, B);
                  counts.atomic_add({0}, histogram(x.load({i}, {B}, -1), bins), sem::relaxed);
                });
}

CaseFamily histogramCases() {
  CaseFamily family;
  family.kernel = "histogram";
  family.axes = {"N", "BINS"};
  family.dtypes = {i32, i64};
  family.defaults = {"int32_1048576x256", "int32_1000003x100", "int64_262144x1024"};
  family.make = [](const CaseName &name) {
    int64_t n = name.sizes[0], bins = name.sizes[1];
    Case made;
    // Some numbers name no bin; what is counted is added to what was counted before.
    CaseArgument counts = output("counts", i32, {bins});
    counts.random = true;
    counts.low = 0;
    counts.high = 9;
    made.arguments = {input("x", name.dtype, {n}, -1, static_cast<double>(bins)), counts};
    made.bytes = static_cast<double>(n) * byteSize(name.dtype);
    made.reference = [bins](ReferenceArrays &arrays) {
      for (double value : arrays[0])
        if (value >= 0 && value < static_cast<double>(bins))
          ++arrays[1][static_cast<size_t>(value)];
    };
    return made;
  };
  return family;
}

} // namespace metile::kernels
