// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts: loaded, and launched on memory of ours with entry points that do nothing.

#include "ParserTarget.h"

#include "Runtime/Checksum.h"
#include "metile/artifact.h"
#include "metile/runtime.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace metile::fuzz {

namespace {

constexpr int64_t extent = 3; ///< Of each axis of each view.

int32_t runNothing(const uint64_t *, int64_t begin, int64_t end, void *) {
  require(begin >= 0 && begin <= end, "a worker gets a range of programs");
  return 0;
}

/// `body` behind a header with the right version, length and checksum: what a mutation leaves of
/// them is not worth a search.
std::string sealed(std::string_view body) {
  constexpr size_t headerBytes = 28;
  std::string bytes = serialize({}).substr(0, headerBytes);
  bytes += body;
  auto put = [&](size_t at, uint64_t value) {
    for (size_t i = 0; i < 8; ++i)
      bytes[at + i] = static_cast<char>(value >> (8 * i));
  };
  put(12, bytes.size());
  put(20, checksum(std::string_view(bytes).substr(headerBytes), artifactVersion));
  return bytes;
}

/// Arguments that the artifact's signature takes, at addresses that nobody touches.
std::vector<Argument> makeArguments(const Artifact &artifact) {
  constexpr std::array<int64_t, maxRank> sizes = [] {
    std::array<int64_t, maxRank> all{};
    all.fill(extent);
    return all;
  }();
  std::vector<Argument> arguments;
  uintptr_t next = 0;
  for (const ArgumentInfo &info : artifact.arguments) {
    auto *memory = reinterpret_cast<void *>(next += uintptr_t(1) << 32);
    if (info.isView())
      arguments.push_back(Argument::view(memory, info.dtype, std::span(sizes).first(info.rank)));
    else if (info.role == ArgumentRole::pointer)
      arguments.push_back(Argument::pointer(memory, info.dtype));
    else
      arguments.push_back(Argument::scalar(info.dtype, 1));
  }
  return arguments;
}

/// The same as slots.
std::vector<uint64_t> makeSlots(const Artifact &artifact) {
  std::vector<uint64_t> slots;
  for (const ArgumentInfo &info : artifact.arguments)
    slots.insert(slots.end(), info.slots(), extent);
  return slots;
}

/// Reads everything that expressions and facts say, and tells whether a launch would be modest.
bool isModest(const Artifact &artifact) {
  constexpr int64_t mostPrograms = 1 << 12, mostBytes = 1 << 20;
  std::vector<uint64_t> slots = makeSlots(artifact);
  bool modest = true;
  auto read = [&](const SizeExpr &expression, int64_t most) {
    int64_t value = expression.evaluate(artifact.arguments, slots);
    require(!expression.str(artifact.arguments).empty(), "an expression has a text");
    modest &= value <= most;
  };
  for (const Fact &fact : artifact.facts) {
    require(!fact.str(artifact.arguments).empty(), "a fact has a text");
    (void)fact.holds(artifact.arguments, slots);
  }
  for (const Workspace &workspace : artifact.workspaces)
    read(workspace.bytes, mostBytes);
  for (const Step &step : artifact.steps) {
    for (const SizeExpr &axis : step.grid)
      read(axis, mostPrograms / 256);
    read(step.programCost, std::numeric_limits<int64_t>::max());
  }
  return modest && artifact.workspaces.size() < 16;
}

Device openDevice() {
  DeviceOptions options;
  options.threads = 1;
  return Device::open("cpu", options).orExit();
}

void launch(const Artifact &artifact) {
  static const Device device = openDevice();
  std::vector<Symbol> symbols;
  for (const Step &step : artifact.steps)
    symbols.push_back({step.entry, runNothing});
  Result<Executable> executable = Executable::fromSymbols(device, artifact, symbols);
  if (!executable)
    return requireForm(executable.errors());
  if (Status ran = executable->launch(makeArguments(artifact)); !ran)
    requireForm(ran.errors());
}

void feedFile(std::string_view bytes) {
  Result<Artifact> artifact = parseArtifact(bytes, "input.metile");
  if (!artifact)
    return requireForm(artifact.errors());
  require(serialize(*artifact) == bytes, "an artifact is written as it was read");
  if (isModest(*artifact))
    launch(*artifact);
}

} // namespace

void feedArtifact(std::string_view input) {
  feedFile(input);
  feedFile(sealed(input));
}

} // namespace metile::fuzz
