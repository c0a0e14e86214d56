// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a dot's lowering share. Internal to the CPU lowering.
#pragma once

#include "Targets/Cpu/Emitter.h"

namespace metile::cpu {

struct Emitter::DotShape {
  mutable tile::DotOp op; ///< A handle; its accessors are not const.
  unsigned batchAxes = 0;
  int64_t m = 1, n = 1, k = 1;
  Type element; ///< Of the accumulator, in which everything is computed.
  RegisterTile tile;
  std::string origin;
  /// Terms from here on are products of zeros; null: k.
  Value depthEnd;
  /// Nobody reads the rows from here on; null: m.
  Value rowEnd;

  unsigned rowAxis() const { return batchAxes; }
  unsigned columnAxis() const { return batchAxes + 1; }
};

/// An operand as the micro-kernel reads it, strides in elements of the accumulator's type:
/// lhs(m, k) at pointer + m * rowStride + k * columnStride;
/// rhs(k, n) at pointer + n / columns * panelStride + k * rowStride + n % columns.
struct Emitter::DotOperand {
  Value pointer, rowStride, columnStride, panelStride;
};

} // namespace metile::cpu
