// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/artifact.h"
#include "Runtime/ArtifactChecks.h"
#include "metile/runtime.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

namespace metile {

int64_t slotInteger(DType dtype, uint64_t bits) {
  switch (dtype) {
  case DType::i8:
    return static_cast<int8_t>(bits);
  case DType::i16:
    return static_cast<int16_t>(bits);
  case DType::i32:
    return static_cast<int32_t>(bits);
  default:
    // The bytes above a narrow unsigned value are zero.
    return static_cast<int64_t>(bits);
  }
}

int64_t ceilDiv(int64_t lhs, int64_t rhs, bool &overflow) {
  if (rhs == 0)
    return 0;
  int64_t result = 0;
  if (rhs == -1) {
    overflow |= __builtin_sub_overflow(int64_t(0), lhs, &result);
    return result;
  }
  result = lhs / rhs;
  return result + (lhs % rhs != 0 && (lhs < 0) == (rhs < 0));
}

uint32_t firstSlot(std::span<const ArgumentInfo> arguments, uint32_t argument) {
  uint32_t slot = 0;
  for (uint32_t i = 0; i < argument; ++i)
    slot += arguments[i].slots();
  return slot;
}

//===--- SizeExpr ---===//

static bool isOperand(SizeExpr::Kind kind) { return kind <= SizeExpr::Kind::scalar; }

SizeExpr SizeExpr::constant(int64_t value) { return {{{Kind::constant, value, 0, 0}}}; }
SizeExpr SizeExpr::size(uint32_t argument, uint32_t axis) {
  return {{{Kind::size, 0, argument, axis}}};
}
SizeExpr SizeExpr::scalar(uint32_t argument) { return {{{Kind::scalar, 0, argument, 0}}}; }

SizeExpr SizeExpr::binary(Kind kind, SizeExpr lhs, SizeExpr rhs) {
  assert(!isOperand(kind));
  lhs.terms.insert(lhs.terms.end(), rhs.terms.begin(), rhs.terms.end());
  lhs.terms.push_back({kind, 0, 0, 0});
  return lhs;
}

SlotExpr::SlotExpr(const SizeExpr &expression, std::span<const ArgumentInfo> arguments) {
  for (const SizeExpr::Term &from : expression.terms) {
    Term &term = terms.emplace_back(Term{from.kind});
    term.value = from.value;
    if (!isOperand(from.kind) || from.kind == SizeExpr::Kind::constant)
      continue;
    const ArgumentInfo &argument = arguments[from.argument];
    term.slot = firstSlot(arguments, from.argument);
    if (from.kind == SizeExpr::Kind::size)
      term.slot += 1 + from.axis;
    else if (from.kind == SizeExpr::Kind::stride)
      term.slot += 1 + argument.rank + from.axis;
    else
      term.dtype = argument.dtype;
  }
}

bool SlotExpr::evaluate(const uint64_t *slots, int64_t &result) const {
  int64_t stack[maxExpressionDepth];
  size_t depth = 0;
  bool overflow = false;
  for (const Term &term : terms) {
    if (isOperand(term.kind)) {
      stack[depth++] = term.kind == SizeExpr::Kind::constant
                           ? term.value
                           : slotInteger(term.dtype, slots[term.slot]);
      continue;
    }
    int64_t rhs = stack[--depth];
    int64_t &lhs = stack[depth - 1];
    switch (term.kind) {
    case SizeExpr::Kind::add:
      overflow |= __builtin_add_overflow(lhs, rhs, &lhs);
      break;
    case SizeExpr::Kind::sub:
      overflow |= __builtin_sub_overflow(lhs, rhs, &lhs);
      break;
    case SizeExpr::Kind::mul:
      overflow |= __builtin_mul_overflow(lhs, rhs, &lhs);
      break;
    case SizeExpr::Kind::cdiv:
      lhs = ceilDiv(lhs, rhs, overflow);
      break;
    case SizeExpr::Kind::min:
      lhs = std::min(lhs, rhs);
      break;
    default:
      lhs = std::max(lhs, rhs);
      break;
    }
  }
  result = depth ? stack[0] : 0;
  return !overflow;
}

int64_t SizeExpr::evaluate(std::span<const ArgumentInfo> arguments,
                           std::span<const uint64_t> slots) const {
  int64_t result = 0;
  SlotExpr(*this, arguments).evaluate(slots.data(), result);
  return result;
}

namespace {

/// C text of a part of an expression.
struct CText {
  std::string text;
  bool atom = true; ///< Needs no parentheses as an operand.
  std::optional<int64_t> constant = std::nullopt;

