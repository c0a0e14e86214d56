// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkSummary: what one launch of a kernel would do, counted from its trace for typical sizes. A
// target's cost model turns it into time. Plain numbers; must not know traces, IR or targets.
#pragma once

#include "metile/dtype.h"

#include <cstdint>
#include <vector>

namespace metile {

/// One dot of the kernel. `trips`: how often one program runs it.
struct DotWork {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  DType lhs = DType::f32, rhs = DType::f32, acc = DType::f32;
  double trips = 1;
};

/// Elements that one program reads or writes, loops included.
struct MemoryWork {
  DType dtype = DType::f32;
  bool isStore = false;
  double elements = 0;
  /// Length of the contiguous runs the tile touches, in elements.
  int64_t run = 1;
  /// Distinct bytes of the whole argument, to tell streams from reuse; 0 if unknown.
  double footprintBytes = 0;
};

struct WorkSummary {
  double programs = 1;
  std::vector<DotWork> dots;
  std::vector<MemoryWork> memory;
  /// Elementwise operations on tile elements in one program, weighted: 1 for an addition, about 10
  /// for exp and its like.
  double elementOps = 0;
  /// Elements that go through reductions in one program.
  double reducedElements = 0;
  /// Bytes of the tiles that live at once in one program.
  double tileBytes = 0;
  /// Control-flow operations and tile operations one program runs, loops included.
  double operations = 0;
};

} // namespace metile
