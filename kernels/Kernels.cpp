// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

namespace metile::kernels {

std::vector<Kernel> allKernels() {
  return {vectorAdd(),    gemm(),      batchedGemm(), gemmBias(),  softmax(), softmaxOnline(),
          crossEntropy(), attention(), rmsNorm(),     layerNorm(), rowSum(),  rowMax(),
          rowArgmax(),    cumsum(),    histogram(),   topK()};
}

std::vector<CaseFamily> allCases() {
  return {vectorAddCases(), gemmCases(),          batchedGemmCases(),  gemmBiasCases(),
          softmaxCases(),   softmaxOnlineCases(), rmsNormCases(),      layerNormCases(),
          rowSumCases(),    rowMaxCases(),        rowArgmaxCases(),    cumsumCases(),
          histogramCases(), topKCases(),          crossEntropyCases(), attentionCases()};
}

} // namespace metile::kernels
