// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Build.h"
#include "Emulator/Describe.h"
#include "Emulator/Interrupts.h"
#include "Emulator/KernelImpl.h"
#include "Emulator/LaunchBuffers.h"
#include "Emulator/ShardMerge.h"
#include "Runtime/Cpu/ThreadPool.h"
#include "Support/Nearest.h"
#include "Support/Stopwatch.h"
#include "Target/HostCpu.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace metile::emulator {
namespace {

/// A checked launch is cut into so many shards, whatever the machine, so that it finds the same
/// everywhere.
constexpr unsigned checkedShards = 4;

std::string text(const Dimensions &dimensions) {
  return std::to_string(dimensions[0]) + "," + std::to_string(dimensions[1]) + "," +
         std::to_string(dimensions[2]);
}
/// All bits set if 64 do not hold it.
uint64_t product(const Dimensions &dimensions) {
  uint64_t result = uint64_t(dimensions[0]) * dimensions[1];
  return __builtin_mul_overflow(result, uint64_t(dimensions[2]), &result) ? ~uint64_t(0) : result;
}
Extent extentOf(const Dimensions &dimensions) {
  return {dimensions[0], dimensions[1], dimensions[2]};
}

/// Runners and memory between launches: making them costs more than many a launch.
class Depot {
public:
  static Depot &get() {
    static Depot depot;
    return depot;
  }
  std::unique_ptr<GroupRunner> takeRunner() { return take(runners); }
  std::unique_ptr<LaunchMemory> takeMemory() { return take(memories); }
  void putBack(std::unique_ptr<GroupRunner> runner) { put(runners, std::move(runner)); }
  void putBack(std::unique_ptr<LaunchMemory> memory) { put(memories, std::move(memory)); }

  ThreadPool pool{std::max(detectCores(), 1u) - 1};

private:
  template <class T> std::unique_ptr<T> take(std::vector<std::unique_ptr<T>> &from) {
    std::lock_guard lock(mutex);
    if (from.empty())
      return std::make_unique<T>();
    std::unique_ptr<T> taken = std::move(from.back());
    from.pop_back();
    return taken;
  }
  template <class T> void put(std::vector<std::unique_ptr<T>> &into, std::unique_ptr<T> object) {
    std::lock_guard lock(mutex);
    into.push_back(std::move(object));
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<GroupRunner>> runners;
  std::vector<std::unique_ptr<LaunchMemory>> memories;
};

/// One launch from its arguments to its findings.
class Run {
public:
  Run(const Module &module, Checking checking, const Launch &launch, bool inPlace)
      : module(module), kernel(module.kernel()), launch(launch), inPlace(inPlace) {
    plan.checking = checking == Checking::full;
  }
  ~Run() {
    if (!memory)
      return;
    buffers.close();
    for (unsigned index : opened)
      memory->close(index);
    Depot::get().putBack(std::move(memory));
  }

  Result<Report> run() {
    if (Status grid = checkGrid(); !grid)
      return grid.takeErrors();
    if (Status bound = buffers.bind(kernel, module.name(), launch.buffers); !bound)
      return bound.takeErrors();
    if (Status bound = bindThreadgroupMemory(); !bound)
      return bound.takeErrors();
    if (Status filled = fill(); !filled)
      return filled.takeErrors();
    Stopwatch watch;
    if (Status ran = runShards(); !ran)
      return ran.takeErrors();
    Report report;
    report.microseconds = watch.us();
    if (Status judged = judgeOverwrites(); !judged)
      return judged.takeErrors();
    if (Status judged = judgeUnspecified(); !judged)
      return judged.takeErrors();
    buffers.copyBack();
    report.findings = describeFindings(findings, module, plan.threads);
    return report;
  }

private:
  Errors fail(const std::string &found, const std::string &allowed = {},
              const std::string &change = {}) const {
    return error(module.name() + ": " + found, allowed, change);
  }

