// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile-fuzz: random programs on devices and on the interpreter.

#include "Example.h"
#include "Shrink.h"
#include "Trial.h"

#include "Driver/CompileModule.h"
#include "Support/Stopwatch.h"

#include "mlir/IR/MLIRContext.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace metile;
using namespace metile::fuzz;

namespace {

struct Options {
  std::vector<std::string> devices = {"cpu"};
  std::optional<uint64_t> seed;
  double seconds = 0;
  int64_t programs = 0;
  std::string output = ".";
  std::vector<std::string> replay;
  std::string examples;
  bool print = false;
};

int usageError(const Errors &errors) {
  fmt::print(stderr, "{}", errors.str());
  return 2;
}

Result<std::string> readText(const std::string &file) {
  std::ifstream stream(file);
  if (!stream)
    return error("file '" + file + "' cannot be read");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Runs the reproducers: 0 if all agree now.
int replay(const Options &options, const Trial &trial, mlir::MLIRContext &context) {
  int failures = 0;
  for (const std::string &file : options.replay) {
    Result<std::string> text = readText(file);
    if (!text)
      return usageError(text.errors());
    Result<Program> program = parse(*text, file, context);
    if (!program)
      return usageError(program.errors());
    Outcome outcome = trial.run(*program);
    bool agrees = outcome.kind == Outcome::Kind::agrees;
    fmt::print("{}: {}\n{}", file, agrees ? "agrees" : "differs", outcome.text);
    failures += !agrees;
  }
  return failures ? 1 : 0;
}

/// Runs the examples of a file: 0 if all agree.
int runExamples(const Options &options, const Trial &trial, mlir::MLIRContext &context) {
  Result<std::string> text = readText(options.examples);
  if (!text)
    return usageError(text.errors());
  Result<std::vector<Program>> programs = examplePrograms(*text, options.examples, context);
  if (!programs)
    return usageError(programs.errors());
  int failures = 0;
  for (const Program &program : *programs) {
    Outcome outcome = trial.run(program);
    if (outcome.kind == Outcome::Kind::agrees)
      continue;
    fmt::print("{}{}", print(program), outcome.text);
    ++failures;
  }
  fmt::print("{} examples on {}, {} failed\n", programs->size(), fmt::join(options.devices, ", "),
             failures);
  return failures ? 1 : 0;
}

/// How long to look for a smaller program.
constexpr double shrinkSeconds = 30;

/// Shrinks `program`, which gave `outcome`, and writes it down.
void report(Program program, const Outcome &outcome, const Options &options, const Trial &trial) {
  uint64_t seed = program.dataSeed;
  fmt::print("seed {}: {}", seed, outcome.text);
  std::fflush(stdout);
  auto fails = [&](const Program &candidate) { return trial.run(candidate).kind == outcome.kind; };
  Program small = shrink(std::move(program), fails, shrinkSeconds);
  std::string file = fmt::format("{}/fuzz-{}.mlir", options.output, seed);
  std::ofstream(file) << print(small);
  fmt::print("seed {}: written to {}: {}\n", seed, file, trial.run(small).text);
  std::fflush(stdout);
}

int fuzzDevices(const Options &options, const Trial &trial, mlir::MLIRContext &context) {
  uint64_t first = options.seed ? *options.seed : std::random_device()();
  int64_t count = 0, failures = 0, refusals = 0;
  Stopwatch total;
  auto isDone = [&] {
    if (options.programs > 0 && count >= options.programs)
      return true;
    return options.seconds > 0 && total.us() >= options.seconds * 1e6;
  };
  double minutes = 1;
  for (; !isDone(); ++count) {
    if (total.us() > minutes * 60e6) {
      fmt::print(stderr, "{} programs in {:.0f} min, {} failed\n", count, minutes, failures);
      minutes = std::floor(total.us() / 60e6) + 1;
    }
    Program program = generate(first + static_cast<uint64_t>(count), context);
    if (options.print)
      fmt::print("{}", print(program));
    Outcome outcome = trial.run(program);
    if (outcome.kind == Outcome::Kind::agrees)
      continue;
    if (outcome.kind == Outcome::Kind::refused)
      ++refusals;
    ++failures;
    report(std::move(program), outcome, options, trial);
  }
  fmt::print("{} programs from seed {} on {} in {:.0f} s: {} failed, {} of them refused\n", count,
             first, fmt::join(options.devices, ", "), total.us() / 1e6, failures, refusals);
  return failures ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Runs random tile programs on devices and on the interpreter and compares the "
               "results. Failures are shrunk and written as files that the test suite takes.");
  app.add_option("--device", options.devices, "Devices or CPU targets to compare")->delimiter(',');
  app.add_option("--seed", options.seed, "Of the first program; the others count up from it");
  app.add_option("--seconds", options.seconds, "Stop after so long")->check(CLI::PositiveNumber);
  app.add_option("--programs", options.programs, "Stop after so many")->check(CLI::PositiveNumber);
  app.add_option("-o", options.output, "Folder for reproducers")->check(CLI::ExistingDirectory);
  app.add_option("--replay", options.replay, "Run these reproducers instead");
  app.add_option("--examples", options.examples, "Run the functions of this file instead");
  app.add_flag("--print", options.print, "Print each program before it runs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &mistake) {
    return app.exit(mistake) == 0 ? 0 : 2;
  }
  if (options.seconds == 0 && options.programs == 0)
    options.programs = 300;

  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Result<Trial> trial = openTrial(options.devices);
  if (!trial)
    return usageError(trial.errors());
  if (!options.examples.empty())
    return runExamples(options, *trial, context);
  return options.replay.empty() ? fuzzDevices(options, *trial, context)
                                : replay(options, *trial, context);
}
