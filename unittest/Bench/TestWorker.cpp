// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker for the tests of the protocol: adds two arrays, or misbehaves as its argument says.
#include "Bench/Worker.h"
#include "TestCases.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

using namespace metile;
using namespace metile::bench;

int main(int argc, char **argv) {
  std::string mood = argc > 1 ? argv[1] : "good";
  if (mood == "dead") {
    std::fprintf(stderr, "out of cheese\n");
    return 3;
  }
  if (mood == "babble") {
    std::puts("Hello there, I am no worker.");
    std::fflush(stdout);
    pause();
  }
  if (mood == "silent")
    pause();
  if (mood == "foreign") {
    std::puts(R"({"op":"hello","id":1,"protocol":"metile-bench-worker","version":99})");
    std::fflush(stdout);
    pause();
  }
  auto factory = [&](const WorkerRequest &request,
                     const ArgumentSet &arguments) -> Result<std::unique_ptr<BenchVariant>> {
    if (mood == "refuse")
      return error("cannot make " + request.kernel + " " + request.caseName + " as " +
                   request.variant);
    int64_t launchNs = mood == "slow" ? 60'000 : 20'000;
    AddVariant::Spoil spoil;
    if (mood == "wrong")
      spoil = [](std::span<const Argument> all) {
        Argument c = all[2];
        c.write(0, 5);
      };
    if (mood == "crash")
      spoil = [](std::span<const Argument>) {
        std::fprintf(stderr, "about to crash\n");
        std::abort();
      };
    if (mood == "hang")
      spoil = [](std::span<const Argument>) { pause(); };
    if (mood == "print")
      spoil = [](std::span<const Argument>) { std::puts("a library that prints"); };
    return std::unique_ptr<BenchVariant>(
        std::make_unique<AddVariant>(arguments, launchNs, std::move(spoil)));
  };
  return serveWorker(STDIN_FILENO, STDOUT_FILENO, "test worker 1.0", factory);
}
