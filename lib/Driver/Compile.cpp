// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "metile/compile.h"

#include "Digest/Sha256.h"
#include "Driver/Cache.h"
#include "Driver/CompileModule.h"
#include "Driver/Planner.h"
#include "Frontend/Frontend.h"
#include "Report/ExecutionReport.h"
#include "Support/Nearest.h"
#include "Support/Stopwatch.h"
#include "Target/KnownTargets.h"
#include "Target/Schedule.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Config/llvm-config.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace metile {

namespace {

/// The context all compilations of this process share: making one costs more than a small kernel.
struct SharedContext {
  std::mutex mutex;
  mlir::MLIRContext context{registry(), mlir::MLIRContext::Threading::DISABLED};

  SharedContext() { context.loadAllAvailableDialects(); }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry dialects;
    registerAllDialects(dialects);
    return dialects;
  }

  static SharedContext &get() {
    static SharedContext shared;
    return shared;
  }
};

} // namespace

/// The largest power of two that divides `number`, at most 1024: no tile asks for more.
static int64_t divisibility(int64_t number) {
  int64_t power = 1;
  while (power < 1024 && number % (2 * power) == 0)
    power *= 2;
  return power;
}

static void viewFacts(const ArgumentSpec &spec, uint32_t argument, SizeFacts sizes,
                      std::vector<Fact> &facts) {
  auto rank = static_cast<uint32_t>(spec.sizes.size());
  for (uint32_t axis = 0; axis < rank; ++axis) {
    int64_t size = spec.sizes[axis];
    if (sizes == SizeFacts::exact)
      facts.push_back({Fact::Kind::sizeEquals, argument, axis, size});
    else if (sizes == SizeFacts::divisibility && divisibility(size) > 1)
      facts.push_back({Fact::Kind::sizeDivisible, argument, axis, divisibility(size)});
    bool dense = spec.strides.empty();
    if (dense ? axis + 1 == rank : spec.strides[axis] == 1 && (size > 1 || axis + 1 == rank))
      facts.push_back({Fact::Kind::strideEquals, argument, axis, 1});
  }
  if (spec.alignment > 1)
    facts.push_back({Fact::Kind::aligned, argument, 0, spec.alignment});
}

/// "1 size", "2 sizes".
static std::string counted(size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// Types and facts of the arguments, or what is wrong with them.
static Result<Specialization> specialize(const Kernel &kernel,
                                         const std::vector<ArgumentSpec> &arguments,
                                         const CompileOptions &options) {
  Specialization result;
  result.arguments = argumentsOf(kernel);
  if (arguments.size() != result.arguments.size())
    return error(
        fmt::format("kernel {} is given {}", kernel.name(), counted(arguments.size(), "argument")),
        fmt::format("it has {}", counted(result.arguments.size(), "parameter")),
        "describe each parameter in its order");
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    ArgumentInfo &info = result.arguments[i];
    const ArgumentSpec &spec = arguments[i];
    info.dtype = spec.dtype;
    if (info.isView()) {
      if (!spec.strides.empty() && spec.strides.size() != spec.sizes.size())
        return error(fmt::format("argument {} has {} and {}", info.name,
                                 counted(spec.sizes.size(), "size"),
                                 counted(spec.strides.size(), "stride")),
                     "one stride an axis, or none for row-major");
      info.rank = static_cast<uint32_t>(spec.sizes.size());
      viewFacts(spec, i, options.sizes, result.facts);
    } else if (info.role == ArgumentRole::pointer) {
      if (spec.alignment > 1)
        result.facts.push_back({Fact::Kind::aligned, i, 0, spec.alignment});
    } else if (isInteger(spec.dtype) && options.sizes == SizeFacts::exact) {
      result.facts.push_back({Fact::Kind::scalarEquals, i, 0, spec.value});
    } else if (isInteger(spec.dtype) && options.sizes == SizeFacts::divisibility &&
               spec.value > 0 && divisibility(spec.value) > 1) {
      result.facts.push_back({Fact::Kind::scalarDivisible, i, 0, divisibility(spec.value)});
    }
    result.sizes.push_back(spec.sizes);
  }
  return result;
}

