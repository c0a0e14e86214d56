// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a benchmark case with memory behind them: allocated (shared with other processes
// where a variant needs that), filled from a seed, guarded against writes beside them, hashed.
// Knows nothing of variants or clocks.
#pragma once

#include "metile/case.h"
#include "metile/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace metile::bench {

/// One argument of a launch. The memory belongs to an ArgumentSet.
struct Argument {
  std::string name;
  DType dtype = DType::f32;
  std::vector<int64_t> sizes;   ///< Empty for a scalar.
  std::vector<int64_t> strides; ///< In elements, one for each size.
  bool isScalar = false;
  bool input = true;   ///< Its contents are read.
  bool output = false; ///< It is written.
  uint64_t scalar = 0; ///< A scalar's value in the low bytes.
  std::byte *data = nullptr;
  size_t bytes = 0; ///< From the first to behind the last element that the strides reach.

  int64_t count() const;
  /// The dense row-major element `index` as a double, and the distance of that element from `data`
  /// in elements.
  double read(int64_t index) const;
  void write(int64_t index, double value);
  int64_t offset(int64_t index) const;
  bool isDense() const;
};

/// Elements from the first to behind the last that an array with these sizes and strides reaches;
/// nothing if one is negative, or if 64 bits do not hold the bytes.
std::optional<int64_t> reach(std::span<const int64_t> sizes, std::span<const int64_t> strides);

/// One element of `dtype` at `address` as a double (integers beyond 2⁵³ round), and back: rounded
/// once to nearest even, integers truncated and clamped.
double readElement(DType dtype, const std::byte *address);
void writeElement(DType dtype, std::byte *address, double value);

/// The memory of all arguments of one case.
class ArgumentSet {
public:
  /// Allocates and fills. `shared`: in a memory file that other processes can map (sharedPath()).
  static Result<ArgumentSet> make(const Case &benchCase, uint64_t seed, bool shared);
  /// Maps memory that another process made: the arguments, each with its offset in `offsets`, in
  /// the file at `path`.
  static Result<ArgumentSet> open(std::vector<Argument> arguments, std::span<const size_t> offsets,
                                  const std::string &path, size_t bytes);
  ArgumentSet(ArgumentSet &&) noexcept;
  ArgumentSet &operator=(ArgumentSet &&) noexcept;
  ~ArgumentSet();

  std::span<const Argument> arguments() const { return list; }
  std::span<Argument> arguments() { return list; }

  /// SHA-256 over the bytes of all inputs and scalars in order, as they were filled.
  const std::string &inputSha256() const { return inputHash; }
  /// The name of the first input that no longer holds what it was filled with; empty if none. Not
  /// for arguments that are also written.
  std::string changedInput() const;
  /// The name of the first argument beside which something was written; empty if none.
  std::string damagedGuard() const;
  /// Gives arguments that are read and written their first contents again.
  void restoreInOut();

  /// A path under which another process of this user can open the memory, while we live.
  std::string sharedPath() const;
  /// Where an argument lies in it, in bytes.
  size_t sharedOffset(const Argument &argument) const;
  size_t sharedBytes() const { return mappedBytes; }

private:
  ArgumentSet() = default;
  Status map(size_t bytes, bool shared);
  /// Calls visit(argument, first byte, byte count) for the guards before and behind each argument.
  template <class Visit> void visitGuards(Visit visit) const;

  std::vector<Argument> list;
  std::vector<std::string> inputHashes; ///< Of each argument that is only read; else empty.
  std::vector<std::vector<std::byte>> firstContents; ///< Of each argument read and written.
  std::string inputHash;
  std::byte *memory = nullptr;
  size_t mappedBytes = 0;
  int file = -1;
  std::string path; ///< Of the memory file where the system has no anonymous ones; removed with us.
};

} // namespace metile::bench
