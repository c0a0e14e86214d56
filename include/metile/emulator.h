// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulator: runs compute kernels written in the Metal Shading Language on the CPU, and checks
// them while they run. A few lines launch a kernel on memory of the caller:
//
//   Source source = Source::fromFile("scale.metal").orExit();
//   Kernel kernel = Kernel::build(source, {.kernel = "scale"}).orExit();
//   Report report = kernel.launch({.threadgroups = {64, 1, 1}, .threads = {256, 1, 1},
//                                  .buffers = {bufferOf(0, x), bufferOf(1, y)}}).orExit();
//
// Needs clang 19 or newer as a program. Knows nothing of the compiler or of any Apple software.
#pragma once

#include "metile/dtype.h"
#include "metile/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace metile::emulator {

/// The text of a kernel and what its #includes and macros need.
struct Source {
  std::string name; ///< Stands in messages; the folder of a file is searched for its headers.
  std::string text;
  std::vector<std::string> includeFolders;
  std::vector<std::string> defines; ///< "NAME" or "NAME=VALUE".

  static Result<Source> fromFile(const std::string &path);
};

/// What of a run is checked; all of it costs about six times the time of a fast run.
enum class Checking : uint8_t {
  off, ///< Runs as fast as it can; only what the processor itself refuses is found.
  full,
};

struct BuildOptions {
  std::string kernel; ///< The host name; empty: the only kernel of the text.
  Checking checking = Checking::full;
  /// Values of function constants by name or index, as text: "true", "3", "0.5f".
  std::map<std::string, std::string> constants;
  bool useCache = true;
  std::string cacheFolder; ///< Empty: the usual one.
};

/// Three extents; x runs fastest.
using Dimensions = std::array<uint32_t, 3>;

struct BufferArgument {
  uint32_t index = 0; ///< As in [[buffer(index)]].
  std::string name;   ///< Used instead of the index if not empty: the parameter's name.
  /// The caller's; written back after the launch. Arguments whose memory overlaps share it in the
  /// kernel too.
  void *data = nullptr;
  size_t bytes = 0;
  size_t offset = 0; ///< Where in it the kernel's pointer points.
  /// What it holds at the start is not to be read.
  bool uninitialised = false;
};

template <class T> BufferArgument bufferOf(uint32_t index, std::vector<T> &values) {
  return {index, {}, values.data(), values.size() * sizeof(T), 0, false};
}

struct Launch {
  Dimensions threadgroups = {0, 0, 0}; ///< The grid in threadgroups, or
  Dimensions gridThreads = {0, 0, 0};  ///< in threads; one of the two is given.
  Dimensions threads = {1, 1, 1};      ///< Of one threadgroup.
  std::vector<BufferArgument> buffers;
  /// Bytes of each threadgroup argument by its index; 0 for one that the kernel has no use for.
  std::map<uint32_t, size_t> threadgroupMemory;
  size_t threadgroupMemoryLimit = 32768;  ///< Of the chip.
  double secondsLimit = 20;               ///< Ends a kernel that does not end.
  uint64_t stepLimit = uint64_t(1) << 34; ///< Memory accesses and barriers of one worker, checked.
  unsigned workers = 0;                   ///< CPU threads; 0: as many as this process may use.
};

enum class FindingKind : uint8_t {
  race,            ///< Two threads of a threadgroup, no barrier between them.
  threadgroupRace, ///< Two threadgroups on device memory, without atomics.
  outOfBounds,
  uninitialised,
  division,   ///< Of whole numbers, by zero; only if an output depends on it.
  divergence, ///< A barrier that only a part of the threadgroup or simdgroup reached.
  misaligned,
  limit, ///< More threadgroup memory than the chip has.
  crash,
  endless,
};

/// "race", "race-between-threadgroups", "out-of-bounds", …: the rule's name in reports.
std::string_view name(FindingKind kind);
/// What --only calls its group: race, bounds, init, sync.
std::string_view category(FindingKind kind);

/// One side of a finding.
struct FindingSide {
  Location location;
  std::string text; ///< "write by thread 5 (simdgroup 0, lane 5) in threadgroup (1,0,0)"
};

struct Finding {
  FindingKind kind = FindingKind::race;
  std::string kernel;
  std::string variable; ///< Buffer or threadgroup variable; may be empty.
  std::string message;  ///< What is wrong, without places.
  std::string hint;     ///< What would mend it; may be empty.
  FindingSide first;    ///< location may be unknown.
  std::vector<FindingSide> others;
  uint64_t count = 1; ///< How often it was seen.

  /// "file:line:column: error: …", the other sides as notes, the hint.
  std::string str() const;
};

struct Report {
  std::vector<Finding> findings;
  double microseconds = 0; ///< Of the run on this CPU; says nothing of any GPU.
};

/// One parameter of a kernel, as its signature tells.
struct ParameterInfo {
  enum class Kind : uint8_t { buffer, threadgroupMemory, builtin, unsupported };
  std::string name;
  Kind kind = Kind::buffer;
  int index = -1; ///< -1: bound to nothing.
  size_t elementBytes = 0;
  std::string type; ///< "f32", "f16x4", "struct of 24 bytes"
  bool readOnly = false;
  bool reference = false;
};

/// A kernel that was built, ready to run. Cheap to copy; one thread at a time may launch it.
class Kernel {
public:
  /// Text that does not parse, a kernel that is not there, or a clang that is missing is an error.
  static Result<Kernel> build(const Source &source, const BuildOptions &options = {});

  const std::string &name() const;
  const std::vector<ParameterInfo> &parameters() const;
  /// Runs to the end. A wrong argument is an error; what the kernel does wrong is in the report.
  Result<Report> launch(const Launch &launch) const;
  /// Whether the build came from the cache.
  bool fromCache() const;

  struct Impl;

private:
  std::shared_ptr<Impl> impl;
};

struct KernelInfo {
  std::string name;
  Location location;
};

/// The kernels of a text, in order; errors are clang's for the text before instantiation.
Result<std::vector<KernelInfo>> listKernels(const Source &source);
struct LintReport {
  size_t kernels = 0; ///< How many the text has.
  /// What Metal refuses about address spaces, as far as the text tells.
  std::vector<Diagnostic> problems;
};
/// Compiles every kernel of the text without running any. Errors are clang's.
Result<LintReport> lint(const Source &source);

} // namespace metile::emulator
