// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/HalfFloat.h"
#include "metile/runtime.h"

#include <algorithm>
#include <bit>

namespace metile {

Argument Argument::view(void *data, DType dtype, std::span<const int64_t> sizes,
                        std::span<const int64_t> strides) {
  Argument argument;
  argument.kind = Kind::view;
  argument.dtype = dtype;
  argument.data = data;
  argument.rank = static_cast<uint32_t>(sizes.size());
  if (!strides.empty() && strides.size() != sizes.size())
    argument.rank = mismatchedStrides;
  if (argument.rank > maxRank)
    return argument;
  std::copy(sizes.begin(), sizes.end(), argument.sizes);
  std::copy(strides.begin(), strides.end(), argument.strides);
  if (strides.empty()) {
    // May wrap; the launch refuses sizes whose product does not fit 64 bits.
    uint64_t stride = 1;
    for (size_t axis = sizes.size(); axis-- > 0;) {
      argument.strides[axis] = static_cast<int64_t>(stride);
      stride *= static_cast<uint64_t>(std::max<int64_t>(sizes[axis], 1));
    }
  }
  return argument;
}

Argument Argument::view(void *data, DType dtype, std::initializer_list<int64_t> sizes,
                        std::initializer_list<int64_t> strides) {
  return view(data, dtype, std::span(sizes.begin(), sizes.size()),
              std::span(strides.begin(), strides.size()));
}

Argument Argument::view(const void *data, DType dtype, std::span<const int64_t> sizes,
                        std::span<const int64_t> strides) {
  Argument argument = view(const_cast<void *>(data), dtype, sizes, strides);
  argument.readOnly = true;
  return argument;
}

Argument Argument::view(const void *data, DType dtype, std::initializer_list<int64_t> sizes,
                        std::initializer_list<int64_t> strides) {
  return view(data, dtype, std::span(sizes.begin(), sizes.size()),
              std::span(strides.begin(), strides.size()));
}

/// `offset` bytes into the buffer; null for a buffer without memory, whatever the offset. An
/// address outside is found by the launch's checks.
static void *addressIn(const Buffer &buffer, size_t offset) {
  auto base = reinterpret_cast<uintptr_t>(buffer.data());
  return base ? reinterpret_cast<void *>(base + offset) : nullptr;
}

Argument Argument::view(const Buffer &buffer, DType dtype, std::span<const int64_t> sizes,
                        std::span<const int64_t> strides, size_t offset) {
  Argument argument = view(addressIn(buffer, offset), dtype, sizes, strides);
  argument.memory = buffer.data();
  argument.memoryBytes = buffer.bytes();
  return argument;
}

Argument Argument::view(const Buffer &buffer, DType dtype, std::initializer_list<int64_t> sizes,
                        std::initializer_list<int64_t> strides, size_t offset) {
  return view(buffer, dtype, std::span(sizes.begin(), sizes.size()),
              std::span(strides.begin(), strides.size()), offset);
}

Argument Argument::pointer(const void *data, DType dtype) {
  Argument argument;
  argument.kind = Kind::pointer;
  argument.dtype = dtype;
  argument.data = const_cast<void *>(data);
  return argument;
}

Argument Argument::pointer(const Buffer &buffer, DType dtype, size_t offset) {
  Argument argument = pointer(addressIn(buffer, offset), dtype);
  argument.memory = buffer.data();
  argument.memoryBytes = buffer.bytes();
  return argument;
}

Argument Argument::integer(DType dtype, uint64_t value, bool negative) {
  auto asSigned = static_cast<int64_t>(value);
  if (isFloat(dtype))
    return floating(dtype, negative ? static_cast<double>(asSigned) : static_cast<double>(value));
  Argument argument;
  argument.dtype = dtype;
  unsigned width = dtype == DType::boolean ? 1 : 8 * byteSize(dtype);
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  argument.bits = value & mask;
  if (!isSigned(dtype))
    argument.fits = !negative && value <= mask;
  else if (negative)
    argument.fits = asSigned >= -static_cast<int64_t>(mask >> 1) - 1;
  else
    argument.fits = value <= mask >> 1;
  return argument;
}

Argument Argument::floating(DType dtype, double value) {
  Argument argument;
  argument.dtype = dtype;
  switch (dtype) {
  case DType::f8e4m3:
    argument.bits = f8e4m3FromDouble(value);
    break;
  case DType::f8e5m2:
    argument.bits = f8e5m2FromDouble(value);
    break;
  case DType::f16:
    argument.bits = f16FromDouble(value);
    break;
  case DType::bf16:
    argument.bits = bf16FromDouble(value);
    break;
  case DType::f32:
    argument.bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    break;
  case DType::f64:
    argument.bits = std::bit_cast<uint64_t>(value);
    break;
  default:
    // Only a whole number within 64 bits can be an integer's value.
    if (value >= -0x1p63 && value < 0x1p63 && value == static_cast<double>(int64_t(value)))
      return integer(dtype, static_cast<uint64_t>(static_cast<int64_t>(value)), value < 0);
    argument.fits = false;
  }
  return argument;
}

} // namespace metile
