// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/DebugSession.h"

#include "Support/ProgramId.h"
#include "Support/ShowValue.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace metile {
namespace {

std::string list(const std::vector<int64_t> &numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

/// The grid runs x fastest.
bool isBefore(const std::array<int64_t, 3> &a, const std::array<int64_t, 3> &b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

size_t elementsOf(const DebugSite::Value &value) {
  size_t count = 1;
  for (int64_t extent : value.shape)
    count *= static_cast<size_t>(extent);
  return count;
}

} // namespace

void DebugSession::writeLine(const std::string &line) {
  if (print.line)
    print.line(print.host, line);
  else
    std::fprintf(stderr, "%s\n", line.c_str());
}

void DebugSession::printLines(const DebugSite &site, const std::array<int64_t, 3> &program,
                              const void *const *values) {
  std::string start = programName(program) + ": " + site.text;
  if (site.values.empty())
    writeLine(start);
  for (size_t i = 0; i < site.values.size(); ++i)
    writeLine(start + ": " + showValue(site.values[i].dtype, site.values[i].shape, values[i]));
}

void DebugSession::show(uint32_t number, const std::array<int64_t, 3> &program,
                        const void *const *values) {
  if (number >= artifact.debugSites.size())
    return;
  const DebugSite &site = artifact.debugSites[number];
  std::lock_guard lock(mutex);
  switch (site.kind) {
  case DebugSite::Kind::print:
    printLines(site, program, values);
    return;
  case DebugSite::Kind::assertion: {
    if (failed && !isBefore(program, failed->program))
      return;
    failed = {number, program, 0};
    std::memcpy(&failed->element, values[0], sizeof(failed->element));
    return;
  }
  case DebugSite::Kind::probe:
    break;
  }
  if (!probes ||
      (!probes->programs.empty() && std::find(probes->programs.begin(), probes->programs.end(),
                                              program) == probes->programs.end()))
    return;
  const DebugSite::Value &value = site.values[0];
  const auto *bytes = static_cast<const std::byte *>(values[0]);
  probes->records.push_back({site.text,
                             site.location,
                             program,
                             value.dtype,
                             value.shape,
                             {bytes, bytes + elementsOf(value) * byteSize(value.dtype)}});
}

std::optional<Errors> DebugSession::failure() const {
  if (!failed)
    return std::nullopt;
  const DebugSite &site = artifact.debugSites[failed->site];
  std::string found =
      artifact.kernel + ": assertion failed: " + site.text + ", in " + programName(failed->program);
  const std::vector<int64_t> &shape = site.values[0].shape;
  if (!shape.empty()) {
    std::vector<int64_t> index(shape.size());
    int64_t rest = failed->element;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      index[axis] = rest % shape[axis];
    found += ", element " + list(index);
  }
  Errors errors = error(site.location, std::move(found));
  errors.isFinding = true;
  return errors;
}

} // namespace metile
