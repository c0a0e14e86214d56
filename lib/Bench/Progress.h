// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows on stderr what a benchmark is doing: one line that is redrawn on a terminal, a plain log
// elsewhere. And the switch that Ctrl-C throws.
#pragma once

#include "Bench/Paired.h"

#include <functional>
#include <memory>

namespace metile::bench {

/// Writes to stderr; `silent` gives one that shows nothing.
std::unique_ptr<ProgressSink> makeProgress(bool silent = false);

/// From now on the first SIGINT or SIGTERM only makes the returned function answer true, so that
/// what was measured can be kept; a second one ends the process at once with exit code 130.
std::function<bool()> watchInterrupts();

} // namespace metile::bench
