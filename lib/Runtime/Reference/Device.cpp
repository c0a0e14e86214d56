// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/HostBuffer.h"
#include "Runtime/Impl.h"

namespace metile {
namespace {

class ReferenceProgram final : public Program {
public:
  ReferenceProgram(std::shared_ptr<InterpretedKernel> kernel, const Artifact &artifact)
      : kernel(std::move(kernel)), shows(!artifact.debugSites.empty()) {
    for (const ArgumentInfo &argument : artifact.arguments)
      debugSlot += argument.slots();
  }

  Status run(PackedLaunch &launch) override {
    const void *debug = shows ? reinterpret_cast<const void *>(launch.slots[debugSlot]) : nullptr;
    return kernel->run(
        {launch.slots, launch.reach, static_cast<const DebugChannel *>(debug), launch.watched});
  }
  unsigned workers(const PackedLaunch &) const override { return 1; }

private:
  std::shared_ptr<InterpretedKernel> kernel;
  bool shows;
  size_t debugSlot = 3; ///< After the parameters and the grid.
};

class ReferenceDevice final : public Device::Impl {
public:
  explicit ReferenceDevice(Interpreter *interpreter) : interpreter(interpreter) {
    name = "reference";
  }

  Result<Buffer> allocate(size_t bytes) override { return allocateOnHost(bytes); }
  Result<Buffer> adopt(void *data, size_t bytes) override { return adoptOnHost(data, bytes); }

  Result<std::unique_ptr<Program>> load(const Artifact &artifact,
                                        const CodeSource &source) override {
    if (artifact.codeKind != CodeKind::tile)
      return error(artifact.kernel + ": the artifact is for '" + artifact.target + "'",
                   "the device is 'reference'", "compile the kernel for target reference");
    if (source.kind != CodeSource::Kind::artifact)
      return error(artifact.kernel + ": the device 'reference' runs no machine code",
                   "its code is the artifact's", "use Executable::load");
    if (!interpreter)
      return error(artifact.kernel + ": this device cannot run anything",
                   "it was opened without an interpreter",
                   "set DeviceOptions::interpreter (the compiler library has "
                   "referenceInterpreter())");
    Result<std::shared_ptr<InterpretedKernel>> kernel = interpreter->load(artifact);
    if (!kernel)
      return kernel.takeErrors();
    return std::unique_ptr<Program>(
        std::make_unique<ReferenceProgram>(std::move(*kernel), artifact));
  }

private:
  Interpreter *interpreter;
};

} // namespace

Result<Device> openReference(const DeviceOptions &options) {
  return Device(Handle<Device::Impl>(new ReferenceDevice(options.interpreter)));
}

} // namespace metile
