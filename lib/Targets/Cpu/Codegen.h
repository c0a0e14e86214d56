// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module of func.func over scalars, vectors and LLVM pointers to machine code for any CPU
// row. Must not know tiles, kernels or how the code is loaded.
#pragma once

#include "Target/TargetDesc.h"
#include "metile/result.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace metile::cpu {

/// Loads the dialects that code generation reads and writes, and their translation to LLVM.
void registerCodegenDialects(mlir::DialectRegistry &registry);

/// Where the time of one emission went, in microseconds.
struct CodegenTimings {
  double legalizeUs = 0, convertUs = 0, translateUs = 0, optimizeUs = 0, emitUs = 0;
};

/// Compiles `module` to a relocatable object file with position-independent code. The module may
/// hold func, scf, cf, arith, math, vector, ub and llvm operations and the elementwise ones of
/// tile, on scalars and vectors; it is consumed: afterwards it holds the LLVM dialect. Public
/// functions become global symbols. An object that would call a library function is refused, with
/// the function's name; copying and filling memory (memcpy, memmove, memset) excepted.
Result<std::string> emitObject(mlir::ModuleOp module, const TargetDesc &target,
                               CodegenTimings *timings = nullptr);

/// The same code as assembly text.
Result<std::string> emitAssembly(mlir::ModuleOp module, const TargetDesc &target);

} // namespace metile::cpu
