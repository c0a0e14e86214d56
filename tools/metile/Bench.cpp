// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile bench KERNEL: checks and times two variants pair by pair.

#include "CaseReference.h"
#include "CompileOptions.h"
#include "Launch.h"
#include "Variants.h"

#include "Bench/Html.h"
#include "Bench/Paired.h"
#include "Bench/Progress.h"
#include "Bench/Record.h"
#include "Bench/Table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

namespace fs = std::filesystem;

namespace metile::tools {

namespace {

struct BenchRequest {
  std::string kernel;
  std::string device = "cpu";
  std::string baseline = "library:openblas", current = "self";
  std::vector<std::string> cases;
  std::string recordPath, htmlPath, failOn;
  bool quick = false, noCache = false;
  unsigned threads = 0;
  std::optional<uint64_t> seed;
  std::optional<double> warmupMs, repMs, margin;
  std::optional<unsigned> blocks;
};

} // namespace

static void addOptions(CommandLine &line, BenchRequest &request) {
  CLI::App &app = line.app;
  addKernel(line, request.kernel);
  app.add_option("--device", request.device, "where kernels run (metile list devices)");
  app.add_option("--baseline", request.baseline,
                 "variant to compare with (metile list variants); " + request.baseline +
                     " if missing");
  app.add_option("--current", request.current, "variant under test; self if missing");
  line.addRepeated("--case", request.cases,
                   "a case or a glob; repeats; all default cases if missing");
  app.add_option("--record", request.recordPath, "write the record, with every sample");
  app.add_option("--html", request.htmlPath, "write the record as a page to look at");
  app.add_option("--seed", request.seed, "of inputs and of the order of the blocks");
  app.add_option("--warmup-ms", request.warmupMs, "untimed work before each burst");
  app.add_option("--rep-ms", request.repMs, "length of each burst");
  app.add_option("--blocks", request.blocks, "blocks of four bursts a case; 20 if missing");
  app.add_option("--threads", request.threads, "threads of each variant; all if missing");
  app.add_option("--margin", request.margin, "a smaller difference counts as the same; 0.01");
  app.add_option("--fail-on", request.failOn, "slower or undecided: exit code 1 if a case is");
  app.add_flag("--quick", request.quick, "6 blocks of short bursts");
  app.add_flag("--no-cache", request.noCache, "compile even if the result is kept");
}

/// Options that could be refused only after minutes of measuring are refused now.
static Status checkRequest(const BenchRequest &request) {
  Errors errors;
  auto add = [&](const Errors &more) {
    errors.diagnostics.insert(errors.diagnostics.end(), more.diagnostics.begin(),
                              more.diagnostics.end());
  };
  auto positive = [&](std::string_view option, std::optional<double> value, double most) {
    if (value && !(*value > 0 && *value <= most))
      add(error(fmt::format("{} is {}", option, *value),
                fmt::format("more than 0, at most {}", most)));
  };
  positive("--warmup-ms", request.warmupMs, 60000);
  positive("--rep-ms", request.repMs, 60000);
  positive("--margin", request.margin, 1);
  positive("--blocks", request.blocks, 10000);
  if (request.threads > 4096)
    add(error(fmt::format("--threads is {}", request.threads), "1 to 4096"));
  if (!request.failOn.empty() && request.failOn != "slower" && request.failOn != "undecided")
    add(unknownName("verdict for --fail-on", request.failOn, {"slower", "undecided"}));
  for (const std::string &path : {request.recordPath, request.htmlPath}) {
    std::error_code failed;
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty())
      folder = ".";
    if (path.empty())
      continue;
    if (!fs::is_directory(folder, failed))
      add(error(fmt::format("cannot write {}: there is no directory {}", path, folder.string())));
    else if (fs::is_directory(path, failed))
      add(error(fmt::format("cannot write {}: it is a directory", path)));
    else if (access(folder.c_str(), W_OK) != 0)
      add(error(fmt::format("cannot write {}: no permission in {}", path, folder.string())));
  }
  if (!errors.diagnostics.empty())
    return errors;
  return Done{};
}

