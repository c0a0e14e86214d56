// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Check.h"

#include "Bench/Tolerance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace metile::bench {
namespace {

constexpr unsigned char poisonBytes[] = {0xa5, 0x5a};
constexpr size_t shownMismatches = 5;

struct Mismatch {
  int64_t index;
  double found;
  double expected;
  bool written;
};

std::vector<int64_t> coordinates(int64_t index, const std::vector<int64_t> &sizes) {
  std::vector<int64_t> result(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0; index /= sizes[axis])
    result[axis] = index % sizes[axis];
  return result;
}

/// The wrong elements of one output, gathered while they are found.
struct Damage {
  explicit Damage(const std::vector<int64_t> &sizes)
      : sizes(sizes), low(sizes.begin(), sizes.end()), high(sizes.size(), -1),
        perAxis(sizes.size()) {
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      perAxis[axis].assign(static_cast<size_t>(sizes[axis]), 0);
  }

  void add(const Mismatch &mismatch) {
    ++count;
    unwritten += !mismatch.written;
    notNumbers += mismatch.written && std::isnan(mismatch.found);
    zeros += mismatch.found == 0;
    if (first.size() < shownMismatches)
      first.push_back(mismatch);
    std::vector<int64_t> at = coordinates(mismatch.index, sizes);
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
      ++perAxis[axis][static_cast<size_t>(at[axis])];
    }
  }

  std::string axisName(size_t axis, int64_t many) const {
    const char *plural = many == 1 ? "" : "s";
    if (sizes.size() == 2)
      return fmt::format("{}{}", axis == 0 ? "row" : "column", plural);
    return sizes.size() == 1 ? fmt::format("element{}", plural)
                             : fmt::format("position{} of axis {}", plural, axis);
  }

  /// What the places of the mismatches have in common, or nothing.
  std::string pattern() const {
    int64_t total = 1;
    for (int64_t size : sizes)
      total *= size;
    if (count == total)
      return "every element";
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      int64_t extent = high[axis] - low[axis] + 1;
      if (extent == sizes[axis])
        continue;
      if (high[axis] == sizes[axis] - 1 && 2 * extent <= sizes[axis])
        return fmt::format("all in the last {} {}", extent, axisName(axis, extent));
      if (low[axis] == 0 && 2 * extent <= sizes[axis])
        return fmt::format("all in the first {} {}", extent, axisName(axis, extent));
    }
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (std::string periodic = periodAlong(axis); !periodic.empty())
        return periodic;
    return {};
  }

  /// "every 8th row, from 3 on" if the wrong places of an axis are equally spaced.
  std::string periodAlong(size_t axis) const {
    std::vector<int64_t> wrong;
    for (size_t i = 0; i < perAxis[axis].size(); ++i)
      if (perAxis[axis][i] != 0)
        wrong.push_back(static_cast<int64_t>(i));
    if (wrong.size() < 3)
      return {};
    int64_t period = wrong[1] - wrong[0];
    for (size_t i = 1; i < wrong.size(); ++i)
      if (wrong[i] - wrong[i - 1] != period)
        return {};
    if (period < 2)
      return {};
    return fmt::format("only every {}. {}, from {} on", period, axisName(axis, 1), wrong[0]);
  }

  const std::vector<int64_t> &sizes;
  int64_t count = 0, unwritten = 0, notNumbers = 0, zeros = 0;
  std::vector<Mismatch> first;
  std::vector<int64_t> low, high;
  std::vector<std::vector<int64_t>> perAxis;
};

