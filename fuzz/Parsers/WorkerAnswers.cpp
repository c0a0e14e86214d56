// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent's end of the benchmark's protocol: the lines that a worker answers.

#include "ParserTarget.h"

#include "Bench/Worker.h"

#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace metile::fuzz {

static Case makeCase() {
  Case made;
  made.name = "float32_4";
  made.kernel = "k";
  made.arguments.resize(1);
  made.arguments[0].name = "x";
  made.arguments[0].sizes = {4};
  return made;
}

void feedWorkerAnswers(std::string_view input) {
  static const Case benchCase = makeCase();
  static const bench::ArgumentSet arguments = bench::ArgumentSet::make(benchCase, 1, true).orExit();
  int file = memfd_create("metile-fuzz", MFD_CLOEXEC);
  ssize_t wrote = write(file, input.data(), input.size());
  require(wrote == static_cast<ssize_t>(input.size()), "the input fits into memory");
  bench::WorkerOptions options;
  options.label = "exec:worker";
  // A worker that does not listen to what it is asked.
  options.command = {"/bin/cat",
                     "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file)};
  auto variant = bench::workerSource(options).make(benchCase, arguments);
  if (!variant) {
    requireForm(variant.errors());
  } else {
    bench::VariantDescription description = (*variant)->describe();
    require(description.label == options.label, "a variant keeps its label");
    if (Result<std::optional<double>> ran = (*variant)->run(1); !ran)
      requireForm(ran.errors());
  }
  close(file);
}

} // namespace metile::fuzz
