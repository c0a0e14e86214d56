// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Support/Decision.h"

namespace metile {

static constexpr std::string_view decisionNames[] = {
#define METILE_DECISION(id, name, question) name,
#include "Support/DecisionIds.def"
};

static constexpr std::string_view decisionQuestions[] = {
#define METILE_DECISION(id, name, question) question,
#include "Support/DecisionIds.def"
};

std::string_view name(DecisionId id) { return decisionNames[static_cast<size_t>(id)]; }
std::string_view question(DecisionId id) { return decisionQuestions[static_cast<size_t>(id)]; }

} // namespace metile
