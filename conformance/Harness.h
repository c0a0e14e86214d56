// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance suite: every operation of the language × dtypes × ragged shapes × tile sizes, run
// on one device through the public interface and compared element by element with the interpreter.
// Knows nothing of how a device computes.
#pragma once

#include "Array.h"

#include "metile/compile.h"
#include "metile/dsl.h"
#include "metile/result.h"
#include "metile/runtime.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace metile::conformance {

/// What an output element may differ by from the value that the interpreter gives it.
using Bound = std::function<double(double expected)>;

/// One kernel on one set of arguments.
struct Check {
  std::string name; ///< "add f16 257 BLOCK=64"
  Kernel kernel;
  /// In the kernel's order; scalars are arrays without axes.
  std::vector<Array> arguments;
  std::vector<size_t> outputs; ///< Which of them are written.
  /// Values of the kernel's constants.
  std::vector<std::pair<std::string, int64_t>> constants = {};
  /// None: not at all.
  Bound bound = {};
  /// Checks with equal text here have one kernel, the same types, forms and constants, and differ
  /// in sizes only: they share code that relies on no size. Empty: the code relies on what divides
  /// the sizes.
  std::string sharedCode = {};
  /// Fields of the schedule beside the constants.
  std::string schedule = {};
  /// Outputs come in with the contents they were filled with, not with NaN.
  bool keepsOutputs = false;
  /// A second launch must give the same bits.
  bool runsTwice = false;
};

/// Collects checks by operation and dtype and reports them.
class Suite {
public:
  struct Options {
    std::string device = "cpu";
    std::string filter;  ///< Part of a check's name; empty: all.
    bool isFull = false; ///< More sizes, forms and schedules than a CI run has time for.
  };
  explicit Suite(Options options);

  /// Runs `check`, which counts for `operation` and `dtype`.
  void run(const std::string &operation, DType dtype, Check check);
  /// Runs `check` and compares its outputs with `expected`, not with the interpreter; `line` is the
  /// line of the language's meaning that it holds.
  void runMeaning(const std::string &line, Check check,
                  const std::vector<std::vector<Number>> &expected);
  /// Notes whether `line` holds where no launch shows it: what is wrong, or nothing.
  void noteMeaning(const std::string &line, const std::string &wrong);
  /// Notes that a check could not be made, and why.
  void skip(const std::string &operation, const std::string &reason);
  /// Notes the outcome of a check that was made without a Check: what is wrong, or nothing.
  void note(const std::string &operation, DType dtype, const std::string &name,
            const std::string &wrong);

  /// Compiles `kernel` for `device` ("reference", or that of the suite) and loads it there.
  Result<Executable> build(const Kernel &kernel, const std::vector<ArgumentSpec> &arguments,
                           const std::string &schedule, SizeFacts sizes,
                           const std::string &device) const;
  bool isWanted(const std::string &name) const {
    return name.find(options.filter) != std::string::npos;
  }
  bool isFull() const { return options.isFull; }
  const std::string &device() const { return options.device; }
  /// The schedules in which an operation is compiled for the device.
  const std::vector<std::string> &schedules() const { return scheduleTexts; }

  /// The table of operations and dtypes and the line that counts.
  std::string table() const;
  /// The same for the manual: what holds, without counts.
  std::string markdown() const;
  /// 0 if all checks passed and there were some, else 1.
  int exitCode() const;

private:
  struct Count {
    int passed = 0, failed = 0;
  };
  struct Row {
    std::string operation;
    std::map<DType, Count> counts;
  };
  /// What a launch of `check` on `device` does to `arguments`; empty if it succeeds.
  std::string launch(const Check &check, const std::string &device, std::vector<Array> &arguments);
  std::string verdict(Check &check, const std::vector<std::vector<Number>> *expected);
  Count &countOf(const std::string &operation, DType dtype);
  Count total() const;

  Options options;
  std::vector<std::string> scheduleTexts;
  std::map<std::string, Device> devices;
  std::vector<Row> rows;
  std::vector<std::pair<std::string, Count>> meanings;
  std::vector<std::string> skipped;
  std::map<std::string, Executable> sharedCode;
};

/// The type in which elements of `dtype` are summed.
DType sumType(DType dtype);
/// `ulps` units in the last place of `dtype`.
Bound ulps(DType dtype, double ulps);
/// " BLOCK=64 N=16": the constants of `check`, for its name.
std::string constantsOf(const Check &check);

void elementwise(Suite &suite);
void conversions(Suite &suite);
void memory(Suite &suite);
void shapes(Suite &suite);
void reductions(Suite &suite);
void scans(Suite &suite);
void sorts(Suite &suite);
void random(Suite &suite);
void atomics(Suite &suite);
void dots(Suite &suite);
void control(Suite &suite);
void largeOffsets(Suite &suite);
void meaning(Suite &suite);

} // namespace metile::conformance
