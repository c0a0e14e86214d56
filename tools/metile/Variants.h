// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variants of a benchmark as a command line names them, and the ones that this program makes with
// the compiler: self, schedule:, kernel:. Must not know statistics or records.
#pragma once

#include "Selection.h"

#include "Bench/BenchVariant.h"

#include <span>
#include <string>
#include <string_view>

namespace metile::tools {

struct VariantForm {
  std::string_view form; ///< "schedule:K=V,…"
  std::string_view meaning;
};
std::span<const VariantForm> variantForms();

/// What all variants of one run share.
struct VariantContext {
  const Registry &registry;
  const Selection &selection; ///< The kernel whose cases are run.
  std::string device = "cpu";
  unsigned threads = 1;
  bool noCache = false;
};

/// The source of `text` ("self", "library:openblas", …). An unknown form, a library that is not
/// installed or a kernel nobody knows is an error. `context` must outlive the source.
Result<bench::VariantSource> variantSource(const std::string &text, const VariantContext &context);

/// Compiles the case's kernel and prepares its launch on `arguments`.
Result<std::unique_ptr<bench::BenchVariant>>
makeCompiledVariant(const std::string &label, const Kernel &kernel, const std::string &schedule,
                    const VariantContext &context, const Case &made,
                    const bench::ArgumentSet &arguments);

} // namespace metile::tools
