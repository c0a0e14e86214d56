// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an Artifact must satisfy before anything is evaluated or launched, and the evaluation of its
// integer expressions with overflow noticed. Knows no device.
#pragma once

#include "metile/artifact.h"

namespace metile {

/// Names an argument's field that does not exist, a malformed expression, a duplicated name, and
/// the like; `name` is the file or kernel in messages.
Status checkArtifact(const Artifact &artifact, std::string_view name);

/// Most operands an expression may hold at a time.
inline constexpr size_t maxExpressionDepth = 32;

/// The integer in a slot of `dtype`, sign or zero extended.
int64_t slotInteger(DType dtype, uint64_t bits);

/// `lhs` rounded up after division by `rhs`; 0 for a divisor of 0. Sets `overflow` if it does not
/// fit.
int64_t ceilDiv(int64_t lhs, int64_t rhs, bool &overflow);

/// An expression with its operands looked up: reads slots by number.
class SlotExpr {
public:
  SlotExpr() = default;
  /// `expression` must have passed checkArtifact.
  SlotExpr(const SizeExpr &expression, std::span<const ArgumentInfo> arguments);

  /// False if an intermediate result does not fit 64 bits; `result` is then what is left of it.
  /// An empty expression is 0.
  bool evaluate(const uint64_t *slots, int64_t &result) const;

private:
  struct Term {
    SizeExpr::Kind kind;
    DType dtype = DType::i64;
    uint32_t slot = 0;
    int64_t value = 0;
  };
  std::vector<Term> terms;
};

/// A fact with its slot looked up.
class SlotFact {
public:
  /// `fact` must have passed checkArtifact.
  SlotFact(const Fact &fact, std::span<const ArgumentInfo> arguments);
  bool holds(const uint64_t *slots) const {
    auto bits = static_cast<uint64_t>(slotInteger(dtype, slots[slot]));
    if (test == Test::remainder) [[unlikely]]
      return static_cast<int64_t>(bits) % expected == 0;
    return (bits & mask) == static_cast<uint64_t>(expected);
  }

private:
  /// A division costs more than all other work on a fact, and divisors are mostly powers of two.
  enum class Test : uint8_t { masked, remainder };

  uint32_t slot = 0;
  DType dtype = DType::i64;
  Test test = Test::masked;
  uint64_t mask = ~uint64_t(0);
  int64_t expected = 0;
};

/// The first slot of parameter `argument`.
uint32_t firstSlot(std::span<const ArgumentInfo> arguments, uint32_t argument);

} // namespace metile
