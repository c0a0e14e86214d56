// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stopwatch: wall-clock time since it was made. For reports of where time went, not for benchmarks.
#pragma once

#include <chrono>

namespace metile {

class Stopwatch {
public:
  /// Microseconds.
  double us() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace metile
