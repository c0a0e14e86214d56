// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Clang.h"

#include "Emulator/BuildCache.h"
#include "Emulator/ChildProgram.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace metile::emulator {

static constexpr int oldestVersion = 19, newestVersion = 24;

Result<Clang> Clang::find() {
  if (const char *given = std::getenv("METILE_CLANG"); given && *given) {
    std::string path = findProgram(given);
    if (path.empty())
      return error("METILE_CLANG names '" + std::string(given) + "', which cannot be run", {},
                   "set it to a clang++ of version 19 or newer");
    return Clang(path);
  }
  for (int version = newestVersion; version >= oldestVersion; --version)
    if (std::string path = findProgram("clang++-" + std::to_string(version)); !path.empty())
      return Clang(path);
  if (std::string path = findProgram("clang++"); !path.empty())
    return Clang(path);
  return error("no clang++ was found", "kernels are compiled by clang 19 or newer",
               "install one (Debian: apt-get install clang-22), or set METILE_CLANG");
}

std::string Clang::identity() const {
  std::error_code failed;
  fs::path real = fs::canonical(program, failed);
  struct stat status = {};
  stat(real.c_str(), &status);
  return real.string() + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtime);
}

Status Clang::checkVersion(const std::string &shimFolder) const {
  fs::path known = fs::path(shimFolder) / ("clang-" + contentKey(identity()));
  std::error_code failed;
  if (fs::exists(known, failed))
    return Done{};
  Result<ProgramResult> ran = runProgram({program, "--version"});
  if (!ran)
    return ran.takeErrors();
  size_t word = ran->output.find("clang version ");
  int version = word == std::string::npos ? 0 : std::atoi(ran->output.c_str() + word + 14);
  // Apple counts its own way.
  bool isApple = ran->output.starts_with("Apple");
  if (version >= oldestVersion && !isApple) {
    std::ofstream(known) << identity() << '\n';
    return Done{};
  }
  return error(program + (version ? " is clang " + std::to_string(version) : " is no clang") +
                   (isApple ? " of Apple" : ""),
               "kernels are compiled by clang 19 or newer",
               "install one (Debian: apt-get install clang-22), or set METILE_CLANG");
}

//===--- What clang says ---===//

/// A feature of Metal that the emulator lacks, if `name` belongs to one.
static std::string_view missingFeature(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> features[] = {
      {"texture", "textures"},
      {"depth2d", "textures"},
      {"depthcube", "textures"},
      {"sampler", "textures"},
      {"access::", "textures"},
      {"tensor", "tensors"},
      {"cooperative_tensor", "tensors"},
      {"mpp", "Metal Performance Primitives"},
      {"MetalPerformancePrimitives", "Metal Performance Primitives"},
      {"metal_tensor", "tensors"},
      {"visible_function_table", "function tables"},
      {"intersection", "ray tracing"},
      {"acceleration_structure", "ray tracing"},
      {"raytracing", "ray tracing"},
      {"imageblock", "image blocks"},
      {"command_buffer", "indirect command buffers"},
      {"render_", "rendering"},
      {"patch_control_point", "tessellation"},
  };
  for (const auto &[prefix, feature] : features)
    if (name.starts_with(prefix))
      return feature;
  return {};
}

/// The first quoted word of a message.
static std::string_view quotedWord(std::string_view message) {
  size_t open = message.find('\'');
  if (open == message.npos)
    return {};
  size_t close = message.find('\'', open + 1);
  return close == message.npos ? std::string_view() : message.substr(open + 1, close - open - 1);
}

