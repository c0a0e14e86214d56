// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module: a built kernel in this process: its entry, and the way from sites to places in the user's
// text.
#pragma once

#include "Emulator/BuildCache.h"
#include "Emulator/KernelAbi.h"
#include "Emulator/LineTable.h"

#include <memory>
#include <mutex>

namespace metile::emulator {

class Module {
public:
  /// Loads the library of `built`. A library of another version of the emulator is an error.
  static Result<std::unique_ptr<Module>> load(BuiltKernel built);
  ~Module();

  const KernelModule &kernel() const { return *description; }
  const std::string &name() const { return built.kernel; }
  uint64_t codeFirst() const { return base; }
  uint64_t codeBytes() const { return extent; }
  /// The user's place; unknown if there is none.
  Location locate(Site site) const;
  /// Of the instruction at `address`.
  Location locateAddress(uint64_t address) const;

private:
  Module() = default;
  Location locateOffset(uint64_t offset) const;

  BuiltKernel built;
  void *handle = nullptr;
  const KernelModule *description = nullptr;
  uint64_t base = 0, extent = 0;
  mutable std::once_flag linesRead;
  mutable LineTable lines;
};

/// The name of the file that rewritten text is compiled from.
inline constexpr std::string_view rewrittenName = "rewritten.cpp";

} // namespace metile::emulator
