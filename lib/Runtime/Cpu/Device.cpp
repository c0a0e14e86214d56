// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Cpu/Grid.h"
#include "Runtime/Cpu/ThreadPool.h"
#include "Runtime/HostBuffer.h"
#include "Runtime/Impl.h"
#include "Support/Nearest.h"
#include "Target/HostCpu.h"
#include "Target/KnownTargets.h"
#include "metile/code_loader.h"

#include <algorithm>
#include <dlfcn.h>
#include <exception>

namespace metile {
namespace {

/// Work below this is done by the calling thread alone. Source: from the call to a sleeping
/// helper's first program took 3.6 us (median; 2-core x86-64 virtual machine, the test
/// ThreadPool.WakesHelpers prints it). Five times that leaves room for what the wake-up costs the
/// caller and for the other core's cold caches; a guess, not a measured crossover.
constexpr double aloneBelowNs = 20'000;
/// Each worker beyond the first gets at least this much.
constexpr double leastWorkerNs = 10'000;
/// Assumed where the compiler has no estimate of a program's work.
constexpr double unknownProgramNs = 1'000;

class CpuDevice;

class CpuProgram final : public Program {
public:
  CpuProgram(CpuDevice &device, const Artifact &artifact)
      : device(device), kernel(artifact.kernel) {
    for (const Step &step : artifact.steps)
      names.push_back(step.entry);
    for (const ArgumentInfo &argument : artifact.arguments)
      gridSlot += argument.slots();
  }

  Status run(PackedLaunch &launch) override;
  unsigned workers(const PackedLaunch &launch) const override;

  std::vector<CpuEntry> entries;
  std::shared_ptr<LoadedCode> code;
  std::shared_ptr<void> library;

private:
  Status runStep(size_t index, PackedLaunch &launch);

  CpuDevice &device; ///< Kept alive by the Executable.
  std::string kernel;
  std::vector<std::string> names;
  uint32_t gridSlot = 0;
};

class CpuDevice final : public Device::Impl {
public:
  CpuDevice(unsigned threadCount, const DeviceOptions &given)
      : options(given), pool(options.parallelFor.run ? 0 : threadCount - 1) {
    name = "cpu";
    threads = threadCount;
    print = given.print;
  }

  Result<Buffer> allocate(size_t bytes) override { return allocateOnHost(bytes); }
  Result<Buffer> adopt(void *data, size_t bytes) override { return adoptOnHost(data, bytes); }
  Result<std::unique_ptr<Program>> load(const Artifact &artifact,
                                        const CodeSource &source) override;

  /// Workers that a step of `programs` programs is divided among.
  int64_t workersFor(const PackedLaunch::StepRun &step) const {
    double total = static_cast<double>(step.programs) *
                   (step.programNs > 0 ? step.programNs : unknownProgramNs);
    if (threads == 1 || step.programs <= 1 || total < aloneBelowNs)
      return std::min<int64_t>(step.programs, 1);
    double useful = std::max(2.0, total / leastWorkerNs);
    return std::min({static_cast<int64_t>(threads), step.programs,
                     static_cast<int64_t>(std::min(useful, 1e9))});
  }

  /// Runs the grid on `workers` workers; fails only if the host's parallelFor does.
  Status run(Grid &grid, int64_t workers) {
    auto body = [](void *job, int64_t worker) { static_cast<Grid *>(job)->work(worker); };
    if (workers > 1 && options.parallelFor.run) {
      try {
        options.parallelFor.run(options.parallelFor.host, workers, body, &grid);
      } catch (const std::exception &thrown) {
        return error(std::string("parallelFor threw: ") + thrown.what());
      } catch (...) {
        return error("parallelFor threw an exception");
      }
      // Whatever calls the host left out, this one makes up for.
      grid.work(0);
    } else if (workers <= 1 || !pool.run(workers, body, &grid)) {
      grid.work(0);
    }
    return Done{};
  }

  using WorkerSet = std::vector<Worker>;
  std::unique_ptr<WorkerSet> takeWorkers() {
    std::lock_guard lock(idleMutex);
    if (idle.empty())
      return std::make_unique<WorkerSet>(threads);
    std::unique_ptr<WorkerSet> set = std::move(idle.back());
    idle.pop_back();
    return set;
  }
  void putBack(std::unique_ptr<WorkerSet> set) {
    std::lock_guard lock(idleMutex);
    idle.push_back(std::move(set));
  }

private:
  Status findEntries(const Artifact &artifact, const CodeSource &source, CpuProgram &program);

