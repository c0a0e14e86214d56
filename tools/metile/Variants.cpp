// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Variants.h"

#include "Launch.h"
#include "Verb.h"

#include "Bench/Libraries.h"
#include "Bench/Worker.h"
#include "Digest/Sha256.h"
#include "Support/Json.h"
#include "Support/Nearest.h"
#include "Target/KnownTargets.h"
#include "Target/Schedule.h"

#include <fmt/format.h>

#include <algorithm>

namespace metile::tools {

std::span<const VariantForm> variantForms() {
  static constexpr VariantForm forms[] = {
      {"self", "the kernel as the planner schedules it"},
      {"schedule:K=V,…", "the kernel with these schedule fields and constants"},
      {"kernel:NAME", "another kernel with the same arguments; NAME may be ./lib.so:NAME"},
      {"library:NAME", "openblas or onednn"},
      {"root:PATH", "another build of this program: PATH holds bin/metile"},
      {"exec:CMD", "a program that speaks the worker protocol"},
      {"file:PATH#NAME", "an older kernel in Metal or PTX text (Metal and CUDA devices)"},
  };
  return forms;
}

namespace {

class CompiledVariant : public bench::BenchVariant {
public:
  CompiledVariant(bench::VariantDescription description, Device device, BoundLaunch launch)
      : description(std::move(description)), device(std::move(device)), launch(std::move(launch)) {}

  Result<std::optional<double>> run(int64_t launches) override {
    for (int64_t i = 0; i < launches; ++i)
      if (Status status = launch.run(); !status)
        return status.takeErrors();
    return std::optional<double>();
  }

  bench::VariantDescription describe() const override { return description; }

private:
  bench::VariantDescription description;
  Device device; // Keeps the threads alive.
  BoundLaunch launch;
};

} // namespace

/// The schedule as records spell it: what holds for the code, and what was asked for.
static Json scheduleOf(const Kernel &kernel, const std::string &text, const Artifact &artifact) {
  Json schedule = Json::object();
  if (Result<Json> report = parseJson(artifact.report, "the report")) {
    schedule["backend"] = (*report)["plan"]["backend"];
    schedule["double_buffer"] = (*report)["plan"]["double_buffer"];
  }
  for (const auto &[name, value] : artifact.constants)
    schedule[name] = value;
  std::vector<ConstantChoice> constants;
  for (const Kernel::Constant &constant : kernel.constants())
    if (!constant.isOption)
      constants.push_back({constant.name, constant.values});
  Result<TargetDesc> target = findTarget(artifact.target);
  Result<Schedule> asked =
      Schedule::parse(text, constants, target ? target->kind : TargetKind::cpu);
  schedule["RELAXED_PRECISION"] =
      asked && asked->flag(ScheduleField::relaxedPrecision).value_or(false);
  schedule["requested"] = asked ? asked->str() : text;
  return schedule;
}

Result<std::unique_ptr<bench::BenchVariant>>
makeCompiledVariant(const std::string &label, const Kernel &kernel, const std::string &schedule,
                    const VariantContext &context, const Case &made,
                    const bench::ArgumentSet &arguments) {
  CompileRequest request;
  request.target = context.device;
  request.schedule = schedule;
  request.threads = context.threads;
  request.noCache = context.noCache;
  request.alignment = argumentAlignment;
  CompileTimings timings;
  Result<Artifact> artifact = compileCase(kernel, made, request, &timings);
  if (!artifact)
    return artifact.takeErrors();
  Result<Device> device = openDevice(context.device, context.threads);
  if (!device)
    return device.takeErrors();
  Result<Executable> executable = Executable::load(*device, *artifact);
  if (!executable)
    return executable.takeErrors();
  Result<BoundLaunch> launch =
      executable->bind(launchArguments(artifact->arguments, arguments.arguments()));
  if (!launch)
    return launch.takeErrors();

  bench::VariantDescription description;
  description.label = label;
  description.scheduleJson = scheduleOf(kernel, schedule, *artifact).dump();
  description.reportJson = artifact->report;
  description.sourceSha256 = sha256(std::as_bytes(std::span(artifact->code)));
  description.compilerSha256 = artifact->producer;
  description.device = artifact->target;
  description.threads = context.threads;
  description.compileUs = timings.totalUs;
  if (timings.cacheHit)
    description.notes.push_back("taken from the cache of compiled kernels");
  return std::unique_ptr<bench::BenchVariant>(std::make_unique<CompiledVariant>(
      std::move(description), std::move(*device), std::move(*launch)));
}

Result<bench::VariantSource> variantSource(const std::string &text, const VariantContext &context) {
  size_t colon = text.find(':');
  std::string form = text.substr(0, colon);
  std::string rest = colon == text.npos ? "" : text.substr(colon + 1);
  static const std::vector<std::string> forms = {"self", "schedule", "kernel", "library",
                                                 "root", "exec",     "file"};
  if (std::find(forms.begin(), forms.end(), form) == forms.end())
    return unknownName("kind of variant", form, forms);
  if (form != "self" && rest.empty())
    return error(fmt::format("variant '{}' lacks what follows the colon", text),
                 "see metile list variants");
  if (form == "self" && colon != text.npos)
    return error(fmt::format("variant 'self' takes nothing, but '{}' follows it", rest), "",
                 fmt::format("did you mean schedule:{}?", rest));

  if (form == "library")
    return bench::librarySource(rest, context.threads);
  if (form == "root")
    return bench::rootSource(rest, context.threads);
  if (form == "exec")
    return bench::execSource(rest, context.threads);
  if (form == "file")
    return error(fmt::format("variant '{}' is Metal or PTX text", text),
                 fmt::format("device {} runs self, schedule:, kernel:, library:, root: and exec:",
                             context.device));

  Kernel kernel = context.selection.kernel;
  if (form == "kernel") {
    // A bare name means a kernel from where the first one came from.
    std::string path = context.selection.text;
    size_t end = path.rfind(':');
    bool sameLibrary = rest.find('/') == rest.npos && path.find('/') != path.npos;
    if (sameLibrary)
      rest = (end == path.npos ? path : path.substr(0, end)) + ":" + rest;
    Result<Selection> other = select(context.registry, rest);
    if (!other)
      return other.takeErrors();
    kernel = other->kernel;
  }
  bench::VariantSource source;
  source.label = text;
  std::string schedule = form == "schedule" ? rest : "";
  source.make = [=, &context](const Case &made, const bench::ArgumentSet &arguments) {
    return makeCompiledVariant(text, kernel, schedule, context, made, arguments);
  };
  return source;
}

} // namespace metile::tools
