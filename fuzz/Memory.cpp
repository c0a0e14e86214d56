// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"

#include "Random.h"

#include "Support/HalfFloat.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace metile::fuzz {

/// Bytes of guard on each side of an argument: 64 elements of the widest type.
static constexpr size_t guardBytes = 512;
/// All ones: NaN as a float, -1 as an integer.
static constexpr unsigned char guardByte = 0xff;

static size_t bytesOf(const LaunchArgument &argument) {
  return static_cast<size_t>(argument.extent()) * byteSize(argument.dtype);
}

static double randomReal(Random &random, bool hasSpecials, DType dtype) {
  if (hasSpecials && random.chance(0.1))
    return random.pick({std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(), std::nan(""), -0.0, 65504.0, 1e-7,
                        dtype == DType::f64 ? 1e300 : 3e38, dtype == DType::f64 ? 5e-310 : 1e-41});
  if (random.chance(0.6)) // Exact in every type, and so are many sums and products.
    return static_cast<double>(random.between(-8, 8)) / 2;
  return static_cast<double>(random.between(-(1 << 20), 1 << 20)) / (1 << 18);
}

static uint64_t randomInteger(Random &random, bool hasSpecials, unsigned width) {
  uint64_t lowest = uint64_t(1) << (width - 1);
  if (hasSpecials && random.chance(0.15))
    return random.pick({lowest, lowest - 1, uint64_t(0), ~uint64_t(0), random.next()});
  return static_cast<uint64_t>(random.between(-12, 40));
}

static uint64_t randomBits(Random &random, bool hasSpecials, DType dtype) {
  switch (dtype) {
  case DType::boolean:
    return random.chance(0.5);
  case DType::f16:
    return f16FromDouble(randomReal(random, hasSpecials, dtype));
  case DType::bf16:
    return bf16FromDouble(randomReal(random, hasSpecials, dtype));
  case DType::f32:
    return std::bit_cast<uint32_t>(static_cast<float>(randomReal(random, hasSpecials, dtype)));
  case DType::f64:
    return std::bit_cast<uint64_t>(randomReal(random, hasSpecials, dtype));
  default:
    return randomInteger(random, hasSpecials, 8 * byteSize(dtype));
  }
}

LaunchMemory::LaunchMemory(const Program &program) : program(program) {
  for (const LaunchArgument &argument : program.arguments) {
    if (argument.kind == LaunchArgument::Kind::scalar) {
      storage.emplace_back();
      continue;
    }
    size_t bytes = bytesOf(argument) + 2 * guardBytes;
    storage.emplace_back(new unsigned char[bytes]);
    std::memset(storage.back().get(), guardByte, bytes);
    if (!argument.isInput)
      continue;
    // By the argument's name, so that removing another one leaves the contents as they are.
    uint64_t seed = program.dataSeed;
    for (char c : argument.name)
      seed = seed * 31 + static_cast<unsigned char>(c);
    Random random(seed);
    unsigned width = byteSize(argument.dtype);
    // All elements that indices reach; those of overlapping rows are written more than once.
    std::vector<int64_t> index(argument.sizes.size(), 0);
    bool isEmpty = false;
    for (int64_t size : argument.sizes)
      isEmpty |= size == 0;
    while (!isEmpty) {
      int64_t place = 0;
      for (size_t axis = 0; axis < index.size(); ++axis)
        place += index[axis] * argument.strides[axis];
      uint64_t bits = randomBits(random, program.hasSpecials, argument.dtype);
      std::memcpy(storage.back().get() + guardBytes + static_cast<size_t>(place) * width, &bits,
                  width);
      size_t axis = index.size();
      while (axis > 0 && ++index[axis - 1] == argument.sizes[axis - 1])
        index[--axis] = 0;
      if (axis == 0)
        break;
    }
  }
}

unsigned char *LaunchMemory::data(size_t number) const {
  return storage[number].get() + guardBytes;
}

Result<std::vector<Argument>> LaunchMemory::arguments(const Device &device) {
  std::vector<Argument> result;
  for (size_t number = 0; number < program.arguments.size(); ++number) {
    const LaunchArgument &argument = program.arguments[number];
    if (argument.kind == LaunchArgument::Kind::scalar) {
      result.push_back(isFloat(argument.dtype)
                           ? Argument::scalar(argument.dtype, static_cast<double>(argument.value))
                           : Argument::scalar(argument.dtype, argument.value));
      continue;
    }
    if (argument.kind == LaunchArgument::Kind::view) {
      result.push_back(Argument::view(static_cast<void *>(data(number)), argument.dtype,
                                      argument.sizes, argument.strides));
      continue;
    }
    Result<Buffer> buffer = device.adopt(data(number), bytesOf(argument));
    if (!buffer)
      return buffer.takeErrors();
    buffers.push_back(std::move(*buffer));
    result.push_back(Argument::pointer(buffers.back(), argument.dtype));
  }
  return result;
}

