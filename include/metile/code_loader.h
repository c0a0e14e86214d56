// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CodeLoader: turns the bytes of an object file into code that this process can call. The runtime
// knows this interface alone; the compiler library implements it. Must not know LLVM, kernels or
// artifacts.
#pragma once

#include "metile/result.h"

#include <memory>
#include <string_view>

namespace metile {

/// Code in this process's memory; freed with the last reference.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;
  /// The address of `symbol` as C names it, or null if the object does not define it.
  virtual void *lookup(std::string_view symbol) const = 0;
};

class CodeLoader {
public:
  virtual ~CodeLoader() = default;
  /// Loads a relocatable object file for this machine; `name` stands in messages. An object that is
  /// damaged, for another machine, or refers to symbols it does not define is an error. Safe to
  /// call from several threads.
  virtual Result<std::shared_ptr<LoadedCode>> load(std::string_view object,
                                                   std::string_view name) = 0;
};

/// The loader of the compiler library.
CodeLoader &jitLoader();

} // namespace metile
