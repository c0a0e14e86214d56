// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Infer.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace metile;
using namespace metile::infer;

static std::string text(DType dtype) { return std::string(name(dtype)); }

std::string infer::shapeText(const std::vector<int64_t> &shape) {
  std::string result = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    result += (i ? ", " : "") + std::to_string(shape[i]);
  return result + "]";
}

int64_t infer::elements(const std::vector<int64_t> &shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

std::optional<DType> infer::promote(DType a, DType b, Mistake &mistake) {
  if (a == b)
    return a;
  if (a == DType::boolean || b == DType::boolean) {
    mistake = {"bool meets " + text(a == DType::boolean ? b : a), "bool does not convert by itself",
               "cast the bool, or use where(condition, a, b)"};
    return std::nullopt;
  }
  if (isFloat(a) && isFloat(b))
    return a == DType::f64 || b == DType::f64 ? DType::f64 : DType::f32;
  if (isFloat(a) || isFloat(b))
    return isFloat(a) ? a : b;
  if (byteSize(a) != byteSize(b))
    return byteSize(a) > byteSize(b) ? a : b;
  mistake = {text(a) + " meets " + text(b),
             "integers of one width but different sign have no common type", "cast one of them"};
  return std::nullopt;
}

DType infer::arithmeticType(DType dtype) { return isFloat8(dtype) ? DType::f32 : dtype; }

bool infer::literalFits(DType dtype, bool isReal, bool isUnsigned, int64_t integer, double real,
                        Mistake &mistake) {
  auto number = [&] {
    if (!isReal)
      return isUnsigned ? std::to_string(uint64_t(integer)) : std::to_string(integer);
    std::string digits = std::to_string(real);
    while (digits.find('.') != std::string::npos && digits.back() == '0')
      digits.pop_back();
    return digits.back() == '.' ? digits + "0" : digits;
  };
  if (isFloat(dtype))
    return true;
  if (isReal) {
    mistake = {"the number " + number() + " meets a tile of " + text(dtype),
               "a C++ number takes the type of the tile", "cast the tile to f32 first"};
    return false;
  }
  if (dtype == DType::boolean) {
    if (!isUnsigned && (integer == 0 || integer == 1))
      return true;
    mistake = {"the number " + number() + " meets a tile of bool", "true or false",
               "cast the tile to i32 first"};
    return false;
  }
  unsigned bits = 8 * byteSize(dtype);
  bool fits;
  if (isSigned(dtype))
    fits = (!isUnsigned || integer >= 0) &&
           (bits == 64 ||
            (integer >= -(int64_t(1) << (bits - 1)) && integer < (int64_t(1) << (bits - 1))));
  else
    fits = (isUnsigned || integer >= 0) && (bits == 64 || uint64_t(integer) >> bits == 0);
  if (!fits)
    mistake = {"the number " + number() + " meets a tile of " + text(dtype) +
                   ", which cannot hold it",
               "a C++ number takes the type of the tile", "cast the tile to a wider type first"};
  return fits;
}

bool infer::broadcast(const std::vector<int64_t> &a, const std::vector<int64_t> &b,
                      std::vector<int64_t> &result, Mistake &mistake) {
  if (a.empty() || b.empty()) {
    result = a.empty() ? b : a;
    return true;
  }
  if (a.size() != b.size()) {
    mistake = {"shapes " + shapeText(a) + " and " + shapeText(b) + " have different ranks",
               "ranks are equal or one side is a scalar", "insert an axis with expand(x, axis)"};
    return false;
  }
  result.resize(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
      mistake = {"shapes " + shapeText(a) + " and " + shapeText(b) + " differ along axis " +
                     std::to_string(i),
                 "extents are equal or 1", "load or make both with the same extent"};
      return false;
    }
    result[i] = std::max(a[i], b[i]);
  }
  return true;
}

bool infer::checkExtents(const std::vector<int64_t> &shape, Mistake &mistake) {
  constexpr int64_t limit = int64_t(1) << 20;
  int64_t product = 1;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t extent = shape[axis];
    if (extent <= 0) {
      mistake = {"extent " + std::to_string(extent) + " along axis " + std::to_string(axis) +
                     " of a tile",
                 "extents are powers of two, at least 1", "use 1 or a larger power of two"};
      return false;
    }
    if (!std::has_single_bit(uint64_t(extent))) {
      uint64_t below = std::bit_floor(uint64_t(extent));
      mistake = {
          "extent " + std::to_string(extent) + " along axis " + std::to_string(axis) + " of a tile",
          "extents are powers of two",
          extent > limit
              ? "use at most " + std::to_string(limit)
              : "the nearest are " + std::to_string(below) + " and " + std::to_string(below * 2)};
      return false;
    }
    product = extent > limit || product > limit ? limit + 1 : product * extent;
  }
  if (product > limit) {
    mistake = {"a tile of shape " + shapeText(shape) + " has more than 2^20 elements",
               "a tile holds at most 1048576 elements", "use smaller tiles in a loop"};
    return false;
  }
  return true;
}

bool infer::checkAxis(int64_t &axis, size_t rank, const std::string &what, Mistake &mistake) {
  int64_t given = axis;
  if (axis < 0)
    axis += rank;
  if (axis >= 0 && axis < int64_t(rank))
    return true;
  mistake = {"axis " + std::to_string(given) + " of " + what,
             rank == 0 ? "it has no axes"
                       : "its axes are 0 to " + std::to_string(rank - 1) + ", or -" +
                             std::to_string(rank) + " to -1",
             {}};
  return false;
}

DType infer::sumType(DType dtype) {
  switch (dtype) {
  case DType::f64:
  case DType::i64:
  case DType::u64:
    return dtype;
  case DType::f8e4m3:
  case DType::f8e5m2:
  case DType::f16:
  case DType::bf16:
  case DType::f32:
    return DType::f32;
  case DType::u8:
  case DType::u16:
  case DType::u32:
    return DType::u32;
  default:
    return DType::i32;
  }
}

std::optional<DType> infer::dotType(DType a, DType b) {
  bool bytes = (a == DType::i8 || a == DType::u8) && (b == DType::i8 || b == DType::u8);
  if (bytes)
    return DType::i32;
  if (a != b || !isFloat(a))
    return std::nullopt;
  return a == DType::f64 ? DType::f64 : DType::f32;
}
