// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

#include "metile/code_loader.h"
#include "metile/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace metile::conformance {

DType sumType(DType dtype) {
  if (isFloat(dtype))
    return dtype == f64 ? f64 : f32;
  if (byteSize(dtype) == 8)
    return dtype;
  return dtype == boolean || isSigned(dtype) ? i32 : u32;
}

Bound ulps(DType dtype, double count) {
  int fraction = dtype == DType::f16    ? 10
                 : dtype == DType::bf16 ? 7
                 : dtype == DType::f32  ? 23
                                        : 52;
  int lowest = dtype == DType::f16 ? -14 : dtype == DType::f64 ? -1022 : -126;
  return [=](double expected) {
    int exponent = lowest;
    if (expected != 0 && std::isfinite(expected))
      exponent = std::max(lowest, std::ilogb(expected));
    return count * std::ldexp(1.0, exponent - fraction);
  };
}

std::string constantsOf(const Check &check) {
  std::string text;
  for (const auto &[constant, value] : check.constants)
    text += fmt::format(" {}={}", constant, value);
  return text;
}

/// Empty if `got` equals `expected` within the bound, else what differs first.
static std::string compare(const Array &got, const std::vector<Number> &expected,
                           const Bound &bound) {
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < got.count(); ++i) {
    Number a = got.get(i), b = expected[static_cast<size_t>(i)];
    bool equal = a.integer == b.integer;
    if (isFloat(got.dtype())) {
      equal = a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
      if (!equal && bound)
        equal = std::abs(a.real - b.real) <= bound(b.real);
    }
    if (!equal && wrong++ == 0)
      first = fmt::format("element {} is {}, expected {}", i, spell(got.dtype(), a),
                          spell(got.dtype(), b));
  }
  return wrong ? fmt::format("{} ({} of {} wrong)", first, wrong, got.count()) : std::string();
}

Result<Executable> Suite::build(const Kernel &kernel, const std::vector<ArgumentSpec> &arguments,
                                const std::string &schedule, SizeFacts sizes,
                                const std::string &device) const {
  CompileOptions compileOptions;
  compileOptions.target = device;
  compileOptions.useCache = false;
  compileOptions.sizes = sizes;
  compileOptions.schedule = schedule;
  Result<Artifact> artifact = compile(kernel, arguments, compileOptions);
  if (!artifact)
    return artifact.takeErrors();
  return Executable::load(devices.at(device), *artifact);
}

