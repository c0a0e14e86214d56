// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile(): a kernel, the arguments it will meet and a target become an Artifact.
// Knows nothing of devices; see runtime.h for running the result.
#pragma once

#include "metile/artifact.h"
#include "metile/dsl.h"
#include "metile/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace metile {

/// What the compiler is told of one parameter, in the kernel's order.
struct ArgumentSpec {
  DType dtype = DType::f32;
  /// Views: the sizes of a typical launch; their number is the rank. The code relies only on what
  /// CompileOptions::sizes lets it, the planner weighs its choices with all of them.
  std::vector<int64_t> sizes = {};
  /// Views: strides in elements; empty means row-major without gaps.
  std::vector<int64_t> strides = {};
  /// Pointers and views: alignment of the address in bytes on which the code may rely.
  uint32_t alignment = 1;
  /// Integer scalars: a typical value, for the planner.
  int64_t value = 0;
};

/// How much of the sizes in ArgumentSpec becomes a fact of the code.
enum class SizeFacts : uint8_t {
  none,         ///< Any size will do.
  divisibility, ///< The powers of two that divide them.
  exact,        ///< Their values.
};

/// Which values the code records for Executable::probe. Without probes a launch costs nothing; with
/// them more values are computed apart, so the code is not the one of an ordinary launch.
enum class Probes : uint8_t {
  none,
  named, ///< Those that the kernel gives to probe().
  every, ///< These, and what each operation of the kernel's text computes.
};

struct CompileOptions {
  /// "cpu", "cpu:x86-64-v3", …
  std::string target = "cpu";
  /// "K=V,…": fields of ScheduleFields.def and constants of the kernel. Each is a requirement.
  std::string schedule;
  /// Values of the kernel's Option parameters.
  std::vector<std::pair<std::string, int64_t>> options;
  SizeFacts sizes = SizeFacts::divisibility;
  Probes probes = Probes::none;
  /// Threads the planner counts on.
  unsigned threads = 1;
  /// Where compiled artifacts are kept; empty: $METILE_CACHE_DIR, else the user's cache directory.
  std::string cacheDirectory;
  bool useCache = true;
};

/// Where the time of one compile() went.
struct CompileTimings {
  double planUs = 0;    ///< Tracing the candidates and choosing the constants.
  double lowerUs = 0;   ///< Building and lowering the IR.
  double codegenUs = 0; ///< Machine code.
  double totalUs = 0;
  bool cacheHit = false;
};

/// Compiles `kernel`. All mistakes found in the kernel, the schedule or the arguments come back
/// together. Safe to call from several threads and several processes at once.
Result<Artifact> compile(const Kernel &kernel, const std::vector<ArgumentSpec> &arguments,
                         const CompileOptions &options = {}, CompileTimings *timings = nullptr);

/// Identifies this build of the compiler: part of every cache key and of every artifact.
std::string compilerBuildId();

} // namespace metile
