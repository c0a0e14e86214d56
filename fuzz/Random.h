// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random: the numbers behind a fuzzed program. The same on every machine, so that a seed is all one
// has to write down.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace metile::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  /// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to count - 1.
  int64_t below(int64_t count) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(count));
  }
  /// From low to high, both included.
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(double probability) {
    return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
  }
  template <class Range> auto &pick(Range &&range) {
    return *std::next(std::begin(range), below(static_cast<int64_t>(std::size(range))));
  }
  template <class T> T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<int64_t>(choices.size()))];
  }

private:
  uint64_t state;
};

} // namespace metile::fuzz
