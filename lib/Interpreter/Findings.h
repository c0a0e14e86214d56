// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: what a kernel was seen to do wrong while it ran, gathered so that one mistake gives one
// message. Must not know how it is noticed.
#pragma once

#include "metile/result.h"

#include "mlir/IR/Operation.h"

#include <array>
#include <functional>
#include <map>
#include <tuple>

namespace metile::interpreter {

/// One instance of the kernel.
struct Program {
  std::array<int64_t, 3> id{};
  int64_t number = 0; ///< In the order in which the grid is visited, x fastest.
};

class Findings {
public:
  enum class Kind : uint8_t { outside, crossesEdge, unwritten, race, assertion };

  /// Notes that `op` did wrong to one element of `argument`. Only the first of a kind is described;
  /// the others are counted.
  void add(Kind kind, mlir::Operation *op, int32_t argument,
           const std::function<Diagnostic()> &describeFirst);

  bool any() const { return !order.empty(); }
  /// All messages, in the order in which they came up.
  Errors take();

private:
  using Key = std::tuple<Kind, mlir::Operation *, int32_t>;
  struct Entry {
    Diagnostic diagnostic;
    int64_t count = 0;
  };
  std::map<Key, Entry> entries;
  std::vector<Key> order;
};

} // namespace metile::interpreter
