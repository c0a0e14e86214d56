// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewriter: turns preprocessed Metal Shading Language into C++ over the shim's headers. It
// reads attributes, address spaces, kernels and function constants, all by their tokens; what types
// mean is left to clang. Must not know a kernel by its name or shape.
#pragma once

#include "Emulator/SourceMap.h"
#include "metile/result.h"

#include <map>

namespace metile::emulator {

/// The value of a function constant, as C++ text.
struct ConstantValue {
  std::string text;
};

struct RewriteRequest {
  std::string kernel; ///< Its host name; empty: every kernel, to be compiled but not run.
  /// By index or by name.
  std::map<std::string, ConstantValue> constants;
};

/// A kernel that the file offers.
struct KernelName {
  std::string name; ///< The name by which a host asks for it.
  Location location;
};

struct RewrittenText {
  std::string text;
  SourceMap map;
  std::vector<KernelName> kernels;
  bool hasEntry = false; ///< The kernel asked for is there, or none was asked for.
};

/// Rewrites `tokens`. A kernel that is not in the file leaves `hasEntry` false.
RewrittenText rewrite(const TokenList &tokens, const RewriteRequest &request);

} // namespace metile::emulator
