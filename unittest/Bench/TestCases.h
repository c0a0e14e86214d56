// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small cases and variants of known speed for the tests of the benchmark.
#pragma once

#include "Bench/BenchVariant.h"
#include "Bench/Settle.h"

#include <functional>
#include <memory>
#include <utility>

namespace metile::bench {

/// c[i][j] = a[i][j] + b[i][j].
inline Case addCase(DType dtype, int64_t rows, int64_t columns) {
  Case result;
  result.kernel = "add";
  result.name =
      std::string(longName(dtype)) + "_" + std::to_string(rows) + "x" + std::to_string(columns);
  result.dtype = dtype;
  result.shape = {rows, columns};
  CaseArgument argument;
  argument.dtype = dtype;
  argument.sizes = {rows, columns};
  if (!isFloat(dtype)) {
    argument.low = 1;
    argument.high = 40;
  }
  for (const char *name : {"a", "b", "c"}) {
    argument.name = name;
    result.arguments.push_back(argument);
  }
  result.arguments[2].output = true;
  result.arguments[2].random = false;
  result.flops = static_cast<double>(rows * columns);
  result.tolerance.relativeDepth = 1;
  if (dtype == DType::f64)
    result.tolerance.accumulator = DType::f64;
  result.reference = [](ReferenceArrays &arrays) {
    for (size_t i = 0; i < arrays[2].size(); ++i)
      arrays[2][i] = arrays[0][i] + arrays[1][i];
  };
  return result;
}

/// A matrix product for the library variants; `suffix` "" or "nt", "tn", "tt".
inline Case gemmCase(DType dtype, int64_t m, int64_t n, int64_t k, const std::string &suffix = "") {
  bool transposeA = !suffix.empty() && suffix[0] == 't';
  bool transposeB = !suffix.empty() && suffix[1] == 't';
  Case result;
  result.kernel = "gemm";
  result.operation = "gemm";
  result.name = std::string(longName(dtype)) + "_" + std::to_string(m) + "x" + std::to_string(n) +
                "x" + std::to_string(k) + (suffix.empty() ? "" : "_" + suffix);
  result.dtype = dtype;
  result.shape = {m, n, k};
  CaseArgument a, b, c;
  a.name = "a";
  b.name = "b";
  c.name = "c";
  a.dtype = b.dtype = c.dtype = dtype;
  a.sizes = {m, k};
  b.sizes = {k, n};
  // A transposed operand is the same matrix, stored by columns.
  if (transposeA)
    a.strides = {1, m};
  if (transposeB)
    b.strides = {1, k};
  c.sizes = {m, n};
  c.output = true;
  c.random = false;
  result.arguments = {a, b, c};
  result.flops = 2.0 * static_cast<double>(m * n * k);
  result.tolerance.depth = k;
  result.tolerance.magnitude = static_cast<double>(k);
  result.tolerance.accumulator = dtype == DType::f64 ? DType::f64 : DType::f32;
  result.reference = [=](ReferenceArrays &x) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum += x[0][static_cast<size_t>(i * k + p)] * x[1][static_cast<size_t>(p * n + j)];
        x[2][static_cast<size_t>(i * n + j)] = sum;
      }
  };
  return result;
}

/// Adds rightly, then spends `launchNs` for each launch. `spoil` may damage the result.
class AddVariant final : public BenchVariant {
public:
  using Spoil = std::function<void(std::span<const Argument> arguments)>;

  /// `gpuUs` is what the device's clock is said to show for each launch; 0: there is none.
  AddVariant(const ArgumentSet &set, int64_t launchNs, Spoil spoil = {}, double gpuUs = 0)
      : arguments(set.arguments()), launchNs(launchNs), spoil(std::move(spoil)), gpuUs(gpuUs) {}

  Result<std::optional<double>> run(int64_t launches) override {
    int64_t until = nowNs() + launches * launchNs;
    if (launches > 0) {
      Argument c = arguments[2];
      for (int64_t i = 0; i < c.count(); ++i)
        c.write(i, arguments[0].read(i) + arguments[1].read(i));
      if (spoil)
        spoil(arguments);
    }
    while (nowNs() < until) {
    }
    return gpuUs > 0 ? std::optional(gpuUs * static_cast<double>(launches)) : std::nullopt;
  }

  VariantDescription describe() const override {
    VariantDescription description;
    description.label = "add";
    description.scheduleJson = R"({"BLOCK": 4})";
    description.sourceSha256 = "00ff";
    return description;
  }

private:
  std::span<const Argument> arguments;
  int64_t launchNs;
  Spoil spoil;
  double gpuUs;
};

inline VariantSource addSource(std::string label, int64_t launchNs, AddVariant::Spoil spoil = {},
                               double gpuUs = 0) {
  VariantSource source;
  source.label = std::move(label);
  source.make = [=](const Case &,
                    const ArgumentSet &arguments) -> Result<std::unique_ptr<BenchVariant>> {
    return std::unique_ptr<BenchVariant>(
        std::make_unique<AddVariant>(arguments, launchNs, spoil, gpuUs));
  };
  return source;
}

} // namespace metile::bench