namespace {

/// One line of clang: "file:line:column: error: message".
struct Complaint {
  std::string file, kind, message;
  uint32_t line = 0, column = 0;
};

std::optional<Complaint> parseComplaint(const std::string &text) {
  for (std::string_view kind : {"fatal error", "error", "note"}) {
    size_t at = text.find(": " + std::string(kind) + ": ");
    if (at == text.npos)
      continue;
    Complaint complaint;
    complaint.kind = kind;
    complaint.message = text.substr(at + kind.size() + 4);
    std::string place = text.substr(0, at);
    size_t second = place.rfind(':');
    size_t first = second == place.npos || second == 0 ? place.npos : place.rfind(':', second - 1);
    if (first == place.npos)
      return std::nullopt;
    complaint.file = place.substr(0, first);
    complaint.line = static_cast<uint32_t>(std::atoi(place.c_str() + first + 1));
    complaint.column = static_cast<uint32_t>(std::atoi(place.c_str() + second + 1));
    return complaint;
  }
  return std::nullopt;
}

/// Reads clang's complaints about `file`, whose places `map` leads back; without a map they are the
/// user's already.
Errors readComplaints(const std::string &text, const std::string &file, const SourceMap *map,
                      const std::string &userName) {
  Errors errors;
  std::istringstream lines(text);
  bool needsPlace = false;
  for (std::string line; std::getline(lines, line);) {
    std::optional<Complaint> complaint = parseComplaint(line);
    if (!complaint)
      continue;
    Location location;
    if (complaint->file == file)
      location = map ? map->find(complaint->line, complaint->column)
                     : Location{userName, complaint->line, complaint->column, {}};
    else if (!map)
      location = {complaint->file, complaint->line, complaint->column, {}};
    if (complaint->kind == "note") {
      // An error inside the emulator's headers is the fault of whoever used them.
      if (needsPlace && location.known()) {
        errors.diagnostics.back().location = location;
        needsPlace = false;
      }
      continue;
    }
    Diagnostic diagnostic;
    diagnostic.location = location;
    std::string_view feature = missingFeature(quotedWord(complaint->message));
    if (feature.empty()) {
      diagnostic.found = complaint->message;
    } else {
      diagnostic.found = "'" + std::string(quotedWord(complaint->message)) +
                         "' is not in the emulator, which has no " + std::string(feature);
      diagnostic.allowed = "it runs compute kernels on buffers and threadgroup memory";
    }
    errors.diagnostics.push_back(std::move(diagnostic));
    needsPlace = !location.known();
  }
  // What the emulator added fails only after the user's text did.
  auto isPlaced = [](const Diagnostic &diagnostic) { return diagnostic.location.known(); };
  if (std::any_of(errors.diagnostics.begin(), errors.diagnostics.end(), isPlaced))
    std::erase_if(errors.diagnostics, std::not_fn(isPlaced));
  if (errors.diagnostics.empty())
    return error("clang failed: " + (text.empty() ? "no message" : text));
  return errors;
}

} // namespace

//===--- Running it ---===//

Result<std::string> Clang::preprocess(const Source &source, const std::string &file,
                                      const std::string &shimFolder) const {
  std::vector<std::string> words = {program,
                                    "-E",
                                    "-x",
                                    "c++",
                                    "-std=c++20",
                                    "-undef",
                                    "-nostdinc",
                                    "-fno-caret-diagnostics",
                                    "-D__METAL__=1",
                                    "-D__METAL_VERSION__=310",
                                    "-D__METAL_MACOS__=1",
                                    "-D__HAVE_BFLOAT__=1",
                                    "-I" + shimFolder + "/metal"};
  fs::path folder = fs::path(source.name).parent_path();
  words.push_back("-iquote" + (folder.empty() ? "." : folder.string()));
  for (const std::string &include : source.includeFolders)
    words.push_back("-I" + include);
  for (const std::string &define : source.defines)
    words.push_back("-D" + define);
  words.push_back(file);
  Result<ProgramResult> ran = runProgram(words);
  if (!ran)
    return ran.takeErrors();
  if (ran->exitCode != 0)
    return readComplaints(ran->errors, file, nullptr, source.name);
  return std::move(ran->output);
}

static std::vector<std::string> languageWords(const std::string &shimFolder) {
  return {"-std=c++20",
          "-fdeclspec",
          "-w",
          "-I" + shimFolder + "/Shim",
          "-nostdinc",
          "-nostdinc++",
          "-fno-exceptions",
          "-fno-rtti",
          "-fno-strict-aliasing",
          "-fno-delete-null-pointer-checks",
          "-fno-caret-diagnostics",
          "-ferror-limit=50"};
}

Status Clang::checkSyntax(const std::string &file, const SourceMap &map,
                          const std::string &shimFolder) const {
  std::vector<std::string> words = {program, "-fsyntax-only"};
  for (std::string &word : languageWords(shimFolder))
    words.push_back(std::move(word));
  words.push_back(file);
  Result<ProgramResult> ran = runProgram(words);
  if (!ran)
    return ran.takeErrors();
  if (ran->exitCode != 0)
    return readComplaints(ran->errors, file, &map, {});
  return Done{};
}

/// Lets vectors lie anywhere: kernels may misplace them as they may on a GPU, and the instructions
/// that insist on alignment are no faster.
static void allowMisalignment(std::string &assembly) {
#if defined(__x86_64__)
  static constexpr std::pair<std::string_view, std::string_view> replacements[] = {
      {"\tvmovaps\t", "\tvmovups\t"},     {"\tvmovapd\t", "\tvmovupd\t"},
      {"\tvmovdqa\t", "\tvmovdqu\t"},     {"\tvmovdqa32\t", "\tvmovdqu32\t"},
      {"\tvmovdqa64\t", "\tvmovdqu64\t"}, {"\tmovaps\t", "\tmovups\t"},
      {"\tmovapd\t", "\tmovupd\t"},       {"\tmovdqa\t", "\tmovdqu\t"},
  };
  for (const auto &[from, to] : replacements)
    for (size_t at = assembly.find(from); at != assembly.npos; at = assembly.find(from, at))
      assembly.replace(at, from.size(), to);
#else
  (void)assembly;
#endif
}

