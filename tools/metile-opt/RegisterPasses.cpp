// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegisterPasses.h"

#include "Targets/Cpu/Legalize.h"

#include "Targets/Cpu/LowerTilePass.h"

#include "mlir/Transforms/Passes.h"

void metile::registerMetilePasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  cpu::registerLegalizePass();
  metile::cpu::registerLowerTilePass();
}
