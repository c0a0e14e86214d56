// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProbeComparison.h"

#include "Bench/Argument.h"

#include <algorithm>
#include <cmath>

namespace metile::tools {

static int64_t elementsOf(const ProbeRecord &record) {
  return static_cast<int64_t>(record.values.size() / byteSize(record.dtype));
}

static bool isSameProbe(const ProbeRecord &a, const ProbeRecord &b) {
  return a.name == b.name && a.location.file == b.location.file &&
         a.location.line == b.location.line && a.location.column == b.location.column &&
         a.dtype == b.dtype && a.shape == b.shape;
}

/// How many records the two begin with that are of the same probes.
static size_t commonWay(const std::vector<ProbeRecord> &a, const std::vector<ProbeRecord> &b) {
  auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), isSameProbe);
  return static_cast<size_t>(ends.first - a.begin());
}

ProbeComparison::ProbeComparison(std::vector<ProbeRecord> records)
    : nominal(std::move(records)), comparable(nominal.size() + 1) {
  for (const ProbeRecord &record : nominal)
    envelopes.emplace_back(record.dtype).add(record.values);
}

void ProbeComparison::widen(const std::vector<ProbeRecord> &records) {
  size_t common = commonWay(nominal, records);
  if (common < std::max(nominal.size(), records.size()))
    comparable = std::min(comparable, common);
  for (size_t i = 0; i < common; ++i)
    envelopes[i].add(records[i].values);
}

std::optional<Parting> ProbeComparison::parting(const std::vector<ProbeRecord> &found) const {
  size_t common = commonWay(nominal, found);
  for (size_t i = 0; i < std::min(common, comparable); ++i)
    for (int64_t element = 0; element < elementsOf(found[i]); ++element)
      if (auto expected = envelopes[i].mismatch(found[i].values, element))
        return Parting{i, element, std::move(*expected)};
  if (common < comparable && common < std::max(nominal.size(), found.size()))
    return Parting{common};
  return std::nullopt;
}

static bool isNan(const ProbeRecord &record, int64_t element) {
  auto offset = static_cast<size_t>(element) * byteSize(record.dtype);
  return isFloat(record.dtype) &&
         std::isnan(bench::readElement(record.dtype, &record.values[offset]));
}

bool ProbeComparison::hasNan(size_t record, int64_t element) const {
  return record < nominal.size() && element < elementsOf(nominal[record]) &&
         isNan(nominal[record], element);
}

std::optional<std::pair<size_t, int64_t>> firstNan(const std::vector<ProbeRecord> &records) {
  for (size_t i = 0; i < records.size(); ++i)
    for (int64_t element = 0; element < elementsOf(records[i]); ++element)
      if (isNan(records[i], element))
        return std::pair(i, element);
  return std::nullopt;
}

} // namespace metile::tools
