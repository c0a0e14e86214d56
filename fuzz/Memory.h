// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LaunchMemory: the buffers of one launch of a program, with guards around each, and the bounds
// between which a result may lie. Must not know how kernels are compiled.
#pragma once

#include "Program.h"

#include "Interpreter/Envelope.h"
#include "metile/runtime.h"

#include <memory>

namespace metile::fuzz {

/// Fresh contents for every launch: seeded numbers in inputs, NaN in outputs, in gaps and guards.
class LaunchMemory {
public:
  explicit LaunchMemory(const Program &program);

  /// The arguments for `device`, which adopts the memory.
  Result<std::vector<Argument>> arguments(const Device &device);
  /// The elements of argument `number`, gaps of its view included.
  std::span<const std::byte> elements(size_t number) const;
  /// The first argument whose guards were written; -1 if none.
  int damaged() const;

private:
  unsigned char *data(size_t number) const;

  const Program &program;
  std::vector<std::unique_ptr<unsigned char[]>> storage;
  std::vector<Buffer> buffers; ///< Adopted parts of `storage`, alive for the launch.
};

/// Where the results of a program may lie.
class Bounds {
public:
  explicit Bounds(const Program &program);
  /// Takes the results of one more evaluation into account; the first is the nominal one.
  void add(const LaunchMemory &memory);
  /// What is wrong with `memory`: the first elements that lie outside, their number and pattern;
  /// empty if nothing is.
  std::string check(const LaunchMemory &memory) const;

private:
  const Program &program;
  std::vector<interpreter::Envelope> envelopes; ///< By argument; unused for inputs.
};

} // namespace metile::fuzz
