// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile check FILE.metal: runs a kernel of Metal Shading Language on this CPU and reports what it
// does wrong.

#include "CheckFilter.h"
#include "CheckPlan.h"
#include "CheckReport.h"
#include "CommandLine.h"

#include "Support/HalfFloat.h"
#include "Support/Json.h"
#include "Support/Nearest.h"
#include "Support/Npy.h"
#include "Support/Stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace metile::tools {

namespace {

namespace fs = std::filesystem;

struct CheckCommand {
  std::string file, config, format = "text", baseline, newBaseline;
  std::vector<std::string> suppressions, includes, defines;
  bool lint = false, list = false, sarif = false, noCache = false;
  CheckWords words;
  CheckLimits limits;
};

/// The number at `index` of an array of `dtype`.
double numberAt(const std::vector<std::byte> &bytes, DType dtype, size_t index) {
  const std::byte *at = bytes.data() + index * byteSize(dtype);
  auto as = [at]<class T>(T value) {
    std::memcpy(&value, at, sizeof(T));
    return value;
  };
  switch (dtype) {
  case boolean:
  case u8:
    return as(uint8_t());
  case i8:
    return as(int8_t());
  case i16:
    return as(int16_t());
  case u16:
    return as(uint16_t());
  case i32:
    return as(int32_t());
  case u32:
    return as(uint32_t());
  case i64:
    return static_cast<double>(as(int64_t()));
  case u64:
    return static_cast<double>(as(uint64_t()));
  case f16:
    return floatFromF16(as(uint16_t()));
  case bf16:
    return floatFromBf16(as(uint16_t()));
  case f8e4m3:
    return floatFromF8e4m3(as(uint8_t()));
  case f8e5m2:
    return floatFromF8e5m2(as(uint8_t()));
  case f32:
    return as(float());
  case f64:
    return as(double());
  }
  return 0;
}

/// What a kernel on a GPU may differ by: roundings of a long sum in float, stored in `dtype`.
double defaultTolerance(DType dtype) {
  if (!isFloat(dtype))
    return 0;
  return dtype == f16 ? 1e-2 : dtype == bf16 ? 5e-2 : byteSize(dtype) == 1 ? 0.3 : 1e-4;
}

class CheckRun {
public:
  CheckRun(const CheckCommand &command, emulator::Source source)
      : command(command), source(std::move(source)) {}

