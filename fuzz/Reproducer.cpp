// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as text.

#include "Program.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace metile::fuzz {

int64_t LaunchArgument::extent() const {
  int64_t last = 0;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 0)
      return 0;
    last += (sizes[axis] - 1) * strides[axis];
  }
  return last + 1;
}

Program Program::clone() const {
  Program copy;
  mlir::ModuleOp original = module.get();
  copy.module = original.clone();
  copy.arguments = arguments;
  copy.dataSeed = dataSeed;
  copy.hasSpecials = hasSpecials;
  copy.schedules = schedules;
  return copy;
}

static constexpr std::string_view prefix = "// fuzz: ";
static constexpr std::string_view kindNames[] = {"view", "pointer", "scalar"};

static std::string spell(const std::vector<int64_t> &numbers) {
  return numbers.empty() ? "-" : fmt::format("{}", fmt::join(numbers, "x"));
}

std::string print(const Program &program) {
  std::string text = "// RUN: %metile-fuzz --replay %s\n\n";
  text += fmt::format("{}contents seed={} specials={}\n", prefix, program.dataSeed,
                      program.hasSpecials ? 1 : 0);
  for (const LaunchArgument &argument : program.arguments)
    text += fmt::format("{}{} {} {} sizes={} strides={} value={} in={} out={}\n", prefix,
                        kindNames[static_cast<int>(argument.kind)], argument.name,
                        name(argument.dtype), spell(argument.sizes), spell(argument.strides),
                        argument.value, argument.isInput ? 1 : 0, argument.isOutput ? 1 : 0);
  for (const std::string &schedule : program.schedules)
    text += fmt::format("{}schedule {}\n", prefix, schedule);
  text += "\n";
  llvm::raw_string_ostream stream(text);
  mlir::ModuleOp module = program.module.get();
  module.print(stream);
  stream << "\n";
  return text;
}

namespace {

/// One line "// fuzz: …" taken apart.
class Line {
public:
  Line(const std::string &text, const std::string &file, uint32_t number)
      : words(text.substr(prefix.size())), place{file, number, 0, {}} {}

  std::string word() {
    std::string result;
    words >> result;
    return result;
  }
  /// The part of the next word behind "key=".
  std::string field(const std::string &key) {
    std::string text = word();
    if (text.rfind(key + "=", 0) == 0)
      return text.substr(key.size() + 1);
    fail("'" + text + "'", key + "=… is the next word here");
    return {};
  }
  int64_t number(const std::string &key) { return toNumber(field(key)); }
  std::vector<int64_t> numbers(const std::string &key) {
    std::vector<int64_t> result;
    std::stringstream parts(field(key));
    for (std::string part; std::getline(parts, part, 'x');)
      if (part != "-")
        result.push_back(toNumber(part));
    return result;
  }
  void fail(const std::string &found, const std::string &allowed) {
    if (mistake.diagnostics.empty())
      mistake.diagnostics.push_back({place, found, allowed, {}});
  }

  Errors mistake;

private:
  int64_t toNumber(const std::string &text) {
    int64_t value = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size())
      fail("'" + text + "'", "an integer stands here");
    return value;
  }

  std::stringstream words;
  Location place;
};

} // namespace

static void readArgument(Line &line, LaunchArgument::Kind kind, Program &program) {
  LaunchArgument argument;
  argument.kind = kind;
  argument.name = line.word();
  std::string dtype = line.word();
  if (std::optional<DType> known = parseDType(dtype))
    argument.dtype = *known;
  else
    line.fail("dtype '" + dtype + "'", "f32, i64, bool and the other names of dtypes");
  argument.sizes = line.numbers("sizes");
  argument.strides = line.numbers("strides");
  argument.value = line.number("value");
  argument.isInput = line.number("in") != 0;
  argument.isOutput = line.number("out") != 0;
  if (argument.sizes.size() != argument.strides.size())
    line.fail(
        fmt::format("{} sizes and {} strides", argument.sizes.size(), argument.strides.size()),
        "there is one stride a size");
  program.arguments.push_back(std::move(argument));
}

Result<Program> parse(const std::string &text, const std::string &file,
                      mlir::MLIRContext &context) {
  Program program;
  std::stringstream lines(text);
  uint32_t number = 0;
  for (std::string content; std::getline(lines, content);) {
    ++number;
    if (content.rfind(prefix, 0) != 0)
      continue;
    Line line(content, file, number);
    std::string word = line.word();
    if (word == "contents") {
      program.dataSeed = static_cast<uint64_t>(line.number("seed"));
      program.hasSpecials = line.number("specials") != 0;
    } else if (word == "schedule") {
      program.schedules.push_back(line.word());
    } else if (auto *kind = std::find(std::begin(kindNames), std::end(kindNames), word);
               kind != std::end(kindNames)) {
      readArgument(line, static_cast<LaunchArgument::Kind>(kind - kindNames), program);
    } else {
      line.fail("'" + word + "'", "contents, schedule, view, pointer or scalar");
    }
    if (!line.mistake.diagnostics.empty())
      return std::move(line.mistake);
  }

  Errors mistakes;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return;
    Location location;
    if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
      location = {place.getFilename().str(), place.getLine(), place.getColumn(), {}};
    mistakes.diagnostics.push_back({location, diagnostic.str(), {}, {}});
  });
  program.module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, file);
  if (!program.module)
    return mistakes;
  return program;
}

} // namespace metile::fuzz