static std::string listValues(const std::vector<int64_t> &values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

/// Adds a value for each option of the kernel: the caller's, else the default.
static Status addOptions(const Kernel &kernel, const CompileOptions &options,
                         Specialization &specialization) {
  std::vector<std::string> known;
  for (const Kernel::Constant &constant : kernel.constants()) {
    if (!constant.isOption)
      continue;
    known.push_back(constant.name);
    int64_t value = constant.values.front();
    for (const auto &[option, given] : options.options)
      if (option == constant.name)
        value = given;
    if (std::find(constant.values.begin(), constant.values.end(), value) == constant.values.end())
      return error(kernel.definition(), fmt::format("option {}={}", constant.name, value),
                   fmt::format("{} is one of {}", constant.name, listValues(constant.values)));
    specialization.constants.emplace_back(constant.name, value);
  }
  for (const auto &[option, given] : options.options)
    if (std::find(known.begin(), known.end(), option) == known.end()) {
      std::vector<std::string> nearest = nearestNames(option, known);
      return error(fmt::format("kernel {} has no option {}", kernel.name(), option),
                   known.empty() ? "it has none" : "its options are " + listNames(known, "and"),
                   nearest.empty() ? "" : "did you mean " + listNames(nearest) + "?");
    }
  return Done{};
}

/// Everything the artifact depends on, in one text.
static std::string cacheKey(const Trace &trace, const TargetDesc &target, const Schedule &schedule,
                            unsigned threads, Probes probes) {
  std::string text =
      fmt::format("metile cache 1\n{}\n{}\n", compilerBuildId(), LLVM_VERSION_STRING);
  text += fmt::format("{} {} {} {} {}\n", target.name, target.triple, target.llvmCpu,
                      target.featureList(), threads);
  for (const CacheDesc &cache : target.caches)
    text += fmt::format("{} {} {}\n", cache.bytes, cache.ways, cache.sharers);
  text += fmt::format("{} probes={}\n", schedule.str(), static_cast<int>(probes));
  for (const auto &[constant, value] : trace.constants)
    text += fmt::format("{}={}\n", constant, value);
  for (const Fact &fact : trace.facts)
    text += fact.str(trace.arguments) + "\n";
  text += canonicalText(trace);
  return sha256(text);
}

/// States the constants that the schedule fixes: no choice of ours, but what the code was made for.
static Decision requestedConstants(const Kernel &kernel, const Schedule &schedule) {
  Decision decision;
  decision.id = DecisionId::blockConstants;
  decision.subject = kernel.name();
  decision.location = kernel.definition();
  decision.requested = true;
  for (const auto &[constant, value] : schedule.constants())
    decision.chosen += fmt::format("{}{}={}", decision.chosen.empty() ? "" : ",", constant, value);
  decision.reason = "The schedule asks for it.";
  decision.wouldChange = "Leaving them out of the schedule lets the planner choose.";
  return decision;
}

static Decision threadDecision(const WorkSummary &work, const TargetDesc &target,
                               unsigned threads) {
  Decision decision;
  decision.id = DecisionId::threads;
  decision.subject = "grid";
  decision.unit = "us";
  unsigned useful = static_cast<unsigned>(std::clamp(work.programs, 1.0, double(threads)));
  decision.chosen = std::to_string(useful);
  decision.cost = launchNs(work, target, useful) / 1000;
  for (unsigned other = 1; other <= threads; other *= 2)
    if (other != useful)
      decision.alternatives.push_back({std::to_string(other),
                                       other <= work.programs
                                           ? std::optional(launchNs(work, target, other) / 1000)
                                           : std::nullopt,
                                       other <= work.programs ? "" : "more threads than programs"});
  decision.reason = fmt::format("{:g} programs of about {:.4g} us each.", work.programs,
                                programNs(work, target) / 1000);
  decision.wouldChange =
      "More programs (smaller blocks), or another number of threads. A launch too "
      "short to share runs on the calling thread alone.";
  return decision;
}

Result<Artifact> compile(const Kernel &kernel, const std::vector<ArgumentSpec> &arguments,
                         const CompileOptions &options, CompileTimings *timings) {
  CompileTimings ignored;
  CompileTimings &times = timings ? *timings : ignored;
  times = {};
  Stopwatch total;

  Result<TargetDesc> target = findTarget(options.target);
  if (!target)
    return target.takeErrors();
  std::vector<ConstantChoice> choices;
  for (const Kernel::Constant &constant : kernel.constants())
    if (!constant.isOption)
      choices.push_back({constant.name, constant.values});
  Result<Schedule> schedule = Schedule::parse(options.schedule, choices, target->kind);
  if (!schedule)
    return schedule.takeErrors();
  if (Status honoured = checkSchedule(*schedule, *target); !honoured)
    return honoured.takeErrors();
  Result<Specialization> specialization = specialize(kernel, arguments, options);
  if (!specialization)
    return specialization.takeErrors();
  if (Status set = addOptions(kernel, options, *specialization); !set)
    return set.takeErrors();
  for (const auto &constant : schedule->constants())
    specialization->constants.push_back(constant);

  auto threads = static_cast<unsigned>(
      schedule->number(ScheduleField::threads).value_or(std::max(1u, options.threads)));
  auto cost = [&](const WorkSummary &work) { return launchNs(work, *target, threads); };
  Kernel variant = kernel;
  if (auto math = schedule->choice(ScheduleField::math))
    variant = kernel.with(*math == "strict" ? Math::strict : Math::standard);
  Result<PlannedTrace> planned = planTrace(variant, std::move(*specialization), arguments, cost);
  if (!planned)
    return planned.takeErrors();
  times.planUs = total.us();

  ArtifactCache cache(options.cacheDirectory);
  std::string key;
  // The interpreter's code names lines of the source, which keys leave out; nor is it worth
  // keeping. So do debug sites, below.
  bool useCache = options.useCache && target->kind != TargetKind::reference;
  if (useCache) {
    key = cacheKey(planned->trace, *target, *schedule, threads, options.probes);
    if (std::optional<Artifact> hit = cache.find(key)) {
      times.cacheHit = true;
      times.totalUs = total.us();
      return std::move(*hit);
    }
  }

  Artifact artifact;
  artifact.kernel = kernel.name();
  artifact.constants = planned->trace.constants;
  artifact.arguments = planned->trace.arguments;
  artifact.facts = planned->trace.facts;

  SharedContext &shared = SharedContext::get();
  std::lock_guard lock(shared.mutex);
  Stopwatch building;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      buildModule(planned->trace, shared.context, options.probes);
  double buildUs = building.us();
  Result<Lowered> lowered = lowerModule(*module, *target, *schedule, planned->work, artifact);
  if (!lowered)
    return lowered.takeErrors();
  times.lowerUs = buildUs + lowered->lowerUs;
  times.codegenUs = lowered->codegenUs;

  DecisionLog decisions = std::move(planned->decisions);
  if (!schedule->constants().empty())
    decisions.insert(decisions.begin(), requestedConstants(kernel, *schedule));
  if (target->kind == TargetKind::cpu)
    decisions.push_back(threadDecision(planned->work, *target, threads));
  DecisionLog &whileLowering = lowered->report.decisions;
  std::move(whileLowering.begin(), whileLowering.end(), std::back_inserter(decisions));
  whileLowering = std::move(decisions);
  artifact.report = executionReport(artifact, lowered->report).dump(2);

  if (useCache && artifact.debugSites.empty())
    cache.insert(key, artifact);
  times.totalUs = total.us();
  return artifact;
}

} // namespace metile
