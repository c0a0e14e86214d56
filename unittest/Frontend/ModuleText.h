// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as text, for tests that look for what must stand in it.
#pragma once

#include "SampleKernels.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace metile {

/// The trace, or the messages.
inline std::string traceText(const Kernel &kernel, const std::string &types = "") {
  Result<Trace> trace = traceKernel(kernel, specialize(kernel, types));
  return trace ? canonicalText(*trace) : trace.errors().str();
}

/// The module, with "INVALID" at its end if it is, or the messages.
inline std::string moduleText(const Kernel &kernel, const std::string &types = "",
                              std::vector<Fact> facts = {}) {
  Specialization choice = specialize(kernel, types);
  choice.facts.insert(choice.facts.end(), facts.begin(), facts.end());
  Result<Trace> trace = traceKernel(kernel, choice);
  if (!trace)
    return trace.errors().str();
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module = buildModule(*trace, context);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << *module;
  if (failed(mlir::verify(*module)))
    text += "\nINVALID\n";
  return text;
}

inline size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++n;
  return n;
}

inline bool has(const std::string &text, const std::string &what) {
  return text.find(what) != std::string::npos;
}

} // namespace metile
