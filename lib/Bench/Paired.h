// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The paired benchmark: every case checked, then both sides timed block by block in ABBA or BAAB
// order beside a control of the baseline against itself. Knows nothing of the compiler; variants
// and cases are handed in. The method is described in docs/benchmarking.md.
#pragma once

#include "Bench/BenchVariant.h"
#include "Bench/Check.h"
#include "Bench/Statistics.h"
#include "Bench/Verdict.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace metile::bench {

struct PairedOptions {
  double warmupMs = 5;       ///< Untimed work before each burst.
  double repMs = 60;         ///< Length of each burst; never under 0.2 ms.
  unsigned blocks = 20;      ///< Per case, and as many for the control.
  uint64_t seed = 431;       ///< Of the inputs and of the order of the blocks.
  unsigned threads = 1;      ///< For the record; variants are made with it by the tools.
  double margin = 0.01;      ///< δ: a smaller difference counts as the same.
  double settleMaxMs = 1000; ///< A process that is not quiet by then is measured all the same.
  /// Polled between bursts; true ends the run, and what was measured is kept as incomplete.
  std::function<bool()> interrupted;

  /// What `--quick` means: 6 blocks of short bursts.
  static PairedOptions quick();
};

/// Whose clock a time is from: ours, or the device's own.
enum class Metric : uint8_t { wall, gpu };

/// One burst: `sampleNs[i]` nanoseconds for `launchesPerSample` launches each.
struct Burst {
  Side side = Side::baseline;
  int64_t launchesPerSample = 1;
  std::vector<int64_t> sampleNs;
  /// Taken off every sample: what it costs to ask a variant in another process. Already subtracted.
  int64_t overheadNs = 0;
  std::vector<double> gpuUs; ///< Device time of each sample per launch, or empty.
  bool settled = true;       ///< False: something in the process still ran when the burst began.

  /// The value of the burst: the median time of one launch in microseconds on that clock. The
  /// device's clock requires `gpuUs`.
  double value(Metric metric = Metric::wall) const;
};

struct Block {
  BlockOrder order = BlockOrder::abba;
  std::array<Burst, 4> bursts; ///< In the order in which they ran.

  /// The values of the two bursts of one side, in order.
  std::array<double, 2> times(Side side, Metric metric = Metric::wall) const;
  double value(Metric metric = Metric::wall) const {
    return blockValue(times(Side::baseline, metric), times(Side::current, metric));
  }
};

/// True if every burst has the device's own times.
bool hasGpuTimes(std::span<const Block> blocks);
/// The clock that decides: the device's, where both have its times.
Metric decidingMetric(std::span<const Block> blocks, std::span<const Block> control);
std::vector<double> blockValues(std::span<const Block> blocks, Metric metric);
/// The values of all bursts of one side, in order.
std::vector<double> burstValues(std::span<const Block> blocks, Side side, Metric metric);

/// One side of one case.
struct SideResult {
  VariantDescription description;
  CheckResult check;      ///< Before timing.
  CheckResult checkAfter; ///< After timing; not run if the first failed or the run was interrupted.
  std::string error; ///< Why there is no time: could not be made, wrong, or failed while timed.
  bool ok() const { return error.empty(); }
};

enum class CaseStatus : uint8_t {
  ok,
  refused,    ///< A side could not run it or was wrong; no times.
  incomplete, ///< Interrupted; the blocks that were finished are there.
};

struct CaseResult {
  std::string kernel, name, dtype;
  std::vector<int64_t> shape;
  uint64_t seed = 0;
  double flops = 0, bytes = 0;
  Tolerance tolerance;
  std::string inputSha256;
  CaseStatus status = CaseStatus::ok;
  bool wrongResult = false; ///< A side's numbers were wrong: the run ends with exit code 1.
  SideResult baseline, current;
  std::vector<Block> blocks;
  std::vector<Block> control; ///< Baseline against its second preparation.
  Judgement judgement;        ///< Of `blocks`, with the control taken into account.
  Judgement controlJudgement;

  /// Median over the bursts of one side on the deciding clock; 0 without blocks.
  double timeUs(Side side) const;
};

struct RunResult {
  PairedOptions options;
  std::string baselineLabel, currentLabel;
  std::vector<CaseResult> cases;
  bool interrupted = false;

  bool anyWrong() const;
  bool anyRefused() const;
};

/// What the benchmark is doing, for those who watch. All calls come from the thread that runs it.
class ProgressSink {
public:
  virtual ~ProgressSink();
  virtual void beginRun(size_t cases) {}
  virtual void beginCase(size_t index, const std::string &name) {}
  /// "reference", "check", "calibrate", …
  virtual void phase(const std::string &what) {}
  /// `secondsLeft` is for the whole run, estimated from what ran so far; negative if unknown.
  virtual void block(unsigned done, unsigned of, double secondsLeft) {}
  virtual void endCase(const CaseResult &result) {}
  virtual void endRun() {}
};

/// Measures all cases. Whatever keeps one case from running (a side that fails, no memory for its
/// arguments) is an outcome of that case; only options out of range are errors.
Result<RunResult> runPaired(const PairedOptions &options, const std::vector<Case> &cases,
                            const VariantSource &baseline, const VariantSource &current,
                            ProgressSink *progress = nullptr);

} // namespace metile::bench
