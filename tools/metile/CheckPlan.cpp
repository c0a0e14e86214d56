// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckPlan.h"

#include "CommandLine.h"

#include "Support/Nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace metile::tools {

namespace {

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

class PlanMaker {
public:
  PlanMaker(const CheckWords &words, const CheckLimits &limits) : words(words), limits(limits) {}

  Result<CheckPlan> run() {
    plan.build.kernel = words.kernel;
    plan.build.checking = words.fast ? emulator::Checking::off : emulator::Checking::full;
    plan.launch.secondsLimit = limits.seconds;
    plan.launch.threadgroupMemoryLimit =
        static_cast<size_t>(std::max<int64_t>(limits.threadgroupMemory, 0));
    plan.launch.workers = limits.threads;
    plan.tolerance = words.tolerance;
    plan.launch.threadgroups = extents("--grid", words.grid, 0);
    plan.launch.gridThreads = extents("--grid-threads", words.gridThreads, 0);
    plan.launch.threads = extents("--threads", words.threads, 1);
    if (words.grid.empty() == words.gridThreads.empty())
      add(error(words.grid.empty() ? "nothing says how large the grid is"
                                   : "--grid and --grid-threads both say how large the grid is",
                "--grid counts threadgroups, --grid-threads counts threads", "give one of them"));
    if (words.threads.empty())
      add(error("nothing says how many threads a threadgroup has", "", "add --threads x,y,z"));
    uint64_t number = 0;
    for (const auto &[key, source] : assignments(words.buffers, "--buffer", "INDEX=CONTENTS")) {
      Result<CheckBuffer> buffer = makeCheckBuffer(key, source, limits.seed + number++);
      if (buffer)
        plan.buffers.push_back(std::move(*buffer));
      else
        add(buffer.errors());
    }
    for (const auto &[key, text] :
         assignments(words.threadgroupMemory, "--threadgroup-memory", "INDEX=BYTES")) {
      std::optional<int64_t> index = parseInteger(key), bytes = parseInteger(text);
      if (!index || *index < 0 || !bytes || *bytes < 0)
        add(error(fmt::format("'{}={}' is no length of a threadgroup argument", key, text),
                  "it is written INDEX=BYTES"));
      else
        plan.launch.threadgroupMemory[static_cast<uint32_t>(*index)] = static_cast<size_t>(*bytes);
    }
    for (const auto &[key, text] : assignments(words.constants, "--constant", "INDEX=TYPE:VALUE"))
      addConstant(key, text);
    for (const auto &[key, file] : assignments(words.expects, "--expect", "BUFFER=FILE.npy"))
      plan.expects[key] = file;
    for (const auto &[key, file] : assignments(words.saves, "--save", "BUFFER=FILE.npy"))
      plan.saves[key] = file;
    for (const std::string &list : words.only)
      for (const std::string &part : split(list, ','))
        addOnly(part);
    if (!errors.diagnostics.empty())
      return std::move(errors);
    return std::move(plan);
  }

private:
  void add(const Errors &more) {
    errors.diagnostics.insert(errors.diagnostics.end(), more.diagnostics.begin(),
                              more.diagnostics.end());
  }

  emulator::Dimensions extents(std::string_view option, const std::string &text,
                               uint32_t otherwise) {
    emulator::Dimensions result = {otherwise, otherwise, otherwise};
    if (text.empty())
      return result;
    result = {1, 1, 1};
    std::vector<std::string> parts = split(text, ',');
    for (size_t axis = 0; axis < parts.size(); ++axis) {
      std::optional<int64_t> extent = parseInteger(parts[axis]);
      if (axis >= 3 || !extent || *extent < 1 || *extent > 0x7fffffff) {
        add(error(fmt::format("{} '{}' is no size", option, text),
                  "one to three whole numbers from 1 on: x, x,y or x,y,z"));
        break;
      }
      result[axis] = static_cast<uint32_t>(*extent);
    }
    return result;
  }

  std::vector<std::pair<std::string, std::string>>
  assignments(const std::vector<std::string> &texts, std::string_view option,
              std::string_view what) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string &text : texts) {
      auto assignment = splitAssignment(text, what);
      if (!assignment) {
        add(assignment.errors());
        continue;
      }
      bool isNew = std::none_of(found.begin(), found.end(), [&](const auto &other) {
        return other.first == assignment->first;
      });
      if (isNew)
        found.push_back(std::move(*assignment));
      else
        add(error(fmt::format("{} {} is given twice", option, assignment->first)));
    }
    return found;
  }

  /// "int:7" as C++ text.
  void addConstant(const std::string &key, const std::string &text) {
    size_t colon = text.find(':');
    std::string type = colon == text.npos ? "" : text.substr(0, colon);
    std::string value = colon == text.npos ? text : text.substr(colon + 1);
    std::optional<DType> dtype = type.empty() ? std::nullopt : parseMetalType(type);
    bool isBoolean = value == "true" || value == "false";
    bool isValue = isBoolean || parseInteger(value) || parseReal(value);
    if ((!type.empty() && !dtype) || !isValue ||
        (dtype && isInteger(*dtype) && !parseInteger(value))) {
      add(error(fmt::format("'{}' is no value of a function constant", text),
                "it is written TYPE:VALUE, for example int:7, float:0.5, bool:true"));
      return;
    }
    bool isReal = !isBoolean && ((dtype && isFloat(*dtype)) || !parseInteger(value));
    plan.build.constants[key] = isReal ? fmt::format("{:#.17g}", *parseReal(value)) : value;
  }

  void addOnly(const std::string &part) {
    static const std::vector<std::string> known = {"race", "bounds", "init", "sync", "limits"};
    if (std::find(known.begin(), known.end(), part) == known.end())
      add(unknownName("kind of finding", part, known));
    plan.only.push_back(part);
  }

  const CheckWords &words;
  const CheckLimits &limits;
  CheckPlan plan;
  Errors errors;
};

} // namespace

Result<CheckPlan> makeCheckPlan(const CheckWords &words, const CheckLimits &limits) {
  return PlanMaker(words, limits).run();
}

} // namespace metile::tools
