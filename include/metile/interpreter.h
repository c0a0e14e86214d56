// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreter: runs kernels that were compiled for target "reference", whose code is the kernel
// itself. The runtime's device of that name knows this interface alone; the compiler library
// implements it. Must not know MLIR, or how launches are checked.
#pragma once

#include "metile/artifact.h"
#include "metile/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace metile {

/// The memory that a launch hands over through one view or pointer.
struct Reach {
  uint64_t low = 0, high = 0; ///< Byte addresses, [low, high).
  bool isKnown = true;        ///< False behind a pointer that was passed without its buffer.
  bool isWritten = true;      ///< Whether it had contents before the launch.
};

struct InterpretedLaunch {
  /// The slots of the parameters, as ArgumentInfo lays them out.
  std::span<const uint64_t> slots;
  /// One a parameter; those of scalars count for nothing.
  std::span<const Reach> reach;
  /// Where debug sites show their values; null if nobody looks.
  const DebugChannel *debug = nullptr;
  /// The programs to run, all if there is none.
  std::span<const std::array<int64_t, 3>> programs = {};
};

/// One loaded kernel. Safe to use from several threads.
class InterpretedKernel {
public:
  virtual ~InterpretedKernel() = default;
  /// Runs the programs asked for. What the kernel does wrong (touching memory outside its
  /// buffers, reading what nobody wrote, programs that race) comes back as errors marked as
  /// findings, one a line of source and kind; the outputs are then not to be relied on.
  virtual Status run(const InterpretedLaunch &launch) const = 0;
};

class Interpreter {
public:
  virtual ~Interpreter() = default;
  /// Reads the code of `artifact`; what it does not understand is an error. Safe to call from
  /// several threads.
  virtual Result<std::shared_ptr<InterpretedKernel>> load(const Artifact &artifact) = 0;
};

/// The interpreter of the compiler library.
Interpreter &referenceInterpreter();

} // namespace metile
