// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"

#include "Random.h"

#include "Support/HalfFloat.h"
#include "Support/ShowValue.h"

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
  case DType::f8e4m3:
    return f8e4m3FromDouble(randomReal(random, hasSpecials, dtype));
  case DType::f8e5m2:
    return f8e5m2FromDouble(randomReal(random, hasSpecials, dtype));
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

std::span<const std::byte> LaunchMemory::elements(size_t number) const {
  return std::as_bytes(std::span(data(number), bytesOf(program.arguments[number])));
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
    envelopes.emplace_back(argument.dtype);
}

void Bounds::add(const LaunchMemory &memory) {
  for (size_t number = 0; number < envelopes.size(); ++number)
    if (program.arguments[number].isOutput)
      envelopes[number].add(memory.elements(number));
}

std::string Bounds::check(const LaunchMemory &memory) const {
  if (int number = memory.damaged(); number >= 0)
    return "memory beside '" + program.arguments[static_cast<size_t>(number)].name +
           "' was written\n";
  std::string text;
  int64_t count = 0, elements = 0;
  for (size_t number = 0; number < envelopes.size(); ++number) {
    const LaunchArgument &argument = program.arguments[number];
    if (!argument.isOutput)
      continue;
    std::span<const std::byte> found = memory.elements(number);
    for (int64_t i = 0; i < argument.extent(); ++i) {
      ++elements;
      std::optional<std::string> expected = envelopes[number].mismatch(found, i);
      if (expected && count++ < 4)
        text += fmt::format("element {} of '{}' is {}, expected {}\n", i, argument.name,
                            showValue(argument.dtype, {},
                                      &found[static_cast<size_t>(i) * byteSize(argument.dtype)]),
                            *expected);
    }
  }
  if (count > 0)
    text += fmt::format("{} of {} elements differ\n", count, elements);
  return text;
}

} // namespace metile::fuzz