  /// Builds, runs and judges one launch.
  Result<CheckOutcome> run(const CheckWords &words, FindingFilter &filter) {
    Result<CheckPlan> made = makeCheckPlan(words, command.limits);
    if (!made)
      return made.takeErrors();
    CheckPlan &plan = *made;
    plan.build.useCache = !command.noCache;
    Stopwatch building;
    Result<emulator::Kernel> kernel = emulator::Kernel::build(source, plan.build);
    if (!kernel)
      return kernel.takeErrors();
    CheckOutcome outcome;
    outcome.file = source.name;
    outcome.kernel = kernel->name();
    outcome.fast = words.fast;
    outcome.fromCache = kernel->fromCache();
    outcome.buildMilliseconds = building.us() / 1000;
    if (Status fits = bind(*kernel, plan); !fits)
      return fits.takeErrors();
    Result<emulator::Report> report = kernel->launch(plan.launch);
    if (!report)
      return report.takeErrors();
    outcome.runMilliseconds = report->microseconds / 1000;
    for (emulator::Finding &finding : report->findings)
      if (filter.keeps(finding, plan.only))
        outcome.findings.push_back(std::move(finding));
    for (const auto &[key, file] : plan.expects)
      if (Status compared = compare(plan, key, file, outcome.mismatches); !compared)
        return compared.takeErrors();
    for (const auto &[key, file] : plan.saves)
      if (Status saved = save(plan, key, file); !saved)
        return saved.takeErrors();
    return outcome;
  }

private:
  /// Hands the buffers to the launch, if their types are those of the signature.
  Status bind(const emulator::Kernel &kernel, CheckPlan &plan) {
    Errors errors;
    for (CheckBuffer &buffer : plan.buffers) {
      emulator::BufferArgument argument;
      if (std::optional<int64_t> index = parseInteger(buffer.key))
        argument.index = static_cast<uint32_t>(*index);
      else
        argument.name = buffer.key;
      CheckBuffer *memory = &buffer;
      if (!buffer.sameAs.empty()) {
        Result<CheckBuffer *> found = find(plan, buffer.sameAs);
        if (!found)
          return found.takeErrors();
        memory = *found;
      }
      argument.data = memory->bytes.data();
      argument.bytes = memory->bytes.size();
      argument.uninitialised = memory->uninitialised;
      plan.launch.buffers.push_back(argument);
      for (const emulator::ParameterInfo &parameter : kernel.parameters()) {
        bool isIt = parameter.kind == emulator::ParameterInfo::Kind::buffer &&
                    parameter.index >= 0 &&
                    (argument.name.empty() ? parameter.index == static_cast<int>(argument.index)
                                           : parameter.name == argument.name);
        std::optional<DType> wanted =
            parseDType(parameter.type.substr(0, parameter.type.find('x')));
        // Memory of bytes holds anything, and integers hold bits.
        bool fits = !isIt || !wanted || !buffer.dtype || byteSize(*wanted) == 1 ||
                    wanted == buffer.dtype ||
                    (isInteger(*wanted) && byteSize(*wanted) == byteSize(*buffer.dtype));
        if (!fits)
          errors.diagnostics.push_back(
              {{},
               fmt::format("buffer {} ('{}') holds {}", parameter.index, parameter.name,
                           longName(*buffer.dtype)),
               fmt::format("the kernel reads {}", parameter.type),
               fmt::format("write --buffer {}=…:{}[…]", buffer.key, name(*wanted))});
      }
    }
    if (!errors.diagnostics.empty())
      return errors;
    return Done{};
  }

  Result<CheckBuffer *> find(CheckPlan &plan, const std::string &key) {
    std::vector<std::string> keys;
    for (CheckBuffer &buffer : plan.buffers) {
      if (buffer.key == key)
        return &buffer;
      keys.push_back(buffer.key);
    }
    return unknownName("buffer", key, keys);
  }

  Status compare(CheckPlan &plan, const std::string &key, const std::string &file,
                 std::vector<std::string> &mismatches) {
    Result<CheckBuffer *> found = find(plan, key);
    if (!found)
      return found.takeErrors();
    const CheckBuffer &buffer = **found;
    Result<NpyArray> right = readNpy(file);
    if (!right)
      return right.takeErrors();
    size_t count = 1;
    for (int64_t size : right->sizes)
      count *= static_cast<size_t>(size);
    if (!buffer.dtype || buffer.bytes.size() != count * byteSize(*buffer.dtype))
      return error(fmt::format("{} has {} elements of {}; buffer {} has {} bytes", file, count,
                               longName(right->dtype), key, buffer.bytes.size()));
    double relative = plan.tolerance >= 0 ? plan.tolerance : defaultTolerance(*buffer.dtype);
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < count; ++i) {
      double is = numberAt(buffer.bytes, *buffer.dtype, i),
             should = numberAt(right->bytes, right->dtype, i);
      bool same =
          std::isnan(should)
              ? std::isnan(is)
              : std::abs(is - should) <= relative * std::max(1.0, std::abs(should)) || is == should;
      if (!same && wrong++ == 0)
        first = i;
    }
    if (wrong)
      mismatches.push_back(fmt::format("buffer {} is not as in {}: {} of {} elements differ by "
                                       "more than {:g} of their size; the "
                                       "first is element {}: {:g}, should be {:g}",
                                       key, file, wrong, count, relative, first,
                                       numberAt(buffer.bytes, *buffer.dtype, first),
                                       numberAt(right->bytes, right->dtype, first)));
    return Done{};
  }

