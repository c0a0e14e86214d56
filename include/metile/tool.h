// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tool(): all verbs of the program `metile` (bench, explain, compile, run, …) over kernels that the
// caller brings. A program calls it from main; a shared library exports its kernels with
// METILE_EXPORT_KERNELS and is named on the command line: `metile bench ./libmine.so:gemm`.
// Must not know a target, a device or MLIR.
#pragma once

#include "metile/case.h"
#include "metile/dsl.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace metile {

/// Runs the verb that the command line asks for. Returns the exit code: 0 fine, 1 a finding, a
/// regression asked about or a wrong result, 2 usage or could not run, 130 interrupted.
int tool(int argc, char **argv, std::vector<Kernel> kernels, std::vector<CaseFamily> cases);

/// The kernels and cases of a shared library.
struct Registry {
  std::vector<Kernel> kernels;
  std::vector<CaseFamily> cases;

  void add(Kernel kernel) { kernels.push_back(std::move(kernel)); }
  void add(CaseFamily family) { cases.push_back(std::move(family)); }
};

/// Changes whenever Kernel, CaseFamily or Registry change their shape.
inline constexpr uint32_t registryVersion = 1;

/// What a shared library exports as the C symbol `metileKernelLibrary`.
struct KernelLibrary {
  uint32_t version;
  void (*fill)(Registry &);
};

} // namespace metile

/// Once in a shared library, followed by a body that fills the registry:
///
///   METILE_EXPORT_KERNELS(registry) {
///     registry.add(myGemm);
///     registry.add(myGemmCases());
///   }
#define METILE_EXPORT_KERNELS(registry)                                                            \
  static void metileFillRegistry(metile::Registry &registry);                                      \
  extern "C" __attribute__((visibility("default")))                                                \
  const metile::KernelLibrary metileKernelLibrary;                                                 \
  const metile::KernelLibrary metileKernelLibrary = {metile::registryVersion, metileFillRegistry}; \
  static void metileFillRegistry([[maybe_unused]] metile::Registry &registry)
