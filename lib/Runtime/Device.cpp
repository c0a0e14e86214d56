// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Impl.h"
#include "Support/Nearest.h"

namespace metile {

//===--- Handles ---===//

template <class T> void Handle<T>::retain(T *object) {
  if (object)
    object->references.fetch_add(1, std::memory_order_relaxed);
}

template <class T> void Handle<T>::release(T *object) {
  if (object && object->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete object;
}

template class Handle<Device::Impl>;
template class Handle<Buffer::Impl>;
template class Handle<Executable::Impl>;
template class Handle<BoundLaunch::Impl>;
template class Handle<Stream::Impl>;

//===--- Device ---===//

namespace {

struct Driver {
  std::string_view name;
  bool (*present)();
  Result<Device> (*open)(const DeviceOptions &options);
};

/// Every device this build knows; one row a kind.
constexpr Driver drivers[] = {
    {"cpu", [] { return true; }, openCpu},
    {"reference", [] { return true; }, openReference},
#if METILE_EMULATOR
    {"metal-emu", hasMetalEmulator, openMetalEmulator},
#endif
};

} // namespace

Result<Device> Device::open(std::string_view name, const DeviceOptions &options) {
  for (const Driver &driver : drivers)
    if (driver.name == name && driver.present())
      return driver.open(options);
  bool known = false;
  for (const Driver &driver : drivers)
    known |= driver.name == name;
  return error((known ? "device '" : "unknown device '") + std::string(name) +
                   (known ? "' is not present on this machine" : "'"),
               "present here: " + listNames(names(), "and"));
}

std::vector<std::string> Device::names() {
  std::vector<std::string> result;
  for (const Driver &driver : drivers)
    if (driver.present())
      result.emplace_back(driver.name);
  return result;
}

const std::string &Device::name() const { return impl->name; }
unsigned Device::threads() const { return impl->threads; }
Result<Buffer> Device::allocate(size_t bytes) const { return impl->allocate(bytes); }

Result<Buffer> Device::adopt(void *data, size_t bytes) const {
  if (!data && bytes)
    return error("cannot adopt " + std::to_string(bytes) + " bytes at a null pointer");
  return impl->adopt(data, bytes);
}

Stream Device::stream() const { return Stream(Handle(new Stream::Impl(impl))); }

//===--- Buffer ---===//

void *Buffer::data() const { return impl ? impl->data : nullptr; }
size_t Buffer::bytes() const { return impl ? impl->bytes : 0; }

static Status checkRange(size_t bufferBytes, size_t bytes, size_t offset) {
  if (offset <= bufferBytes && bytes <= bufferBytes - offset)
    return Done{};
  return error(std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                   " do not lie in the buffer",
               "it has " + std::to_string(bufferBytes) + " bytes");
}

Status Buffer::write(const void *source, size_t bytes, size_t offset) {
  Status inside = checkRange(this->bytes(), bytes, offset);
  return inside && bytes ? impl->write(source, bytes, offset) : std::move(inside);
}

Status Buffer::read(void *destination, size_t bytes, size_t offset) const {
  Status inside = checkRange(this->bytes(), bytes, offset);
  return inside && bytes ? impl->read(destination, bytes, offset) : std::move(inside);
}

} // namespace metile
