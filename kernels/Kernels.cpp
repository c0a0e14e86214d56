// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

namespace metile::kernels {

std::vector<Kernel> allKernels() {
  return {vectorAdd(), gemm(),          batchedGemm(),  gemmBias(),  batchedGemmBias(),
          softmax(),   softmaxOnline(), crossEntropy(), attention(), rmsNorm(),
          layerNorm(), rowSum(),        rowMax(),       rowArgmax(), cumsum(),
          histogram(), topK()};
}

std::vector<CaseFamily> allCases() {
  return {vectorAddCases(),       gemmCases(),      batchedGemmCases(),   gemmBiasCases(),
          batchedGemmBiasCases(), softmaxCases(),   softmaxOnlineCases(), rmsNormCases(),
          layerNormCases(),       rowSumCases(),    rowMaxCases(),        rowArgmaxCases(),
          cumsumCases(),          histogramCases(), topKCases(),          crossEntropyCases(),
          attentionCases()};
}

} // namespace metile::kernels
