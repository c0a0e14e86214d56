// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequences that stand for single operations, as Legalize.cpp applies them. Each writes through
// Lanes and returns the value that replaces the operation's result. Must not know where operands
// come from.
#pragma once

#include "Targets/Cpu/LegalizeLanes.h"

namespace metile::cpu {

enum class DivRounding { trunc, floor, ceil };

/// DESIGN §9: by zero 0, MIN / -1 wraps, never traps. `operand` types are integers.
mlir::Value lowerDiv(Lanes &lanes, mlir::Value lhs, mlir::Value rhs, DivRounding rounding,
                     bool isUnsigned);
mlir::Value lowerRem(Lanes &lanes, mlir::Value lhs, mlir::Value rhs, DivRounding rounding,
                     bool isUnsigned);
mlir::Value lowerShl(Lanes &lanes, mlir::Value lhs, mlir::Value rhs);
mlir::Value lowerShr(Lanes &lanes, mlir::Value lhs, mlir::Value rhs, bool isUnsigned);
/// The upper half of the product in twice the width.
mlir::Value lowerMulHi(Lanes &lanes, mlir::Value lhs, mlir::Value rhs, bool isUnsigned);

/// Float to integer: toward zero, saturating, NaN gives 0.
mlir::Value lowerToInt(Lanes &lanes, mlir::Value source, mlir::Type type, bool isUnsigned);
/// Integer to float, rounded once to nearest even.
mlir::Value lowerFromInt(Lanes &lanes, mlir::Value source, mlir::Type type, bool isUnsigned);
/// Float to a narrower float, rounded once to nearest even; subnormals kept, NaN stays NaN. Floats
/// of 8 bits saturate, infinity too.
mlir::Value lowerRound(Lanes &lanes, mlir::Value source, mlir::Type type);
/// Float to a wider float, exactly.
mlir::Value lowerExtend(Lanes &lanes, mlir::Value source, mlir::Type type);

} // namespace metile::cpu
