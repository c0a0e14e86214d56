// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/StridedView.h"

#include <algorithm>
#include <cassert>

namespace metile {

std::optional<size_t> StridedView::contiguousAxis() const {
  // An axis of one element has whatever stride; one that is longer wins.
  std::optional<size_t> found;
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i].stride.is(1) && (!found || axes[*found].size.is(1)))
      found = i;
  return found;
}

int64_t StridedView::alignedElements(size_t index, int64_t maxBytes) const {
  auto isAligned = [&](int64_t elements) {
    if (elements * elementBits > 8 * std::min(alignment, maxBytes))
      return false;
    for (size_t i = 0; i < axes.size(); ++i)
      if (i != index && !axes[i].size.is(1) && !axes[i].stride.isMultipleOf(elements))
        return false;
    return true;
  };
  int64_t elements = 1;
  while (axes[index].stride.is(1) && isAligned(2 * elements))
    elements *= 2;
  return elements;
}

std::vector<unsigned> StridedView::accessBits(const LinearLayout &registers,
                                              const std::vector<int64_t> &origin,
                                              int64_t maxBytes) const {
  assert(origin.size() == axes.size());
  std::optional<size_t> axis = contiguousAxis();
  if (!axis)
    return {};
  std::vector<unsigned> bits = registers.contiguousBits(dims::reg, axes[*axis].name);
  int64_t most = alignedElements(*axis, maxBytes);
  while (!bits.empty() &&
         ((int64_t(1) << bits.size()) > most || origin[*axis] % (int64_t(1) << bits.size()) != 0))
    bits.pop_back();
  return bits;
}

} // namespace metile
