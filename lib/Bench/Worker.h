// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variants in another process, over the worker protocol of docs/benchmarking.md: JSON lines on
// stdin and stdout, arguments in shared memory. Both ends: the source for `exec:CMD` and
// `root:PATH` variants, and the loop of `metile bench-worker`. Must not know the compiler.
#pragma once

#include "Bench/BenchVariant.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace metile::bench {

inline constexpr int64_t workerProtocolVersion = 1;
inline constexpr std::string_view workerProtocolName = "metile-bench-worker";

struct WorkerOptions {
  std::string label;                ///< "root:../old", "exec:python3 worker.py"
  std::vector<std::string> command; ///< Program and arguments.
  std::string variant = "self";     ///< What the worker is asked to prepare.
  unsigned threads = 1;
  std::string root;         ///< For the record.
  double helloSeconds = 20; ///< Until the first answer.
  double prepareSeconds = 300;
  double runSeconds = 120; ///< One burst.
};

/// `exec:CMD`: the words are given to /bin/sh -c.
VariantSource execSource(const std::string &command, unsigned threads);
/// `root:PATH`: PATH/bin/metile (or PATH/build/bin/metile) is started as `bench-worker`. A PATH
/// without one is an error.
Result<VariantSource> rootSource(const std::string &path, unsigned threads);
/// The general form. Each variant it makes has a process of its own.
VariantSource workerSource(const WorkerOptions &options);

/// What a worker is asked to prepare.
struct WorkerRequest {
  std::string kernel;   ///< "gemm"
  std::string caseName; ///< "float16_64x64x64"
  std::string variant;  ///< "self", "schedule:…", as after --current.
  unsigned threads = 1;
};

/// Makes what a request asks for. `arguments` is the parent's memory; it outlives the variant.
using WorkerFactory = std::function<Result<std::unique_ptr<BenchVariant>>(
    const WorkerRequest &request, const ArgumentSet &arguments)>;

/// The loop of `metile bench-worker`: answers on `outFd` what is asked on `inFd` until "quit" or
/// the end of the input. Returns the exit code. Nothing else may be written to `outFd`.
int serveWorker(int inFd, int outFd, const std::string &producer, const WorkerFactory &factory);

} // namespace metile::bench
