// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Paired.h"

#include "Bench/Settle.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace metile::bench {

BenchVariant::~BenchVariant() = default;
ProgressSink::~ProgressSink() = default;

std::string plainText(const Errors &errors) {
  std::string text;
  for (const Diagnostic &diagnostic : errors.diagnostics) {
    text += text.empty() ? "" : "\n";
    if (diagnostic.location.known())
      text += diagnostic.location.str() + ": ";
    text += diagnostic.text();
  }
  return text;
}

namespace {

constexpr double shortestBurstNs = 200e3;
/// A sample shorter than this would measure the clock: reading it costs about 50 ns.
constexpr double shortestSampleNs = 20e3;
/// The same for a variant in another process, where a sample costs a round trip.
constexpr double shortestRemoteSampleNs = 2e6;
/// More samples of one burst say no more about its median, and make the record large.
constexpr double samplesPerBurst = 48;
/// Reached only where launches are much faster than they ever were before.
constexpr size_t mostSamples = 1000;

/// A prepared variant and what is known of its speed.
struct Subject {
  std::unique_ptr<BenchVariant> variant;
  double sampleNs = 0;        ///< How long a sample should take.
  double launchNs = HUGE_VAL; ///< The shortest time of one launch seen so far.

  /// Takes a run of so many launches into account.
  void learn(int64_t launches, double elapsedNs) {
    launchNs = std::min(launchNs, std::max(elapsedNs, 1.0) / static_cast<double>(launches));
  }
  int64_t launchesPerSample() const {
    return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(sampleNs / launchNs)));
  }
};

class CaseRun {
public:
  CaseRun(const PairedOptions &options, const Case &benchCase, CaseResult &result,
          ProgressSink &progress)
      : options(options), benchCase(benchCase), result(result), progress(progress) {}

  /// False: a side is refused and `result` says why. An error keeps both sides from running.
  Result<bool> prepare(const VariantSource &baselineSource, const VariantSource &currentSource);
  /// Times all blocks, or as many as there are before an interruption.
  void measure(const std::function<void(unsigned)> &blockDone);
  void checkAgain();

private:
  bool make(const VariantSource &source, Subject &subject, SideResult &side);
  bool checkSide(Subject &subject, SideResult &side, CheckResult &check);
  /// Empty if the outputs are right after one launch.
  std::string runAndCheck(BenchVariant &variant, CheckResult &check);
  bool calibrate(Subject &subject, SideResult &side);
  Result<Burst> measureBurst(Subject &subject, Side side);
  /// Nothing if interrupted or failed; then `failed` says which.
  std::optional<Block> measureBlock(BlockOrder order, Subject &a, Subject &b, SideResult &sideB);
  std::vector<int64_t> remoteProcesses() const;
  void fail(SideResult &side, const std::string &message);
  double burstNs() const { return std::max(options.repMs * 1e6, shortestBurstNs); }
  bool interrupted() const { return options.interrupted && options.interrupted(); }

  const PairedOptions &options;
  const Case &benchCase;
  CaseResult &result;
  ProgressSink &progress;
  std::optional<ArgumentSet> arguments;
  ReferenceArrays expected;
  Subject baseline, control, current;
};

void CaseRun::fail(SideResult &side, const std::string &message) {
  side.error = message;
  result.status = CaseStatus::refused;
}

bool CaseRun::make(const VariantSource &source, Subject &subject, SideResult &side) {
  Result<std::unique_ptr<BenchVariant>> made = source.make(benchCase, *arguments);
  if (!made) {
    fail(side, plainText(made.errors()));
    return false;
  }
  subject.variant = std::move(*made);
  side.description = subject.variant->describe();
  return true;
}

std::string CaseRun::runAndCheck(BenchVariant &variant, CheckResult &check) {
  bool integers = std::any_of(
      arguments->arguments().begin(), arguments->arguments().end(),
      [](const Argument &argument) { return argument.output && !isFloat(argument.dtype); });
  // An integer may rightly equal one poison, but not both.
  for (unsigned salt = 0; salt < (integers ? 2u : 1u); ++salt) {
    for (Argument &argument : arguments->arguments())
      if (argument.output && !argument.input)
        poison(argument, salt);
    arguments->restoreInOut();
    if (Result<std::optional<double>> ran = variant.run(1); !ran)
      return plainText(ran.errors());
    check.done = true;
    check.right = true;
    for (size_t i = 0; i < arguments->arguments().size(); ++i) {
      const Argument &argument = arguments->arguments()[i];
      if (!argument.output)
        continue;
      CheckResult one = bench::check(argument, expected[i], benchCase.tolerance, salt);
      check.maxAbsoluteError = std::max(check.maxAbsoluteError, one.maxAbsoluteError);
      check.maxErrorOverBound = std::max(check.maxErrorOverBound, one.maxErrorOverBound);
      check.mismatches += one.mismatches;
      if (!one.right) {
        check.right = false;
        check.message += (check.message.empty() ? "" : "\n") + one.message;
      }
    }
    std::string damaged = arguments->damagedGuard(), changed = arguments->changedInput();
    if (!damaged.empty())
      check.message += fmt::format("{}it wrote outside of '{}'", check.right ? "" : "\n", damaged);
    if (!changed.empty())
      check.message +=
          fmt::format("{}it changed its input '{}'", check.message.empty() ? "" : "\n", changed);
    check.right = check.right && damaged.empty() && changed.empty();
    if (!check.right)
      return check.message;
  }
  return {};
}

