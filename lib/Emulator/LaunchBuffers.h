// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LaunchBuffers: the buffer arguments of one launch: which parameter each is bound to, and where
// its memory lies while the kernel runs. Arguments that share memory of the caller share it in the
// kernel too, at one address. Knows nothing of threads or of what is checked.
#pragma once

#include "Emulator/KernelAbi.h"
#include "Emulator/LaunchMemory.h"
#include "metile/emulator.h"

#include <span>
#include <string>
#include <vector>

namespace metile::emulator {

class LaunchBuffers {
public:
  /// Memory of the caller that one argument, or several that overlap, reach.
  struct Allocation {
    std::byte *data = nullptr; ///< The caller's.
    size_t bytes = 0;
    unsigned window = 0;        ///< Of the launch's memory.
    std::byte *start = nullptr; ///< Where it lies while the kernel runs.
    std::string name;           ///< The parameters' names.
    bool readOnly = true;       ///< By the parameters' types, which a cast may overrule.
    bool uninitialised = true;
  };

  /// Binds `arguments` to the parameters of `kernel`, called `name` in messages. An argument that
  /// is missing, unknown, given twice or too small is an error.
  Status bind(const KernelModule &kernel, const std::string &name,
              std::span<const BufferArgument> arguments);
  /// Gives each allocation a window of `memory`, at the window's closed end if `atEnd`, and fills
  /// it. Without a memory the kernel gets the caller's.
  Status place(LaunchMemory *memory, bool atEnd);
  /// Fills the allocations with the caller's bytes again.
  void fill();
  /// Gives the caller what the kernel has written; memory that it left alone is not touched.
  void copyBack() const;
  /// Gives the windows back.
  void close();

  const std::vector<Allocation> &allocations() const { return all; }
  /// What the kernel gets for buffer `index`; null if it has none.
  void *pointer(unsigned index) const { return pointers[index]; }
  /// The bytes of all allocations.
  std::vector<std::string> outputs() const;

private:
  Errors fail(const std::string &found, const std::string &allowed = {}) const;
  Status bindOne(const KernelModule &kernel, const BufferArgument &argument,
                 const std::string &known);
  void unite();

  std::string kernelName;
  LaunchMemory *memory = nullptr;
  const BufferArgument *given[maxBuffers] = {};
  const Parameter *parameterOf[maxBuffers] = {};
  std::vector<Allocation> all;
  void *pointers[maxBuffers] = {};
};

} // namespace metile::emulator
