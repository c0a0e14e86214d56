// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `metile check` is to do: one launch of one kernel, from the command line or from each
// [[check]] of a TOML file. Must not know how it is run or shown.
#pragma once

#include "Verb.h"

#include "metile/emulator.h"

#include <map>
#include <optional>

namespace metile::tools {

/// The words of the command line, or the keys of a table, that describe a launch.
struct CheckWords {
  std::string kernel, grid, gridThreads, threads;
  std::vector<std::string> buffers;           ///< "0=random:f16[256,256]"
  std::vector<std::string> threadgroupMemory; ///< "0=4096"
  std::vector<std::string> constants;         ///< "3=int:7"
  std::vector<std::string> expects, saves;    ///< "2=c.npy"
  std::vector<std::string> only;              ///< "race", "bounds,init"
  bool fast = false;
  double tolerance = -1; ///< Relative; below 0: by the element type.

  bool describesLaunch() const {
    return !grid.empty() || !gridThreads.empty() || !threads.empty() || !buffers.empty();
  }
};

/// What is the same for all launches of one call.
struct CheckLimits {
  uint64_t seed = 431;
  double seconds = 20;
  int64_t threadgroupMemory = 32768;
  unsigned threads = 0;
};

/// The memory behind one buffer argument.
struct CheckBuffer {
  std::string key;            ///< Index or name, as given.
  std::optional<DType> dtype; ///< None for packed bytes.
  std::vector<int64_t> sizes;
  std::vector<std::byte> bytes;
  bool uninitialised = false;
  std::string sameAs; ///< The key of the buffer whose memory this is; empty: its own.
};

struct CheckPlan {
  emulator::BuildOptions build;
  emulator::Launch launch; ///< Without its buffers.
  std::vector<CheckBuffer> buffers;
  std::map<std::string, std::string> expects, saves; ///< File by buffer key.
  std::vector<std::string> only;
  double tolerance = -1;
};

/// Fits `words` together; all mistakes come back at once.
Result<CheckPlan> makeCheckPlan(const CheckWords &words, const CheckLimits &limits);

/// The checks of the TOML file at `path`, relative file names in it made relative to its folder. A
/// key that nobody knows, and a value of the wrong kind, are errors with their line.
Result<std::vector<CheckWords>> readCheckFile(const std::string &path);
/// The same of a file that was read.
Result<std::vector<CheckWords>> parseCheckFile(const std::string &text, const std::string &path);

/// "random:f16[256,256]", "nan:f32[8]", "i32:1,2,3", "pack:i32=4,u64=8", "same:x",
/// "x.npy".
Result<CheckBuffer> makeCheckBuffer(const std::string &key, const std::string &source,
                                    uint64_t seed);

/// Takes the short and long names of dtypes and those of Metal: half, float, int, uint, ….
std::optional<DType> parseMetalType(std::string_view text);

} // namespace metile::tools
