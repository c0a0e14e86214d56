// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values a program computes with: elements, tiles of them, and views of memory. Plain data;
// must not know operations or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace metile::interpreter {

/// One element. Its type says which member holds it; the others are as they were made.
struct Element {
  uint64_t bits = 0;     ///< An integer modulo 2^width; i1: 0 or 1; a pointer's address.
  double real = 0;       ///< A float: every number of every float type is a double.
  int32_t argument = -1; ///< A pointer: the argument it was made from.
};

using Shape = std::vector<int64_t>;

/// The product of the extents: 1 for a scalar.
inline int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Elements in row-major order. A scalar has no axes and one element.
struct Tile {
  Shape shape;
  std::vector<Element> elements;

  Tile() = default;
  explicit Tile(Shape shape, Element element = {})
      : shape(std::move(shape)), elements(static_cast<size_t>(countOf(this->shape)), element) {}
  /// A scalar.
  explicit Tile(Element element) : elements{element} {}

  int64_t count() const { return static_cast<int64_t>(elements.size()); }
  Element &operator[](int64_t index) { return elements[static_cast<size_t>(index)]; }
  const Element &operator[](int64_t index) const { return elements[static_cast<size_t>(index)]; }
  /// The element of a scalar.
  const Element &scalar() const { return elements.front(); }
};

/// The place of row-major element `index` of `shape`, one coordinate an axis.
inline Shape placeOf(int64_t index, const Shape &shape) {
  Shape place(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; index /= shape[axis])
    place[axis] = index % shape[axis];
  return place;
}

/// The row-major number of the element at `place`.
inline int64_t indexOf(const Shape &place, const Shape &shape) {
  int64_t index = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    index = index * shape[axis] + place[axis];
  return index;
}

/// A strided view of memory; sizes and strides in elements, one an axis.
struct View {
  int32_t argument = -1;
  uint64_t address = 0;
  Shape sizes, strides;
  bool isOutside = false; ///< An index left a larger view: there is no memory behind this one.
};

} // namespace metile::interpreter
