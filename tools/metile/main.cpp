// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "metile/tool.h"

#include "Kernels.h"

int main(int argc, char **argv) {
  return metile::tool(argc, argv, metile::kernels::allKernels(), metile::kernels::allCases());
}
