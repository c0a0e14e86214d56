// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements more than 2³¹ elements from their base. The memory is reserved, not filled: only the
// pages that a kernel touches exist.

#include "Harness.h"

#include <fmt/format.h>

#include <optional>

#include <sys/mman.h>

namespace metile::conformance {

namespace {

/// Zeros, as many as wanted.
class SparseMemory {
public:
  explicit SparseMemory(size_t bytes) : bytes(bytes) {
    address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  SparseMemory(const SparseMemory &) = delete;
  SparseMemory &operator=(const SparseMemory &) = delete;
  ~SparseMemory() {
    if (exists())
      munmap(address, bytes);
  }
  bool exists() const { return address != MAP_FAILED; }
  void *data() const { return address; }
  template <class T> T &at(int64_t element) const { return static_cast<T *>(address)[element]; }

private:
  size_t bytes;
  void *address;
};

} // namespace

constexpr int64_t beyond = (int64_t(1) << 31) + 5;
constexpr int64_t tail = 64;
constexpr const char *operation = "beyond 2^31 elements";

/// What is wrong, empty for nothing; none if the system reserves too little memory.
using Outcome = std::optional<std::string>;

/// Compiles and runs `kernel` on the suite's device; what is wrong, or nothing.
static std::string launch(const Suite &suite, const Kernel &kernel,
                          const std::vector<ArgumentSpec> &specs,
                          const std::vector<Argument> &arguments) {
  Result<Executable> code = suite.build(kernel, specs, "", SizeFacts::none, suite.device());
  if (!code)
    return code.errors().str();
  Status ran = code->launch(arguments);
  return ran ? std::string() : ran.errors().str();
}

/// What is wrong with the copy of numbers 1 to `count` at the elements at(0) to at(count - 1).
template <class T, class Place>
static std::string compareCopy(const SparseMemory &got, int64_t count, Place at) {
  for (int64_t i = 0; i < count; ++i)
    if (got.at<T>(at(i)) != static_cast<T>(i + 1))
      return fmt::format("element {} is {}, expected {}", at(i), got.at<T>(at(i)), i + 1);
  return {};
}

/// Rows that lie 2³⁰ elements apart.
static Outcome farRows(const Suite &suite) {
  constexpr int64_t rows = 3, columns = 40, pitch = (int64_t(1) << 30) + 3;
  size_t bytes = (2 * pitch + columns) * sizeof(float);
  SparseMemory x(bytes), y(bytes);
  if (!x.exists() || !y.exists())
    return std::nullopt;
  auto at = [](int64_t i) { return i / columns * pitch + i % columns; };
  for (int64_t i = 0; i < rows * columns; ++i)
    x.at<float>(at(i)) = static_cast<float>(i + 1);
  Kernel copy = kernel("copy_rows", [](In<"x"> x, Out<"y"> y) {
    Index i = tile_of(y, 0, 4), j = tile_of(y, 1, 16);
    y.store({i, j}, x.load({i, j}, {4, 16}));
  });
  ArgumentSpec spec{f32, {rows, columns}, {pitch, 1}};
  std::string wrong = launch(suite, copy, {spec, spec},
                             {Argument::view(x.data(), f32, {rows, columns}, {pitch, 1}),
                              Argument::view(y.data(), f32, {rows, columns}, {pitch, 1})});
  return wrong.empty() ? compareCopy<float>(y, rows * columns, at) : wrong;
}

/// The end of a long view.
static Outcome farTail(const Suite &suite) {
  SparseMemory x(beyond + tail), y(beyond + tail);
  if (!x.exists() || !y.exists())
    return std::nullopt;
  for (int64_t i = 0; i < tail; ++i)
    x.at<int8_t>(beyond + i) = static_cast<int8_t>(i + 1);
  Kernel copy = kernel("copy_tail", [](In<"x"> x, InOut<"y"> y) {
    grid(1);
    Index start = x.size(0) - 64;
    y.store({start}, x.load({start}, {64}));
  });
  ArgumentSpec spec{i8, {beyond + tail}};
  std::string wrong = launch(suite, copy, {spec, spec},
                             {Argument::view(x.data(), i8, {beyond + tail}),
                              Argument::view(y.data(), i8, {beyond + tail})});
  return wrong.empty() ? compareCopy<int8_t>(y, tail, [](int64_t i) { return beyond + i; }) : wrong;
}

/// Pointers that are advanced far.
static Outcome farPointers(const Suite &suite) {
  SparseMemory x((beyond + tail) * sizeof(int16_t)), y((beyond + tail) * sizeof(int16_t));
  if (!x.exists() || !y.exists())
    return std::nullopt;
  for (int64_t i = 0; i < tail; ++i)
    x.at<int16_t>(beyond + i) = static_cast<int16_t>(i + 1);
  Kernel copy = kernel("copy_far", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"offset"> offset) {
    grid(4);
    Tile i = offset + program_id(0) * 16 + arange(16);
    store(y + i, load(x + i));
  });
  std::string wrong = launch(suite, copy, {{i16}, {i16}, {i64}},
                             {Argument::pointer(x.data(), i16), Argument::pointer(y.data(), i16),
                              Argument::scalar(beyond)});
  return wrong.empty() ? compareCopy<int16_t>(y, tail, [](int64_t i) { return beyond + i; })
                       : wrong;
}

void largeOffsets(Suite &suite) {
  auto run = [&](DType dtype, const char *name, Outcome (*check)(const Suite &)) {
    if (!suite.isWanted(name))
      return;
    if (Outcome wrong = check(suite))
      suite.note(operation, dtype, name, *wrong);
    else
      suite.skip(operation, fmt::format("{}: too little memory can be reserved", name));
  };
  run(f32, "rows 2^30 elements apart", farRows);
  run(i8, "view of 2^31 elements", farTail);
  run(i16, "pointer plus 2^31", farPointers);
}

} // namespace metile::conformance