static bench::PairedOptions pairedOptions(const BenchRequest &request) {
  bench::PairedOptions options =
      request.quick ? bench::PairedOptions::quick() : bench::PairedOptions();
  options.threads = threadCount(request.threads);
  options.seed = request.seed.value_or(options.seed);
  options.warmupMs = request.warmupMs.value_or(options.warmupMs);
  options.repMs = request.repMs.value_or(options.repMs);
  options.blocks = request.blocks.value_or(options.blocks);
  options.margin = request.margin.value_or(options.margin);
  return options;
}

static int exitCode(const bench::RunResult &run, const std::string &failOn) {
  if (run.anyWrong())
    return exitFinding;
  if (run.interrupted)
    return exitInterrupted;
  if (run.anyRefused())
    return exitUsage;
  for (const bench::CaseResult &result : run.cases) {
    bench::Verdict verdict = result.judgement.verdict;
    bool slower = verdict == bench::Verdict::slower;
    bool undecided = verdict == bench::Verdict::undecided;
    if ((!failOn.empty() && slower) || (failOn == "undecided" && undecided))
      return exitFinding;
  }
  return exitFine;
}

int bench(const Registry &registry, const Words &words) {
  CommandLine line("bench", "Checks two variants of a kernel, then times them pair by pair.");
  BenchRequest request;
  addOptions(line, request);
  if (auto code = line.parse(words))
    return *code;
  if (Status checked = checkRequest(request); !checked)
    return fail(checked.errors(), line.json);
  Result<Selection> selection = selectKernel(registry, request.kernel);
  if (!selection)
    return fail(selection.errors(), line.json);
  Result<std::vector<std::string>> names = selection->selectCases(request.cases);
  if (!names)
    return fail(names.errors(), line.json);
  std::vector<Case> cases;
  for (const std::string &name : *names) {
    Result<Case> made = selection->parseCase(name);
    if (!made)
      return fail(made.errors(), line.json);
    CompileRequest plain;
    plain.alignment = argumentAlignment;
    if (Status completed = completeReference(*made, selection->kernel, plain); !completed)
      return fail(completed.errors(), line.json);
    cases.push_back(std::move(*made));
  }
  bench::PairedOptions options = pairedOptions(request);
  if (Result<Device> device = openDevice(request.device, options.threads); !device)
    return fail(device.errors(), line.json);
  VariantContext context{registry, *selection, request.device, options.threads, request.noCache};
  Result<bench::VariantSource> baseline = variantSource(request.baseline, context);
  if (!baseline)
    return fail(baseline.errors(), line.json);
  Result<bench::VariantSource> current = variantSource(request.current, context);
  if (!current)
    return fail(current.errors(), line.json);

  options.interrupted = bench::watchInterrupts();
  std::unique_ptr<bench::ProgressSink> progress = bench::makeProgress();
  Result<bench::RunResult> run =
      bench::runPaired(options, cases, *baseline, *current, progress.get());
  if (!run)
    return fail(run.errors(), line.json);

  bench::RecordInfo info;
  info.command = {"metile", "bench"};
  info.command.insert(info.command.end(), words.begin(), words.end());
  info.producer = compilerBuildId();
  Json record = bench::makeRecord(*run, info);
  bool color = !line.json && isatty(STDOUT_FILENO);
  fmt::print(line.json ? stderr : stdout, "{}", bench::resultTable(record, color));
  std::fflush(stdout);
  if (line.json)
    fmt::print("{}\n", record.dump(2));
  int code = exitCode(*run, request.failOn);
  auto write = [&](const std::string &path, std::string_view text) {
    if (path.empty())
      return;
    Status written = bench::writeFileWhole(path, text);
    if (!written)
      code = std::max(code, fail(written.errors()));
    else
      fmt::print(stderr, "wrote {}\n", path);
  };
  write(request.recordPath, record.dump(1) + "\n");
  write(request.htmlPath, request.htmlPath.empty() ? "" : bench::htmlPage(record));
  return code;
}

} // namespace metile::tools
