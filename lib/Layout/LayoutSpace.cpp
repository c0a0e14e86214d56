// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/LayoutSpace.h"

#include <algorithm>
#include <cassert>

namespace metile {

static bool isName(std::string_view text) {
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && isLetter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

static unsigned log2Of(int64_t size) {
  return static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(size)));
}

static std::string nearestPowers(int64_t size) {
  if (size < 1)
    return "the smallest is 1";
  uint64_t below = std::bit_floor(static_cast<uint64_t>(size));
  return "the nearest are " + std::to_string(below) + " and " + std::to_string(2 * below);
}

Status LayoutSpace::add(SizedDim dim) {
  std::string quoted = "'" + std::string(dim.name) + "'";
  if (!isName(dim.name))
    return error(quoted + " is no name of a dim",
                 "names are letters, digits and '_', a letter first");
  if (find(dim.name))
    return error("two dims are called " + quoted, "each name once", "rename one of the two");
  if (dim.size < 1 || !std::has_single_bit(static_cast<uint64_t>(dim.size)))
    return error("dim " + quoted + " has size " + std::to_string(dim.size),
                 "sizes are powers of two", nearestPowers(dim.size));
  if (bits() + log2Of(dim.size) > maxBits)
    return error("the dims up to " + quoted + " have more than 2^62 points in all", "at most 2^62",
                 "make one of them smaller");
  append({std::string(dim.name), log2Of(dim.size)});
  return Done();
}

Result<LayoutSpace> LayoutSpace::create(std::span<const SizedDim> sizes) {
  LayoutSpace space;
  for (const SizedDim &dim : sizes)
    if (Status status = space.add(dim); !status)
      return status.takeErrors();
  return space;
}

LayoutSpace::LayoutSpace(std::initializer_list<SizedDim> sizes) {
  for (const SizedDim &dim : sizes) {
    [[maybe_unused]] Status status = add(dim);
    assert(status.ok() && "see create() for what sizes must be");
  }
}

unsigned LayoutSpace::bits() const {
  unsigned bits = 0;
  for (const LayoutDim &dim : list)
    bits += dim.bits;
  return bits;
}

std::optional<size_t> LayoutSpace::find(std::string_view name) const {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name)
      return i;
  return std::nullopt;
}

unsigned LayoutSpace::bitsOf(std::string_view name) const {
  std::optional<size_t> index = find(name);
  return index ? list[*index].bits : 0;
}

unsigned LayoutSpace::lowestBit(size_t index) const {
  unsigned bit = 0;
  for (size_t i = index + 1; i < list.size(); ++i)
    bit += list[i].bits;
  return bit;
}

uint64_t LayoutSpace::number(std::span<const int64_t> coordinates) const {
  assert(coordinates.size() == list.size());
  uint64_t number = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    assert(coordinates[i] >= 0 && coordinates[i] < list[i].size());
    number = number << list[i].bits | static_cast<uint64_t>(coordinates[i]);
  }
  return number;
}

std::vector<int64_t> LayoutSpace::coordinates(uint64_t number) const {
  std::vector<int64_t> coordinates(list.size());
  for (size_t i = list.size(); i-- > 0; number >>= list[i].bits)
    coordinates[i] = static_cast<int64_t>(number & (static_cast<uint64_t>(list[i].size()) - 1));
  return coordinates;
}

std::string LayoutSpace::describe(uint64_t number) const {
  std::string text;
  std::vector<int64_t> values = coordinates(number);
  for (size_t i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + list[i].name + " " + std::to_string(values[i]);
  return list.empty() ? "the only point" : text;
}

void LayoutSpace::append(LayoutDim dim) {
  assert(!find(dim.name) && bits() + dim.bits <= maxBits);
  list.push_back(std::move(dim));
}

LayoutSpace LayoutSpace::select(const std::vector<std::string_view> &names) const {
  LayoutSpace space;
  for (std::string_view name : names) {
    assert(find(name));
    space.append({std::string(name), bitsOf(name)});
  }
  return space;
}

LayoutSpace LayoutSpace::last(size_t count) const {
  LayoutSpace space;
  space.list.assign(list.end() - static_cast<std::ptrdiff_t>(count), list.end());
  return space;
}

LayoutSpace LayoutSpace::canonical() const {
  LayoutSpace space(*this);
  std::erase_if(space.list, [](const LayoutDim &dim) { return dim.bits == 0; });
  std::sort(space.list.begin(), space.list.end(),
            [](const LayoutDim &a, const LayoutDim &b) { return a.name < b.name; });
  return space;
}

} // namespace metile
