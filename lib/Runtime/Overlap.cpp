// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Overlap.h"

#include <cstdlib>

namespace metile {

bool byteExtent(const Argument &view, int64_t &low, int64_t &high) {
  low = high = 0;
  int64_t elements = 1, first = 0, last = 0;
  bool overflow = false, empty = false;
  for (uint32_t axis = 0; axis < view.rank; ++axis) {
    empty |= view.sizes[axis] == 0;
    int64_t reach = 0;
    overflow |= __builtin_mul_overflow(elements, view.sizes[axis], &elements);
    overflow |= __builtin_mul_overflow(view.sizes[axis] - 1, view.strides[axis], &reach);
    int64_t &side = reach < 0 ? first : last;
    overflow |= __builtin_add_overflow(side, reach, &side);
  }
  if (empty)
    return true;
  int64_t bytes = byteSize(view.dtype);
  overflow |= __builtin_mul_overflow(first, bytes, &low);
  overflow |= __builtin_add_overflow(last, 1, &last);
  overflow |= __builtin_mul_overflow(last, bytes, &high);
  return !overflow;
}

/// The bytes that the axes which do not step by a multiple of `period` cover: [low, high) relative
/// to the data pointer.
static void extentWithin(const Argument &view, int64_t period, int64_t &low, int64_t &high) {
  Argument inner = view;
  inner.rank = 0;
  for (uint32_t axis = 0; axis < view.rank; ++axis) {
    if (view.strides[axis] * static_cast<int64_t>(byteSize(view.dtype)) % period == 0)
      continue;
    inner.sizes[inner.rank] = view.sizes[axis];
    inner.strides[inner.rank++] = view.strides[axis];
  }
  byteExtent(inner, low, high);
}

static bool apartWithin(const Argument &a, const Argument &b, int64_t period) {
  int64_t lowA, highA, lowB, highB;
  extentWithin(a, period, lowA, highA);
  extentWithin(b, period, lowB, highB);
  auto modulus = static_cast<uint64_t>(period);
  auto lengthA = static_cast<uint64_t>(highA - lowA), lengthB = static_cast<uint64_t>(highB - lowB);
  if (lengthA + lengthB > modulus)
    return false;
  uint64_t startA = reinterpret_cast<uintptr_t>(a.data) + static_cast<uint64_t>(lowA);
  uint64_t startB = reinterpret_cast<uintptr_t>(b.data) + static_cast<uint64_t>(lowB);
  // Where b begins, counted from the begin of a, on the circle of `modulus` bytes.
  uint64_t distance = startB >= startA ? (startB - startA) % modulus
                                       : (modulus - (startA - startB) % modulus) % modulus;
  return distance >= lengthA && distance + lengthB <= modulus;
}

bool mayShareBytes(const Argument &a, const Argument &b) {
  for (const Argument *view : {&a, &b})
    for (uint32_t axis = 0; axis < view->rank; ++axis) {
      int64_t period = std::abs(view->strides[axis]) * static_cast<int64_t>(byteSize(view->dtype));
      if (view->sizes[axis] > 1 && period > 0 && apartWithin(a, b, period))
        return false;
    }
  return true;
}

} // namespace metile