uint64_t LaunchMemory::bits(size_t number, int64_t index) const {
  unsigned width = byteSize(program.arguments[number].dtype);
  uint64_t bits = 0;
  std::memcpy(&bits, data(number) + static_cast<size_t>(index) * width, width);
  return bits;
}

double LaunchMemory::real(size_t number, int64_t index) const {
  uint64_t raw = bits(number, index);
  switch (program.arguments[number].dtype) {
  case DType::f16:
    return floatFromF16(static_cast<uint16_t>(raw));
  case DType::bf16:
    return floatFromBf16(static_cast<uint16_t>(raw));
  case DType::f32:
    return std::bit_cast<float>(static_cast<uint32_t>(raw));
  default:
    return std::bit_cast<double>(raw);
  }
}

int64_t LaunchMemory::integer(size_t number, int64_t index) const {
  unsigned width = 8 * byteSize(program.arguments[number].dtype);
  return static_cast<int64_t>(bits(number, index) << (64 - width)) >> (64 - width);
}

int LaunchMemory::damaged() const {
  for (size_t number = 0; number < storage.size(); ++number) {
    if (!storage[number])
      continue;
    const unsigned char *begin = storage[number].get(),
                        *end = data(number) + bytesOf(program.arguments[number]);
    for (size_t i = 0; i < guardBytes; ++i)
      if (begin[i] != guardByte || end[i] != guardByte)
        return static_cast<int>(number);
  }
  return -1;
}

Bounds::Bounds(const Program &program) : program(program) {
  for (const LaunchArgument &argument : program.arguments)
    ranges.emplace_back(argument.isOutput ? static_cast<size_t>(argument.extent()) : 0);
  isInexact.assign(ranges.size(), false);
}

void Bounds::add(const LaunchMemory &memory) {
  for (size_t number = 0; number < ranges.size(); ++number) {
    bool isReal = isFloat(program.arguments[number].dtype);
    for (size_t i = 0; i < ranges[number].size(); ++i) {
      auto index = static_cast<int64_t>(i);
      Range &range = ranges[number][i];
      double value =
          isReal ? memory.real(number, index) : static_cast<double>(memory.integer(number, index));
      if (isFirst) {
        range = {memory.bits(number, index), value, value, false};
        continue;
      }
      bool isSame = value == range.low && range.low == range.high;
      if (!isSame && !(std::isnan(value) && std::isnan(range.low)))
        range.isOpen |=
            !std::isfinite(value) || !std::isfinite(range.low) || !std::isfinite(range.high);
      isInexact[number] = isInexact[number] || !isSame;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  isFirst = false;
}

/// By how much of the evaluations' difference a device may go beyond them. Between themselves they
/// differ by the rounding errors of one order of evaluation; another order, or functions that are
/// off by a few units, lie within a small multiple.
static constexpr double slack = 16;

/// Half the distance from 1 to the next number of `dtype`.
static double unitOf(DType dtype) {
  switch (dtype) {
  case DType::bf16:
    return 0x1p-8;
  case DType::f16:
    return 0x1p-11;
  case DType::f32:
    return 0x1p-24;
  default:
    return 0x1p-53;
  }
}

std::string Bounds::mismatch(size_t number, int64_t index, const LaunchMemory &memory) const {
  const Range &range = ranges[number][static_cast<size_t>(index)];
  uint64_t bits = memory.bits(number, index);
  if (bits == range.bits || range.isOpen)
    return {};
  bool isReal = isFloat(program.arguments[number].dtype);
  double value =
      isReal ? memory.real(number, index) : static_cast<double>(memory.integer(number, index));
  // The sign of a zero is left open where two zeros meet, as in the smaller of 0 and -0.
  if (isReal && ((std::isnan(value) && std::isnan(range.low)) || (value == 0 && range.low == 0)))
    return {};
  double spread = range.high - range.low;
  // Errors may cancel in one element of an inexact tile, in every evaluation.
  if (isReal && isInexact[number])
    spread = std::max(spread, unitOf(program.arguments[number].dtype) * std::abs(range.low));
  if (spread > 0 && value >= range.low - slack * spread && value <= range.high + slack * spread)
    return {};
  std::string expected = isReal ? fmt::format("{:.9g}", range.low) : fmt::format("{}", range.low);
  if (spread > 0)
    expected += fmt::format(" to {:.9g}", range.high);
  return fmt::format("element {} of '{}' is {:.9g}, expected {}", index,
                     program.arguments[number].name, value, expected);
}

std::string Bounds::check(const LaunchMemory &memory) const {
  if (int number = memory.damaged(); number >= 0)
    return "memory beside '" + program.arguments[static_cast<size_t>(number)].name +
           "' was written\n";
  std::string text;
  int64_t count = 0, elements = 0;
  for (size_t number = 0; number < ranges.size(); ++number)
    for (size_t i = 0; i < ranges[number].size(); ++i) {
      ++elements;
      std::string found = mismatch(number, static_cast<int64_t>(i), memory);
      if (!found.empty() && count++ < 4)
        text += found + "\n";
    }
  if (count > 0)
    text += fmt::format("{} of {} elements differ\n", count, elements);
  return text;
}

} // namespace metile::fuzz
