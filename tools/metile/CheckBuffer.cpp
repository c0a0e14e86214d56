// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of buffers as words: random numbers, values, files.

#include "CheckPlan.h"
#include "CommandLine.h"

#include "Support/HalfFloat.h"
#include "Support/Npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace metile::tools {

std::optional<DType> parseMetalType(std::string_view text) {
  static constexpr std::pair<std::string_view, DType> names[] = {
      {"half", f16}, {"bfloat", bf16}, {"float", f32},  {"char", i8},
      {"uchar", u8}, {"short", i16},   {"ushort", u16}, {"int", i32},
      {"uint", u32}, {"long", i64},    {"ulong", u64},  {"bool", boolean}};
  for (const auto &[name, dtype] : names)
    if (name == text)
      return dtype;
  return parseDType(text);
}

namespace {

constexpr std::string_view forms =
    "random:, zeros:, ones:, iota:, nan: or uninit: with TYPE[SIZES]; TYPE:VALUE,…; "
    "pack:TYPE=VALUE,…; same:BUFFER; FILE.npy";

constexpr int64_t mostElements = int64_t(1) << 31;

template <class T> void append(std::vector<std::byte> &bytes, T value) {
  size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

/// Appends the low bytes of `bits`.
void appendInteger(std::vector<std::byte> &bytes, DType dtype, uint64_t bits) {
  for (unsigned i = 0; i < byteSize(dtype); ++i)
    bytes.push_back(static_cast<std::byte>(bits >> 8 * i));
}

/// Appends `value`, a whole number if `dtype` is no float.
void appendNumber(std::vector<std::byte> &bytes, DType dtype, double value) {
  switch (dtype) {
  case f16:
    return append(bytes, f16FromDouble(value));
  case bf16:
    return append(bytes, bf16FromDouble(value));
  case f8e4m3:
    return append(bytes, f8e4m3FromDouble(value));
  case f8e5m2:
    return append(bytes, f8e5m2FromDouble(value));
  case f32:
    return append(bytes, static_cast<float>(value));
  case f64:
    return append(bytes, value);
  case boolean:
    return appendInteger(bytes, dtype, value != 0);
  default:
    return appendInteger(bytes, dtype, static_cast<uint64_t>(static_cast<int64_t>(value)));
  }
}

/// Appends what `word` says; false if that is no value of `dtype`.
bool appendWord(std::vector<std::byte> &bytes, DType dtype, std::string_view word) {
  if (isFloat(dtype)) {
    std::optional<double> value = parseReal(std::string(word));
    if (value)
      appendNumber(bytes, dtype, *value);
    return value.has_value();
  }
  if (word == "true" || word == "false")
    word = word == "true" ? "1" : "0";
  unsigned width = dtype == boolean ? 1 : 8 * byteSize(dtype);
  if (std::optional<int64_t> value = parseInteger(word); value && isSigned(dtype)) {
    appendInteger(bytes, dtype, static_cast<uint64_t>(*value));
    return *value >> (width - 1) == 0 || *value >> (width - 1) == -1;
  }
  uint64_t value = 0;
  auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  appendInteger(bytes, dtype, value);
  return !isSigned(dtype) && !word.empty() && code == std::errc() &&
         end == word.data() + word.size() && value <= ~uint64_t(0) >> (64 - width);
}

/// "f16[256,256]", or "f16" for one element.
bool parseShape(const std::string &text, CheckBuffer &buffer) {
  size_t open = text.find('[');
  buffer.dtype = parseMetalType(text.substr(0, open));
  if (!buffer.dtype)
    return false;
  if (open == text.npos)
    return true;
  if (text.back() != ']')
    return false;
  std::string sizes = text.substr(open + 1, text.size() - open - 2);
  int64_t count = 1;
  for (size_t start = 0; start <= sizes.size();) {
    size_t end = std::min(sizes.find_first_of(",x", start), sizes.size());
    std::optional<int64_t> size = parseInteger(sizes.substr(start, end - start));
    if (!size || *size < 0 || *size > mostElements || (count *= *size) > mostElements)
      return false;
    buffer.sizes.push_back(*size);
    start = end + 1;
  }
  return true;
}

/// Fills `buffer` by the rule called `kind`; false if there is no such rule.
bool fill(CheckBuffer &buffer, const std::string &kind, uint64_t seed) {
  int64_t count = 1;
  for (int64_t size : buffer.sizes)
    count *= size;
  DType dtype = *buffer.dtype;
  buffer.bytes.reserve(static_cast<size_t>(count) * byteSize(dtype));
  std::mt19937_64 generator(seed);
  buffer.uninitialised = kind == "nan" || kind == "uninit";
  for (int64_t i = 0; i < count; ++i) {
    double value = 0;
    if (kind == "random") {
      // The generator's own bits, so that every C++ library gives the same numbers.
      uint64_t bits = generator() >> 11;
      value = isFloat(dtype) ? static_cast<double>(bits) * 0x1p-52 - 1
                             : static_cast<double>(bits % (dtype == boolean ? 2 : 16));
    } else if (kind == "ones") {
      value = 1;
    } else if (kind == "iota") {
      value = static_cast<double>(i);
    } else if (buffer.uninitialised) {
      value = isFloat(dtype) ? std::numeric_limits<double>::quiet_NaN() : 77;
    } else if (kind != "zeros") {
      return false;
    }
    appendNumber(buffer.bytes, dtype, value);
  }
  return true;
}

/// "1,2,3" of one type, or for pack "i32=4,u64=8" at their natural alignment.
bool readValues(CheckBuffer &buffer, const std::string &text, bool pack) {
  size_t widest = 1;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(',', start), text.size());
    std::string word = text.substr(start, end - start);
    start = end + 1;
    std::optional<DType> dtype = buffer.dtype;
    if (pack) {
      size_t equals = word.find('=');
      dtype = parseMetalType(word.substr(0, equals));
      word = equals == word.npos ? "" : word.substr(equals + 1);
    }
    if (!dtype)
      return false;
    size_t align = byteSize(*dtype);
    widest = std::max(widest, align);
    if (pack)
      buffer.bytes.resize((buffer.bytes.size() + align - 1) / align * align);
    if (!appendWord(buffer.bytes, *dtype, word))
      return false;
  }
  if (pack)
    buffer.bytes.resize((buffer.bytes.size() + widest - 1) / widest * widest);
  else
    buffer.sizes = {static_cast<int64_t>(buffer.bytes.size() / widest)};
  return true;
}

} // namespace

Result<CheckBuffer> makeCheckBuffer(const std::string &key, const std::string &source,
                                    uint64_t seed) {
  CheckBuffer buffer;
  buffer.key = key;
  if (source.ends_with(".npy")) {
    Result<NpyArray> array = readNpy(source);
    if (!array)
      return array.takeErrors();
    buffer.dtype = array->dtype;
    buffer.sizes = std::move(array->sizes);
    buffer.bytes = std::move(array->bytes);
    return buffer;
  }
  size_t colon = source.find(':');
  std::string kind = source.substr(0, colon);
  std::string rest = colon == source.npos ? "" : source.substr(colon + 1);
  bool right = false;
  if (colon == source.npos) {
    right = false;
  } else if (kind == "same") {
    buffer.sameAs = rest;
    right = !rest.empty();
  } else if (kind == "pack") {
    right = readValues(buffer, rest, true);
  } else if ((buffer.dtype = parseMetalType(kind))) {
    right = readValues(buffer, rest, false);
  } else {
    right = parseShape(rest, buffer) && fill(buffer, kind, seed);
  }
  if (!right)
    return error(fmt::format("'{}' says nothing of what buffer {} holds", source, key),
                 std::string(forms));
  return buffer;
}

} // namespace metile::tools
