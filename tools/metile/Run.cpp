// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile run KERNEL: one launch on arrays from files or random ones.

#include "CaseReference.h"
#include "CompileOptions.h"
#include "Launch.h"
#include "RunArguments.h"

#include "Bench/Check.h"
#include "Bench/Record.h"
#include "Support/Json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace metile::tools {

/// What the reference of `made` says each argument must hold.
static ReferenceArrays expected(const Case &made, std::span<const bench::Argument> arguments) {
  ReferenceArrays arrays;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bench::Argument &argument = arguments[i];
    if (argument.isScalar) {
      arrays.push_back({bench::readElement(argument.dtype,
                                           reinterpret_cast<const std::byte *>(&argument.scalar))});
      continue;
    }
    std::vector<double> &array = arrays.emplace_back(static_cast<size_t>(argument.count()));
    for (size_t j = 0; argument.input && j < array.size(); ++j)
      array[j] = argument.read(static_cast<int64_t>(j));
  }
  made.reference(arrays);
  return arrays;
}

/// Name, type, and what kind of numbers an output holds.
static Json summary(const bench::Argument &argument) {
  double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
  int64_t numbers = 0, nans = 0;
  for (int64_t i = 0; i < argument.count(); ++i) {
    double value = argument.read(i);
    if (std::isnan(value)) {
      ++nans;
      continue;
    }
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
    ++numbers;
  }
  return Json::object({{"name", argument.name},
                       {"dtype", longName(argument.dtype)},
                       {"sizes", Json::list(argument.sizes)},
                       {"min", numbers ? Json(low) : Json()},
                       {"max", numbers ? Json(high) : Json()},
                       {"mean", numbers ? Json(sum / static_cast<double>(numbers)) : Json()},
                       {"nan", nans}});
}

static void printOutput(const Json &output) {
  std::string sizes;
  for (const Json &size : output["sizes"].elements())
    sizes += fmt::format("{}{}", sizes.empty() ? "" : "x", size.asInteger());
  fmt::print("{}: {} {}, min {:.6g}, max {:.6g}, mean {:.6g}", output["name"].asString(),
             output["dtype"].asString(), sizes, output["min"].asNumber(NAN),
             output["max"].asNumber(NAN), output["mean"].asNumber(NAN));
  if (output["nan"].asInteger())
    fmt::print(", {} NaN", output["nan"].asInteger());
  const Json &check = output["check"];
  if (!check.isNull() && check["right"].asBool())
    fmt::print(", right: the largest error is {:.2g} of what is allowed",
               check["error_over_bound"].asNumber());
  else if (!check.isNull())
    fmt::print(", WRONG\n{}", check["message"].asString());
  fmt::print("\n");
}

namespace {

/// What is run, and on what.
struct Job {
  RunArguments arguments;
  Artifact artifact;
};

} // namespace

/// Compiles the kernel for the arguments.
static Result<Job> freshJob(const Registry &registry, const std::string &kernel,
                            const RunWords &given, const CompileRequest &request) {
  Result<Selection> selection = selectKernel(registry, kernel);
  if (!selection)
    return selection.takeErrors();
  Result<RunArguments> arguments = runArguments(
      selection->kernel.name(), selection->kernel.parameters(), selection->family, given);
  if (!arguments)
    return arguments.takeErrors();
  Result<Artifact> artifact = compileCase(selection->kernel, arguments->made, request);
  if (!artifact)
    return artifact.takeErrors();
  // Without a case nothing says how exact the result must be.
  if (!given.caseName.empty())
    if (Status completed = completeReference(arguments->made, selection->kernel, request);
        !completed)
      return completed.takeErrors();
  return Job{std::move(*arguments), std::move(*artifact)};
}

/// Takes the artifact in the file at `path`.
static Result<Job> compiledJob(const std::string &path, const RunWords &given,
                               const CompileRequest &request) {
  Result<Artifact> artifact = readArtifact(path, given.caseName, request);
  if (!artifact)
    return artifact.takeErrors();
  std::vector<Kernel::Parameter> parameters;
  for (const ArgumentInfo &argument : artifact->arguments)
    parameters.push_back({argument.name, argument.role});
  Result<RunArguments> arguments = runArguments(artifact->kernel, parameters, nullptr, given);
  if (!arguments)
    return arguments.takeErrors();
  return Job{std::move(*arguments), std::move(*artifact)};
}

int run(const Registry &registry, const Words &words) {
  CommandLine line("run", "Runs a kernel once. With --case the result is checked against the "
                          "case's reference; exit code 1 if it is wrong.");
  std::string kernel, deviceName = "cpu";
  RunWords given;
  CompileRequest request;
  line.app.add_option("KERNEL", kernel, "a kernel, ./library.so:NAME, or FILE.metile");
  line.app.add_option("--device", deviceName, "where to run (metile list devices)");
  addRunOptions(line, given);
  line.addRepeated("--output", given.outputs, "NAME=FILE.npy: where to write an argument");
  addCompileOptions(line, request);
  if (auto code = line.parse(words))
    return *code;
  request.alignment = argumentAlignment;
  if (request.target.empty() && !isArtifactFile(kernel))
    request.target = deviceName;
  Result<Job> job = isArtifactFile(kernel) ? compiledJob(kernel, given, request)
                                           : freshJob(registry, kernel, given, request);
  if (!job)
    return fail(job.errors(), line.json);
  const RunArguments &arguments = job->arguments;
  const Case &made = arguments.made;
  const Artifact &artifact = job->artifact;
  Result<Device> device = openDevice(deviceName, threadCount(request.threads));
  if (!device)
    return fail(device.errors(), line.json);
  Result<Executable> executable = Executable::load(*device, artifact);
  if (!executable)
    return fail(executable.errors(), line.json);
  Result<bench::ArgumentSet> memory = launchMemory(arguments, given.seed);
  if (!memory)
    return fail(memory.errors(), line.json);
  ReferenceArrays right;
  if (made.reference)
    right = expected(made, memory->arguments());

  Status ran = executable->launch(launchArguments(artifact.arguments, memory->arguments()));
  if (!ran)
    return fail(ran.errors(), line.json);

  int code = exitFine;
  Json outputs = Json::array();
  std::span<bench::Argument> all = memory->arguments();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].output)
      continue;
    Json output = summary(all[i]);
    if (!right.empty()) {
      bench::CheckResult check = bench::check(all[i], right[i], made.tolerance);
      if (!check.right)
        code = exitFinding;
      output["check"] = Json::object({{"right", check.right},
                                      {"max_absolute_error", check.maxAbsoluteError},
                                      {"error_over_bound", check.maxErrorOverBound},
                                      {"mismatches", check.mismatches},
                                      {"message", check.message}});
    }
    if (!line.json)
      printOutput(output);
    outputs.push(std::move(output));
    auto file = arguments.files.find(all[i].name);
    if (file == arguments.files.end())
      continue;
    if (Status written = bench::writeFileWhole(file->second, npyBytes(gather(all[i]))); !written)
      return fail(written.errors(), line.json);
  }
  if (line.json)
    fmt::print("{}\n", Json::object(
                           {{"kernel", artifact.kernel}, {"case", made.name}, {"outputs", outputs}})
                           .dump(2));
  return code;
}

} // namespace metile::tools