  Status save(CheckPlan &plan, const std::string &key, const std::string &file) {
    Result<CheckBuffer *> found = find(plan, key);
    if (!found)
      return found.takeErrors();
    const CheckBuffer &buffer = **found;
    if (!buffer.dtype)
      return error(fmt::format("buffer {} has no element type to save it by", key));
    std::ofstream out(file, std::ios::binary);
    out << npyBytes({*buffer.dtype, buffer.sizes, buffer.bytes});
    out.close();
    if (!out)
      return error("cannot write " + file);
    return Done{};
  }

  const CheckCommand &command;
  emulator::Source source;
};

void addOptions(CommandLine &line, CheckCommand &command) {
  CLI::App &app = line.app;
  app.add_option("FILE", command.file, "a file of Metal Shading Language");
  app.add_option("--kernel", command.words.kernel, "its name; not needed if the file has but one");
  app.add_option("--grid", command.words.grid, "x,y,z: threadgroups of the grid");
  app.add_option("--grid-threads", command.words.gridThreads, "x,y,z: threads of the grid");
  app.add_option("--threads", command.words.threads, "x,y,z: threads of a threadgroup");
  line.addRepeated(
      "--buffer", command.words.buffers,
      "INDEX or NAME=CONTENTS: random:f16[256,256], nan:f32[8], i32:7, pack:i32=4,f32=0.5, "
      "same:0, a.npy");
  line.addRepeated("--threadgroup-memory", command.words.threadgroupMemory, "INDEX=BYTES");
  line.addRepeated("--constant", command.words.constants,
                   "INDEX or NAME=TYPE:VALUE of a function constant");
  line.addRepeated("--expect", command.words.expects,
                   "BUFFER=FILE.npy: what it must hold in the end");
  line.addRepeated("--save", command.words.saves, "BUFFER=FILE.npy: where to write it in the end");
  app.add_option("--tolerance", command.words.tolerance, "relative, of --expect");
  line.addRepeated("--only", command.words.only,
                   "race,bounds,init,sync,limits: findings to speak of");
  app.add_flag("--fast", command.words.fast, "run without checks");
  app.add_option("--config", command.config,
                 "TOML file with [[check]] tables (FILE.toml if it is there)");
  app.add_flag("--lint", command.lint, "compile every kernel of the file, run none");
  app.add_flag("--list", command.list, "name the kernels of the file");
  line.addRepeated("--suppress", command.suppressions, "file of findings not to speak of");
  app.add_option("--baseline", command.baseline, "file of findings that were accepted");
  app.add_option("--write-baseline", command.newBaseline, "accept what is found now");
  app.add_option("--format", command.format, "text, json, sarif or github");
  app.add_flag("--sarif", command.sarif, "as --format sarif");
  line.addRepeated("-I,--include", command.includes, "folder of headers");
  line.addRepeated("-D,--define", command.defines, "NAME or NAME=VALUE");
  app.add_option("--seed", command.limits.seed, "of random contents");
  app.add_option("--time-limit", command.limits.seconds, "seconds after which a kernel is endless");
  app.add_option("--threadgroup-limit", command.limits.threadgroupMemory,
                 "bytes of threadgroup memory of the chip");
  app.add_option("--workers", command.limits.threads, "CPU threads");
  app.add_flag("--no-cache", command.noCache, "build anew");
}

int showKernels(const emulator::Source &source, bool json) {
  Result<std::vector<emulator::KernelInfo>> kernels = emulator::listKernels(source);
  if (!kernels)
    return fail(kernels.errors(), json);
  Json list = Json::array();
  for (const emulator::KernelInfo &kernel : *kernels) {
    if (!json)
      fmt::print("{}: {}\n", kernel.location.str(), kernel.name);
    list.push(Json::object({{"kernel", kernel.name}, {"at", kernel.location.str()}}));
  }
  if (json)
    fmt::print("{}\n", Json::object({{"kernels", list}}).dump(2));
  return exitFine;
}

int lintAll(const emulator::Source &source, bool json) {
  Result<emulator::LintReport> report = emulator::lint(source);
  if (!report)
    return fail(report.errors(), json);
  if (!report->problems.empty()) {
    Errors problems;
    problems.diagnostics = std::move(report->problems);
    problems.isFinding = true;
    return fail(problems, json);
  }
  if (json)
    fmt::print("{}\n", Json::object({{"file", source.name}, {"kernels", report->kernels}}).dump(2));
  else
    fmt::print("{}: {} kernel{} compiled, no errors\n", source.name, report->kernels,
               report->kernels == 1 ? "" : "s");
  return exitFine;
}

