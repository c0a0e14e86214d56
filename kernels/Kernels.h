// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel library: one source for documentation, tests and benchmarks. Each kernel comes with
// the family of its cases. Must not know targets, devices or the tool.
#pragma once

#include "metile/case.h"
#include "metile/dsl.h"

#include <vector>

namespace metile::kernels {

Kernel vectorAdd();
CaseFamily vectorAddCases();

/// c = a · b. Operands may have any strides, so transposed ones need no kernel of their own.
Kernel gemm();
CaseFamily gemmCases();

/// c[i] = a[i] · b[i].
Kernel batchedGemm();
CaseFamily batchedGemmCases();

/// c = activation(a · b + bias) with a bias for each column.
Kernel gemmBias();
CaseFamily gemmBiasCases();

/// c[i] = activation(a[i] · b[i] + bias[i]), likewise.
Kernel batchedGemmBias();
CaseFamily batchedGemmBiasCases();

/// Softmax over each row, held in one tile.
Kernel softmax();
CaseFamily softmaxCases();

/// Softmax over each row in pieces, for rows that no tile can hold.
Kernel softmaxOnline();
CaseFamily softmaxOnlineCases();

/// log(Σ exp(x)) - x[label] over each row.
Kernel crossEntropy();
CaseFamily crossEntropyCases();

/// y[h] = softmax(q[h] · k[h]ᵀ · scale) · v[h]; with the option CAUSAL query i sees keys 0 to i.
Kernel attention();
CaseFamily attentionCases();

/// y = x / sqrt(mean(x²) + eps) · weight over each row.
Kernel rmsNorm();
CaseFamily rmsNormCases();

/// y = (x - mean(x)) / sqrt(variance(x) + eps) · weight + bias over each row.
Kernel layerNorm();
CaseFamily layerNormCases();

/// Sum, maximum and index of the maximum of each row.
Kernel rowSum();
CaseFamily rowSumCases();
Kernel rowMax();
CaseFamily rowMaxCases();
Kernel rowArgmax();
CaseFamily rowArgmaxCases();

/// Running sum of each row.
Kernel cumsum();
CaseFamily cumsumCases();

/// Adds to counts[i] how often i occurs in x.
Kernel histogram();
CaseFamily histogramCases();

/// The largest elements of each row, in descending order, and where they stand.
Kernel topK();
CaseFamily topKCases();

/// All of the above.
std::vector<Kernel> allKernels();
std::vector<CaseFamily> allCases();

} // namespace metile::kernels
