// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array: the memory of one argument, in any of the forms in which callers hand memory over, with
// marks on all of it that nobody may touch. Must not know kernels or devices.
#pragma once

#include "metile/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace metile::conformance {

/// One element, exact for every dtype: integers and bools in `integer`, floats in `real`.
struct Number {
  int64_t integer = 0;
  double real = 0;
};

/// Whether integers of `dtype` are compared and divided as unsigned.
inline bool isUnsigned(DType dtype) { return !isSigned(dtype); }

/// How the elements of an array lie in memory.
enum class Form : uint8_t {
  dense,      ///< Row-major without gaps.
  sliced,     ///< Rows of a wider matrix.
  transposed, ///< Column-major.
  strided,    ///< Every third element.
  repeated,   ///< One row for all: stride 0 on the first axis. For what is only read.
  offset,     ///< Dense, from an odd element on.
};
inline constexpr Form allForms[] = {Form::dense,   Form::sliced,   Form::transposed,
                                    Form::strided, Form::repeated, Form::offset};
const char *name(Form form);

/// Elements between stretches that nobody may touch.
class Array {
public:
  Array(DType dtype, std::vector<int64_t> sizes, Form form = Form::dense);

  DType dtype() const { return type; }
  const std::vector<int64_t> &sizes() const { return extents; }
  const std::vector<int64_t> &strides() const { return steps; }
  int64_t count() const;
  std::byte *data() { return storage.data() + start; }
  /// From the first to behind the last element.
  size_t bytes() const { return storage.size() - start - guardElements * byteSize(type); }

  /// Element by its row-major index.
  Number get(int64_t index) const;
  void set(int64_t index, Number value);
  /// All elements in row-major order; floats in `real`.
  void setAll(std::span<const Number> values);

  /// Seeded random numbers, small enough that sums of some thousand stay far from overflow and are
  /// exact in f32 for integers; integers span [-9, 9], or their whole range with `wide`; floats
  /// have special values among them with `wide`.
  void fillRandom(uint64_t seed, bool wide = false);
  /// NaN, for integers a pattern: what an element holds that nobody wrote.
  void poison();
  /// Whether all memory, or all but the elements, is as in `before`, which has the same form.
  bool isUnchanged(const Array &before) const { return storage == before.storage; }
  bool areGapsUnchanged(const Array &before) const;

private:
  static constexpr size_t guardElements = 64;
  size_t byteOf(int64_t index) const;

  DType type;
  std::vector<int64_t> extents, steps;
  size_t start = 0; ///< Byte of element 0.
  std::vector<std::byte> storage;
};

/// What `value` becomes in the integer type `dtype`: its low bits, with its sign; bool: 0 or 1.
int64_t wrapTo(DType dtype, int64_t value);
/// An element as text.
std::string spell(DType dtype, Number value);

} // namespace metile::conformance