  Status checkGrid() {
    for (uint32_t extent : launch.threads)
      if (extent == 0)
        return fail("threadgroups of " + text(launch.threads) + " threads",
                    "1 or more on each axis");
    uint64_t threads = product(launch.threads);
    if (threads > maxThreads)
      return fail(
          std::to_string(threads) + " threads in a threadgroup (" + text(launch.threads) + ")",
          "at most " + std::to_string(maxThreads), "use smaller threadgroups and more of them");
    if (kernel.threadLimit && threads > kernel.threadLimit)
      return fail(std::to_string(threads) + " threads in a threadgroup",
                  "the kernel says max_total_threads_per_threadgroup(" +
                      std::to_string(kernel.threadLimit) + ")");
    bool byGroups = product(launch.threadgroups) != 0, byThreads = product(launch.gridThreads) != 0;
    if (byGroups == byThreads)
      return fail(byGroups ? "the grid is given in threadgroups and in threads"
                           : "the grid is empty, or not given",
                  "one of the two: threadgroups, or threads of the whole grid");
    plan.threads = extentOf(launch.threads);
    if (byGroups) {
      for (size_t axis = 0; axis < 3; ++axis)
        if (uint64_t(launch.threadgroups[axis]) * launch.threads[axis] >> 32)
          return fail("threadgroups " + text(launch.threadgroups) + " of " + text(launch.threads) +
                          " threads",
                      "fewer than 2^32 threads on each axis of the grid");
      plan.groups = extentOf(launch.threadgroups);
      plan.gridThreads = {plan.groups.x * plan.threads.x, plan.groups.y * plan.threads.y,
                          plan.groups.z * plan.threads.z};
    } else {
      plan.gridThreads = extentOf(launch.gridThreads);
      auto groups = [](uint32_t all, uint32_t each) { return all / each + (all % each != 0); };
      plan.groups = {groups(plan.gridThreads.x, plan.threads.x),
                     groups(plan.gridThreads.y, plan.threads.y),
                     groups(plan.gridThreads.z, plan.threads.z)};
    }
    groupCount = product({plan.groups.x, plan.groups.y, plan.groups.z});
    if (groupCount >= uint64_t(1) << 32)
      return fail(std::to_string(groupCount) + " threadgroups", "fewer than 2^32");
    return Done{};
  }

  Status bindThreadgroupMemory() {
    size_t total = 0;
    for (unsigned i = 0; i < kernel.parameterCount; ++i) {
      const Parameter &parameter = kernel.parameters[i];
      if (parameter.kind != ParameterKind::threadgroupMemory || parameter.index < 0)
        continue;
      auto length = launch.threadgroupMemory.find(static_cast<uint32_t>(parameter.index));
      if (length == launch.threadgroupMemory.end())
        return fail("nothing says how long threadgroup argument " +
                        std::to_string(parameter.index) + " ('" + parameter.name + "') is",
                    {}, "give its length in bytes, 0 if the kernel has no use for it");
      plan.threadgroupBytes[parameter.index] = length->second;
      plan.threadgroupNames[parameter.index] = parameter.name;
      if (__builtin_add_overflow(total, length->second, &total))
        total = std::numeric_limits<size_t>::max();
    }
    for (const auto &[index, bytes] : launch.threadgroupMemory)
      if (bytes && (index >= maxBuffers || !plan.threadgroupBytes[index]))
        return fail("it has no threadgroup argument " + std::to_string(index));
    if (total > launch.threadgroupMemoryLimit)
      return fail(std::to_string(total) + " bytes of threadgroup memory",
                  "the chip has " + std::to_string(launch.threadgroupMemoryLimit));
    return Done{};
  }

  /// Gives each buffer its place.
  Status fill() {
    plan.module = &kernel;
    plan.codeFirst = module.codeFirst();
    plan.codeBytes = module.codeBytes();
    plan.threadgroupLimit = launch.threadgroupMemoryLimit;
    plan.stepLimit = launch.stepLimit;
    memory = Depot::get().takeMemory();
    if (Status reserved = memory->reserve(); !reserved)
      return reserved;
    plan.memory = memory.get();
    if (Status placed = buffers.place(inPlace ? nullptr : memory.get(), !plan.checking); !placed)
      return placed;
    for (unsigned index = 0; index < maxBuffers; ++index)
      plan.buffers[index] = buffers.pointer(index);
    for (const LaunchBuffers::Allocation &allocation : buffers.allocations())
      plan.bufferWindows[allocation.window] = {
          allocation.name, reinterpret_cast<uint64_t>(allocation.start), allocation.bytes};
    return Done{};
  }

  //===--- Running ---===//

