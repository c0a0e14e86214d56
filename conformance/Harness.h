// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance suite: every operation of the language × dtypes × ragged shapes × tile sizes, run
// on one device through the public interface and compared element by element with plain loops.
// Knows nothing of how a device computes.
#pragma once

#include "metile/dsl.h"
#include "metile/dtype.h"
#include "metile/result.h"
#include "metile/runtime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace metile::conformance {

/// Every dtype that is computed with.
inline std::vector<DType> computedDTypes() {
  std::vector<DType> result;
  for (DType dtype : allDTypes)
    if (!isFloat8(dtype))
      result.push_back(dtype);
  return result;
}

/// One element, exact for every dtype: integers and bools in `integer`, floats in `real`.
struct Number {
  int64_t integer = 0;
  double real = 0;
};

/// `value` rounded once to the float type `dtype`.
double roundTo(DType dtype, double value);
/// `value` reduced to the width and sign of the integer type `dtype`; bool: 0 or 1.
int64_t wrapTo(DType dtype, int64_t value);

/// Whether integers of `dtype` are compared and divided as unsigned.
inline bool isUnsigned(DType dtype) { return !isSigned(dtype); }

/// An array of elements under any strides, between guards that nobody may touch.
class Array {
public:
  /// Dense and row-major unless strides (in elements) are given.
  Array(DType dtype, std::vector<int64_t> sizes, std::vector<int64_t> strides = {});

  DType dtype() const { return type; }
  const std::vector<int64_t> &sizes() const { return extents; }
  const std::vector<int64_t> &strides() const { return steps; }
  int64_t count() const;
  std::byte *data() { return storage.data() + guardBytes; }

  /// Element by its row-major index.
  Number get(int64_t index) const;
  void set(int64_t index, Number value);
  /// Element by position, one number an axis.
  Number at(std::initializer_list<int64_t> position) const;

  /// Seeded random numbers, small enough that sums of some thousand stay far from overflow;
  /// integers span
  /// [-9, 9], or their whole range with `wide`; floats have special values among them with `wide`.
  void fillRandom(uint64_t seed, bool wide = false);
  /// NaN, for integers a pattern: what an element holds that nobody wrote.
  void poison();
  /// Whether the guards still hold what they were made with.
  bool guardsIntact() const;

private:
  static constexpr size_t guardElements = 64;
  int64_t offsetOf(int64_t index) const;

  DType type;
  std::vector<int64_t> extents, steps;
  size_t guardBytes;
  std::vector<std::byte> storage;
};

/// One kernel on one set of arguments.
struct Check {
  std::string name; ///< "add f16 257 BLOCK=64"
  Kernel kernel;
  /// In the kernel's order; scalars are arrays without axes.
  std::vector<Array> arguments;
  std::vector<size_t> outputs; ///< Which of them are written.
  /// Values of the kernel's constants.
  std::vector<std::pair<std::string, int64_t>> constants;
  /// Fills copies of the written arguments, in the order of `outputs`. The inputs stand in
  /// `arguments`.
  std::function<void(const std::vector<Array> &inputs, std::vector<Array> &expected)> reference;
  /// What an output element of the second value may differ by; none: not at all.
  std::function<double(double expected)> bound;
  /// Checks with equal text here have one kernel, the same types and constants, and differ in sizes
  /// only: they share code that relies on no size. Empty: the code relies on what divides the
  /// sizes.
  std::string sharedCode;
};

/// Collects checks by group ("add", "sum", …) and reports them.
class Suite {
public:
  Suite(std::string device, std::string filter)
      : device(std::move(device)), filter(std::move(filter)) {}

  /// Runs `check` unless the filter leaves it out.
  void run(const std::string &group, Check check);
  /// Prints the table of groups and the line that counts; returns the exit code.
  int finish() const;

private:
  struct Group {
    std::string name;
    int passed = 0, failed = 0;
  };
  std::string verdict(Check &check);

  std::string device, filter;
  std::vector<Group> groups;
  std::map<std::string, Executable> sharedCode;
};

/// Relative bound of `ulps` units in the last place of `dtype`.
std::function<double(double)> ulps(DType dtype, double ulps);

void elementwise(Suite &suite);
void conversions(Suite &suite);
void memory(Suite &suite);
void shapes(Suite &suite);
void reductions(Suite &suite);
void dots(Suite &suite);
void control(Suite &suite);

} // namespace metile::conformance
