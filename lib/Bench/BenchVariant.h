// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BenchVariant: one way of doing a case's work. The tools hand variants in; the benchmark prepares,
// checks, settles and times them all alike. Knows nothing of how a variant does its work.
#pragma once

#include "Bench/Argument.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace metile::bench {

/// What the record says of a prepared variant. JSON is text; empty text means null.
struct VariantDescription {
  std::string label;              ///< "library:openblas"
  std::string scheduleJson;       ///< The schedule asked for, an object.
  std::string reportJson;         ///< The execution report.
  std::string sourceSha256;       ///< Of the emitted code; empty if there is none to hash.
  std::string compilerSha256;     ///< Identifies the compiler that made it, or empty.
  std::string device;             ///< "cpu", …; empty: the machine's processor.
  std::string root;               ///< root: and exec: variants: where they come from.
  unsigned threads = 1;           ///< Threads it may use.
  double compileUs = 0;           ///< What preparing cost, 0 if nothing was compiled.
  std::vector<std::string> notes; ///< What a reader must know: conversions, library core, …
  std::vector<std::pair<std::string, std::string>> tools; ///< Names and versions.
};

class BenchVariant {
public:
  virtual ~BenchVariant();

  /// Runs the work `launches` times back to back on the arguments it was made with and returns when
  /// the last has finished. Gives the device's own time for all of them together in microseconds
  /// where the device has a clock. With 0 launches it does nothing but what it costs to ask.
  virtual Result<std::optional<double>> run(int64_t launches) = 0;

  virtual VariantDescription describe() const = 0;

  /// True for a variant in another process: the cost of asking it is measured and taken off.
  virtual bool isRemote() const { return false; }
  /// The process that does the work of a remote variant, watched while settling; 0 if it is ours.
  virtual int64_t remoteProcess() const { return 0; }
};

/// How to make a variant; called anew for each case, and twice for the baseline (the control).
struct VariantSource {
  std::string label;
  /// Prepares for one case: compiles, loads, allocates what it needs. `arguments` are the case's
  /// with memory, and outlive the variant; every call of run() works on them. An error refuses the
  /// variant for this case.
  std::function<Result<std::unique_ptr<BenchVariant>>(const Case &benchCase,
                                                      const ArgumentSet &arguments)>
      make;
  /// True if run() happens in another process, which needs the arguments in shared memory.
  bool needsSharedMemory = false;
};

/// The messages of `errors`, one a line, without the word "error" that opens each on a terminal.
std::string plainText(const Errors &errors);

} // namespace metile::bench
