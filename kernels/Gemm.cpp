// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <cmath>

namespace metile::kernels {

Kernel gemm() {
  return kernel("gemm", [](In<"a"> a, In<"b"> b, Out<"c"> c, Const<"BLOCK_M", 32, 64, 128, 256> M,
                           Const<"BLOCK_N", 32, 64, 128, 256> N,
                           Const<"BLOCK_K", 16, 32, 64, 128, 256, 512> K) {
    Index m = tile_of(c, 0, M), n = tile_of(c, 1, N);
    Tile sum = zeros(f32, {M, N});
    for (Index k : range(0, a.size(1), K))
      sum = dot(a.load({m, k}, {M, K}), b.load({k, n}, {K, N}), sum);
    c.store({m, n}, cast(sum, c.dtype()));
  });
}

Kernel batchedGemm() {
  return kernel("batched_gemm",
                [](In<"a"> a, In<"b"> b, Out<"c"> c, Const<"BLOCK_M", 32, 64, 128, 256> M,
                   Const<"BLOCK_N", 32, 64, 128, 256> N,
                   Const<"BLOCK_K", 16, 32, 64, 128, 256, 512> K) {
                  Index i = tile_of(c, 0, 1), m = tile_of(c, 1, M), n = tile_of(c, 2, N);
                  View lhs = a.at({i}), rhs = b.at({i});
                  Tile sum = zeros(f32, {M, N});
                  for (Index k : range(0, a.size(2), K))
                    sum = dot(lhs.load({m, k}, {M, K}), rhs.load({k, n}, {K, N}), sum);
                  c.at({i}).store({m, n}, cast(sum, c.dtype()));
                });
}

/// What follows a product and its bias, by the value of option ACTIVATION.
enum Activation : int64_t { identity, relu, gelu };
using ActivationOption = Option<"ACTIVATION", identity, relu, gelu>;

static Tile activate(const Tile &x, const ActivationOption &activation) {
  if (activation == relu)
    return maximum(x, 0);
  if (activation == gelu)
    return 0.5 * x * (1 + erf(x * M_SQRT1_2));
  return x;
}

Kernel gemmBias() {
  return kernel("gemm_bias",
                [](In<"a"> a, In<"b"> b, In<"bias"> bias, Out<"c"> c, ActivationOption activation,
                   Const<"BLOCK_M", 32, 64, 128, 256> M, Const<"BLOCK_N", 32, 64, 128, 256> N,
                   Const<"BLOCK_K", 16, 32, 64, 128, 256, 512> K) {
                  Index m = tile_of(c, 0, M), n = tile_of(c, 1, N);
                  Tile sum = zeros(f32, {M, N});
                  for (Index k : range(0, a.size(1), K))
                    sum = dot(a.load({m, k}, {M, K}), b.load({k, n}, {K, N}), sum);
                  Tile x = activate(sum + cast(bias.load({n}, {N}), f32).expand(0), activation);
                  c.store({m, n}, cast(x, c.dtype()));
                });
}

Kernel batchedGemmBias() {
  return kernel("batched_gemm_bias",
                [](In<"a"> a, In<"b"> b, In<"bias"> bias, Out<"c"> c, ActivationOption activation,
                   Const<"BLOCK_M", 32, 64, 128, 256> M, Const<"BLOCK_N", 32, 64, 128, 256> N,
                   Const<"BLOCK_K", 16, 32, 64, 128, 256, 512> K) {
                  Index i = tile_of(c, 0, 1), m = tile_of(c, 1, M), n = tile_of(c, 2, N);
                  View lhs = a.at({i}), rhs = b.at({i});
                  Tile sum = zeros(f32, {M, N});
                  for (Index k : range(0, a.size(2), K))
                    sum = dot(lhs.load({m, k}, {M, K}), rhs.load({k, n}, {K, N}), sum);
                  Tile x =
                      activate(sum + cast(bias.at({i}).load({n}, {N}), f32).expand(0), activation);
                  c.at({i}).store({m, n}, cast(x, c.dtype()));
                });
}

static double work(int64_t m, int64_t n, int64_t k) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

static double bytesOf(const Case &made) {
  double bytes = 0;
  for (const CaseArgument &argument : made.arguments)
    bytes += static_cast<double>(argument.count()) * byteSize(argument.dtype);
  return bytes;
}

CaseFamily gemmCases() {
  CaseFamily family;
  family.kernel = "gemm";
  family.axes = {"M", "N", "K"};
  family.dtypes = {f16, bf16, f32};
  family.suffixes = {"nt", "tn"};
  for (const char *dtype : {"float16", "float32"})
    for (const char *sizes : {"64x64x64", "256x256x256", "1024x1024x1024", "257x255x259"})
      family.defaults.push_back(std::string(dtype) + "_" + sizes);
  family.make = [](const CaseName &name) {
    int64_t m = name.sizes[0], n = name.sizes[1], k = name.sizes[2];
    Case made;
    made.arguments = productArguments(name.dtype, {}, m, n, k);
    // A transposed operand is the same matrix, stored by columns.
    if (name.suffix == "tn")
      made.arguments[0].strides = {1, m};
    if (name.suffix == "nt")
      made.arguments[1].strides = {1, k};
    made.flops = work(m, n, k);
    made.bytes = bytesOf(made);
    made.tolerance = productTolerance(k);
    made.operation = "gemm";
    made.reference = [=](ReferenceArrays &arrays) {
      multiply(arrays[0].data(), arrays[1].data(), arrays[2].data(), m, n, k);
    };
    return made;
  };
  return family;
}

CaseFamily batchedGemmCases() {
  CaseFamily family;
  family.kernel = "batched_gemm";
  family.axes = {"B", "M", "N", "K"};
  family.dtypes = {f16, bf16, f32};
  family.defaults = {"float32_16x128x128x128", "float16_16x128x128x128", "float32_7x65x33x129"};
  family.make = [](const CaseName &name) {
    int64_t b = name.sizes[0], m = name.sizes[1], n = name.sizes[2], k = name.sizes[3];
    Case made;
    made.arguments = productArguments(name.dtype, {b}, m, n, k);
    made.flops = static_cast<double>(b) * work(m, n, k);
    made.bytes = bytesOf(made);
    made.tolerance = productTolerance(k);
    made.operation = "gemm";
    made.reference = [=](ReferenceArrays &arrays) {
      for (int64_t i = 0; i < b; ++i)
        multiply(arrays[0].data() + i * m * k, arrays[1].data() + i * k * n,
                 arrays[2].data() + i * m * n, m, n, k);
    };
    return made;
  };
  return family;
}

/// The cases of a product with bias and activation; of batches if `isBatched`.
static CaseFamily biasCases(std::string kernel, bool isBatched, std::vector<std::string> defaults) {
  CaseFamily family;
  family.kernel = std::move(kernel);
  family.axes = {"M", "N", "K"};
  if (isBatched)
    family.axes.insert(family.axes.begin(), "B");
  family.dtypes = {f16, bf16, f32};
  family.suffixes = {"relu", "gelu"};
  family.defaults = std::move(defaults);
  family.make = [isBatched](const CaseName &name) {
    std::vector<int64_t> batches(name.sizes.begin(), name.sizes.end() - 3);
    int64_t count = isBatched ? batches[0] : 1;
    int64_t m = name.sizes.end()[-3], n = name.sizes.end()[-2], k = name.sizes.end()[-1];
    Case made;
    made.arguments = productArguments(name.dtype, batches, m, n, k);
    std::vector<int64_t> biasSizes = batches;
    biasSizes.push_back(n);
    made.arguments.insert(made.arguments.begin() + 2, input("bias", name.dtype, biasSizes));
    Activation activation = name.suffix == "relu" ? relu : name.suffix == "gelu" ? gelu : identity;
    made.options = {{"ACTIVATION", activation}};
    made.flops = static_cast<double>(count) * work(m, n, k);
    made.bytes = bytesOf(made);
    // The bias is one term more, and erf costs up to seven. No activation here grows faster
    // than 1.13 times its argument.
    made.tolerance = productTolerance(k + 8);
    made.tolerance.magnitude = 1.13 * (made.tolerance.magnitude + 1);
    made.tolerance.relativeDepth = activation == gelu ? 16 : 1;
    made.reference = [=](ReferenceArrays &arrays) {
      for (int64_t batch = 0; batch < count; ++batch) {
        const double *bias = arrays[2].data() + batch * n;
        double *c = arrays[3].data() + batch * m * n;
        multiply(arrays[0].data() + batch * m * k, arrays[1].data() + batch * k * n, c, m, n, k);
        for (int64_t i = 0; i < m * n; ++i) {
          double x = c[i] + bias[i % n];
          if (activation == relu)
            x = std::max(x, 0.0);
          if (activation == gelu)
            x = 0.5 * x * (1 + std::erf(x * M_SQRT1_2));
          c[i] = x;
        }
      }
    };
    return made;
  };
  return family;
}

CaseFamily gemmBiasCases() {
  return biasCases("gemm_bias", false,
                   {"float32_512x512x512_relu", "float16_512x512x512_gelu", "float32_257x255x259"});
}

CaseFamily batchedGemmBiasCases() {
  return biasCases(
      "batched_gemm_bias", true,
      {"float32_16x128x128x128_gelu", "float16_16x128x128x128_relu", "float32_7x65x33x129_gelu"});
}

} // namespace metile::kernels
