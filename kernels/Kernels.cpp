// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

namespace metile::kernels {

std::vector<Kernel> allKernels() {
  return {vectorAdd(), gemm(),      batchedGemm(), gemmBias(), softmax(),  softmaxOnline(),
          rmsNorm(),   layerNorm(), rowSum(),      rowMax(),   rowArgmax()};
}

std::vector<CaseFamily> allCases() {
  return {vectorAddCases(), gemmCases(),          batchedGemmCases(), gemmBiasCases(),
          softmaxCases(),   softmaxOnlineCases(), rmsNormCases(),     layerNormCases(),
          rowSumCases(),    rowMaxCases(),        rowArgmaxCases()};
}

} // namespace metile::kernels
