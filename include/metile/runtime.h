// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime: opens a device, holds memory, loads artifacts and launches them. All objects are
// handles: cheap to copy, and what they stand for lives as long as one of them does.
// Knows nothing of the compiler or LLVM; needs the C++ library, threads and dl only.
#pragma once

#include "metile/artifact.h"
#include "metile/dtype.h"
#include "metile/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace metile {

/// Most axes a view may have at a launch.
inline constexpr uint32_t maxRank = 8;

class CodeLoader;
class Interpreter;

/// Shares what a handle stands for; the last one destroys it.
template <class T> class Handle {
public:
  Handle() = default;
  /// Takes over one reference.
  explicit Handle(T *object) : object(object) {}
  Handle(const Handle &other) : object(other.object) { retain(object); }
  Handle(Handle &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Handle &operator=(Handle other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Handle() { release(object); }

  T *operator->() const { return object; }
  T &operator*() const { return *object; }
  explicit operator bool() const { return object != nullptr; }

private:
  static void retain(T *object);
  static void release(T *object);

  T *object = nullptr;
};

/// Threads lent by the host program: `run` calls body(job, 0) … body(job, count - 1), on any
/// threads (the caller's too), in any order, at the same time or one after another, and returns
/// when every call that it made has returned. `count` is at most DeviceOptions::threads. `body`
/// never throws, and the whole job gets done even if only some of the calls are made. If `run`
/// itself throws, the launch fails with the exception's text. Several launches may call it at once.
struct ParallelFor {
  using Body = void (*)(void *job, int64_t index);
  void (*run)(void *host, int64_t count, Body body, void *job) = nullptr;
  void *host = nullptr; ///< Given back to `run`.
};

/// Takes the lines that kernels print, without their ends; one call at a time for each launch.
struct PrintSink {
  void (*line)(void *host, std::string_view text) = nullptr; ///< Null: standard error.
  void *host = nullptr;                                      ///< Given back to `line`.
};

struct DeviceOptions {
  /// Threads of one launch, the calling one included; 0: as many as this process may use.
  unsigned threads = 0;
  /// Used instead of threads of our own if its `run` is set.
  ParallelFor parallelFor;
  /// Loads object code on the CPU; must outlive the device. Without one, see
  /// Executable::fromSymbols and fromLibrary.
  CodeLoader *codeLoader = nullptr;
  /// Runs kernels on the device "reference"; must outlive the device.
  Interpreter *interpreter = nullptr;
  /// Where print() of a kernel goes.
  PrintSink print;
};

/// Memory on a device.
class Buffer {
public:
  Buffer() = default;
  /// Where the host sees the memory; null if it does not, or if the buffer is empty.
  void *data() const;
  size_t bytes() const;
  /// Copies from or to host memory, after what was enqueued before. A range that does not lie in
  /// the buffer is an error.
  Status write(const void *source, size_t bytes, size_t offset = 0);
  Status read(void *destination, size_t bytes, size_t offset = 0) const;

  struct Impl;
  explicit Buffer(Handle<Impl> impl) : impl(std::move(impl)) {}

private:
  Handle<Impl> impl;
};

/// One argument of a launch. Does not own memory: a Buffer must outlive the launches it is used in.
struct Argument {
  enum class Kind : uint8_t { view, pointer, scalar };
  /// The rank of a view that was given strides of another number than its sizes.
  static constexpr uint32_t mismatchedStrides = ~0u;

  Kind kind = Kind::scalar;
  DType dtype = DType::f32;
  bool readOnly = false;   ///< Views: made from a pointer to const.
  bool fits = true;        ///< Scalars: false if the value is outside the dtype's range.
  uint32_t rank = 0;       ///< Views: more than maxRank is refused at the launch.
  void *data = nullptr;    ///< Views and pointers.
  bool hasContents = true; ///< Pointers: false if nothing stands there yet. The device "reference"
                           ///< then reports what is read before it is written.
  uint64_t bits = 0;       ///< Scalars: the value in the low bytes.
  void *memory = nullptr;  ///< The buffer `data` lies in; null if unknown.
  size_t memoryBytes = 0;
  int64_t sizes[maxRank] = {};
  int64_t strides[maxRank] = {}; ///< In elements.

  /// A view; strides in elements, row-major without gaps if there are none.
  static Argument view(void *data, DType dtype, std::span<const int64_t> sizes,
                       std::span<const int64_t> strides = {});
  static Argument view(void *data, DType dtype, std::initializer_list<int64_t> sizes,
                       std::initializer_list<int64_t> strides = {});
  /// A view that is only read; refused for parameters that are written.
  static Argument view(const void *data, DType dtype, std::span<const int64_t> sizes,
                       std::span<const int64_t> strides = {});
  static Argument view(const void *data, DType dtype, std::initializer_list<int64_t> sizes,
                       std::initializer_list<int64_t> strides = {});
  /// A view of a buffer, `offset` bytes from its start; must lie in the buffer.
  static Argument view(const Buffer &buffer, DType dtype, std::span<const int64_t> sizes,
                       std::span<const int64_t> strides = {}, size_t offset = 0);
  static Argument view(const Buffer &buffer, DType dtype, std::initializer_list<int64_t> sizes,
                       std::initializer_list<int64_t> strides = {}, size_t offset = 0);

  /// The address for a Ptr parameter. What lies behind it cannot be checked.
  static Argument pointer(const void *data, DType dtype);
  static Argument pointer(const Buffer &buffer, DType dtype, size_t offset = 0);

  /// A scalar of the C++ type's own dtype.
  static Argument scalar(bool value) { return integer(DType::boolean, value, false); }
  static Argument scalar(float value) { return floating(DType::f32, value); }
  static Argument scalar(double value) { return floating(DType::f64, value); }
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  static Argument scalar(T value) {
    constexpr int log = sizeof(T) == 8 ? 3 : sizeof(T) == 4 ? 2 : sizeof(T) == 2 ? 1 : 0;
    constexpr DType first = T(-1) < T(0) ? DType::i8 : DType::u8;
    return scalar(static_cast<DType>(static_cast<int>(first) + log), value);
  }
  /// A scalar of `dtype`: a number for an integer dtype must fit it, one for a float is rounded.
  template <class T>
    requires std::is_arithmetic_v<T>
  static Argument scalar(DType dtype, T value) {
    if constexpr (std::is_integral_v<T>)
      return integer(dtype, static_cast<uint64_t>(value), value < T(0));
    else
      return floating(dtype, static_cast<double>(value));
  }

private:
  static Argument integer(DType dtype, uint64_t value, bool negative);
  static Argument floating(DType dtype, double value);
};

/// What one probe() of a kernel saw in one program.
struct ProbeRecord {
  std::string name; ///< Given to probe().
  Location location;
  std::array<int64_t, 3> program;
  DType dtype = DType::f32;
  std::vector<int64_t> shape;    ///< Empty for a scalar.
  std::vector<std::byte> values; ///< Row-major.
};

/// Which programs to watch, and what they showed: records of one program stand in the order in
/// which it came by its probes. The device "reference" runs no other programs than these.
struct ProbeRequest {
  std::vector<std::array<int64_t, 3>>
      programs; ///< All if there is none. One off the grid is an error.
  std::vector<ProbeRecord> records;
};

class Device;
class Executable;

/// A launch whose arguments are checked and packed: running it again costs neither checks nor
/// allocations. The memory must stay where it is. One thread at a time may use one BoundLaunch.
class BoundLaunch {
public:
  /// Runs and waits for the end.
  Status run();
  /// Checks and packs new arguments in place of the old ones. After an error nothing can be run
  /// until a rebind() succeeds.
  Status rebind(std::span<const Argument> arguments);
  /// Threads the longest step will use, the calling one included; 0 if there is nothing to do.
  unsigned workers() const;

  struct Impl;
  explicit BoundLaunch(Handle<Impl> impl) : impl(std::move(impl)) {}

private:
  friend class Stream;
  Handle<Impl> impl;
};

/// Work in order. Errors of arguments come back at once; errors of execution are kept and returned
/// by the next call, whatever the device. On the CPU the work is done when enqueue() returns.
class Stream {
public:
  Status enqueue(BoundLaunch &launch);
  Status enqueue(const Executable &executable, std::span<const Argument> arguments);
  /// Waits for all work; returns the error kept since the last call, if there is one.
  Status synchronize();

  struct Impl;
  explicit Stream(Handle<Impl> impl) : impl(std::move(impl)) {}

private:
  Handle<Impl> impl;
};

/// Entry points of the CPU; see Step in artifact.h.
using CpuEntry = int32_t (*)(const uint64_t *slots, int64_t begin, int64_t end, void *scratch);

/// An entry point that the host program links itself.
struct Symbol {
  std::string_view name;
  CpuEntry entry = nullptr;
};

/// Code on a device, ready to launch. Safe to use from several threads at once.
class Executable {
public:
  /// Loads the artifact's code. A foreign target, and features that the machine lacks, are errors.
  static Result<Executable> load(const Device &device, const Artifact &artifact);
  /// CPU: takes the entry points from `symbols`, for programs that link the object file.
  static Result<Executable> fromSymbols(const Device &device, const Artifact &artifact,
                                        std::span<const Symbol> symbols);
  /// CPU: takes the entry points from the shared library at `path`.
  static Result<Executable> fromLibrary(const Device &device, const Artifact &artifact,
                                        const std::string &path);

  /// What was loaded, without the code bytes.
  const Artifact &artifact() const;

  /// Launches and appends what probes of the programs asked for show to `request.records`, also
  /// when the launch fails on the way. Only code compiled with CompileOptions::probes has probes.
  Status probe(std::span<const Argument> arguments, ProbeRequest &request) const;

  /// Checks the arguments, runs, and waits for the end. An empty grid is a success.
  Status launch(std::span<const Argument> arguments) const;
  Status launch(std::initializer_list<Argument> arguments) const {
    return launch(std::span<const Argument>(arguments.begin(), arguments.size()));
  }
  /// Checks and packs the arguments for launches to come.
  Result<BoundLaunch> bind(std::span<const Argument> arguments) const;
  Result<BoundLaunch> bind(std::initializer_list<Argument> arguments) const {
    return bind(std::span<const Argument>(arguments.begin(), arguments.size()));
  }

  struct Impl;
  explicit Executable(Handle<Impl> impl) : impl(std::move(impl)) {}

private:
  friend class Stream;
  Handle<Impl> impl;
};

/// A place where code runs.
class Device {
public:
  /// Opens the device called `name`. A name that is unknown or absent here is an error that lists
  /// those present.
  static Result<Device> open(std::string_view name = "cpu", const DeviceOptions &options = {});
  /// The devices present on this machine.
  static std::vector<std::string> names();

  const std::string &name() const;
  /// Threads of one launch.
  unsigned threads() const;

  /// New memory, 64-byte aligned, not initialised. Running out of memory is an error.
  Result<Buffer> allocate(size_t bytes) const;
  /// The caller's memory as a buffer; it stays the caller's and must outlive the buffer.
  Result<Buffer> adopt(void *data, size_t bytes) const;
  Stream stream() const;

  struct Impl;
  explicit Device(Handle<Impl> impl) : impl(std::move(impl)) {}

private:
  friend class Executable;
  Handle<Impl> impl;
};

} // namespace metile