/// The launches that are asked for: on the command line, or in a file.
Result<std::vector<CheckWords>> launches(const CheckCommand &command) {
  std::string config = command.config;
  if (config.empty() && !command.words.describesLaunch()) {
    fs::path beside = fs::path(command.file).replace_extension(".toml");
    std::error_code failed;
    if (fs::exists(beside, failed))
      config = beside.string();
  }
  if (config.empty())
    return std::vector{command.words};
  Result<std::vector<CheckWords>> checks = readCheckFile(config);
  if (!checks)
    return checks;
  for (CheckWords &words : *checks) {
    words.fast |= command.words.fast;
    if (!command.words.only.empty())
      words.only = command.words.only;
  }
  if (!command.words.kernel.empty())
    std::erase_if(*checks,
                  [&](const CheckWords &words) { return words.kernel != command.words.kernel; });
  if (checks->empty())
    return error(config + " has no check of kernel '" + command.words.kernel + "'");
  return checks;
}

} // namespace

int check(const Words &words) {
  CommandLine line("check",
                   "Runs a Metal kernel on this CPU and reports races, accesses out of bounds, "
                   "reads of uninitialised memory and divergent barriers. Exit code 1 if it "
                   "finds any.");
  CheckCommand command;
  addOptions(line, command);
  if (auto code = line.parse(words))
    return *code;
  static const std::vector<std::string> formats = {"text", "json", "sarif", "github"};
  if (std::find(formats.begin(), formats.end(), command.format) == formats.end())
    return fail(unknownName("format", command.format, formats), line.json);
  std::string format = line.json ? "json" : command.sarif ? "sarif" : command.format;
  bool json = format == "json";
  if (command.file.empty())
    return fail(error("no file was named", "metile check FILE.metal"), json);
  Result<emulator::Source> source = emulator::Source::fromFile(command.file);
  if (!source)
    return fail(source.errors(), json);
  source->includeFolders = command.includes;
  source->defines = command.defines;
  if (command.list)
    return showKernels(*source, json);
  if (command.lint)
    return lintAll(*source, json);

  FindingFilter filter;
  for (const std::string &file : command.suppressions)
    if (Status added = filter.addRules(file); !added)
      return fail(added.errors(), json);
  if (!command.baseline.empty())
    if (Status added = filter.addBaseline(command.baseline); !added)
      return fail(added.errors(), json);
  Result<std::vector<CheckWords>> asked = launches(command);
  if (!asked)
    return fail(asked.errors(), json);

  CheckRun run(command, std::move(*source));
  std::vector<CheckOutcome> outcomes;
  std::vector<emulator::Finding> all;
  bool isClean = true;
  for (const CheckWords &launch : *asked) {
    Result<CheckOutcome> outcome = run.run(launch, filter);
    if (!outcome)
      return fail(outcome.errors(), json);
    isClean = isClean && outcome->findings.empty() && outcome->mismatches.empty();
    all.insert(all.end(), outcome->findings.begin(), outcome->findings.end());
    outcomes.push_back(std::move(*outcome));
  }
  if (!command.newBaseline.empty()) {
    if (Status written = writeBaseline(command.newBaseline, all); !written)
      return fail(written.errors(), json);
    fmt::print(stderr, "{} accepted in {}\n", all.size(), command.newBaseline);
    return exitFine;
  }
  if (format == "json")
    fmt::print("{}\n", checkJson(outcomes, filter.suppressed()).dump(2));
  else if (format == "sarif")
    fmt::print("{}\n", checkSarif(outcomes).dump(2));
  else if (format == "github")
    fmt::print("{}", checkGithub(outcomes));
  else
    fmt::print("{}", checkText(outcomes, filter.suppressed()));
  return isClean ? exitFine : exitFinding;
}

} // namespace metile::tools
