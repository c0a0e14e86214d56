// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LayoutSpace: the domain or range of a layout, an ordered list of named dims whose sizes are
// powers of two. Knows nothing of what a dim stands for.
#pragma once

#include "metile/result.h"

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metile {

/// The in-dims of layouts of values, from the innermost outwards, and that of threadgroup memory.
namespace dims {
inline constexpr std::string_view reg = "register";
inline constexpr std::string_view lane = "lane";
inline constexpr std::string_view simdgroup = "simdgroup";
inline constexpr std::string_view threadgroup = "threadgroup";
inline constexpr std::string_view offset = "offset";
} // namespace dims

struct LayoutDim {
  std::string name;
  unsigned bits = 0;
  int64_t size() const { return int64_t(1) << bits; }
  bool operator==(const LayoutDim &) const = default;
};

/// A dim as people write it.
struct SizedDim {
  std::string_view name;
  int64_t size = 1;
};

/// The points of a space have coordinates, one a dim, and a *number*: dims count like the digits of
/// a numeral, the last dim fastest, as in a C array. In bits: the number is the concatenation of
/// the coordinates, the last dim's lowest.
class LayoutSpace {
public:
  /// What one number can hold, with room for its sign.
  static constexpr unsigned maxBits = 62;

  /// No dims; one point, whose number is 0.
  LayoutSpace() = default;
  /// Requires what create() checks.
  LayoutSpace(std::initializer_list<SizedDim> sizes);
  /// Names are letters, digits and '_', a letter first, none twice; sizes are powers of two, at
  /// most 2^62 in all.
  static Result<LayoutSpace> create(std::span<const SizedDim> sizes);
  /// Appends a dim if the space stays what create() allows.
  Status add(SizedDim dim);

  size_t rank() const { return list.size(); }
  const LayoutDim &operator[](size_t index) const { return list[index]; }
  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }
  unsigned bits() const;
  int64_t size() const { return int64_t(1) << bits(); }

  std::optional<size_t> find(std::string_view name) const;
  /// log2 of the size of the dim called `name`; 0 if there is none, as a dim of size 1 is as good
  /// as none.
  unsigned bitsOf(std::string_view name) const;
  int64_t sizeOf(std::string_view name) const { return int64_t(1) << bitsOf(name); }
  /// The lowest bit that dim `index` has in numbers.
  unsigned lowestBit(size_t index) const;

  /// Requires coordinates[i] < size of dim i.
  uint64_t number(std::span<const int64_t> coordinates) const;
  std::vector<int64_t> coordinates(uint64_t number) const;
  /// "lane 3, register 1"; "the only point" without dims.
  std::string describe(uint64_t number) const;

  void append(LayoutDim dim);
  void setBits(size_t index, unsigned bits) { list[index].bits = bits; }
  void rename(size_t index, std::string_view name) { list[index].name = name; }
  /// The dims called `names`, in that order. Requires that they exist.
  LayoutSpace select(const std::vector<std::string_view> &names) const;
  /// The last `count` dims.
  LayoutSpace last(size_t count) const;
  /// In alphabetical order, without the dims of size 1.
  LayoutSpace canonical() const;
  bool operator==(const LayoutSpace &) const = default;

private:
  std::vector<LayoutDim> list;
};

} // namespace metile
