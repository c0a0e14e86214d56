// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what is said about the mistakes of each file with the "//~ " lines of that file. Lines
// are compared, columns are not: compilers disagree about them.
#include "Errors.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <set>

using namespace metile;

/// Messages by line: "found; allowed; change", and "note: called from here" for call sites.
using Messages = std::map<unsigned, std::multiset<std::string>>;

static bool readExpected(const std::string &path, Messages &result) {
  std::ifstream file(path);
  if (!file)
    return false;
  std::string line, message;
  unsigned number = 0, about = 0;
  bool continues = false;
  auto finish = [&] {
    if (!message.empty())
      result[about].insert(message);
    message.clear();
  };
  while (std::getline(file, line)) {
    ++number;
    size_t start = line.find_first_not_of(' ');
    bool isMessage = start != std::string::npos && line.compare(start, 4, "//~ ") == 0;
    bool isMore = start != std::string::npos && line.compare(start, 4, "//~+") == 0;
    if (isMore && continues) {
      message += line.substr(start + 4);
    } else if (isMessage) {
      finish();
      message = line.substr(start + 4);
    } else {
      finish();
      about = number;
    }
    continues = isMessage || isMore;
  }
  finish();
  return true;
}

static std::string baseName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// What was said about one wrong kernel or use; empty if it was accepted.
struct Verdict {
  std::string name;
  std::vector<Diagnostic> diagnostics;
};

static bool compare(const std::vector<Verdict> &verdicts, const std::string &path) {
  Messages expected, found;
  if (!readExpected(path, expected)) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  bool good = true;
  for (const Verdict &verdict : verdicts) {
    if (verdict.diagnostics.empty()) {
      std::printf("'%s' was accepted\n", verdict.name.c_str());
      good = false;
    }
    for (const Diagnostic &d : verdict.diagnostics) {
      if (baseName(d.location.file) != baseName(path)) {
        std::printf("message about another file: %s\n", d.str().c_str());
        good = false;
      }
      found[d.location.line].insert(d.text());
      for (const Location &caller : d.location.calledFrom)
        found[caller.line].insert("note: called from here");
    }
  }
  size_t count = 0;
  for (const auto &[line, messages] : found)
    for (const std::string &message : messages) {
      ++count;
      if (expected[line].count(message))
        continue;
      std::printf("%s:%u: not expected: %s\n", baseName(path).c_str(), line, message.c_str());
      good = false;
    }
  for (const auto &[line, messages] : expected)
    for (const std::string &message : messages)
      if (!found[line].count(message)) {
        std::printf("%s:%u: missing: %s\n", baseName(path).c_str(), line, message.c_str());
        good = false;
      }
  std::printf("%s: %zu mistakes, %zu messages\n", baseName(path).c_str(), verdicts.size(), count);
  return good;
}

static bool run(const std::vector<WrongKernel> &kernels, const std::string &path) {
  std::vector<Verdict> verdicts;
  for (const WrongKernel &wrong : kernels) {
    Result<Trace> trace = traceKernel(wrong.kernel, specialize(wrong.kernel, wrong.types));
    verdicts.push_back({wrong.kernel.name(), {}});
    if (!trace)
      verdicts.back().diagnostics = trace.errors().diagnostics;
  }
  return compare(verdicts, path);
}

static bool run(const std::vector<WrongUse> &uses, const std::string &path) {
  std::vector<Verdict> verdicts;
  for (const WrongUse &use : uses) {
    verdicts.push_back({use.name, use.run().diagnostics});
    for (Diagnostic &d : verdicts.back().diagnostics)
      if (!d.location.known())
        d.location = {use.at.file_name(), use.at.line(), use.at.column(), {}};
  }
  return compare(verdicts, path);
}

int main(int argc, char **argv) {
  std::string folder = argc > 1 ? argv[1] : ".";
  bool good = run(wrongTypes(), folder + "/Types.cpp");
  good &= run(wrongShapes(), folder + "/Shapes.cpp");
  good &= run(wrongMemory(), folder + "/Memory.cpp");
  good &= run(wrongControl(), folder + "/Control.cpp");
  good &= run(wrongOperations(), folder + "/Operations.cpp");
  good &= run(wrongUses(), folder + "/Uses.cpp");
  return good ? 0 : 1;
}
