// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Driver/Planner.h"

#include "Driver/WorkCounter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace metile {

namespace {

using Values = std::vector<int64_t>; ///< Of the open constants, in the kernel's order.

struct Candidate {
  double cost = std::numeric_limits<double>::infinity();
  std::string failure; ///< First error, if it does not trace.
};

class Planner {
public:
  Planner(const Kernel &kernel, Specialization specialization,
          const std::vector<ArgumentSpec> &arguments, const CostFunction &cost)
      : kernel(kernel), specialization(std::move(specialization)), arguments(arguments),
        cost(cost) {
    numFixed = this->specialization.constants.size();
    for (const Kernel::Constant &constant : kernel.constants())
      if (!isFixed(constant.name))
        open.push_back(&constant);
  }

  Result<PlannedTrace> run() {
    Values current;
    for (const Kernel::Constant *constant : open)
      current.push_back(constant->values[constant->values.size() / 2]);
    double best = evaluate(current);
    // Each sweep ends no worse than it began, and there are finitely many values.
    for (bool improved = true; improved;) {
      improved = false;
      for (size_t i = 0; i < open.size(); ++i)
        for (int64_t value : open[i]->values) {
          Values other = current;
          other[i] = value;
          double otherCost = evaluate(other);
          if (otherCost < best) {
            best = otherCost;
            current = std::move(other);
            improved = true;
          }
        }
    }
    if (best == std::numeric_limits<double>::infinity() && firstErrors)
      return *firstErrors;
    Result<Trace> trace = traceWith(current);
    if (!trace)
      return trace.takeErrors();
    PlannedTrace planned{std::move(*trace), {}, {}};
    planned.work = countWork(planned.trace, arguments);
    if (!open.empty())
      planned.decisions.push_back(decision(current));
    return planned;
  }

private:
  bool isFixed(const std::string &name) const {
    return std::any_of(specialization.constants.begin(),
                       specialization.constants.begin() + static_cast<ptrdiff_t>(numFixed),
                       [&](const auto &constant) { return constant.first == name; });
  }

  Result<Trace> traceWith(const Values &values) {
    specialization.constants.resize(numFixed);
    for (size_t i = 0; i < open.size(); ++i)
      specialization.constants.emplace_back(open[i]->name, values[i]);
    return traceKernel(kernel, specialization);
  }

  double evaluate(const Values &values) {
    auto [known, isNew] = candidates.try_emplace(values);
    if (isNew) {
      Result<Trace> trace = traceWith(values);
      if (trace) {
        known->second.cost = cost(countWork(*trace, arguments));
      } else {
        known->second.failure = trace.errors().diagnostics.front().text();
        if (!firstErrors)
          firstErrors = trace.takeErrors();
      }
    }
    return known->second.cost;
  }

  std::string spell(const Values &values) const {
    std::string text;
    for (size_t i = 0; i < open.size(); ++i)
      text += fmt::format("{}{}={}", i ? "," : "", open[i]->name, values[i]);
    return text;
  }

  Decision decision(const Values &chosen) const {
    Decision result;
    result.id = DecisionId::blockConstants;
    result.subject = kernel.name();
    result.location = kernel.definition();
    result.chosen = spell(chosen);
    result.cost = candidates.at(chosen).cost / 1000;
    result.unit = "us";
    for (const auto &[values, candidate] : candidates)
      if (values != chosen) {
        Alternative alternative{spell(values), std::nullopt, candidate.failure};
        if (candidate.failure.empty())
          alternative.cost = candidate.cost / 1000;
        result.alternatives.push_back(std::move(alternative));
      }
    std::sort(result.alternatives.begin(), result.alternatives.end(),
              [](const Alternative &a, const Alternative &b) {
                return a.cost.value_or(1e300) < b.cost.value_or(1e300);
              });
    if (!result.alternatives.empty() && result.alternatives.front().cost) {
      const Alternative &next = result.alternatives.front();
      result.reason =
          fmt::format("Least estimated time of {} candidates; the next is {} with {:.4g} us.",
                      candidates.size(), next.choice, *next.cost);
      result.wouldChange = fmt::format("Sizes or threads for which {} is estimated to be faster, "
                                       "or naming values in the schedule.",
                                       next.choice);
    } else {
      result.reason = "The only candidate that can be compiled.";
    }
    return result;
  }

  const Kernel &kernel;
  Specialization specialization;
  const std::vector<ArgumentSpec> &arguments;
  const CostFunction &cost;
  size_t numFixed = 0;
  std::vector<const Kernel::Constant *> open;
  std::map<Values, Candidate> candidates;
  std::optional<Errors> firstErrors;
};

} // namespace

Result<PlannedTrace> planTrace(const Kernel &kernel, Specialization specialization,
                               const std::vector<ArgumentSpec> &arguments,
                               const CostFunction &cost) {
  return Planner(kernel, std::move(specialization), arguments, cost).run();
}

} // namespace metile
