// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind the handles of runtime.h. A device (Cpu/, later Metal/, Cuda/) implements
// Device::Impl, Buffer::Impl and Program; checking and packing arguments is the same for all.
// Knows no particular device.
#pragma once

#include "Runtime/ArtifactChecks.h"
#include "Runtime/Memory.h"
#include "metile/interpreter.h"
#include "metile/runtime.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace metile {

struct Counted {
  Counted() = default;
  Counted(const Counted &) = delete;
  Counted &operator=(const Counted &) = delete;
  virtual ~Counted() = default;
  std::atomic<uint32_t> references{1};
};

/// A launch after checking: what a device needs to run it.
struct PackedLaunch {
  struct StepRun {
    std::array<uint64_t, 3> grid{};
    int64_t programs = 0; ///< Product of the extents; 0 if nothing is to do.
    double programNs = 0; ///< Estimated work of one program; 0 if unknown.
  };
  /// Byte addresses of a view, [low, high).
  struct Extent {
    uintptr_t low = 0, high = 0;
  };

  /// Slots of the parameters, then the grid of the current step, then the debug channel, if there
  /// is one, then the launch workspaces.
  std::vector<uint64_t> slots;
  std::vector<StepRun> steps;
  size_t scratchBytes = 0; ///< Of each worker: all worker workspaces in order.
  size_t scratchAlignment = 64;
  std::vector<AlignedMemory> workspaces;
  std::vector<Extent> extents; ///< Scratch of the checks, one a parameter.
  std::vector<Reach> reach;    ///< What may be touched, one a parameter.
  /// Programs that somebody watches; empty in an ordinary launch.
  std::span<const std::array<int64_t, 3>> watched;
  bool ready = false;

  bool empty() const {
    for (const StepRun &step : steps)
      if (step.programs)
        return false;
    return true;
  }
};

/// Loaded code of one artifact.
class Program {
public:
  virtual ~Program() = default;
  /// Runs the steps in order.
  virtual Status run(PackedLaunch &launch) = 0;
  /// Threads the longest step will use; 0 if there is nothing to do.
  virtual unsigned workers(const PackedLaunch &launch) const = 0;
};

/// Where entry points come from.
struct CodeSource {
  enum class Kind : uint8_t { artifact, symbols, library } kind = Kind::artifact;
  std::span<const Symbol> symbols;
  std::string library;
};

struct Device::Impl : Counted {
  std::string name;
  unsigned threads = 1;
  PrintSink print;

  virtual Result<Buffer> allocate(size_t bytes) = 0;
  virtual Result<Buffer> adopt(void *data, size_t bytes) = 0;
  /// `artifact` has passed checkArtifact.
  virtual Result<std::unique_ptr<Program>> load(const Artifact &artifact,
                                                const CodeSource &source) = 0;
};

struct Buffer::Impl : Counted {
  void *data = nullptr;
  size_t bytes = 0;

  /// The range has been checked.
  virtual Status write(const void *source, size_t bytes, size_t offset) = 0;
  virtual Status read(void *destination, size_t bytes, size_t offset) const = 0;
};

struct Executable::Impl : Counted {
  struct Parameter {
    ArgumentRole role;
    DType dtype;
    uint32_t rank;
    uint32_t slot;
    bool isView() const { return role <= ArgumentRole::inout; }
    bool isWritten() const { return role == ArgumentRole::out || role == ArgumentRole::inout; }
  };
  struct StepRule {
    std::array<SlotExpr, 3> grid;
    SlotExpr programCost;
  };

  Impl(Handle<Device::Impl> device, const Artifact &artifact, std::unique_ptr<Program> program);

  /// Checks `arguments` and fills `launch`. Allocates only what a former launch did not.
  Status pack(std::span<const Argument> arguments, PackedLaunch &launch) const;
  /// An error if a program that `probes` asks for is none of the launch.
  Status checkWatched(const PackedLaunch &launch, const ProbeRequest &probes) const;
  /// Runs a packed launch. `probes` may be null.
  Status run(PackedLaunch &launch, ProbeRequest *probes) const;
  /// A launch to pack into, used before if there is one.
  std::unique_ptr<PackedLaunch> take();
  void putBack(std::unique_ptr<PackedLaunch> launch);

  Handle<Device::Impl> device;
  Artifact artifact;
  std::unique_ptr<Program> program;
  std::vector<Parameter> parameters;
  std::vector<SlotFact> facts;
  std::vector<StepRule> steps;
  std::vector<SlotExpr> workspaceBytes;
  uint32_t gridSlot = 0; ///< The first slot after the parameters.
  /// The first slot after the grid and the debug channel.
  uint32_t workspaceSlot() const { return gridSlot + 3 + !artifact.debugSites.empty(); }

private:
  Status packParameters(std::span<const Argument> arguments, PackedLaunch &launch) const;
  Status packGrid(std::span<const Argument> arguments, PackedLaunch &launch) const;
  Status packWorkspaces(PackedLaunch &launch) const;

  std::mutex idleMutex;
  std::vector<std::unique_ptr<PackedLaunch>> idle;
};

struct BoundLaunch::Impl : Counted {
  explicit Impl(Handle<Executable::Impl> executable) : executable(std::move(executable)) {}
  Handle<Executable::Impl> executable;
  PackedLaunch packed;
};

struct Stream::Impl : Counted {
  explicit Impl(Handle<Device::Impl> device) : device(std::move(device)) {}
  Handle<Device::Impl> device;
  std::optional<Errors> kept;

  /// The error kept for this call, if there is one.
  Status takeKept();
};

/// The CPU as a device.
Result<Device> openCpu(const DeviceOptions &options);
/// The interpreter as a device.
Result<Device> openReference(const DeviceOptions &options);
/// The emulator of Metal as a device, in lib/Emulator; only where that is built. Present if there
/// is a clang for it to call.
bool hasMetalEmulator();
Result<Device> openMetalEmulator(const DeviceOptions &options);

} // namespace metile