bool CaseRun::checkSide(Subject &subject, SideResult &side, CheckResult &check) {
  std::string message = runAndCheck(*subject.variant, check);
  if (message.empty())
    return true;
  result.wrongResult |= check.done && !check.right;
  fail(side, message);
  return false;
}

Result<bool> CaseRun::prepare(const VariantSource &baselineSource,
                              const VariantSource &currentSource) {
  progress.phase("inputs");
  bool shared = baselineSource.needsSharedMemory || currentSource.needsSharedMemory;
  Result<ArgumentSet> made = ArgumentSet::make(benchCase, result.seed, shared);
  if (!made)
    return made.takeErrors();
  arguments.emplace(std::move(*made));
  result.inputSha256 = arguments->inputSha256();

  progress.phase("reference");
  expected.clear();
  for (const Argument &argument : arguments->arguments()) {
    std::vector<double> values;
    if (argument.isScalar) {
      values.push_back(
          readElement(argument.dtype, reinterpret_cast<const std::byte *>(&argument.scalar)));
    } else {
      values.resize(static_cast<size_t>(argument.count()));
      if (argument.input)
        for (int64_t i = 0; i < argument.count(); ++i)
          values[static_cast<size_t>(i)] = argument.read(i);
    }
    expected.push_back(std::move(values));
  }
  if (!benchCase.reference)
    return error(fmt::format("case '{}' has no reference", benchCase.name),
                 "a case states what its outputs must hold", "give Case::reference");
  benchCase.reference(expected);
  for (size_t i = 0; i < expected.size(); ++i) {
    const Argument &argument = arguments->arguments()[i];
    if (argument.output && static_cast<int64_t>(expected[i].size()) != argument.count())
      return error(fmt::format("the reference of case '{}' made {} elements for '{}'",
                               benchCase.name, expected[i].size(), argument.name),
                   fmt::format("it has {}", argument.count()));
  }

  progress.phase("prepare");
  bool madeBoth = make(baselineSource, baseline, result.baseline);
  madeBoth &= make(currentSource, current, result.current);
  if (!madeBoth || !make(baselineSource, control, result.baseline))
    return false;
  progress.phase("check");
  bool right = checkSide(baseline, result.baseline, result.baseline.check);
  // A side that damaged the memory leaves nothing by which the other could be judged.
  if (right || (arguments->damagedGuard().empty() && arguments->changedInput().empty()))
    right &= checkSide(current, result.current, result.current.check);
  CheckResult again;
  if (!right || !checkSide(control, result.baseline, again))
    return false;
  progress.phase("calibrate");
  return calibrate(baseline, result.baseline) && calibrate(control, result.baseline) &&
         calibrate(current, result.current);
}

bool CaseRun::calibrate(Subject &subject, SideResult &side) {
  double shortest = subject.variant->isRemote() ? shortestRemoteSampleNs : shortestSampleNs;
  subject.sampleNs = std::max(burstNs() / samplesPerBurst, shortest);
  // Ask for more and more launches until the time of all is long enough to divide.
  double enoughNs = std::min(subject.sampleNs, 5e6);
  for (int64_t launches = 1;; launches *= 4) {
    int64_t start = nowNs();
    if (Result<std::optional<double>> ran = subject.variant->run(launches); !ran) {
      fail(side, plainText(ran.errors()));
      return false;
    }
    auto elapsed = static_cast<double>(nowNs() - start);
    subject.learn(launches, elapsed);
    if (elapsed >= enoughNs || launches > (int64_t(1) << 40))
      return true;
  }
}

std::vector<int64_t> CaseRun::remoteProcesses() const {
  std::vector<int64_t> processes;
  for (const Subject *subject : {&baseline, &control, &current})
    if (int64_t process = subject->variant ? subject->variant->remoteProcess() : 0)
      processes.push_back(process);
  return processes;
}

