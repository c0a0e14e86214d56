// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Argument.h"

#include "Bench/Statistics.h"
#include "Digest/Sha256.h"
#include "Support/HalfFloat.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

namespace metile::bench {
namespace {

/// Guards before and behind each argument. All their bits are set, which is NaN in every
/// floating-point type: reading them shows in the result, writing them shows here.
constexpr size_t guardBytes = 4096;
constexpr std::byte guardByte{0xff};

size_t roundUp(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

template <class T> T load(const std::byte *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <class T> void store(std::byte *address, T value) {
  std::memcpy(address, &value, sizeof value);
}

template <class T> T toInteger(double value) {
  // The upper limit of 64-bit types is no double; the next double below it is what >= compares to.
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  return std::isnan(value) ? T(0) : static_cast<T>(value);
}

void fillRandom(Argument &argument, const CaseArgument &source, uint64_t seed) {
  Random random(seed);
  double low = source.low, high = source.high;
  for (int64_t i = 0, count = argument.count(); i < count; ++i) {
    double value = 0;
    // Zeros would cost less power than real data, and hide a term that is left out.
    int attempts = argument.dtype == DType::boolean ? 1 : 64;
    for (int attempt = 0; attempt < attempts && value == 0; ++attempt) {
      double unit = random.uniform();
      value = isFloat(argument.dtype) ? low + unit * (high - low)
                                      : std::floor(low + unit * (high - low + 1));
      argument.write(i, value);
      value = argument.read(i);
    }
  }
}

/// Bytes of memory that may still be used without swapping; all of it if the system does not tell.
double availableBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (double kilobytes = 0; word == "MemAvailable:" && file >> kilobytes)
      return kilobytes * 1024;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// An error if there is not enough memory for the arguments and for the float64 arrays from which
/// and into which the reference computes. Better now than by the system's killing us.
Status checkMemory(const Case &benchCase) {
  double needed = 0;
  for (const CaseArgument &argument : benchCase.arguments) {
    double count = 1, reach = 1;
    for (size_t axis = 0; axis < argument.sizes.size(); ++axis) {
      double size = static_cast<double>(argument.sizes[axis]);
      count *= size;
      if (axis < argument.strides.size())
        reach += (size - 1) * static_cast<double>(argument.strides[axis]);
    }
    needed += std::max(count, argument.strides.empty() ? 0 : reach) * byteSize(argument.dtype) +
              count * sizeof(double);
  }
  double available = availableBytes();
  if (needed <= 0.9 * available)
    return Done{};
  constexpr double gibi = 1 << 30;
  return error(fmt::format("case '{}' needs {:.1f} GiB for its arguments and their reference",
                           benchCase.name, needed / gibi),
               fmt::format("{:.1f} GiB are available", available / gibi), "name a smaller case");
}

std::span<const std::byte> contents(const Argument &argument) {
  if (argument.isScalar)
    return std::as_bytes(std::span(&argument.scalar, 1));
  return {argument.data, argument.bytes};
}

} // namespace

double readElement(DType dtype, const std::byte *address) {
  switch (dtype) {
  case DType::boolean:
  case DType::u8:
    return load<uint8_t>(address);
  case DType::i8:
    return load<int8_t>(address);
  case DType::i16:
    return load<int16_t>(address);
  case DType::i32:
    return load<int32_t>(address);
  case DType::i64:
    return static_cast<double>(load<int64_t>(address));
  case DType::u16:
    return load<uint16_t>(address);
  case DType::u32:
    return load<uint32_t>(address);
  case DType::u64:
    return static_cast<double>(load<uint64_t>(address));
  case DType::f8e4m3:
    return floatFromF8e4m3(load<uint8_t>(address));
  case DType::f8e5m2:
    return floatFromF8e5m2(load<uint8_t>(address));
  case DType::f16:
    return floatFromF16(load<uint16_t>(address));
  case DType::bf16:
    return floatFromBf16(load<uint16_t>(address));
  case DType::f32:
    return load<float>(address);
  case DType::f64:
    return load<double>(address);
  }
  return 0;
}

void writeElement(DType dtype, std::byte *address, double value) {
  switch (dtype) {
  case DType::boolean:
    return store<uint8_t>(address, value != 0);
  case DType::u8:
    return store(address, toInteger<uint8_t>(value));
  case DType::i8:
    return store(address, toInteger<int8_t>(value));
  case DType::i16:
    return store(address, toInteger<int16_t>(value));
  case DType::i32:
    return store(address, toInteger<int32_t>(value));
  case DType::i64:
    return store(address, toInteger<int64_t>(value));
  case DType::u16:
    return store(address, toInteger<uint16_t>(value));
  case DType::u32:
    return store(address, toInteger<uint32_t>(value));
  case DType::u64:
    return store(address, toInteger<uint64_t>(value));
  case DType::f8e4m3:
    return store(address, f8e4m3FromDouble(value));
  case DType::f8e5m2:
    return store(address, f8e5m2FromDouble(value));
  case DType::f16:
    return store(address, f16FromDouble(value));
  case DType::bf16:
    return store(address, bf16FromDouble(value));
  case DType::f32:
    return store(address, static_cast<float>(value));
  case DType::f64:
    return store(address, value);
  }
}

int64_t Argument::count() const {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

bool Argument::isDense() const {
  int64_t expected = 1;
  for (size_t axis = sizes.size(); axis-- > 0;) {
    if (sizes[axis] > 1 && strides[axis] != expected)
      return false;
    expected *= sizes[axis];
  }
  return true;
}

std::optional<int64_t> reach(std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max() / 8;
  int64_t elements = 1, count = 1;
  bool isEmpty = false;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    int64_t step = 0;
    if (sizes[axis] < 0 || strides[axis] < 0)
      return std::nullopt;
    if (sizes[axis] == 0) {
      isEmpty = true;
      continue;
    }
    if (__builtin_mul_overflow(sizes[axis] - 1, strides[axis], &step) ||
        __builtin_add_overflow(elements, step, &elements) || elements > most ||
        __builtin_mul_overflow(count, sizes[axis], &count))
      return std::nullopt;
  }
  return isEmpty ? 0 : elements;
}

int64_t Argument::offset(int64_t index) const {
  int64_t result = 0;
  for (size_t axis = sizes.size(); axis-- > 0;) {
    result += index % sizes[axis] * strides[axis];
    index /= sizes[axis];
  }
  return result;
}

double Argument::read(int64_t index) const {
  return readElement(dtype, data + static_cast<size_t>(offset(index)) * byteSize(dtype));
}

void Argument::write(int64_t index, double value) {
  writeElement(dtype, data + static_cast<size_t>(offset(index)) * byteSize(dtype), value);
}

Status ArgumentSet::map(size_t bytes, bool shared) {
  mappedBytes = roundUp(std::max<size_t>(bytes, 1), static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  if (shared) {
#ifdef __linux__
    file = memfd_create("metile-bench", MFD_CLOEXEC);
#else
    const char *directory = std::getenv("TMPDIR");
    path = std::string(directory ? directory : "/tmp") + "/metile-bench-XXXXXX";
    file = mkostemp(path.data(), O_CLOEXEC);
#endif
    if (file < 0 || ftruncate(file, static_cast<off_t>(mappedBytes)) != 0)
      return error(fmt::format("cannot make {} bytes of shared memory: {}", mappedBytes,
                               std::strerror(errno)));
  }
  void *address = mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE,
                       shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
  if (address == MAP_FAILED) {
    memory = nullptr;
    return error(fmt::format("cannot allocate {} bytes for the arguments: {}", mappedBytes,
                             std::strerror(errno)),
                 {}, "name a smaller case");
  }
  memory = static_cast<std::byte *>(address);
  return Done{};
}

ArgumentSet::ArgumentSet(ArgumentSet &&other) noexcept { *this = std::move(other); }

ArgumentSet &ArgumentSet::operator=(ArgumentSet &&other) noexcept {
  std::swap(list, other.list);
  std::swap(inputHashes, other.inputHashes);
  std::swap(firstContents, other.firstContents);
  std::swap(inputHash, other.inputHash);
  std::swap(memory, other.memory);
  std::swap(mappedBytes, other.mappedBytes);
  std::swap(file, other.file);
  std::swap(path, other.path);
  return *this;
}

ArgumentSet::~ArgumentSet() {
  if (memory)
    munmap(memory, mappedBytes);
  if (file >= 0)
    close(file);
  if (!path.empty())
    unlink(path.c_str());
}

Result<ArgumentSet> ArgumentSet::make(const Case &benchCase, uint64_t seed, bool shared) {
  if (Status enough = checkMemory(benchCase); !enough)
    return enough.takeErrors();
  ArgumentSet set;
  std::vector<size_t> offsets;
  size_t total = 0;
  for (const CaseArgument &source : benchCase.arguments) {
    Argument argument;
    argument.name = source.name;
    argument.dtype = source.dtype;
    argument.sizes = source.sizes;
    argument.strides = source.strides;
    argument.isScalar = source.isScalar();
    argument.output = source.output;
    argument.input = !source.output || source.random;
    if (argument.isScalar) {
      writeElement(source.dtype, reinterpret_cast<std::byte *>(&argument.scalar), source.value);
      offsets.push_back(0);
      set.list.push_back(std::move(argument));
      continue;
    }
    if (argument.strides.empty()) {
      argument.strides.resize(argument.sizes.size());
      int64_t stride = 1;
      for (size_t axis = argument.sizes.size(); axis-- > 0; stride *= argument.sizes[axis])
        argument.strides[axis] = stride;
    }
    std::optional<int64_t> elements = reach(argument.sizes, argument.strides);
    if (!elements)
      return error(fmt::format("argument '{}' of case '{}' has a negative size or stride, or is "
                               "larger than memory",
                               argument.name, benchCase.name),
                   "sizes and strides from 0 on");
    argument.bytes = static_cast<size_t>(*elements) * byteSize(argument.dtype);
    offsets.push_back(total + guardBytes);
    total += guardBytes + roundUp(argument.bytes, guardBytes) + guardBytes;
    set.list.push_back(std::move(argument));
  }
  if (Status mapped = set.map(total, shared); !mapped)
    return mapped.takeErrors();
  std::memset(set.memory, static_cast<int>(guardByte), set.mappedBytes);

  Sha256 all;
  for (size_t i = 0; i < set.list.size(); ++i) {
    Argument &argument = set.list[i];
    if (!argument.isScalar)
      argument.data = set.memory + offsets[i];
    bool reads = argument.input && !argument.isScalar;
    if (reads)
      fillRandom(argument, benchCase.arguments[i], seed + 0x9e37 * (i + 1));
    if (argument.input)
      all.update(contents(argument));
    set.inputHashes.push_back(reads && !argument.output ? sha256(contents(argument)) : "");
    set.firstContents.emplace_back();
    if (reads && argument.output)
      set.firstContents.back().assign(argument.data, argument.data + argument.bytes);
  }
  set.inputHash = all.finish();
  return set;
}

Result<ArgumentSet> ArgumentSet::open(std::vector<Argument> arguments,
                                      std::span<const size_t> offsets, const std::string &path,
                                      size_t bytes) {
  ArgumentSet set;
  set.list = std::move(arguments);
  set.file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (set.file < 0)
    return error(fmt::format("cannot open the shared memory '{}': {}", path, std::strerror(errno)));
  off_t size = lseek(set.file, 0, SEEK_END);
  void *address = size < 0 || static_cast<size_t>(size) < bytes
                      ? MAP_FAILED
                      : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, set.file, 0);
  if (address == MAP_FAILED)
    return error(fmt::format("cannot map {} bytes of the shared memory '{}'", bytes, path));
  set.memory = static_cast<std::byte *>(address);
  set.mappedBytes = bytes;
  for (size_t i = 0; i < set.list.size(); ++i) {
    Argument &argument = set.list[i];
    if (argument.isScalar)
      continue;
    if (offsets[i] > bytes || argument.bytes > bytes - offsets[i])
      return error(fmt::format("argument '{}' reaches beyond the shared memory", argument.name));
    std::optional<int64_t> elements = reach(argument.sizes, argument.strides);
    size_t element = byteSize(argument.dtype);
    if (!elements || static_cast<size_t>(*elements) * element > argument.bytes)
      return error(fmt::format("argument '{}' has {} bytes, which its sizes and strides overrun",
                               argument.name, argument.bytes));
    if (offsets[i] % element != 0)
      return error(fmt::format("argument '{}' lies at byte {} of the shared memory", argument.name,
                               offsets[i]),
                   fmt::format("a multiple of {}", element));
    argument.data = set.memory + offsets[i];
  }
  return set;
}

template <class Visit> void ArgumentSet::visitGuards(Visit visit) const {
  for (const Argument &argument : list) {
    if (argument.isScalar)
      continue;
    visit(argument, argument.data - guardBytes, guardBytes);
    size_t behind = roundUp(argument.bytes, guardBytes) - argument.bytes + guardBytes;
    visit(argument, argument.data + argument.bytes, behind);
  }
}

std::string ArgumentSet::damagedGuard() const {
  std::string name;
  visitGuards([&](const Argument &argument, const std::byte *first, size_t count) {
    bool intact = std::all_of(first, first + count, [](std::byte b) { return b == guardByte; });
    if (!intact && name.empty())
      name = argument.name;
  });
  return name;
}

std::string ArgumentSet::changedInput() const {
  for (size_t i = 0; i < list.size(); ++i)
    if (!inputHashes[i].empty() && sha256(contents(list[i])) != inputHashes[i])
      return list[i].name;
  return {};
}

void ArgumentSet::restoreInOut() {
  for (size_t i = 0; i < list.size(); ++i)
    if (!firstContents[i].empty())
      std::memcpy(list[i].data, firstContents[i].data(), firstContents[i].size());
}

std::string ArgumentSet::sharedPath() const {
  if (file < 0)
    return {};
  return path.empty() ? fmt::format("/proc/{}/fd/{}", getpid(), file) : path;
}

size_t ArgumentSet::sharedOffset(const Argument &argument) const {
  return argument.data ? static_cast<size_t>(argument.data - memory) : 0;
}

} // namespace metile::bench
