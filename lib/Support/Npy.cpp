// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/Npy.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

namespace metile {

static constexpr std::string_view magic = "\x93NUMPY";
static constexpr size_t headerAlignment = 64;
static constexpr size_t mostAxes = 64; // NumPy's own limit.

static_assert(std::endian::native == std::endian::little,
              "reading would have to swap the bytes of each element");

namespace {

struct TypeCode {
  DType dtype;
  std::string_view code; ///< Without the byte order.
};

constexpr TypeCode typeCodes[] = {
    {DType::boolean, "b1"}, {DType::i8, "i1"},     {DType::i16, "i2"},   {DType::i32, "i4"},
    {DType::i64, "i8"},     {DType::u8, "u1"},     {DType::u16, "u2"},   {DType::u32, "u4"},
    {DType::u64, "u8"},     {DType::f16, "f2"},    {DType::f32, "f4"},   {DType::f64, "f8"},
    {DType::bf16, "V2"},    {DType::f8e4m3, "V1"}, {DType::f8e5m2, "f1"}};

/// Reads the header, a Python dictionary of three known keys.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  std::string descr;
  bool columnMajor = false;
  std::vector<int64_t> sizes;

  bool parse() {
    bool seenDescr = false, seenOrder = false, seenShape = false;
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::optional<std::string> key = quoted();
      if (!key || !take(':'))
        return false;
      bool good = false;
      if (*key == "descr") {
        std::optional<std::string> value = quoted();
        good = value.has_value();
        descr = value.value_or("");
        seenDescr = good;
      } else if (*key == "fortran_order") {
        columnMajor = takeWord("True");
        good = columnMajor || takeWord("False");
        seenOrder = good;
      } else if (*key == "shape") {
        good = seenShape = shape();
      }
      if (!good)
        return false;
      take(',');
    }
    return seenDescr && seenOrder && seenShape;
  }

private:
  void skipSpace() {
    while (!text.empty() && std::string_view(" \t\n\r").find(text[0]) != std::string_view::npos)
      text.remove_prefix(1);
  }
  bool take(char c) {
    skipSpace();
    if (text.empty() || text[0] != c)
      return false;
    text.remove_prefix(1);
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (!text.starts_with(word))
      return false;
    text.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string> quoted() {
    skipSpace();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return std::nullopt;
    size_t end = text.find(text[0], 1);
    if (end == text.npos)
      return std::nullopt;
    std::string result(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    return result;
  }
  bool shape() {
    if (!take('('))
      return false;
    while (!take(')')) {
      skipSpace();
      int64_t size = 0;
      auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), size);
      if (code != std::errc() || size < 0)
        return false;
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      sizes.push_back(size);
      take(',');
    }
    return true;
  }

  std::string_view text;
};

} // namespace

static uint32_t littleEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    value |= uint32_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

/// The elements of `from`, first axis fastest, in row-major order.
static void toRowMajor(std::string_view from, std::byte *to, const std::vector<int64_t> &sizes,
                       size_t element) {
  std::vector<int64_t> index(sizes.size());
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    for (size_t axis = sizes.size(); axis-- > 0;)
      offset = offset * sizes[axis] + index[axis];
    std::memcpy(to + static_cast<size_t>(i) * element, &from[static_cast<size_t>(offset) * element],
                element);
    for (size_t axis = sizes.size(); axis-- > 0;) {
      if (++index[axis] < sizes[axis])
        break;
      index[axis] = 0;
    }
  }
}

Result<NpyArray> parseNpy(std::string_view bytes, std::string_view name) {
  std::string file(name);
  auto refuse = [&](const std::string &why, std::string allowed = {}) -> Errors {
    return error(file + ": " + why, std::move(allowed));
  };
  if (!bytes.starts_with(magic))
    return refuse("this is no .npy file");
  if (bytes.size() < 12)
    return refuse("the file ends in its header");
  unsigned version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return refuse("version " + std::to_string(version) + " of the .npy format", "1 to 3 are known");
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t headerBytes = littleEndian(bytes.substr(8, lengthBytes));
  size_t begin = 8 + lengthBytes;
  if (bytes.size() - begin < headerBytes)
    return refuse("the file ends in its header");
  HeaderParser header(bytes.substr(begin, headerBytes));
  if (!header.parse())
    return refuse("its header cannot be read");

  NpyArray array;
  array.sizes = header.sizes;
  char order = header.descr.empty() ? '?' : header.descr[0];
  std::string_view code = std::string_view(header.descr).substr(!header.descr.empty());
  auto type = std::find_if(std::begin(typeCodes), std::end(typeCodes),
                           [&](const TypeCode &t) { return t.code == code; });
  if (type == std::end(typeCodes) || (order == '>' && byteSize(type->dtype) > 1) ||
      (order != '<' && order != '|' && order != '=' && order != '>'))
    return refuse(
        "its elements are of the type '" + header.descr + "'",
        "bool, integers, float8_e4m3fn (|V1), float8_e5m2 (|f1), float16, bfloat16 (<V2), "
        "float32 and float64, little-endian");
  array.dtype = type->dtype;
  if (array.sizes.size() > mostAxes)
    return refuse("it has " + std::to_string(array.sizes.size()) + " axes",
                  "at most " + std::to_string(mostAxes));
  size_t element = byteSize(array.dtype), expected = element;
  // Sizes beside a 0 count too: strides are computed from them.
  for (int64_t size : array.sizes)
    if (__builtin_mul_overflow(expected, std::max<size_t>(static_cast<size_t>(size), 1),
                               &expected) ||
        expected > static_cast<size_t>(std::numeric_limits<int64_t>::max()))
      return refuse("its shape is larger than memory");
  if (std::find(array.sizes.begin(), array.sizes.end(), 0) != array.sizes.end())
    expected = 0;
  std::string_view data = bytes.substr(begin + headerBytes);
  if (data.size() != expected)
    return refuse("it holds " + std::to_string(data.size()) + " bytes of elements",
                  "its shape and type take " + std::to_string(expected));
  array.bytes.resize(expected);
  if (header.columnMajor && array.sizes.size() > 1)
    toRowMajor(data, array.bytes.data(), array.sizes, element);
  else if (expected)
    std::memcpy(array.bytes.data(), data.data(), expected);
  return array;
}

Result<NpyArray> readNpy(const std::string &path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad() || errno == EISDIR)
    return error("cannot read " + path + ": " + std::strerror(errno ? errno : EIO));
  return parseNpy(bytes, path);
}

std::string npyBytes(const NpyArray &array) {
  std::string_view code;
  for (const TypeCode &type : typeCodes)
    if (type.dtype == array.dtype)
      code = type.code;
  std::string header = "{'descr': '";
  header += byteSize(array.dtype) == 1 ? '|' : '<';
  header += std::string(code) + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.sizes)
    header += std::to_string(size) + ",";
  header += "), }";
  // The elements begin at a multiple of 64 bytes; a newline ends the header.
  size_t prefix = magic.size() + 4;
  while ((prefix + header.size() + 1) % headerAlignment)
    header += ' ';
  header += '\n';
  std::string file(magic);
  file += std::string("\x01\x00", 2);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
  return file;
}

} // namespace metile
