// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/DebugSession.h"
#include "Runtime/Impl.h"
#include "Support/ProgramId.h"

#include <algorithm>

namespace metile {

Executable::Impl::Impl(Handle<Device::Impl> onDevice, const Artifact &from,
                       std::unique_ptr<Program> loaded)
    : device(std::move(onDevice)), program(std::move(loaded)) {
  artifact.kernel = from.kernel;
  artifact.target = from.target;
  artifact.features = from.features;
  artifact.producer = from.producer;
  artifact.constants = from.constants;
  artifact.arguments = from.arguments;
  artifact.facts = from.facts;
  artifact.workspaces = from.workspaces;
  artifact.steps = from.steps;
  artifact.debugSites = from.debugSites;
  artifact.codeKind = from.codeKind;
  artifact.report = from.report;
  for (const ArgumentInfo &argument : artifact.arguments) {
    parameters.push_back({argument.role, argument.dtype, argument.rank, gridSlot});
    gridSlot += argument.slots();
  }
  for (const Fact &fact : artifact.facts)
    facts.emplace_back(fact, artifact.arguments);
  for (const Step &step : artifact.steps) {
    StepRule &rule = steps.emplace_back();
    for (size_t axis = 0; axis < 3; ++axis)
      rule.grid[axis] = SlotExpr(step.grid[axis], artifact.arguments);
    rule.programCost = SlotExpr(step.programCost, artifact.arguments);
  }
  for (const Workspace &workspace : artifact.workspaces)
    workspaceBytes.emplace_back(workspace.bytes, artifact.arguments);
}

Status Executable::Impl::checkWatched(const PackedLaunch &launch,
                                      const ProbeRequest &probes) const {
  for (const PackedLaunch::StepRun &step : launch.steps) {
    std::array<int64_t, 3> grid;
    std::copy(step.grid.begin(), step.grid.end(), grid.begin());
    for (const std::array<int64_t, 3> &program : probes.programs)
      if (!isOnGrid(program, grid))
        return offGrid(artifact.kernel, program, grid);
  }
  return Done{};
}

Status Executable::Impl::run(PackedLaunch &launch, ProbeRequest *probes) const {
  // Without steps the code itself knows the grid.
  bool isEmpty = launch.empty() && !artifact.steps.empty();
  if (artifact.debugSites.empty() || isEmpty)
    return program->run(launch);
  DebugSession session(artifact, device->print, probes);
  DebugChannel channel = session.channel();
  launch.watched = {};
  if (probes)
    launch.watched = probes->programs;
  launch.slots[gridSlot + 3] = reinterpret_cast<uintptr_t>(&channel);
  Status status = program->run(launch);
  if (std::optional<Errors> failure = session.failure())
    return std::move(*failure);
  return status;
}

std::unique_ptr<PackedLaunch> Executable::Impl::take() {
  std::lock_guard lock(idleMutex);
  if (idle.empty())
    return std::make_unique<PackedLaunch>();
  std::unique_ptr<PackedLaunch> launch = std::move(idle.back());
  idle.pop_back();
  return launch;
}

void Executable::Impl::putBack(std::unique_ptr<PackedLaunch> launch) {
  std::lock_guard lock(idleMutex);
  idle.push_back(std::move(launch));
}

static Result<Executable> make(const Handle<Device::Impl> &device, const Artifact &artifact,
                               const CodeSource &source) {
  if (Status checked = checkArtifact(artifact, artifact.kernel); !checked)
    return checked.takeErrors();
  Result<std::unique_ptr<Program>> program = device->load(artifact, source);
  if (!program)
    return program.takeErrors();
  return Executable(Handle(new Executable::Impl(device, artifact, std::move(*program))));
}

Result<Executable> Executable::load(const Device &device, const Artifact &artifact) {
  return make(device.impl, artifact, {});
}

Result<Executable> Executable::fromSymbols(const Device &device, const Artifact &artifact,
                                           std::span<const Symbol> symbols) {
  return make(device.impl, artifact, {CodeSource::Kind::symbols, symbols, {}});
}

Result<Executable> Executable::fromLibrary(const Device &device, const Artifact &artifact,
                                           const std::string &path) {
  return make(device.impl, artifact, {CodeSource::Kind::library, {}, path});
}

const Artifact &Executable::artifact() const { return impl->artifact; }

static Status launchOnce(Executable::Impl &executable, std::span<const Argument> arguments,
                         ProbeRequest *probes) {
  std::unique_ptr<PackedLaunch> packed = executable.take();
  Status status = executable.pack(arguments, *packed);
  if (status && probes)
    status = executable.checkWatched(*packed, *probes);
  if (status)
    status = executable.run(*packed, probes);
  executable.putBack(std::move(packed));
  return status;
}

Status Executable::launch(std::span<const Argument> arguments) const {
  return launchOnce(*impl, arguments, nullptr);
}

Status Executable::probe(std::span<const Argument> arguments, ProbeRequest &request) const {
  return launchOnce(*impl, arguments, &request);
}

Result<BoundLaunch> Executable::bind(std::span<const Argument> arguments) const {
  BoundLaunch launch(Handle(new BoundLaunch::Impl(impl)));
  if (Status status = launch.rebind(arguments); !status)
    return status.takeErrors();
  return launch;
}

//===--- BoundLaunch ---===//

static Status runPacked(const Executable::Impl &executable, PackedLaunch &packed) {
  if (!packed.ready)
    return error(executable.artifact.kernel + ": the launch has no valid arguments",
                 "its last rebind() failed", "rebind it before running it");
  return executable.run(packed, nullptr);
}

Status BoundLaunch::run() { return runPacked(*impl->executable, impl->packed); }

Status BoundLaunch::rebind(std::span<const Argument> arguments) {
  return impl->executable->pack(arguments, impl->packed);
}

unsigned BoundLaunch::workers() const { return impl->executable->program->workers(impl->packed); }

//===--- Stream ---===//

Status Stream::Impl::takeKept() {
  if (!kept)
    return Done{};
  Errors errors = std::move(*kept);
  kept.reset();
  return errors;
}

Status Stream::enqueue(BoundLaunch &launch) {
  if (Status kept = impl->takeKept(); !kept)
    return kept;
  const Executable::Impl &executable = *launch.impl->executable;
  if (!launch.impl->packed.ready)
    return runPacked(executable, launch.impl->packed);
  if (Status ran = executable.run(launch.impl->packed, nullptr); !ran)
    impl->kept = ran.takeErrors();
  return Done{};
}

Status Stream::enqueue(const Executable &executable, std::span<const Argument> arguments) {
  if (Status kept = impl->takeKept(); !kept)
    return kept;
  std::unique_ptr<PackedLaunch> packed = executable.impl->take();
  Status status = executable.impl->pack(arguments, *packed);
  if (status)
    if (Status ran = executable.impl->run(*packed, nullptr); !ran)
      impl->kept = ran.takeErrors();
  executable.impl->putBack(std::move(packed));
  return status;
}

Status Stream::synchronize() { return impl->takeKept(); }

} // namespace metile
