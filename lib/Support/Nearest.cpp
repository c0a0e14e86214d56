// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Support/Nearest.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace metile {

unsigned editDistance(std::string_view a, std::string_view b) {
  auto at = [](std::string_view text, size_t i) {
    return std::tolower(static_cast<unsigned char>(text[i]));
  };
  size_t width = b.size() + 1;
  // Three rows: swaps look two rows back.
  std::vector<unsigned> before(width), last(width), row(width);
  for (size_t j = 0; j < width; ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j < width; ++j) {
      bool equal = at(a, i - 1) == at(b, j - 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && at(a, i - 1) == at(b, j - 2) && at(a, i - 2) == at(b, j - 1))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string> nearestNames(std::string_view name,
                                      const std::vector<std::string> &candidates, unsigned limit) {
  std::vector<std::pair<unsigned, size_t>> ranked;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string &candidate = candidates[i];
    unsigned distance = editDistance(name, candidate);
    // Half the letters wrong is no resemblance, a common stem is.
    bool stem = name.size() >= 3 && (candidate.find(name) != std::string::npos ||
                                     name.find(candidate) != std::string::npos);
    if (2 * distance <= std::max<size_t>(2, std::min(name.size(), candidate.size())) || stem)
      ranked.emplace_back(distance, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (auto &[distance, index] : ranked)
    // What is much further off than the best was not meant.
    if (names.size() < limit && distance <= ranked[0].first + 1)
      names.push_back(candidates[index]);
  return names;
}

std::string listNames(const std::vector<std::string> &names, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0)
      text += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    text += names[i];
  }
  return text;
}

} // namespace metile
