// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/HostBuffer.h"

#include "Runtime/Impl.h"

#include <cstring>

namespace metile {
namespace {

struct HostBuffer final : Buffer::Impl {
  AlignedMemory memory; ///< Empty if the caller owns it.

  Status write(const void *source, size_t count, size_t offset) override {
    std::memcpy(static_cast<char *>(data) + offset, source, count);
    return Done{};
  }
  Status read(void *destination, size_t count, size_t offset) const override {
    std::memcpy(destination, static_cast<const char *>(data) + offset, count);
    return Done{};
  }
};

} // namespace

Result<Buffer> allocateOnHost(size_t bytes) {
  auto buffer = std::make_unique<HostBuffer>();
  buffer->data = buffer->memory.ensure(bytes, 64);
  if (!buffer->data && bytes)
    return error("cannot allocate " + std::to_string(bytes) + " bytes", {},
                 "use smaller buffers or free others");
  buffer->bytes = bytes;
  return Buffer(Handle<Buffer::Impl>(buffer.release()));
}

Result<Buffer> adoptOnHost(void *data, size_t bytes) {
  auto buffer = std::make_unique<HostBuffer>();
  buffer->data = data;
  buffer->bytes = bytes;
  return Buffer(Handle<Buffer::Impl>(buffer.release()));
}

} // namespace metile
