// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Case and CaseFamily: what a kernel is checked and timed on. A case holds arguments with seeded
// contents, the work one launch does, a reference and the error that is allowed; a family makes the
// cases of one kernel from their names, so that any size may be named.
// Knows nothing of compilers, devices or how a benchmark is run.
#pragma once

#include "metile/dtype.h"
#include "metile/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metile {

/// One argument of a launch, in the kernel's order.
struct CaseArgument {
  std::string name;
  DType dtype = DType::f32;
  /// Views and pointers: the extents of the array.
  std::vector<int64_t> sizes = {};
  /// Strides in elements; empty means row-major without gaps.
  std::vector<int64_t> strides = {};
  /// The kernel writes it: filled with NaN (integers: a pattern) before a launch, compared after
  /// it.
  bool output = false;
  /// Contents of what is no output: uniform in [low, high), never zero, seeded; integers are drawn
  /// from the whole numbers of [low, high]. An argument that is read and written (`inout`) has
  /// both.
  bool random = true;
  double low = -1, high = 1;
  /// The value of a scalar (an argument without sizes).
  double value = 0;

  bool isScalar() const { return sizes.empty(); }
  int64_t count() const {
    int64_t product = 1;
    for (int64_t size : sizes)
      product *= size;
    return product;
  }
};

/// The error one floating-point output element may have against the reference:
///   Σ(depth) · magnitude + Σ(relativeDepth) · |reference|, then one rounding to the output's
///   dtype,
/// with Σ(n) = min(n·u/(1 − n·u), 10·√n·u) and u the accumulator's unit roundoff (sources: see
/// lib/Bench/Tolerance.h). Integer outputs must be equal.
struct Tolerance {
  /// Terms that are summed; their errors do not shrink where the terms cancel.
  int64_t depth = 0;
  double magnitude = 0; ///< Bound on the sum of the absolute values of the terms.
  /// Roundings whose errors are in proportion to the result.
  int64_t relativeDepth = 4;
  DType accumulator = DType::f32;
};

/// The arguments of a case as dense row-major arrays in double, in the kernel's order: a scalar is
/// an array of one. A reference reads the inputs and fills the outputs, which come in with the
/// right length; an argument that is `inout` comes in with its contents.
using ReferenceArrays = std::vector<std::vector<double>>;

struct Case {
  std::string name;   ///< "float16_257x255x259".
  std::string kernel; ///< Name of the kernel.
  DType dtype = DType::f32;
  std::vector<int64_t> shape; ///< The sizes of the name.
  std::vector<CaseArgument> arguments;
  std::vector<std::pair<std::string, int64_t>> options; ///< Values of the kernel's Options.
  double flops = 0; ///< Floating-point operations of one launch; 0: not stated.
  double bytes = 0; ///< Bytes one launch must move at least.
  Tolerance tolerance;
  std::function<void(ReferenceArrays &)> reference;
  /// What is computed, in a word that libraries know: "gemm" (two inputs and an output: the product
  /// of two matrices, or of each pair of two batches; sizes are those of the product, whatever the
  /// strides). Empty: no library is asked.
  std::string operation;
};

/// A case's name taken apart: "float16_257x255x259_nt".
struct CaseName {
  std::string text;
  DType dtype = DType::f32;
  std::vector<int64_t> sizes = {};
  std::string suffix; ///< "nt"; empty if there is none.
};

/// The cases of one kernel: DTYPE_SIZExSIZE…[_SUFFIX].
struct CaseFamily {
  std::string kernel;
  std::vector<std::string> axes; ///< Names of the sizes: {"M", "N", "K"}.
  std::vector<DType> dtypes;     ///< Dtypes a case may have.
  std::vector<std::string> suffixes;
  std::vector<std::string> defaults; ///< Names run when none is asked for.
  /// Makes the case of a name that fits the pattern; name, kernel, dtype and shape are filled in
  /// for it.
  std::function<Result<Case>(const CaseName &)> make;

  /// "DTYPE_MxNxK[_nt|_tn]".
  std::string pattern() const;
  /// The case called `name`; a name that does not fit is an error with the pattern and the nearest
  /// default.
  Result<Case> parse(std::string_view name) const;
  /// The names meant by `texts`: plain names as they are, globs (*, ?) by the defaults they match,
  /// the defaults if `texts` is empty. A glob without a match is an error.
  Result<std::vector<std::string>> select(const std::vector<std::string> &texts) const;
};

} // namespace metile