std::string describe(const Argument &output, const Damage &damage, const Tolerance &tolerance) {
  std::string text =
      fmt::format("{} of {} elements of '{}' are wrong", damage.count, output.count(), output.name);
  std::vector<std::string> kinds;
  if (damage.unwritten)
    kinds.push_back(fmt::format("{} were never written", damage.unwritten));
  if (damage.notNumbers)
    kinds.push_back(fmt::format("{} are NaN", damage.notNumbers));
  if (damage.zeros)
    kinds.push_back(fmt::format("{} are 0", damage.zeros));
  if (!kinds.empty())
    text += fmt::format(" ({})", fmt::join(kinds, ", "));
  std::vector<std::string> box;
  for (size_t axis = 0; axis < damage.low.size(); ++axis)
    box.push_back(fmt::format("{}..{}", damage.low[axis], damage.high[axis]));
  text += fmt::format("; box [{}]", fmt::join(box, ", "));
  if (std::string pattern = damage.pattern(); !pattern.empty())
    text += fmt::format("; {}", pattern);
  for (const Mismatch &m : damage.first) {
    text += fmt::format("\n  [{}] found {}, expected {:.9g}",
                        fmt::join(coordinates(m.index, output.sizes), ", "),
                        m.written ? fmt::format("{:.9g}", m.found) : "nothing written", m.expected);
    if (isFloat(output.dtype) && m.written && std::isfinite(m.found))
      text += fmt::format(", error {:.3g}, allowed {:.3g}", std::abs(m.found - m.expected),
                          errorBound(tolerance, output.dtype, m.expected));
  }
  if (damage.count > static_cast<int64_t>(damage.first.size()))
    text += fmt::format("\n  … {} more", damage.count - static_cast<int64_t>(damage.first.size()));
  return text;
}

} // namespace

void poison(Argument &output, unsigned salt) {
  if (output.isScalar)
    return;
  if (!isFloat(output.dtype)) {
    std::memset(output.data, poisonBytes[salt & 1], output.bytes);
    return;
  }
  if (output.isDense()) {
    // All bits set is NaN in every floating-point type.
    std::memset(output.data, 0xff, output.bytes);
    return;
  }
  for (int64_t i = 0, count = output.count(); i < count; ++i)
    output.write(i, std::numeric_limits<double>::quiet_NaN());
}

CheckResult check(const Argument &output, std::span<const double> expected,
                  const Tolerance &tolerance, unsigned salt) {
  assert(static_cast<int64_t>(expected.size()) == output.count() && "a reference of another shape");
  CheckResult result;
  result.done = true;
  Damage damage(output.sizes);
  unsigned width = byteSize(output.dtype);
  double overflow = isFloat(output.dtype) ? largestFinite(output.dtype) : 0;
  for (int64_t i = 0, count = output.count(); i < count; ++i) {
    const std::byte *address = output.data + static_cast<size_t>(output.offset(i)) * width;
    double found = readElement(output.dtype, address);
    double want = expected[static_cast<size_t>(i)];
    if (!isFloat(output.dtype)) {
      bool held = std::all_of(address, address + width,
                              [&](std::byte b) { return b == std::byte{poisonBytes[salt & 1]}; });
      if (found != want)
        damage.add({i, found, want, !held});
      continue;
    }
    if (isFloat8(output.dtype)) // These have no way to say that a number is too large.
      want = std::isnan(want) ? want : std::clamp(want, -overflow, overflow);
    if (std::isnan(want) || std::isinf(want)) {
      // NaN is also what was filled in; a case whose right answer is NaN cannot tell them apart.
      if (std::isnan(want) ? !std::isnan(found) : found != want)
        damage.add({i, found, want, true});
      continue;
    }
    if (std::isnan(found)) {
      bool held =
          std::all_of(address, address + width, [](std::byte b) { return b == std::byte{0xff}; });
      damage.add({i, found, want, !held});
      continue;
    }
    double bound = errorBound(tolerance, output.dtype, want);
    if (std::isinf(found)) {
      // A sum that may round to beyond the largest number may be infinite.
      if (std::abs(want) + bound < overflow || std::signbit(found) != std::signbit(want))
        damage.add({i, found, want, true});
      continue;
    }
    double distance = std::abs(found - want);
    result.maxAbsoluteError = std::max(result.maxAbsoluteError, distance);
    result.maxErrorOverBound = std::max(result.maxErrorOverBound, distance / bound);
    if (distance > bound)
      damage.add({i, found, want, true});
  }
  result.mismatches = damage.count;
  result.right = damage.count == 0;
  if (!result.right)
    result.message = describe(output, damage, tolerance);
  return result;
}

} // namespace metile::bench
