// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace metile::bench {

Side sideAt(BlockOrder order, unsigned position) {
  assert(position < 4 && "a block has four bursts");
  bool inner = position == 1 || position == 2;
  return inner == (order == BlockOrder::abba) ? Side::current : Side::baseline;
}

const char *name(BlockOrder order) { return order == BlockOrder::abba ? "ABBA" : "BAAB"; }

BlockOrder flipOrder(uint64_t seed, uint64_t block) {
  Random random(seed ^ (block * 0xd1342543de82ef95ULL));
  return (random.next() >> 63) != 0 ? BlockOrder::baab : BlockOrder::abba;
}

double median(std::span<const double> values) {
  assert(!values.empty() && "the median of nothing");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double geometricMean(std::span<const double> values) {
  assert(!values.empty() && "the mean of nothing");
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double blockValue(std::array<double, 2> baseline, std::array<double, 2> current) {
  return 0.5 * (std::log(baseline[0]) + std::log(baseline[1]) - std::log(current[0]) -
                std::log(current[1]));
}

std::optional<Interval> medianInterval(std::span<const double> values, double confidence) {
  // The k-th smallest value lies above the true median with the probability that fewer than k of n
  // fair coins fall on heads; by symmetry the same holds at the other end.
  size_t count = values.size();
  double term = std::exp2(-static_cast<double>(count)); // P(exactly k heads), k = 0.
  double below = 0;                                     // P(at most rank - 1 heads).
  size_t rank = 0;
  for (size_t k = 0; 2 * k < count; ++k) {
    if (2 * (below + term) > 1 - confidence)
      break;
    below += term;
    rank = k + 1;
    term *= static_cast<double>(count - k) / static_cast<double>(k + 1);
  }
  if (rank == 0)
    return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[rank - 1], sorted[count - rank], 1 - 2 * below};
}

uint64_t Random::next() {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

} // namespace metile::bench
