// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"

#include "Bench/Argument.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace metile::conformance {

const char *name(Form form) {
  static const char *const names[] = {"dense",   "sliced",   "transposed",
                                      "strided", "repeated", "offset"};
  return names[static_cast<size_t>(form)];
}

int64_t wrapTo(DType dtype, int64_t value) {
  switch (dtype) {
  case DType::boolean:
    return value != 0;
  case DType::i8:
    return static_cast<int8_t>(value);
  case DType::i16:
    return static_cast<int16_t>(value);
  case DType::i32:
    return static_cast<int32_t>(value);
  case DType::u8:
    return static_cast<uint8_t>(value);
  case DType::u16:
    return static_cast<uint16_t>(value);
  case DType::u32:
    return static_cast<uint32_t>(value);
  default:
    return value;
  }
}

/// Strides of `form`, in elements.
static std::vector<int64_t> stridesOf(Form form, const std::vector<int64_t> &sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t step = form == Form::strided ? 3 : 1;
  if (form == Form::transposed) {
    for (size_t axis = 0; axis < sizes.size(); step *= sizes[axis++])
      strides[axis] = step;
    return strides;
  }
  for (size_t axis = sizes.size(); axis-- > 0; step *= sizes[axis]) {
    strides[axis] = step;
    if (form == Form::sliced && axis + 1 == sizes.size())
      step += 13;
  }
  if (form == Form::repeated && !sizes.empty())
    strides[0] = 0;
  return strides;
}

Array::Array(DType dtype, std::vector<int64_t> sizes, Form form)
    : type(dtype), extents(std::move(sizes)), steps(stridesOf(form, extents)) {
  size_t before = guardElements + (form == Form::offset ? 1 : 0);
  int64_t last = 0;
  bool isEmpty = false;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    last += std::max<int64_t>(0, extents[axis] - 1) * steps[axis];
    isEmpty |= extents[axis] == 0;
  }
  size_t elements = isEmpty ? 0 : static_cast<size_t>(last + 1);
  start = before * byteSize(type);
  // For floats this is NaN: reading what is no element shows.
  storage.assign((before + elements + guardElements) * byteSize(type),
                 isFloat(type) ? std::byte{0xff} : std::byte{0xa5});
}

int64_t Array::count() const {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

size_t Array::byteOf(int64_t index) const {
  int64_t offset = 0;
  for (size_t axis = extents.size(); axis-- > 0; index /= extents[axis])
    offset += index % extents[axis] * steps[axis];
  return start + static_cast<size_t>(offset) * byteSize(type);
}

Number Array::get(int64_t index) const {
  const std::byte *address = storage.data() + byteOf(index);
  if (isFloat(type))
    return {0, bench::readElement(type, address)};
  int64_t integer = 0;
  std::memcpy(&integer, address, byteSize(type));
  // A bool is read as it is: anything but 0 and 1 must show.
  return {type == DType::boolean ? integer : wrapTo(type, integer), 0};
}

void Array::set(int64_t index, Number value) {
  std::byte *address = storage.data() + byteOf(index);
  if (isFloat(type))
    bench::writeElement(type, address, value.real);
  else
    std::memcpy(address, &value.integer, byteSize(type));
}

void Array::setAll(std::span<const Number> values) {
  for (size_t i = 0; i < values.size(); ++i)
    set(static_cast<int64_t>(i), values[i]);
}

void Array::fillRandom(uint64_t seed, bool wide) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr std::array specials = {
      0.0,  -0.0,  1.0,     -1.0,  infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
      6e-8, -3e-6, 65504.0, -1e30, 0.5,      1.5,       2.5,
      -2.5, 1e-39};
  std::mt19937_64 random(seed);
  for (int64_t i = 0; i < count(); ++i) {
    uint64_t bits = random();
    double unit = static_cast<double>(bits >> 11) / static_cast<double>(uint64_t(1) << 53);
    Number value;
    if (wide) {
      value.integer = wrapTo(type, static_cast<int64_t>(bits));
      if (bits % 8 == 0) {
        // The ends of the range, zero and minus one, and the width, where rules differ.
        int64_t width = 8 * byteSize(type);
        auto lowest = static_cast<int64_t>(uint64_t(1) << (width - 1));
        value.integer =
            wrapTo(type, std::array<int64_t, 6>{0, -1, lowest, 1, width, width - 1}[bits / 8 % 6]);
      }
      value.real = bits % 4 == 0 ? specials[bits / 4 % specials.size()] : (unit - 0.5) * 200;
    } else {
      value.integer =
          isUnsigned(type) ? static_cast<int64_t>(bits % 10) : static_cast<int64_t>(bits % 19) - 9;
      value.real = unit * 4 - 2;
    }
    if (type == DType::boolean)
      value.integer = static_cast<int64_t>(bits & 1);
    set(i, value);
  }
}

void Array::poison() {
  for (int64_t i = 0; i < count(); ++i)
    set(i, {0x5555555555555555, std::numeric_limits<double>::quiet_NaN()});
}

bool Array::areGapsUnchanged(const Array &before) const {
  std::vector<bool> isElement(storage.size());
  for (int64_t i = 0; i < count(); ++i)
    std::fill_n(isElement.begin() + static_cast<ptrdiff_t>(byteOf(i)), byteSize(type), true);
  for (size_t byte = 0; byte < storage.size(); ++byte)
    if (!isElement[byte] && storage[byte] != before.storage[byte])
      return false;
  return true;
}

std::string spell(DType dtype, Number value) {
  if (!isFloat(dtype))
    return dtype == DType::u64 ? std::to_string(static_cast<uint64_t>(value.integer))
                               : std::to_string(value.integer);
  char text[40];
  std::snprintf(text, sizeof text, dtype == DType::f64 ? "%.17g" : "%.9g", value.real);
  return text;
}

} // namespace metile::conformance