  std::string operand() const { return atom ? text : "(" + text + ")"; }
};

CText cText(SizeExpr::Kind kind, const CText &lhs, const CText &rhs) {
  std::string a = lhs.operand(), b = rhs.operand();
  switch (kind) {
  case SizeExpr::Kind::add:
    return {a + " + " + b, false};
  case SizeExpr::Kind::sub:
    return {a + " - " + b, false};
  case SizeExpr::Kind::mul:
    return {a + " * " + b, false};
  case SizeExpr::Kind::cdiv:
    // Sizes are not negative, so adding the divisor less one rounds up.
    if (rhs.constant && *rhs.constant == 1)
      return lhs;
    if (rhs.constant && *rhs.constant > 0)
      return {"(" + a + " + " + std::to_string(*rhs.constant - 1) + ") / " + b, false};
    return {b + " == 0 ? 0 : (" + a + " + " + b + " - 1) / " + b, false};
  default:
    return {a + (kind == SizeExpr::Kind::min ? " < " : " > ") + b + " ? " + a + " : " + b, false};
  }
}

CText cText(const SizeExpr::Term &term, std::span<const ArgumentInfo> arguments) {
  switch (term.kind) {
  case SizeExpr::Kind::constant:
    return {std::to_string(term.value), term.value >= 0, term.value};
  case SizeExpr::Kind::size:
    return {arguments[term.argument].name + "_size_" + std::to_string(term.axis)};
  case SizeExpr::Kind::stride:
    return {arguments[term.argument].name + "_stride_" + std::to_string(term.axis)};
  default:
    return {arguments[term.argument].name};
  }
}

} // namespace

std::string SizeExpr::str(std::span<const ArgumentInfo> arguments) const {
  std::vector<CText> stack;
  for (const Term &term : terms) {
    if (isOperand(term.kind)) {
      stack.push_back(cText(term, arguments));
      continue;
    }
    CText rhs = std::move(stack.back());
    stack.pop_back();
    stack.back() = cText(term.kind, stack.back(), rhs);
  }
  return stack.empty() ? "0" : stack.back().text;
}

//===--- Fact ---===//

SlotFact::SlotFact(const Fact &fact, std::span<const ArgumentInfo> arguments)
    : slot(firstSlot(arguments, fact.argument)), expected(fact.value) {
  const ArgumentInfo &argument = arguments[fact.argument];
  bool divisible = false;
  switch (fact.kind) {
  case Fact::Kind::sizeDivisible:
    divisible = true;
    [[fallthrough]];
  case Fact::Kind::sizeEquals:
    slot += 1 + fact.axis;
    break;
  case Fact::Kind::strideDivisible:
    divisible = true;
    [[fallthrough]];
  case Fact::Kind::strideEquals:
    slot += 1 + argument.rank + fact.axis;
    break;
  case Fact::Kind::aligned:
    divisible = true;
    break;
  case Fact::Kind::scalarDivisible:
    divisible = true;
    [[fallthrough]];
  case Fact::Kind::scalarEquals:
    dtype = argument.dtype;
    break;
  }
  if (!divisible)
    return;
  if (std::has_single_bit(static_cast<uint64_t>(fact.value))) {
    mask = static_cast<uint64_t>(fact.value) - 1;
    expected = 0;
  } else {
    test = Test::remainder;
  }
}

bool Fact::holds(std::span<const ArgumentInfo> arguments, std::span<const uint64_t> slots) const {
  return SlotFact(*this, arguments).holds(slots.data());
}

std::string Fact::str(std::span<const ArgumentInfo> arguments) const {
  const std::string &name = arguments[argument].name;
  std::string place = "(" + std::to_string(axis) + ")", number = std::to_string(value);
  switch (kind) {
  case Kind::sizeEquals:
    return name + ".size" + place + " is " + number;
  case Kind::sizeDivisible:
    return name + ".size" + place + " is divisible by " + number;
  case Kind::strideEquals:
    return name + ".stride" + place + " is " + number;
  case Kind::strideDivisible:
    return name + ".stride" + place + " is divisible by " + number;
  case Kind::aligned:
    return name + " is aligned to " + number + " bytes";
  case Kind::scalarEquals:
    return name + " is " + number;
  case Kind::scalarDivisible:
    return name + " is divisible by " + number;
  }
  return {};
}

//===--- Checks ---===//

namespace {

class Checker {
public:
  Checker(const Artifact &artifact) : artifact(artifact) {}