Result<Burst> CaseRun::measureBurst(Subject &subject, Side side) {
  BenchVariant &variant = *subject.variant;
  Burst burst;
  burst.side = side;
  arguments->restoreInOut();
  SettleResult quiet = settle(options.settleMaxMs, remoteProcesses());
  burst.settled = quiet.quiet;

  int64_t warmUntil = nowNs() + static_cast<int64_t>(options.warmupMs * 1e6);
  for (int64_t start = nowNs(), end = 0; end < warmUntil; start = end) {
    int64_t launches = subject.launchesPerSample();
    if (Result<std::optional<double>> ran = variant.run(launches); !ran)
      return ran.takeErrors();
    end = nowNs();
    subject.learn(launches, static_cast<double>(end - start));
  }
  burst.launchesPerSample = subject.launchesPerSample();

  if (variant.isRemote()) {
    std::array<int64_t, 9> trips;
    for (int64_t &trip : trips) {
      int64_t start = nowNs();
      if (Result<std::optional<double>> ran = variant.run(0); !ran)
        return ran.takeErrors();
      trip = nowNs() - start;
    }
    // The lower quartile: on a busy machine the middle one would take off more than asking costs.
    std::sort(trips.begin(), trips.end());
    burst.overheadNs = trips[2];
  }

  bool deviceClock = true;
  double total = 0;
  for (size_t i = 0; i < mostSamples && total < burstNs(); ++i) {
    int64_t start = nowNs();
    Result<std::optional<double>> ran = variant.run(burst.launchesPerSample);
    int64_t elapsed = nowNs() - start;
    if (!ran)
      return ran.takeErrors();
    burst.sampleNs.push_back(std::max<int64_t>(1, elapsed - burst.overheadNs));
    total += static_cast<double>(elapsed);
    deviceClock &= ran->has_value();
    if (deviceClock)
      burst.gpuUs.push_back(**ran / static_cast<double>(burst.launchesPerSample));
  }
  if (!deviceClock)
    burst.gpuUs.clear();
  return burst;
}

std::optional<Block> CaseRun::measureBlock(BlockOrder order, Subject &a, Subject &b,
                                           SideResult &sideB) {
  Block block;
  block.order = order;
  for (unsigned position = 0; position < 4; ++position) {
    if (interrupted()) {
      result.status = CaseStatus::incomplete;
      return std::nullopt;
    }
    Side side = sideAt(order, position);
    Subject &subject = side == Side::baseline ? a : b;
    Result<Burst> burst = measureBurst(subject, side);
    if (!burst) {
      fail(side == Side::baseline ? result.baseline : sideB, plainText(burst.errors()));
      return std::nullopt;
    }
    block.bursts[position] = std::move(*burst);
  }
  return block;
}

void CaseRun::measure(const std::function<void(unsigned)> &blockDone) {
  constexpr uint64_t controlStream = 0x636f6e74726f6cULL;
  for (unsigned i = 0; i < options.blocks; ++i) {
    std::optional<Block> block =
        measureBlock(flipOrder(result.seed, i), baseline, current, result.current);
    if (!block)
      break;
    // Both kinds of block in turn, so that the control sees the same machine.
    std::optional<Block> same =
        measureBlock(flipOrder(result.seed ^ controlStream, i), baseline, control, result.baseline);
    result.blocks.push_back(std::move(*block));
    if (!same)
      break;
    result.control.push_back(std::move(*same));
    blockDone(i + 1);
  }
}

void CaseRun::checkAgain() {
  progress.phase("check again");
  bool right = checkSide(baseline, result.baseline, result.baseline.checkAfter);
  if (right || (arguments->damagedGuard().empty() && arguments->changedInput().empty()))
    checkSide(current, result.current, result.current.checkAfter);
}

Status validate(const PairedOptions &options) {
  if (options.blocks < 1 || options.blocks > 100000)
    return error(fmt::format("{} blocks", options.blocks), "1 to 100000");
  if (!(options.repMs > 0 && options.repMs <= 1e6))
    return error(fmt::format("a burst of {} ms", options.repMs), "more than 0, at most 1000000 ms");
  if (!(options.warmupMs >= 0 && options.warmupMs <= 1e6))
    return error(fmt::format("a warm-up of {} ms", options.warmupMs), "0 to 1000000 ms");
  if (!(options.margin > 0 && options.margin < 1))
    return error(fmt::format("a margin of {}", options.margin), "above 0, below 1");
  return Done{};
}

} // namespace

PairedOptions PairedOptions::quick() {
  PairedOptions options;
  options.blocks = 6;
  options.warmupMs = 3;
  options.repMs = 25;
  return options;
}

