// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cases of several kernels share: arguments, row kernels, matrices over reference arrays.
// Must not know any one kernel.
#pragma once

#include "metile/case.h"

#include <functional>
#include <span>

namespace metile::kernels {

CaseArgument input(std::string name, DType dtype, std::vector<int64_t> sizes, double low = -1,
                   double high = 1);
CaseArgument output(std::string name, DType dtype, std::vector<int64_t> sizes);
CaseArgument scalar(std::string name, DType dtype, double value);

/// The type in which a kernel of `dtype` computes: f64 for f64, else f32.
DType computeType(DType dtype);

/// The family of a kernel that works row by row: DTYPE_ROWSxCOLS. `make` adds what is special about
/// one kernel to a case whose name is taken apart.
CaseFamily rowFamily(std::string kernel, std::vector<std::string> defaults,
                     std::function<Case(DType dtype, int64_t rows, int64_t cols)> make);

/// Calls `body` with each row of `x` and of `y`, two arrays of as many rows.
void forEachRow(std::vector<double> &x, std::vector<double> &y, int64_t rows,
                const std::function<void(std::span<const double> x, std::span<double> y)> &body);

/// c = a · b for row-major matrices of m×k, k×n and m×n elements.
void multiply(const double *a, const double *b, double *c, int64_t m, int64_t n, int64_t k);

/// The arguments a, b, c of a product with `k` terms a sum, with operands scaled so that results
/// stay near 1 whatever k is. `leading` are axes before the matrices'.
std::vector<CaseArgument> productArguments(DType dtype, std::vector<int64_t> leading, int64_t m,
                                           int64_t n, int64_t k);
/// The tolerance of such a product.
Tolerance productTolerance(int64_t k);

} // namespace metile::kernels
