// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifact: the one contract between compiler and runtime. Plain data: what was compiled, for
// what, how it is launched, what it relies on, and why it looks as it does (the report).
// Knows nothing of MLIR, of a device's API or of the kernel language.
#pragma once

#include "metile/dtype.h"
#include "metile/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metile {

enum class ArgumentRole : uint8_t { in, out, inout, pointer, scalar };

/// One parameter of a kernel.
///
/// At a launch the parameters become *slots*, 8 bytes each, in declared order:
///   view (in, out, inout)  data pointer, `rank` sizes, `rank` strides (in elements)
///   pointer                data pointer
///   scalar                 the value in the low bytes, the rest zero
/// After the last parameter follow the three extents of the step's grid, then, for a kernel with
/// debug sites, the address of a DebugChannel or null, then the address of each launch workspace.
struct ArgumentInfo {
  std::string name;
  ArgumentRole role = ArgumentRole::in;
  DType dtype = DType::f32;
  uint32_t rank = 0; ///< Axes of a view; 0 for pointers and scalars.

  bool isView() const { return role <= ArgumentRole::inout; }
  uint32_t slots() const { return isView() ? 1 + 2 * rank : 1; }
};

/// An integer expression over the sizes, strides and scalars of the arguments, in postfix order.
/// Arithmetic is 64-bit; cdiv rounds up and gives 0 for a divisor of 0.
struct SizeExpr {
  enum class Kind : uint8_t { constant, size, stride, scalar, add, sub, mul, cdiv, min, max };
  struct Term {
    Kind kind = Kind::constant;
    int64_t value = 0;     ///< For constants.
    uint32_t argument = 0; ///< For size, stride, scalar.
    uint32_t axis = 0;     ///< For size and stride.
    bool operator==(const Term &) const = default;
  };
  std::vector<Term> terms;

  static SizeExpr constant(int64_t value);
  static SizeExpr size(uint32_t argument, uint32_t axis);
  static SizeExpr scalar(uint32_t argument);
  static SizeExpr binary(Kind kind, SizeExpr lhs, SizeExpr rhs);

  /// `slots` as laid out by ArgumentInfo.
  int64_t evaluate(std::span<const ArgumentInfo> arguments, std::span<const uint64_t> slots) const;
  /// C text over `a.size[0]`-like names: "(a_size_0 + 63) / 64".
  std::string str(std::span<const ArgumentInfo> arguments) const;
  bool operator==(const SizeExpr &) const = default;
};

/// Something the code relies on. A launch that violates one is refused by name.
struct Fact {
  enum class Kind : uint8_t {
    sizeEquals,      ///< size of (argument, axis) == value
    sizeDivisible,   ///< size of (argument, axis) % value == 0
    strideEquals,    ///< stride of (argument, axis) == value, in elements
    strideDivisible, ///< stride of (argument, axis) % value == 0, in elements
    aligned,         ///< data pointer of argument % value == 0, in bytes
    scalarEquals,    ///< value of the integer scalar == value
    scalarDivisible, ///< value of the integer scalar % value == 0
  };
  Kind kind = Kind::sizeEquals;
  uint32_t argument = 0;
  uint32_t axis = 0;
  int64_t value = 0;

  bool holds(std::span<const ArgumentInfo> arguments, std::span<const uint64_t> slots) const;
  /// "a.size(1) is divisible by 64".
  std::string str(std::span<const ArgumentInfo> arguments) const;
  bool operator==(const Fact &) const = default;
};

/// Memory a launch needs beside its arguments.
struct Workspace {
  enum class Scope : uint8_t { worker, launch }; ///< One per worker, or one shared by the launch.
  std::string name;
  Scope scope = Scope::worker;
  SizeExpr bytes;
  uint32_t alignment = 64;
};

/// A place in a kernel that shows values to the host.
struct DebugSite {
  enum class Kind : uint8_t { print, assertion, probe };
  struct Value {
    DType dtype = DType::f32;
    std::vector<int64_t> shape; ///< Empty for a scalar.
    bool operator==(const Value &) const = default;
  };
  Kind kind = Kind::print;
  std::string text; ///< What to print, the assertion's message, or the probe's name.
  Location location;
  std::vector<Value> values; ///< For an assertion: its condition.
};

/// Where code sends what its debug sites show. Plain C, as the code reads it.
struct DebugChannel {
  void *host = nullptr; ///< Handed back to `show`.
  /// Site `site` of program (x, y, z): values[i] is the address of the site's i-th value, row-major
  /// and valid during the call; for a failed assertion values[0] is that of an int64_t, the
  /// row-major index of the first element that is false. Several threads may call at once. Must
  /// not throw.
  void (*show)(void *host, int32_t site, int64_t x, int64_t y, int64_t z,
               const void *const *values) = nullptr;
};

/// One entry point run over a grid. Steps run in order; each sees what the former wrote.
///
/// CPU entry points have the C type
///   int32_t entry(const uint64_t *slots, int64_t begin, int64_t end, void *scratch)
/// and run the programs [begin, end) of the linear grid (x fastest). 0 means success, n that the
/// assertion of debug site n - 1 failed; the programs after it were not run. `scratch` is
/// the worker's memory: its workspaces one after another in declared order, each at a multiple of
/// its alignment; null if there are none. Contents are undefined at the start of each call.
///
/// Metal entry points are kernels with that host name. Their buffers, from index 0 on: the memory
/// of each view and pointer parameter in declared order, then `constant long *`, the slots; what
/// stands in slots that are addresses means nothing to them. One threadgroup runs one program. It
/// has as many threads, on one axis, as the kernel's max_total_threads_per_threadgroup says.
struct Step {
  std::string entry;
  std::array<SizeExpr, 3> grid;
  /// The calling thread alone runs the grid while its cost stays under the launch threshold:
  /// estimated work of one program, in nanoseconds on one thread.
  SizeExpr programCost;
};

enum class CodeKind : uint8_t { object, msl, ptx, tile };

struct Artifact {
  std::string kernel;   ///< The kernel's name.
  std::string target;   ///< "cpu:x86-64-v4", "metal:m5", "cuda:sm_90a".
  std::string features; ///< What the code needs of the machine, comma separated; sorted.
  std::string producer; ///< Compiler build id.
  std::vector<std::pair<std::string, int64_t>> constants;
  std::vector<ArgumentInfo> arguments;
  std::vector<Fact> facts;
  std::vector<Workspace> workspaces;
  std::vector<Step> steps;
  std::vector<DebugSite> debugSites;
  CodeKind codeKind = CodeKind::object;
  std::string code;
  std::string report; ///< JSON.
};

/// Version of the file format; a file with a newer one is refused.
inline constexpr uint32_t artifactVersion = 3;

/// The bytes of the file: magic, version, producer, target, checksum, contents.
std::string serialize(const Artifact &artifact);
/// Reads what serialize wrote; `name` stands in messages. A damaged, truncated, foreign or newer
/// file is an error that says which.
Result<Artifact> parseArtifact(std::string_view bytes, std::string_view name);

} // namespace metile
