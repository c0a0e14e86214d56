// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: reads and writes single elements of a launch's buffers and notices what no program may
// do: leave a buffer, read what nobody wrote, touch what another program writes. Must not know
// operations beyond their place in the source.
#pragma once

#include "Interpreter/Findings.h"
#include "metile/interpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <span>

namespace metile::interpreter {

/// One element that an operation of a program touches.
struct Access {
  mlir::Operation *op = nullptr;
  const Program *program = nullptr;
  int32_t argument = -1; ///< Through which it is reached.
  uint64_t address = 0;
  unsigned bytes = 0;
};

class Memory {
public:
  Memory(std::span<const ArgumentInfo> arguments, const InterpretedLaunch &launch,
         Findings &findings);

  /// The element's bytes in the low bits, the rest zero; zero outside of the buffer.
  uint64_t read(const Access &access);
  /// Does nothing outside of the buffer.
  void write(const Access &access, uint64_t bits);
  /// Replaces the element at once by what `change` makes of it; returns what was there before.
  uint64_t update(const Access &access, const std::function<uint64_t(uint64_t)> &change);

private:
  /// The programs that touched a piece of memory in each way.
  struct Users {
    static constexpr int64_t none = -1, several = -2;
    int64_t reader = none, writer = none, updater = none;
  };
  enum class Way : uint8_t { read, write, update };

  bool isInside(const Access &access);
  void checkWritten(const Access &access);
  void checkRaces(const Access &access, Way way);
  /// "element 5 of 'x'".
  std::string describe(const Access &access) const;

  std::span<const ArgumentInfo> arguments;
  const InterpretedLaunch &launch;
  Findings &findings;
  /// Bytes in which users are told apart: the size of the smallest element of any argument.
  unsigned granule = 8;
  llvm::DenseMap<uint64_t, Users> users;
  std::vector<uint32_t> slots; ///< The first of each argument.
};

} // namespace metile::interpreter
