// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LaunchMemory: the buffers of one launch of a program, with guards around each, and the bounds
// between which a result may lie. Must not know how kernels are compiled.
#pragma once

#include "Program.h"

#include "metile/runtime.h"

#include <memory>

namespace metile::fuzz {

/// Fresh contents for every launch: seeded numbers in inputs, NaN in outputs, in gaps and guards.
class LaunchMemory {
public:
  explicit LaunchMemory(const Program &program);

  /// The arguments for `device`, which adopts the memory.
  Result<std::vector<Argument>> arguments(const Device &device);
  /// Element `index` of argument `number`, gaps of its view included.
  double real(size_t number, int64_t index) const;
  int64_t integer(size_t number, int64_t index) const;
  uint64_t bits(size_t number, int64_t index) const;
  /// The first argument whose guards were written; -1 if none.
  int damaged() const;

private:
  unsigned char *data(size_t number) const;

  const Program &program;
  std::vector<std::unique_ptr<unsigned char[]>> storage;
  std::vector<Buffer> buffers; ///< Adopted parts of `storage`, alive for the launch.
};

/// Where results may lie: between the least and the largest of several evaluations whose roundings
/// went different ways, widened by what they differ in.
class Bounds {
public:
  explicit Bounds(const Program &program);
  /// Takes the results of one more evaluation into account; the first is the nominal one.
  void add(const LaunchMemory &memory);
  /// What is wrong with `memory`: the first elements that lie outside, their number and pattern;
  /// empty if nothing is.
  std::string check(const LaunchMemory &memory) const;

private:
  struct Range {
    uint64_t bits = 0; ///< Of the nominal result.
    double low = 0, high = 0;
    bool isOpen = false; ///< Evaluations do not agree whether it is finite, or NaN.
  };
  std::string mismatch(size_t number, int64_t index, const LaunchMemory &memory) const;

  const Program &program;
  std::vector<std::vector<Range>> ranges; ///< By argument; empty for inputs.
  std::vector<bool> isInexact;            ///< By argument: evaluations differ in some element.
  bool isFirst = true;
};

} // namespace metile::fuzz
