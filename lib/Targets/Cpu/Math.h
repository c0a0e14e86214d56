// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions of f32 and f64 as straight-line arithmetic, the same on every CPU. NaN in is
// NaN out, infinities, signed zeros, subnormals and overflow come out as IEEE 754 has them. The
// bounds are largest errors in units in the last place of the exact result, f32 then f64;
// unittest/Cpu holds them. f16 and bf16 are computed in f32 and rounded once more. Must not know
// where values come from.
#pragma once

#include "Targets/Cpu/LegalizeLanes.h"

namespace metile::cpu {

mlir::Value emitExp(Lanes &lanes, mlir::Value x);   ///< 1.1, 1.1 ulp
mlir::Value emitExp2(Lanes &lanes, mlir::Value x);  ///< 1.0, 1.0 ulp
mlir::Value emitLog(Lanes &lanes, mlir::Value x);   ///< 1.0, 1.0 ulp
mlir::Value emitLog2(Lanes &lanes, mlir::Value x);  ///< 1.5, 1.5 ulp
mlir::Value emitTanh(Lanes &lanes, mlir::Value x);  ///< 2.5, 2.5 ulp
mlir::Value emitErf(Lanes &lanes, mlir::Value x);   ///< 1.5, 1.5 ulp
mlir::Value emitSin(Lanes &lanes, mlir::Value x);   ///< 1.6, 1.6 ulp, of any argument
mlir::Value emitCos(Lanes &lanes, mlir::Value x);   ///< 1.6, 1.6 ulp, of any argument
mlir::Value emitRsqrt(Lanes &lanes, mlir::Value x); ///< 1.5, 1.5 ulp

} // namespace metile::cpu