  DeviceOptions options;
  ThreadPool pool;
  std::mutex idleMutex;
  std::vector<std::unique_ptr<WorkerSet>> idle; ///< One for each launch that ran at the same time.
};

//===--- Loading ---===//

Status missingEntry(const Artifact &artifact, const std::string &entry, const std::string &where) {
  return error(artifact.kernel + ": " + where + " has no entry point '" + entry + "'", {},
               "use the code that was compiled together with this artifact");
}

Status CpuDevice::findEntries(const Artifact &artifact, const CodeSource &source,
                              CpuProgram &program) {
  switch (source.kind) {
  case CodeSource::Kind::artifact: {
    if (!options.codeLoader)
      return error(artifact.kernel + ": this device cannot load object code",
                   "it was opened without a code loader",
                   "set DeviceOptions::codeLoader (the compiler library has jitLoader()), or use "
                   "Executable::fromSymbols or fromLibrary");
    Result<std::shared_ptr<LoadedCode>> code =
        options.codeLoader->load(artifact.code, artifact.kernel);
    if (!code)
      return code.takeErrors();
    program.code = std::move(*code);
    for (const Step &step : artifact.steps) {
      program.entries.push_back(reinterpret_cast<CpuEntry>(program.code->lookup(step.entry)));
      if (!program.entries.back())
        return missingEntry(artifact, step.entry, "its object code");
    }
    return Done{};
  }
  case CodeSource::Kind::symbols: {
    std::vector<std::string> given;
    for (const Symbol &symbol : source.symbols)
      given.emplace_back(symbol.name);
    for (const Step &step : artifact.steps) {
      auto found =
          std::find_if(source.symbols.begin(), source.symbols.end(), [&](const Symbol &symbol) {
            return symbol.name == step.entry && symbol.entry;
          });
      if (found == source.symbols.end())
        return missingEntry(artifact, step.entry,
                            "the table of symbols (" + listNames(given, "and") + ")");
      program.entries.push_back(found->entry);
    }
    return Done{};
  }
  case CodeSource::Kind::library: {
    // Without a slash dlopen would search the system's folders.
    std::string path =
        source.library.find('/') == std::string::npos ? "./" + source.library : source.library;
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char *reason = dlerror();
      return error(artifact.kernel + ": cannot load '" + path +
                   "': " + (reason ? reason : "unknown reason"));
    }
    program.library = std::shared_ptr<void>(handle, [](void *library) { dlclose(library); });
    for (const Step &step : artifact.steps) {
      program.entries.push_back(reinterpret_cast<CpuEntry>(dlsym(handle, step.entry.c_str())));
      if (!program.entries.back())
        return missingEntry(artifact, step.entry, "'" + path + "'");
    }
    return Done{};
  }
  }
  return Done{};
}

Result<std::unique_ptr<Program>> CpuDevice::load(const Artifact &artifact,
                                                 const CodeSource &source) {
  bool forCpu = artifact.target == "cpu" || artifact.target.starts_with("cpu:");
  if (!forCpu || artifact.codeKind != CodeKind::object)
    return error(artifact.kernel + ": the artifact is for '" + artifact.target + "'",
                 "the device is 'cpu'", "compile the kernel for target cpu");
  if (std::vector<std::string> missing = missingFeatures(artifact.features); !missing.empty())
    return error(artifact.kernel + ": the code needs " + listNames(missing, "and") +
                     ", which this machine lacks",
                 {}, "compile the kernel for target cpu on this machine, or for a lesser target");
  auto program = std::make_unique<CpuProgram>(*this, artifact);
  if (Status found = findEntries(artifact, source, *program); !found)
    return found.takeErrors();
  return std::unique_ptr<Program>(std::move(program));
}

//===--- Running ---===//

Status CpuProgram::runStep(size_t index, PackedLaunch &launch) {
  const PackedLaunch::StepRun &step = launch.steps[index];
  std::copy(step.grid.begin(), step.grid.end(), launch.slots.begin() + gridSlot);
  GridTask task{entries[index], launch.slots.data(), step.programs,
                step.programNs, launch.scratchBytes, launch.scratchAlignment};
  int64_t workers = device.workersFor(step);
  int32_t code = 0;
  if (workers == 1 && !task.scratchBytes) {
    code = task.entry(task.slots, 0, task.programs, nullptr);
  } else {
    std::unique_ptr<CpuDevice::WorkerSet> set = device.takeWorkers();
    Grid grid(task, *set, workers);
    Status ran = device.run(grid, workers);
    device.putBack(std::move(set));
    if (!ran)
      return error(kernel + ": " + ran.errors().diagnostics.front().text());
    if (grid.outOfMemory())
      return error(kernel + ": no memory for " + std::to_string(task.scratchBytes) +
                       " bytes of scratch for each worker",
                   {}, "use fewer threads or smaller sizes");
    code = grid.status();
  }
  if (code)
    return error(kernel + ": the entry point '" + names[index] + "' failed with code " +
                 std::to_string(code));
  return Done{};
}

Status CpuProgram::run(PackedLaunch &launch) {
  for (size_t index = 0; index < entries.size(); ++index)
    if (launch.steps[index].programs)
      if (Status status = runStep(index, launch); !status)
        return status;
  return Done{};
}

unsigned CpuProgram::workers(const PackedLaunch &launch) const {
  int64_t most = 0;
  for (const PackedLaunch::StepRun &step : launch.steps)
    most = std::max(most, device.workersFor(step));
  return static_cast<unsigned>(most);
}

} // namespace

Result<Device> openCpu(const DeviceOptions &options) {
  unsigned threads = options.threads ? options.threads : detectCores();
  constexpr unsigned mostThreads = 1024;
  if (threads > mostThreads)
    return error("a device with " + std::to_string(threads) + " threads",
                 "at most " + std::to_string(mostThreads));
  return Device(Handle<Device::Impl>(new CpuDevice(threads, options)));
}

} // namespace metile