double Burst::value(Metric metric) const {
  if (metric == Metric::gpu)
    return median(gpuUs);
  std::vector<double> samples(sampleNs.begin(), sampleNs.end());
  return median(samples) / static_cast<double>(launchesPerSample) / 1e3;
}

std::array<double, 2> Block::times(Side side, Metric metric) const {
  std::array<double, 2> result{};
  size_t next = 0;
  for (const Burst &burst : bursts)
    if (burst.side == side && next < 2)
      result[next++] = burst.value(metric);
  return result;
}

bool hasGpuTimes(std::span<const Block> blocks) {
  return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), [](const Block &block) {
    return std::all_of(block.bursts.begin(), block.bursts.end(),
                       [](const Burst &burst) { return !burst.gpuUs.empty(); });
  });
}

Metric decidingMetric(std::span<const Block> blocks, std::span<const Block> control) {
  return hasGpuTimes(blocks) && hasGpuTimes(control) ? Metric::gpu : Metric::wall;
}

std::vector<double> blockValues(std::span<const Block> blocks, Metric metric) {
  std::vector<double> result;
  for (const Block &block : blocks)
    result.push_back(block.value(metric));
  return result;
}

std::vector<double> burstValues(std::span<const Block> blocks, Side side, Metric metric) {
  std::vector<double> result;
  for (const Block &block : blocks)
    for (double time : block.times(side, metric))
      result.push_back(time);
  return result;
}

double CaseResult::timeUs(Side side) const {
  if (blocks.empty())
    return 0;
  return median(burstValues(blocks, side, decidingMetric(blocks, control)));
}

bool RunResult::anyWrong() const {
  return std::any_of(cases.begin(), cases.end(), [](const CaseResult &c) { return c.wrongResult; });
}

bool RunResult::anyRefused() const {
  return std::any_of(cases.begin(), cases.end(),
                     [](const CaseResult &c) { return c.status == CaseStatus::refused; });
}

Result<RunResult> runPaired(const PairedOptions &options, const std::vector<Case> &cases,
                            const VariantSource &baseline, const VariantSource &current,
                            ProgressSink *progress) {
  if (Status valid = validate(options); !valid)
    return valid.takeErrors();
  ProgressSink silent;
  ProgressSink &sink = progress ? *progress : silent;
  RunResult run;
  run.options = options;
  run.baselineLabel = baseline.label;
  run.currentLabel = current.label;
  sink.beginRun(cases.size());
  int64_t blocksDone = 0, blockNs = 0;
  for (size_t index = 0; index < cases.size() && !run.interrupted; ++index) {
    const Case &benchCase = cases[index];
    CaseResult result;
    result.kernel = benchCase.kernel;
    result.name = benchCase.name;
    result.dtype = longName(benchCase.dtype);
    result.shape = benchCase.shape;
    result.seed = options.seed + index;
    result.flops = benchCase.flops;
    result.bytes = benchCase.bytes;
    result.tolerance = benchCase.tolerance;
    sink.beginCase(index, benchCase.name);
    CaseRun caseRun(options, benchCase, result, sink);
    Result<bool> prepared = caseRun.prepare(baseline, current);
    if (!prepared) {
      result.status = CaseStatus::refused;
      result.baseline.error = result.current.error = plainText(prepared.errors());
    } else if (*prepared) {
      int64_t last = nowNs();
      caseRun.measure([&](unsigned done) {
        int64_t now = nowNs();
        ++blocksDone;
        blockNs += now - last;
        last = now;
        int64_t left = static_cast<int64_t>(options.blocks - done) +
                       static_cast<int64_t>((cases.size() - index - 1) * options.blocks);
        sink.block(done, options.blocks,
                   static_cast<double>(blockNs) / static_cast<double>(blocksDone) *
                       static_cast<double>(left) / 1e9);
      });
      if (result.status == CaseStatus::ok)
        caseRun.checkAgain();
    }
    if (result.status == CaseStatus::refused) {
      // A side that turned out wrong has no time, whatever was measured before.
      result.blocks.clear();
      result.control.clear();
    }
    Metric metric = decidingMetric(result.blocks, result.control);
    std::vector<double> controlValues = blockValues(result.control, metric);
    result.judgement = judge(blockValues(result.blocks, metric), controlValues, options.margin);
    result.controlJudgement = judge(controlValues, options.margin);
    run.interrupted =
        result.status == CaseStatus::incomplete || (options.interrupted && options.interrupted());
    sink.endCase(result);
    run.cases.push_back(std::move(result));
  }
  sink.endRun();
  return run;
}

} // namespace metile::bench
