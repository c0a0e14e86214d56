// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulator as a device: "metal-emu" runs artifacts whose code is Metal Shading Language. With
// METILE_CHECK=1 in the environment each launch is checked, and what is found is its error.
#include "Emulator/Build.h"
#include "Emulator/Clang.h"
#include "Emulator/KernelImpl.h"
#include "Runtime/HostBuffer.h"
#include "Runtime/Impl.h"
#include "Target/HostCpu.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace metile {
namespace {

using emulator::Checking;

class EmulatorProgram final : public Program {
public:
  EmulatorProgram(const Artifact &artifact, Checking checking, unsigned threads)
      : kernel(artifact.kernel), arguments(artifact.arguments), checking(checking),
        threads(threads) {}

  Status run(PackedLaunch &launch) override {
    for (size_t index = 0; index < modules.size(); ++index)
      if (launch.steps[index].programs)
        if (Status status = runStep(index, launch); !status)
          return status;
    return Done{};
  }
  unsigned workers(const PackedLaunch &launch) const override {
    int64_t most = 0;
    for (const PackedLaunch::StepRun &step : launch.steps)
      most = std::max(most, step.programs);
    return static_cast<unsigned>(std::min<int64_t>(most, threads));
  }

  std::vector<std::unique_ptr<emulator::Module>> modules;

private:
  /// As artifact.h lays down for Metal: memory first, the slots last.
  Status runStep(size_t index, PackedLaunch &launch) {
    const PackedLaunch::StepRun &step = launch.steps[index];
    uint32_t slot = 0;
    emulator::Launch request;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentInfo &argument = arguments[i];
      if (argument.role != ArgumentRole::scalar) {
        if (checking != Checking::off && !launch.reach[i].isKnown)
          return error(kernel + ": nothing says how long the memory behind '" + argument.name +
                           "' is",
                       "a checked launch must know", "pass the pointer with its buffer");
        addBuffer(request, launch.slots[slot], launch.reach[i]);
      }
      slot += argument.slots();
    }
    std::copy(step.grid.begin(), step.grid.end(), launch.slots.begin() + slot);
    emulator::BufferArgument slots;
    slots.index = static_cast<uint32_t>(request.buffers.size());
    slots.data = launch.slots.data();
    slots.bytes = launch.slots.size() * sizeof(launch.slots[0]);
    request.buffers.push_back(slots);
    for (size_t axis = 0; axis < 3; ++axis) {
      if (step.grid[axis] > std::numeric_limits<uint32_t>::max())
        return error(kernel + ": the grid has " + std::to_string(step.grid[axis]) +
                         " threadgroups on axis " + std::to_string(axis),
                     "fewer than 2^32");
      request.threadgroups[axis] = static_cast<uint32_t>(step.grid[axis]);
    }
    request.threads = {std::max(modules[index]->kernel().threadLimit, 1u), 1, 1};
    request.workers = threads;
    Result<emulator::Report> report =
        emulator::launchModule(*modules[index], checking, request, checking == Checking::off);
    if (!report)
      return report.takeErrors();
    Errors errors;
    for (const emulator::Finding &finding : report->findings)
      errors.diagnostics.push_back({finding.first.location, kernel + ": " + finding.message,
                                    finding.first.text, finding.hint});
    if (!errors.diagnostics.empty())
      return errors;
    return Done{};
  }

  static void addBuffer(emulator::Launch &request, uint64_t address, const Reach &reach) {
    emulator::BufferArgument buffer;
    buffer.index = static_cast<uint32_t>(request.buffers.size());
    // A view may reach to both sides of its first element.
    bool isEmpty = !reach.isKnown || reach.low == reach.high;
    uint64_t low = isEmpty ? address : reach.low;
    buffer.data = reinterpret_cast<void *>(low);
    buffer.bytes = isEmpty ? 0 : reach.high - reach.low;
    buffer.offset = address - low;
    buffer.uninitialised = !reach.isWritten;
    request.buffers.push_back(buffer);
  }

  std::string kernel;
  std::vector<ArgumentInfo> arguments;
  Checking checking;
  unsigned threads;
};

class EmulatorDevice final : public Device::Impl {
public:
  explicit EmulatorDevice(const DeviceOptions &options) {
    name = "metal-emu";
    threads = options.threads ? options.threads : detectCores();
    const char *check = std::getenv("METILE_CHECK");
    checking = check && std::string_view(check) == "1" ? Checking::full : Checking::off;
  }

  Result<Buffer> allocate(size_t bytes) override { return allocateOnHost(bytes); }
  Result<Buffer> adopt(void *data, size_t bytes) override { return adoptOnHost(data, bytes); }

  Result<std::unique_ptr<Program>> load(const Artifact &artifact,
                                        const CodeSource &source) override {
    if (artifact.codeKind != CodeKind::msl)
      return error(artifact.kernel + ": the artifact is for '" + artifact.target + "'",
                   "the device is 'metal-emu'", "compile the kernel for a metal target");
    if (source.kind != CodeSource::Kind::artifact)
      return error(artifact.kernel + ": the device 'metal-emu' runs no machine code",
                   "its code is the artifact's", "use Executable::load");
    if (!artifact.workspaces.empty())
      return error(artifact.kernel + ": the device 'metal-emu' has no workspaces");
    auto program = std::make_unique<EmulatorProgram>(artifact, checking, threads);
    emulator::Source text;
    text.name = artifact.kernel + ".metal";
    text.text = artifact.code;
    for (const Step &step : artifact.steps) {
      emulator::BuildOptions options;
      options.kernel = step.entry;
      options.checking = checking;
      Result<emulator::BuildResult> built = emulator::buildModule(text, options);
      if (!built)
        return built.takeErrors();
      program->modules.push_back(std::move(built->module));
    }
    return std::unique_ptr<Program>(std::move(program));
  }

private:
  Checking checking = Checking::off;
};

} // namespace

bool hasMetalEmulator() { return emulator::Clang::find().ok(); }

Result<Device> openMetalEmulator(const DeviceOptions &options) {
  return Device(Handle<Device::Impl>(new EmulatorDevice(options)));
}

} // namespace metile
