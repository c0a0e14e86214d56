// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `metile check` reads beside a kernel: what buffers hold, files of checks, rules about
// findings, baselines.

#include "ParserTarget.h"

#include "metile/CheckFilter.h"
#include "metile/CheckPlan.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace metile::fuzz {

/// Whether the numbers in `text`, taken together, are sizes of a buffer that is allowed, but costs
/// much time and memory to fill.
static bool isLarge(std::string_view text) {
  constexpr double much = 1 << 16, refused = double(1ull << 33);
  double product = 1;
  for (size_t at = 0; (at = text.find_first_of("0123456789", at)) != text.npos;) {
    size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    double number = 0;
    std::from_chars(text.data() + at, text.data() + end, number);
    product *= std::max(number, 1.0);
    at = end;
  }
  return product > much && product < refused;
}

void feedCheckBuffer(std::string_view input) {
  if (isLarge(input))
    return;
  Result<tools::CheckBuffer> buffer = tools::makeCheckBuffer("0", std::string(input), 1);
  if (!buffer)
    return requireForm(buffer.errors());
  if (!buffer->dtype)
    return;
  size_t bytes = byteSize(*buffer->dtype);
  for (int64_t size : buffer->sizes)
    bytes *= static_cast<size_t>(size);
  require(buffer->bytes.size() == bytes, "a buffer holds what its sizes take");
}

void feedCheckFile(std::string_view input) {
  auto checks = tools::parseCheckFile(std::string(input), "checks.toml");
  if (!checks)
    return requireForm(checks.errors());
  for (const tools::CheckWords &words : *checks) {
    if (std::any_of(words.buffers.begin(), words.buffers.end(), isLarge))
      continue;
    Result<tools::CheckPlan> plan = tools::makeCheckPlan(words, {});
    if (!plan) {
      requireForm(plan.errors());
      continue;
    }
    bool hasGrid = std::min(plan->launch.threadgroups[0], plan->launch.threadgroups[2]) > 0 ||
                   std::min(plan->launch.gridThreads[0], plan->launch.gridThreads[2]) > 0;
    require(hasGrid && plan->launch.threads[0] > 0, "a plan says how large the grid is");
    require(plan->buffers.size() == words.buffers.size(), "a plan has each buffer once");
  }
}

void feedCheckRules(std::string_view input) {
  emulator::Finding finding;
  finding.kernel = "scale";
  finding.variable = "x";
  finding.first.location = {"scale.metal", 3, 1, {}};
  std::string text(input);

  tools::FindingFilter rules, baseline;
  if (Status read = rules.addRules(text, "rules.txt"); !read)
    requireForm(read.errors());
  else
    require(rules.keeps(finding, {}) == (rules.suppressed() == 0),
            "a finding is kept or counted as suppressed");
  if (Status read = baseline.addBaseline(text, "baseline.json"); !read)
    requireForm(read.errors());
  else
    require(baseline.keeps(finding, {}) == (baseline.suppressed() == 0),
            "a finding is kept or counted as suppressed");
}

} // namespace metile::fuzz
