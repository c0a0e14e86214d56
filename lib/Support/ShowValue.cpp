// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/ShowValue.h"

#include "Support/HalfFloat.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace metile {
namespace {

template <class T> T read(const char *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T> std::string showFloat(T value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

std::string showElement(DType dtype, const char *at) {
  switch (dtype) {
  case DType::boolean:
    return read<uint8_t>(at) ? "true" : "false";
  case DType::i8:
    return std::to_string(read<int8_t>(at));
  case DType::i16:
    return std::to_string(read<int16_t>(at));
  case DType::i32:
    return std::to_string(read<int32_t>(at));
  case DType::i64:
    return std::to_string(read<int64_t>(at));
  case DType::u8:
    return std::to_string(read<uint8_t>(at));
  case DType::u16:
    return std::to_string(read<uint16_t>(at));
  case DType::u32:
    return std::to_string(read<uint32_t>(at));
  case DType::u64:
    return std::to_string(read<uint64_t>(at));
  case DType::f8e4m3:
    return showFloat(floatFromF8e4m3(read<uint8_t>(at)));
  case DType::f8e5m2:
    return showFloat(floatFromF8e5m2(read<uint8_t>(at)));
  case DType::f16:
    return showFloat(floatFromF16(read<uint16_t>(at)));
  case DType::bf16:
    return showFloat(floatFromBf16(read<uint16_t>(at)));
  case DType::f32:
    return showFloat(read<float>(at));
  case DType::f64:
    return showFloat(read<double>(at));
  }
  return "?";
}

/// Bytes from one index of the first axis to the next.
int64_t stepOf(DType dtype, std::span<const int64_t> shape) {
  int64_t bytes = byteSize(dtype);
  for (int64_t extent : shape.subspan(1))
    bytes *= extent;
  return bytes;
}

std::string show(DType dtype, std::span<const int64_t> shape, const char *data, bool isShort) {
  if (shape.empty())
    return showElement(dtype, data);
  constexpr int64_t atEnds = 3;
  int64_t step = stepOf(dtype, shape);
  std::string text = "[";
  for (int64_t i = 0; i < shape[0]; ++i) {
    if (i)
      text += ", ";
    if (isShort && i == atEnds && shape[0] > 2 * atEnds) {
      text += "..., ";
      i = shape[0] - atEnds;
    }
    text += show(dtype, shape.subspan(1), data + i * step, isShort);
  }
  return text + "]";
}

} // namespace

std::string showValue(DType dtype, std::span<const int64_t> shape, const void *data) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  return show(dtype, shape, static_cast<const char *>(data), elements > 1024);
}

} // namespace metile
