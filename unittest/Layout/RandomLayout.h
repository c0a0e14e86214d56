// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small layouts, and layouts as plain tables to compare with.
#pragma once

#include "Layout/LinearLayout.h"

#include <algorithm>
#include <map>
#include <random>

namespace metile::test {

/// Coordinates by the names of their dims.
using Point = std::map<std::string, int64_t>;
/// A layout as what it is: for each place the element.
using Table = std::map<Point, Point>;

inline Point pointOf(const LayoutSpace &space, uint64_t number) {
  Point point;
  std::vector<int64_t> values = space.coordinates(number);
  for (size_t i = 0; i < space.rank(); ++i)
    point[space[i].name] = values[i];
  return point;
}

inline Table tableOf(const LinearLayout &layout) {
  Table table;
  for (int64_t place = 0; place < layout.ins().size(); ++place)
    table[pointOf(layout.ins(), static_cast<uint64_t>(place))] =
        pointOf(layout.outs(), layout(static_cast<uint64_t>(place)));
  return table;
}

class RandomLayouts {
public:
  explicit RandomLayouts(unsigned seed) : random(seed) {}

  unsigned below(unsigned bound) { return static_cast<unsigned>(random() % bound); }

  /// Up to `dims` dims of up to 2^bits points in all, size 1 among them, called `stem`0, …
  LayoutSpace space(std::string stem, unsigned dims, unsigned bits) {
    LayoutSpace space;
    unsigned rank = below(dims + 1);
    for (unsigned i = 0; i < rank; ++i)
      space.append({stem + std::to_string(i), below(std::min(3u, bits - space.bits()) + 1)});
    return space;
  }
  /// Any map, many of them with zero and repeated bases.
  LinearLayout layout(const LayoutSpace &ins, const LayoutSpace &outs) {
    uint64_t mask = static_cast<uint64_t>(outs.size()) - 1;
    bool sparse = below(2);
    BitMatrix matrix(ins.bits());
    for (unsigned i = 0; i < matrix.width(); ++i)
      matrix[i] = below(6) == 0 ? 0 : random() & (sparse ? random() : ~uint64_t(0)) & mask;
    return {ins, outs, matrix};
  }
  LinearLayout layout(unsigned bits = 6) {
    LayoutSpace ins = space("in", 3, bits);
    return layout(ins, space("out", 3, bits));
  }
  /// A one-to-one map from `ins` onto `outs`.
  LinearLayout bijection(const LayoutSpace &ins, const LayoutSpace &outs) {
    while (true)
      if (LinearLayout made = layout(ins, outs); made.isBijective())
        return made;
  }
  /// The dims of `space` in another order.
  std::vector<std::string_view> shuffled(const LayoutSpace &space) {
    std::vector<std::string_view> names;
    for (const LayoutDim &dim : space)
      names.push_back(dim.name);
    std::shuffle(names.begin(), names.end(), random);
    return names;
  }

private:
  std::mt19937_64 random;
};

} // namespace metile::test
