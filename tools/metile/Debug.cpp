// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile debug KERNEL: what one program computes on a device beside what it computes in the
// interpreter, and where the two part.

#include "CompileOptions.h"
#include "Launch.h"
#include "ProbeComparison.h"
#include "RunArguments.h"

#include "Interpreter/Dither.h"
#include "Support/Json.h"
#include "Support/ProgramId.h"
#include "Support/ShowValue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace metile::tools {

using ProgramId = std::array<int64_t, 3>;

/// Reads "3,7": x, y and z, of which the last may be missing.
static Result<ProgramId> parseProgram(const std::string &text) {
  ProgramId id{};
  size_t axis = 0, start = 0;
  while (start <= text.size()) {
    size_t end = std::min(text.find(',', start), text.size());
    std::optional<int64_t> number = parseInteger(std::string_view(text).substr(start, end - start));
    if (!number || *number < 0 || axis == 3)
      return error(fmt::format("'{}' names no program", text),
                   "a program is named by its place in the grid: X, X,Y or X,Y,Z",
                   "for example --program 3,7");
    id[axis++] = *number;
    start = end + 1;
  }
  return id;
}

namespace {

/// The kernel compiled for one device, and the launch to watch there.
class Watched {
public:
  static Result<Watched> make(const Artifact &artifact, const std::string &deviceName,
                              unsigned threads) {
    Result<Device> device = openDevice(deviceName, threads);
    if (!device)
      return device.takeErrors();
    Result<Executable> executable = Executable::load(*device, artifact);
    if (!executable)
      return executable.takeErrors();
    return Watched(std::move(*executable));
  }

  /// What `program` records in a launch on fresh arguments.
  Result<std::vector<ProbeRecord>> record(const RunArguments &arguments, uint64_t seed,
                                          const ProgramId &program) const {
    Result<bench::ArgumentSet> memory = launchMemory(arguments, seed);
    if (!memory)
      return memory.takeErrors();
    ProbeRequest request;
    request.programs = {program};
    if (Status ran = executable.probe(
            launchArguments(executable.artifact().arguments, memory->arguments()), request);
        !ran)
      return ran.takeErrors();
    return std::move(request.records);
  }

private:
  explicit Watched(Executable executable) : executable(std::move(executable)) {}
  Executable executable;
};

/// What the command line asks for.
struct Command {
  std::string kernel, device = "cpu";
  ProgramId program{};
  bool every = false;
  RunWords given;
  CompileRequest request;
};

/// What came out.
struct Outcome {
  std::string kernel, caseName, device;
  std::string constants; ///< As a schedule: "BLOCK_M=64,BLOCK_N=32".
  ProgramId program{};
  std::vector<ProbeRecord> found;
  size_t agreeing = 0; ///< Records from the first on that are as they may be.
  std::optional<Errors> finding;
};

} // namespace

/// The choices that the device's compiler made, so that the interpreter runs the same programs.
static std::string sameConstants(const Kernel &kernel, const Artifact &artifact) {
  std::string schedule;
  for (const Kernel::Constant &constant : kernel.constants())
    for (const auto &[name, value] : artifact.constants)
      if (!constant.isOption && name == constant.name)
        schedule += fmt::format("{}{}={}", schedule.empty() ? "" : ",", name, value);
  return schedule;
}

/// Lets `comparison` know how far roundings move the values of `program`.
static Status widen(ProbeComparison &comparison, const Watched &interpreted,
                    const RunArguments &arguments, uint64_t seed, const ProgramId &program) {
  using interpreter::Dither;
  constexpr uint64_t evaluations = 14;
  for (uint64_t i = 0; i < evaluations; ++i) {
    Dither dither(i == 0   ? Dither::Way::up
                  : i == 1 ? Dither::Way::down
                           : Dither::Way::random,
                  seed + i);
    auto records = interpreted.record(arguments, seed, program);
    if (!records)
      return records.takeErrors();
    comparison.widen(*records);
  }
  return Done{};
}

/// "element [0, 17] of 'scores'", "'scores'" of a scalar.
static std::string elementName(const ProbeRecord &record, int64_t element) {
  std::string place;
  for (size_t axis = record.shape.size(); axis-- > 0; element /= record.shape[axis])
    place = fmt::format("{}{}{}", element % record.shape[axis], place.empty() ? "" : ", ", place);
  return record.shape.empty() ? fmt::format("'{}'", record.name)
                              : fmt::format("element [{}] of '{}'", place, record.name);
}

