// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"

#include <Eigen/Core>

#include <cmath>

namespace metile::kernels {

CaseArgument input(std::string name, DType dtype, std::vector<int64_t> sizes, double low,
                   double high) {
  CaseArgument argument;
  argument.name = std::move(name);
  argument.dtype = dtype;
  argument.sizes = std::move(sizes);
  argument.low = low;
  argument.high = high;
  return argument;
}

CaseArgument output(std::string name, DType dtype, std::vector<int64_t> sizes) {
  CaseArgument argument = input(std::move(name), dtype, std::move(sizes));
  argument.output = true;
  argument.random = false;
  return argument;
}

CaseArgument scalar(std::string name, DType dtype, double value) {
  CaseArgument argument = input(std::move(name), dtype, {});
  argument.random = false;
  argument.value = value;
  return argument;
}

DType computeType(DType dtype) { return dtype == f64 ? f64 : f32; }

CaseFamily rowFamily(std::string kernel, std::vector<std::string> defaults,
                     std::function<Case(DType dtype, int64_t rows, int64_t cols)> make) {
  CaseFamily family;
  family.kernel = std::move(kernel);
  family.axes = {"ROWS", "COLS"};
  family.dtypes = {f16, bf16, f32};
  family.defaults = std::move(defaults);
  family.make = [make = std::move(make)](const CaseName &name) {
    return make(name.dtype, name.sizes[0], name.sizes[1]);
  };
  return family;
}

void forEachRow(std::vector<double> &x, std::vector<double> &y, int64_t rows,
                const std::function<void(std::span<const double> x, std::span<double> y)> &body) {
  size_t lengthX = x.size() / static_cast<size_t>(rows);
  size_t lengthY = y.size() / static_cast<size_t>(rows);
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
    body({x.data() + row * lengthX, lengthX}, {y.data() + row * lengthY, lengthY});
}

void multiply(const double *a, const double *b, double *c, int64_t m, int64_t n, int64_t k) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Matrix>(c, m, n).noalias() =
      Eigen::Map<const Matrix>(a, m, k) * Eigen::Map<const Matrix>(b, k, n);
}

std::vector<CaseArgument> productArguments(DType dtype, std::vector<int64_t> leading, int64_t m,
                                           int64_t n, int64_t k) {
  auto sizes = [&](int64_t rows, int64_t cols) {
    std::vector<int64_t> all = leading;
    all.push_back(rows);
    all.push_back(cols);
    return all;
  };
  double scale = 1 / std::sqrt(static_cast<double>(k));
  return {input("a", dtype, sizes(m, k), -scale, scale), input("b", dtype, sizes(k, n)),
          output("c", dtype, sizes(m, n))};
}

Tolerance productTolerance(int64_t k) {
  Tolerance tolerance;
  tolerance.depth = k;
  tolerance.magnitude = std::sqrt(static_cast<double>(k));
  tolerance.relativeDepth = 1;
  return tolerance;
}

} // namespace metile::kernels
