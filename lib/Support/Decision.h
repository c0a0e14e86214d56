// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision: one choice of the compiler, with what it was weighed against. Every level may record
// them; lib/Report prints them. Plain data; must not know kernels, IR or targets.
#pragma once

#include "metile/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metile {

enum class DecisionId : uint8_t {
#define METILE_DECISION(id, name, question) id,
#include "Support/DecisionIds.def"
};

/// The id as reports spell it, and the question it answers.
std::string_view name(DecisionId id);
std::string_view question(DecisionId id);

/// A choice that lost: either it would have cost more, or a precondition failed.
struct Alternative {
  std::string choice;
  std::optional<double> cost; ///< In the decision's unit.
  std::string violated;       ///< The precondition that failed; empty if none did.
};

struct Decision {
  DecisionId id = DecisionId::blockConstants;
  std::string subject; ///< What it is about: "dot at gemm.cpp:12", "argument a".
  Location location;   ///< Of the subject in the kernel's source; may be unknown.
  std::string chosen;
  std::optional<double> cost;
  std::string unit;       ///< "us", "bytes", "cycles"; empty without a cost.
  std::string reason;     ///< Computed from the alternatives, one sentence.
  bool requested = false; ///< The schedule asked for it.
  std::vector<Alternative> alternatives;
  std::string wouldChange; ///< What would make another choice win.
};

using DecisionLog = std::vector<Decision>;

} // namespace metile