/// What the compiler is told of the arguments of `check`.
static std::vector<ArgumentSpec> specsOf(const Check &check) {
  std::vector<ArgumentSpec> specs;
  for (size_t i = 0; i < check.arguments.size(); ++i) {
    const Array &array = check.arguments[i];
    ArgumentSpec spec{array.dtype()};
    if (check.kernel.parameters()[i].role == ArgumentRole::scalar) {
      spec.value = array.get(0).integer;
    } else if (check.kernel.parameters()[i].role != ArgumentRole::pointer) {
      spec.sizes = array.sizes();
      spec.strides = array.strides();
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

/// The schedule of `check` on `device`: the constants and, but for the interpreter, which has one
/// way of computing, the other fields.
static std::string scheduleOf(const Check &check, const std::string &device) {
  std::string schedule = device == "reference" ? "" : check.schedule;
  for (const auto &[constant, value] : check.constants)
    schedule += fmt::format("{}{}={}", schedule.empty() ? "" : ",", constant, value);
  return schedule;
}

Suite::Suite(Options given) : options(std::move(given)) {
  DeviceOptions deviceOptions;
  deviceOptions.codeLoader = &jitLoader();
  deviceOptions.interpreter = &referenceInterpreter();
  for (const std::string &name : {options.device, std::string("reference")})
    devices.emplace(name, Device::open(name, deviceOptions).orExit());
  scheduleTexts = {""};
  if (options.device == "cpu")
    scheduleTexts.push_back("scratch_everything=true");
}

std::string Suite::launch(const Check &check, const std::string &device,
                          std::vector<Array> &arguments) {
  std::optional<Executable> executable;
  std::string key = device + " " + check.sharedCode;
  if (auto known = sharedCode.find(key); known != sharedCode.end())
    executable = known->second;
  if (!executable) {
    Result<Executable> built =
        build(check.kernel, specsOf(check), scheduleOf(check, device),
              check.sharedCode.empty() ? SizeFacts::divisibility : SizeFacts::none, device);
    if (!built)
      return built.errors().str();
    executable = *built;
    if (!check.sharedCode.empty())
      sharedCode.emplace(key, *executable);
  }

  std::vector<Argument> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Array &array = arguments[i];
    bool isOutput = std::count(check.outputs.begin(), check.outputs.end(), i) > 0;
    switch (check.kernel.parameters()[i].role) {
    case ArgumentRole::scalar:
      given.push_back(isFloat(array.dtype())
                          ? Argument::scalar(array.dtype(), array.get(0).real)
                          : Argument::scalar(array.dtype(), array.get(0).integer));
      break;
    case ArgumentRole::pointer:
      given.push_back(Argument::pointer(array.data(), array.dtype()));
      given.back().memory = array.data();
      given.back().memoryBytes = array.bytes();
      given.back().hasContents = !isOutput || check.keepsOutputs;
      break;
    default:
      given.push_back(Argument::view(static_cast<void *>(array.data()), array.dtype(),
                                     std::span(array.sizes()), std::span(array.strides())));
    }
  }
  Status launched = executable->launch(given);
  return launched ? std::string() : launched.errors().str();
}

static std::vector<Number> contentsOf(const Array &array) {
  std::vector<Number> contents;
  for (int64_t i = 0; i < array.count(); ++i)
    contents.push_back(array.get(i));
  return contents;
}

std::string Suite::verdict(Check &check, const std::vector<std::vector<Number>> *expected) {
  if (!check.keepsOutputs)
    for (size_t output : check.outputs)
      check.arguments[output].poison();
  std::vector<Array> arguments = check.arguments;
  if (std::string wrong = launch(check, options.device, arguments); !wrong.empty())
    return wrong;
  std::vector<std::vector<Number>> interpreted;
  if (!expected && options.device != "reference") {
    std::vector<Array> again = check.arguments;
    if (std::string wrong = launch(check, "reference", again); !wrong.empty())
      return "on the interpreter: " + wrong;
    for (size_t output : check.outputs)
      interpreted.push_back(contentsOf(again[output]));
    expected = &interpreted;
  }
  if (check.runsTwice) {
    std::vector<Array> again = check.arguments;
    if (std::string wrong = launch(check, options.device, again); !wrong.empty())
      return wrong;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (!again[i].isUnchanged(arguments[i]))
        return "a second launch gives other bits";
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool isOutput = std::count(check.outputs.begin(), check.outputs.end(), i) > 0;
    const std::string &argument = check.kernel.parameters()[i].name;
    if (!isOutput && !arguments[i].isUnchanged(check.arguments[i]))
      return "wrote to '" + argument + "', which is only read";
    if (isOutput && !arguments[i].areGapsUnchanged(check.arguments[i]))
      return "wrote beside the elements of '" + argument + "'";
  }
  for (size_t i = 0; expected && i < check.outputs.size(); ++i)
    if (std::string wrong = compare(arguments[check.outputs[i]], (*expected)[i], check.bound);
        !wrong.empty())
      return wrong;
  return {};
}

Suite::Count &Suite::countOf(const std::string &operation, DType dtype) {
  auto row = std::find_if(rows.begin(), rows.end(),
                          [&](const Row &known) { return known.operation == operation; });
  if (row == rows.end())
    row = rows.insert(row, Row{operation, {}});
  return row->counts[dtype];
}

/// Prints what is wrong and counts it.
template <class Count>
static void record(Count &count, const std::string &name, const std::string &wrong) {
  if (wrong.empty()) {
    ++count.passed;
    return;
  }
  ++count.failed;
  std::printf("FAIL %s: %s\n", name.c_str(), wrong.c_str());
}

void Suite::run(const std::string &operation, DType dtype, Check check) {
  if (isWanted(check.name))
    record(countOf(operation, dtype), check.name, verdict(check, nullptr));
}

void Suite::note(const std::string &operation, DType dtype, const std::string &name,
                 const std::string &wrong) {
  record(countOf(operation, dtype), name, wrong);
}

void Suite::runMeaning(const std::string &line, Check check,
                       const std::vector<std::vector<Number>> &expected) {
  check.name = "meaning: " + line;
  if (isWanted(check.name))
    noteMeaning(line, verdict(check, &expected));
}

void Suite::noteMeaning(const std::string &line, const std::string &wrong) {
  std::string name = "meaning: " + line;
  if (!isWanted(name))
    return;
  auto counted = std::find_if(meanings.begin(), meanings.end(),
                              [&](const auto &known) { return known.first == line; });
  if (counted == meanings.end())
    counted = meanings.insert(counted, {line, Count{}});
  record(counted->second, name, wrong);
}

void Suite::skip(const std::string &operation, const std::string &reason) {
  skipped.push_back(operation + ": " + reason);
}

//===--- Reports ---===//

Suite::Count Suite::total() const {
  Count sum;
  auto add = [&](const Count &count) {
    sum.passed += count.passed;
    sum.failed += count.failed;
  };
  for (const Row &row : rows)
    for (const auto &[dtype, count] : row.counts)
      add(count);
  for (const auto &[line, count] : meanings)
    add(count);
  return sum;
}

std::string Suite::table() const {
  std::string text = fmt::format("\n{:<26}", "checks on " + options.device);
  for (DType dtype : allDTypes)
    text += fmt::format("{:>6}", metile::name(dtype));
  text += "\n";
  for (const Row &row : rows) {
    text += fmt::format("{:<26}", row.operation);
    for (DType dtype : allDTypes) {
      auto found = row.counts.find(dtype);
      std::string cell = found == row.counts.end() ? "-"
                         : found->second.failed    ? fmt::format("!{}", found->second.failed)
                                                   : std::to_string(found->second.passed);
      text += fmt::format("{:>6}", cell);
    }
    text += "\n";
  }
  for (const auto &[line, count] : meanings)
    text +=
        fmt::format("meaning: {:<65} {}\n", line,
                    count.failed ? fmt::format("!{}", count.failed) : std::to_string(count.passed));
  for (const std::string &reason : skipped)
    text += fmt::format("[SKIP] {}\n", reason);
  Count sum = total();
  return text + fmt::format("\n{} passed, {} failed, {} skipped (! marks failures)\n", sum.passed,
                            sum.failed, skipped.size());
}

std::string Suite::markdown() const {
  std::string text = "| operation |";
  std::string rule = "|---|";
  for (DType dtype : allDTypes) {
    text += fmt::format(" {} |", metile::name(dtype));
    rule += ":-:|";
  }
  text += "\n" + rule + "\n";
  auto mark = [](const Count &count) { return count.failed ? "✗" : "✓"; };
  for (const Row &row : rows) {
    text += fmt::format("| {} |", row.operation);
    for (DType dtype : allDTypes) {
      auto found = row.counts.find(dtype);
      text += fmt::format(" {} |", found == row.counts.end() ? "" : mark(found->second));
    }
    text += "\n";
  }
  text += fmt::format("\n| meaning | {} |\n|---|:-:|\n", options.device);
  for (const auto &[line, count] : meanings)
    text += fmt::format("| {} | {} |\n", line, mark(count));
  return text;
}

int Suite::exitCode() const {
  Count sum = total();
  return sum.failed || !sum.passed ? 1 : 0;
}

} // namespace metile::conformance
