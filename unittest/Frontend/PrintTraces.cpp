// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the traces of all sample kernels; compared between compilers.
#include "SampleKernels.h"

#include <cstdio>

using namespace metile;

int main() {
  int failures = 0;
  for (const Sample &sample : sampleKernels()) {
    Result<Trace> trace = traceKernel(sample.kernel, specialize(sample.kernel, sample.types));
    failures += !trace;
    std::printf("== %s %s\n%s\n", sample.kernel.name().c_str(), sample.types.c_str(),
                trace ? canonicalText(*trace).c_str() : trace.errors().str().c_str());
  }
  return failures != 0;
}