/// What the compiler is told of the language and the code it makes. A loop without end stays one,
/// and a frame that is too large meets the end of its stack.
static std::vector<std::string> compileWords(const std::string &shimFolder, Checking checking) {
  std::vector<std::string> words = languageWords(shimFolder);
  for (const char *word : {"-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-ffp-contract=on",
                           "-fno-omit-frame-pointer", "-fno-finite-loops",
                           "-fstack-clash-protection", "-gdwarf-4", "-gline-tables-only",
#if defined(__x86_64__)
                           "-march=native"
#else
                           "-mcpu=native"
#endif
       })
    words.push_back(word);
  // Every access is asked about, also a write that follows a read of the same place. What clang
  // does to loops comes before its instrumentation, so vectors stay off.
  if (checking == Checking::off)
    words.push_back("-O2");
  else
    for (const char *word :
         {"-O1", "-DMETILE_CHECKING=1", "-fno-vectorize", "-fno-slp-vectorize",
          "-fsanitize=kernel-address,array-bounds", "-mllvm",
          "-asan-instrumentation-with-call-threshold=0", "-mllvm", "-asan-stack=0", "-mllvm",
          "-asan-globals=0", "-mllvm", "-asan-kernel-mem-intrinsic-prefix=1", "-mllvm",
          "-asan-memory-access-callback-prefix=metile_emu_", "-mllvm", "-asan-opt-same-temp=0"})
      words.push_back(word);
  return words;
}

/// Where the precompiled headers for these words lie, whether they are there or not.
static fs::path precompiledShim(const Clang &clang, const std::string &shimFolder,
                                const std::vector<std::string> &words) {
  std::string key = clang.identity();
  for (const std::string &word : words)
    key += '\n' + word;
  return fs::path(shimFolder) / (contentKey(key) + ".pch");
}

void Clang::precompileShim(const std::string &shimFolder, Checking checking) const {
  std::vector<std::string> words = compileWords(shimFolder, checking);
  fs::path kept = precompiledShim(*this, shimFolder, words);
  std::error_code failed;
  if (fs::exists(kept, failed))
    return;
  fs::path aside = kept;
  aside += "." + std::to_string(getpid());
  words.insert(words.begin(), program);
  for (const std::string &word :
       {std::string("-fpch-instantiate-templates"), std::string("-x"), std::string("c++-header"),
        shimFolder + "/Shim/Shim.h", std::string("-o"), aside.string()})
    words.push_back(word);
  // Without them a build takes longer; nothing else.
  if (Result<ProgramResult> ran = runProgram(words); ran && ran->exitCode == 0)
    fs::rename(aside, kept, failed);
  fs::remove(aside, failed);
}

Status Clang::compile(const std::string &file, const std::string &library, const SourceMap &map,
                      const std::string &shimFolder, Checking checking) const {
  std::string assemblyFile = file + ".s";
  std::vector<std::string> words = compileWords(shimFolder, checking);
  fs::path precompiled = precompiledShim(*this, shimFolder, words);
  words.insert(words.begin(), {program, "-S", "-o", assemblyFile});
  words.push_back(file);
  std::error_code failed;
  bool isAhead = fs::exists(precompiled, failed);
  std::vector<std::string> fastWords = words;
  if (isAhead)
    fastWords.insert(fastWords.end() - 1, {"-include-pch", precompiled.string()});
  Result<ProgramResult> ran = runProgram(fastWords);
  // Headers that the compiler refuses, of a cache that was moved for instance, fail every kernel.
  if (isAhead && ran && ran->exitCode != 0)
    ran = runProgram(words);
  if (!ran)
    return ran.takeErrors();
  if (ran->exitCode != 0)
    return readComplaints(ran->errors, file, &map, {});

  std::ifstream in(assemblyFile, std::ios::binary);
  std::string assembly{std::istreambuf_iterator<char>(in), {}};
  allowMisalignment(assembly);
  std::ofstream out(assemblyFile, std::ios::binary);
  out << assembly;
  out.close();
  std::vector<std::string> link = {
      program, "-shared", "-nostdlib", "-Wa,-gdwarf-4", "-o", library, assemblyFile, "-lm", "-lc"};
  fs::path lld = fs::path(program).parent_path() / "ld.lld";
  fs::path real = fs::canonical(program, failed);
  if (fs::exists(real.parent_path() / "ld.lld", failed) || fs::exists(lld, failed))
    link.insert(link.begin() + 1, "-fuse-ld=lld");
  ran = runProgram(link);
  if (!ran)
    return ran.takeErrors();
  if (ran->exitCode != 0)
    return error("cannot link the kernel: " + ran->errors);
  return Done{};
}

} // namespace metile::emulator
