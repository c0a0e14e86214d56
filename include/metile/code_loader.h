// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CodeLoader: how a device without a code generator of its own gets object code into memory. The
// compiler library implements it with LLVM's JIT linker; the runtime only calls it.
// Knows nothing of LLVM, devices or kernels.
#pragma once

#include "metile/result.h"

#include <memory>
#include <string_view>

namespace metile {

/// Code in memory, ready to call. Addresses stay valid as long as the object lives.
class LoadedCode {
public:
  LoadedCode() = default;
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;
  virtual ~LoadedCode();
  /// The address of `symbol`; an error that names it if the code has no such symbol. Safe to call
  /// from several threads.
  virtual Result<void *> lookup(std::string_view symbol) = 0;
};

class CodeLoader {
public:
  CodeLoader() = default;
  CodeLoader(const CodeLoader &) = delete;
  CodeLoader &operator=(const CodeLoader &) = delete;
  virtual ~CodeLoader();
  /// Loads an object file for this machine; `name` stands in messages. `object` need not outlive
  /// the call, the loader need not outlive the code. Safe to call from several threads.
  virtual Result<std::unique_ptr<LoadedCode>> load(std::string_view object,
                                                   std::string_view name) = 0;
};

} // namespace metile