  /// Threadgroups may all store one value to one place, as when the last of them is moved inward so
  /// that it does not reach over the edge. Whether the values are the same can only be told when
  /// the groups run one after another; so they do, once more, if there was such a conflict.
  Status judgeOverwrites() {
    if (!findings.hasGroupOverwrites())
      return Done{};
    FindingList before = std::move(findings);
    findings = {};
    plan.serial = true;
    Status ran = runAgain();
    plan.serial = false;
    before.replaceGroupRaces(findings);
    findings = std::move(before);
    return ran;
  }

  Status runAgain() {
    buffers.fill();
    shards.clear();
    nextShard = 0;
    return runShards();
  }

  /// A kernel may load what nobody wrote and never use it: the lanes beyond those that have a
  /// value, say. So it runs once more with other garbage for what Metal leaves open. If no output
  /// changes, none of it mattered.
  Status judgeUnspecified() {
    if (!findings.hasUnspecified())
      return Done{};
    std::vector<std::string> before = buffers.outputs();
    FindingList found = std::move(findings);
    findings = {};
    plan.garbage = static_cast<unsigned char>(~plan.garbage);
    if (Status ran = runAgain(); !ran)
      return ran;
    findings = std::move(found);
    if (buffers.outputs() == before)
      findings.dropUnspecified();
    return Done{};
  }

  struct Shard {
    uint64_t first = 0, end = 0;
    std::unique_ptr<GroupRunner> runner;
    std::vector<std::unique_ptr<ShadowRegion>> regions;
    std::vector<ShadowRegion *> byWindow;
    LaunchPlan plan;
  };

  /// The buffers' shadows for one shard. What is const to the kernel needs no cells at first.
  Status makeRegions(Shard &shard) {
    shard.byWindow.resize(maxBuffers, nullptr);
    for (const LaunchBuffers::Allocation &allocation : buffers.allocations()) {
      auto region = std::make_unique<ShadowRegion>();
      region->address = reinterpret_cast<uint64_t>(allocation.start);
      region->bytes = allocation.bytes;
      region->name = allocation.name;
      region->onDevice = true;
      region->uninitialised = allocation.uninitialised;
      bool needsCells = !allocation.readOnly || region->uninitialised;
      if (needsCells && !region->track())
        return fail("no memory for the shadow of buffer '" + allocation.name + "'");
      shard.byWindow[allocation.window] = region.get();
      shard.regions.push_back(std::move(region));
    }
    return Done{};
  }

  Status runShards() {
    unsigned workers = launch.workers ? launch.workers : std::max(detectCores(), 1u);
    workers = std::min(workers, LaunchMemory::workerWindows);
    workers = static_cast<unsigned>(std::min<uint64_t>(workers, plan.serial ? 1 : groupCount));
    unsigned count = plan.serial ? 1
                     : plan.checking
                         ? static_cast<unsigned>(std::min<uint64_t>(checkedShards, groupCount))
                         : workers;
    shards.resize(count);
    for (unsigned i = 0; i < count; ++i) {
      Shard &shard = shards[i];
      shard.first = groupCount * i / count;
      shard.end = groupCount * (i + 1) / count;
      shard.plan = plan;
      if (plan.checking) {
        if (Status made = makeRegions(shard); !made)
          return made;
        shard.plan.bufferRegions = shard.byWindow;
      }
      shard.runner = Depot::get().takeRunner();
      opened.push_back(LaunchMemory::bufferWindows + i);
      if (Status begun = shard.runner->begin(shard.plan, i); !begun)
        return begun;
    }
    {
      Watchdog dog(launch.secondsLimit);
      watchdog = &dog;
      auto body = [](void *run, int64_t) { static_cast<Run *>(run)->work(); };
      if (workers <= 1 || !Depot::get().pool.run(workers, body, this))
        work();
    }
    for (Shard &shard : shards)
      findings.merge(shard.runner->checks().findings());
    if (plan.checking)
      for (size_t b = 1; b < shards.size(); ++b)
        for (size_t a = 0; a < b; ++a)
          for (size_t region = 0; region < shards[a].regions.size(); ++region)
            mergeShards(*shards[a].regions[region], shards[a].runner->checks(),
                        *shards[b].regions[region], shards[b].runner->checks(), findings);
    for (Shard &shard : shards) {
      shard.runner->end();
      Depot::get().putBack(std::move(shard.runner));
    }
    return Done{};
  }