static std::string elementText(const ProbeRecord &record, int64_t element) {
  auto offset = static_cast<size_t>(element) * byteSize(record.dtype);
  return showValue(record.dtype, {}, &record.values[offset]);
}

static std::string placeOf(const ProbeRecord &record) {
  const Location &at = record.location;
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

/// The finding as a message: where the device and the interpreter part.
static Errors partingMessage(const Outcome &outcome, const ProbeComparison &comparison,
                             const Parting &parting) {
  const std::vector<ProbeRecord> &right = comparison.records();
  bool isFound = parting.record < outcome.found.size();
  const ProbeRecord &record = isFound ? outcome.found[parting.record] : right[parting.record];
  std::string found, allowed;
  if (parting.element) {
    found = fmt::format("{} is {} on {}, in {}", elementName(record, *parting.element),
                        elementText(record, *parting.element), outcome.device,
                        programName(outcome.program));
    allowed = fmt::format("the interpreter has {}", parting.expected);
  } else if (isFound) {
    found = fmt::format("{} on {} takes another way: it comes by '{}'",
                        programName(outcome.program), outcome.device, record.name);
    allowed = parting.record < right.size()
                  ? fmt::format("the interpreter comes by '{}' at {}", right[parting.record].name,
                                placeOf(right[parting.record]))
                  : "the interpreter is at the program's end";
  } else {
    found = fmt::format("{} on {} ends before it comes by '{}'", programName(outcome.program),
                        outcome.device, record.name);
    allowed = "the interpreter comes by it";
  }
  return error(record.location, std::move(found), std::move(allowed));
}

/// The first NaN as a message, if it comes before what `parting` tells or nothing parts.
static std::optional<Errors> nanMessage(const Outcome &outcome, const ProbeComparison &comparison,
                                        const std::optional<Parting> &parting) {
  auto nan = firstNan(outcome.found);
  if (!nan || (parting && parting->record <= nan->first))
    return std::nullopt;
  const ProbeRecord &record = outcome.found[nan->first];
  return error(record.location,
               fmt::format("{} is nan, in {}; no value before it is",
                           elementName(record, nan->second), programName(outcome.program)),
               comparison.hasNan(nan->first, nan->second)
                   ? "the interpreter has it too"
                   : "in the interpreter roundings decide whether it is");
}

static std::string typeText(const ProbeRecord &record) {
  std::string text(name(record.dtype));
  if (!record.shape.empty())
    text += fmt::format("[{}]", fmt::join(record.shape, ", "));
  return text;
}

static Json asJson(const Outcome &outcome) {
  Json records = Json::array();
  for (const ProbeRecord &record : outcome.found)
    records.push(
        Json::object({{"name", record.name},
                      {"place", placeOf(record)},
                      {"dtype", longName(record.dtype)},
                      {"sizes", Json::list(record.shape)},
                      {"values", showValue(record.dtype, record.shape, record.values.data())}}));
  return Json::object({{"kernel", outcome.kernel},
                       {"case", outcome.caseName},
                       {"device", outcome.device},
                       {"program", Json::list(outcome.program)},
                       {"constants", outcome.constants},
                       {"records", records},
                       {"agreeing", static_cast<int64_t>(outcome.agreeing)},
                       {"finding", outcome.finding ? Json(outcome.finding->str()) : Json()}});
}

static void printOutcome(const Outcome &outcome, bool every) {
  fmt::print("{} of {}, case {}{}{}, on {} beside the interpreter\n", programName(outcome.program),
             outcome.kernel, outcome.caseName, outcome.constants.empty() ? "" : ", with ",
             outcome.constants, outcome.device);
  fmt::print("Probing changes the schedule: values stay apart that an ordinary launch fuses.\n");
  if (!every)
    for (const ProbeRecord &record : outcome.found)
      fmt::print("{}  {}  {}  {}\n", placeOf(record), record.name, typeText(record),
                 showValue(record.dtype, record.shape, record.values.data()));
  size_t recorded = outcome.found.size();
  fmt::print("{} {} recorded, {}\n", recorded, recorded == 1 ? "value" : "values",
             outcome.agreeing == recorded ? "all agree"
                                          : fmt::format("the first {} agree", outcome.agreeing));
}

/// Compiles `kernel` with probes for the device; a kernel without any is a mistake.
static Result<Artifact> compileProbed(const Kernel &kernel, const Case &made,
                                      const CompileRequest &request) {
  Result<Artifact> artifact = compileCase(kernel, made, request);
  if (!artifact)
    return artifact;
  for (const DebugSite &site : artifact->debugSites)
    if (site.kind == DebugSite::Kind::probe)
      return artifact;
  return error(kernel.definition(), fmt::format("{} has no probes", kernel.name()), "",
               "give a value to probe(\"name\", value), or record all of them with --every");
}

/// Runs the program on both and compares; `outcome` says what for.
static Status compare(const Watched &device, const Watched &interpreted,
                      const RunArguments &arguments, uint64_t seed, Outcome &outcome) {
  // What the kernel itself does wrong comes first: then no device need agree with another.
  auto right = interpreted.record(arguments, seed, outcome.program);
  if (!right)
    return right.takeErrors();
  auto found = device.record(arguments, seed, outcome.program);
  if (!found)
    return found.takeErrors();
  outcome.found = std::move(*found);
  ProbeComparison comparison(std::move(*right));
  std::optional<Parting> parting = comparison.parting(outcome.found);
  if (parting) {
    if (Status done = widen(comparison, interpreted, arguments, seed, outcome.program); !done)
      return done;
    parting = comparison.parting(outcome.found);
  }
  outcome.agreeing = parting ? parting->record : outcome.found.size();
  outcome.finding = nanMessage(outcome, comparison, parting);
  if (parting && !outcome.finding)
    outcome.finding = partingMessage(outcome, comparison, *parting);
  if (outcome.finding)
    outcome.finding->isFinding = true;
  return Done{};
}

static Result<Outcome> compareProgram(const Registry &registry, Command command) {
  if (isArtifactFile(command.kernel))
    return error(fmt::format("{} is compiled already, without probes", command.kernel), "",
                 "name the kernel");
  Result<Selection> selection = selectKernel(registry, command.kernel);
  if (!selection)
    return selection.takeErrors();
  const Kernel &kernel = selection->kernel;
  if (command.given.namesNoShapes()) {
    Result<std::string> first = selection->defaultCase();
    if (!first)
      return first.takeErrors();
    command.given.caseName = std::move(*first);
  }
  Result<RunArguments> arguments =
      runArguments(kernel.name(), kernel.parameters(), selection->family, command.given);
  if (!arguments)
    return arguments.takeErrors();

  CompileRequest request = command.request;
  if (request.target.empty())
    request.target = command.device;
  request.probes = command.every ? Probes::every : Probes::named;
  request.alignment = argumentAlignment;
  Result<Artifact> compiled = compileProbed(kernel, arguments->made, request);
  if (!compiled)
    return compiled.takeErrors();
  Outcome outcome;
  outcome.kernel = kernel.name();
  outcome.caseName = arguments->made.name;
  outcome.device = request.target;
  outcome.constants = sameConstants(kernel, *compiled);
  outcome.program = command.program;
  request.target = "reference";
  request.schedule = outcome.constants;
  Result<Artifact> text = compileProbed(kernel, arguments->made, request);
  if (!text)
    return text.takeErrors();

  Result<Watched> device =
      Watched::make(*compiled, command.device, threadCount(command.request.threads));
  if (!device)
    return device.takeErrors();
  Result<Watched> interpreted = Watched::make(*text, "reference", 1);
  if (!interpreted)
    return interpreted.takeErrors();
  if (Status done = compare(*device, *interpreted, *arguments, command.given.seed, outcome); !done)
    return done.takeErrors();
  return outcome;
}

int debug(const Registry &registry, const Words &words) {
  CommandLine line("debug",
                   "Records what the probes of one program see on a device and in the interpreter, "
                   "and names the first value that differs, or the first NaN; exit code 1 then.");
  Command command;
  std::string program = "0";
  addKernel(line, command.kernel);
  line.app.add_option("--device", command.device, "where to run (metile list devices)");
  line.app.add_option("--program", program, "X,Y,Z: its place in the grid; 0,0,0 if missing");
  line.app.add_flag("--every", command.every, "record every value, not only those of probe()");
  addRunOptions(line, command.given);
  addCompileOptions(line, command.request);
  if (auto code = line.parse(words))
    return *code;
  Result<ProgramId> id = parseProgram(program);
  if (!id)
    return fail(id.errors(), line.json);
  command.program = *id;
  Result<Outcome> outcome = compareProgram(registry, command);
  if (!outcome)
    return fail(outcome.errors(), line.json);
  if (line.json) {
    fmt::print("{}\n", asJson(*outcome).dump(2));
    return outcome->finding ? exitFinding : exitFine;
  }
  printOutcome(*outcome, command.every);
  std::fflush(stdout); // What is found comes last, wherever the two streams go.
  return outcome->finding ? fail(*outcome->finding) : exitFine;
}

} // namespace metile::tools