  /// What is wrong; empty if nothing is.
  std::string check() {
    const auto &arguments = artifact.arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentInfo &argument = arguments[i];
      if (argument.rank > maxRank)
        return "argument '" + argument.name + "' has " + std::to_string(argument.rank) +
               " axes, more than " + std::to_string(maxRank);
      if (!argument.isView() && argument.rank != 0)
        return "argument '" + argument.name + "' has axes but is no view";
      for (size_t j = 0; j < i; ++j)
        if (arguments[j].name == argument.name)
          return "two arguments are called '" + argument.name + "'";
    }
    for (const Fact &fact : artifact.facts)
      if (std::string problem = checkFact(fact); !problem.empty())
        return problem;
    for (const Workspace &workspace : artifact.workspaces) {
      constexpr uint32_t maxAlignment = 4096;
      if (workspace.alignment == 0 || workspace.alignment > maxAlignment ||
          (workspace.alignment & (workspace.alignment - 1)))
        return "workspace '" + workspace.name + "' has an alignment of " +
               std::to_string(workspace.alignment);
      if (std::string problem = checkExpression(workspace.bytes); !problem.empty())
        return "workspace '" + workspace.name + "': " + problem;
    }
    for (const DebugSite &site : artifact.debugSites)
      if (std::string problem = checkSite(site); !problem.empty())
        return "debug site '" + site.text + "': " + problem;
    for (const Step &step : artifact.steps) {
      if (step.entry.empty())
        return "a step has no entry point";
      for (const SizeExpr *expression :
           {&step.grid[0], &step.grid[1], &step.grid[2], &step.programCost})
        if (std::string problem = checkExpression(*expression); !problem.empty())
          return "step '" + step.entry + "': " + problem;
    }
    return {};
  }

private:
  static std::string checkSite(const DebugSite &site) {
    if (site.kind != DebugSite::Kind::print && site.values.size() != 1)
      return "it shows " + std::to_string(site.values.size()) + " values, not one";
    for (const DebugSite::Value &value : site.values) {
      int64_t elements = 1;
      bool fits = true;
      for (int64_t extent : value.shape)
        fits &= extent > 0 && !__builtin_mul_overflow(elements, extent, &elements);
      if (!fits || elements > int64_t(1) << 32)
        return "it shows a tile of impossible size";
    }
    return {};
  }

  bool hasAxis(uint32_t argument, uint32_t axis) const {
    return argument < artifact.arguments.size() && artifact.arguments[argument].isView() &&
           axis < artifact.arguments[argument].rank;
  }
  bool isIntegerScalar(uint32_t argument) const {
    return argument < artifact.arguments.size() &&
           artifact.arguments[argument].role == ArgumentRole::scalar &&
           !isFloat(artifact.arguments[argument].dtype);
  }

  std::string checkFact(const Fact &fact) const {
    bool exists = false, divides = false;
    switch (fact.kind) {
    case Fact::Kind::sizeDivisible:
    case Fact::Kind::strideDivisible:
      divides = true;
      [[fallthrough]];
    case Fact::Kind::sizeEquals:
    case Fact::Kind::strideEquals:
      exists = hasAxis(fact.argument, fact.axis);
      break;
    case Fact::Kind::aligned:
      divides = true;
      exists = fact.argument < artifact.arguments.size() &&
               artifact.arguments[fact.argument].role != ArgumentRole::scalar;
      break;
    case Fact::Kind::scalarDivisible:
      divides = true;
      [[fallthrough]];
    case Fact::Kind::scalarEquals:
      exists = isIntegerScalar(fact.argument);
      break;
    }
    if (!exists)
      return "a fact speaks of argument " + std::to_string(fact.argument) + ", axis " +
             std::to_string(fact.axis) + ", which does not exist or is of another kind";
    if (divides && fact.value <= 0)
      return "a fact divides by " + std::to_string(fact.value);
    return {};
  }

  std::string checkExpression(const SizeExpr &expression) const {
    size_t depth = 0;
    for (const SizeExpr::Term &term : expression.terms) {
      if (!isOperand(term.kind)) {
        if (depth < 2)
          return "an expression lacks operands";
        --depth;
        continue;
      }
      bool exists = term.kind == SizeExpr::Kind::constant ||
                    (term.kind == SizeExpr::Kind::scalar ? isIntegerScalar(term.argument)
                                                         : hasAxis(term.argument, term.axis));
      if (!exists)
        return "an expression speaks of argument " + std::to_string(term.argument) + ", axis " +
               std::to_string(term.axis) + ", which does not exist or is of another kind";
      if (++depth > maxExpressionDepth)
        return "an expression is nested too deeply";
    }
    return depth > 1 ? "an expression has operands left over" : "";
  }

  const Artifact &artifact;
};

} // namespace

Status checkArtifact(const Artifact &artifact, std::string_view name) {
  std::string problem = Checker(artifact).check();
  if (problem.empty())
    return Done{};
  return error(std::string(name) + ": the artifact contradicts itself: " + problem, {},
               "compile the kernel again");
}

} // namespace metile