  /// What each worker does: takes shards until there are none.
  void work() {
    FaultGuard guard;
    for (;;) {
      unsigned index = nextShard.fetch_add(1);
      if (index >= shards.size())
        break;
      Shard &shard = shards[index];
      watchdog->watch(shard.runner.get());
      if (plan.checking)
        for (uint64_t group = shard.first; group < shard.end; ++group) {
          if (!shard.runner->runGroup(group))
            break;
        }
      else
        runFast(*shard.runner);
      watchdog->watch(nullptr);
    }
  }

  /// Groups in the order in which workers come for them, a few at a time.
  void runFast(GroupRunner &runner) {
    uint64_t piece = std::max<uint64_t>(1, groupCount / (shards.size() * 16));
    for (;;) {
      uint64_t first = nextGroup.fetch_add(piece);
      if (first >= groupCount)
        return;
      for (uint64_t group = first; group < std::min(first + piece, groupCount); ++group)
        // After a fault the memory holds no result; the rest need not run.
        if (!runner.runGroup(group) || !runner.checks().findings().empty()) {
          nextGroup = groupCount;
          return;
        }
    }
  }

  const Module &module;
  const KernelModule &kernel;
  const Launch &launch;
  bool inPlace;
  LaunchPlan plan;
  uint64_t groupCount = 0;
  LaunchBuffers buffers;
  std::unique_ptr<LaunchMemory> memory;
  std::vector<unsigned> opened;
  std::vector<Shard> shards;
  std::atomic<unsigned> nextShard{0};
  std::atomic<uint64_t> nextGroup{0};
  Watchdog *watchdog = nullptr;
  FindingList findings;
};

std::string typeText(const Parameter &parameter) {
  auto scalar = [&]() -> std::string {
    std::string bits = std::to_string(parameter.scalarBytes * 8);
    switch (parameter.scalar) {
    case ScalarKind::boolean:
      return "bool";
    case ScalarKind::signedInteger:
      return "i" + bits;
    case ScalarKind::unsignedInteger:
      return "u" + bits;
    case ScalarKind::floating:
      return "f" + bits;
    case ScalarKind::bfloat:
      return "bf16";
    default:
      return "struct of " + std::to_string(parameter.bytes) + " bytes";
    }
  };
  std::string type = scalar();
  if (parameter.scalarBytes && parameter.bytes > parameter.scalarBytes)
    type += "x" + std::to_string(parameter.bytes / parameter.scalarBytes);
  return type;
}

} // namespace

Result<Report> launchModule(const Module &module, Checking checking, const Launch &launch,
                            bool inPlace) {
  return Run(module, checking, launch, inPlace).run();
}

std::vector<ParameterInfo> parametersOf(const Module &module) {
  std::vector<ParameterInfo> parameters;
  const KernelModule &kernel = module.kernel();
  for (unsigned i = 0; i < kernel.parameterCount; ++i) {
    const Parameter &parameter = kernel.parameters[i];
    ParameterInfo info;
    info.name = parameter.name;
    using Kind = ParameterInfo::Kind;
    info.kind = parameter.kind == ParameterKind::buffer              ? Kind::buffer
                : parameter.kind == ParameterKind::threadgroupMemory ? Kind::threadgroupMemory
                : parameter.kind == ParameterKind::builtin           ? Kind::builtin
                                                                     : Kind::unsupported;
    info.index = info.kind == Kind::builtin ? -1 : parameter.index;
    info.elementBytes = parameter.bytes;
    info.type = info.kind == Kind::builtin ? std::string(parameter.attribute) : typeText(parameter);
    info.readOnly = parameter.readOnly;
    info.reference = parameter.reference;
    parameters.push_back(std::move(info));
  }
  return parameters;
}

//===--- Kernel ---===//

Result<Kernel> Kernel::build(const Source &source, const BuildOptions &options) {
  Result<BuildResult> built = buildModule(source, options);
  if (!built)
    return built.takeErrors();
  Kernel kernel;
  kernel.impl = std::make_shared<Impl>();
  kernel.impl->module = std::move(built->module);
  kernel.impl->fromCache = built->fromCache;
  kernel.impl->checking = options.checking;
  kernel.impl->parameters = parametersOf(*kernel.impl->module);
  return kernel;
}

const std::string &Kernel::name() const { return impl->module->name(); }
const std::vector<ParameterInfo> &Kernel::parameters() const { return impl->parameters; }
bool Kernel::fromCache() const { return impl->fromCache; }

Result<Report> Kernel::launch(const Launch &launch) const {
  return launchModule(*impl->module, impl->checking, launch, false);
}

} // namespace metile::emulator
