// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution report: what the compiler made of a kernel, as JSON with the keys of DESIGN's
// record, the same for every target. Facts about code are read from the IR here, decisions come
// from those who took them; nothing is asserted beside them. Must not know targets.
#pragma once

#include "Support/Decision.h"
#include "Support/Json.h"
#include "metile/artifact.h"

#include "mlir/IR/BuiltinOps.h"

#include <array>
#include <optional>

namespace metile {

/// Version of the report's keys.
inline constexpr int reportSchemaVersion = 1;

/// The ten keys of `plan`.
struct ReportPlan {
  std::string backend;
  std::array<int64_t, 3> threadgroupSize = {1, 1, 1};
  std::array<int64_t, 2> simdgroupGrid = {1, 1};
  std::vector<int64_t> tileShape;
  std::optional<std::string> staging;
  std::optional<int64_t> vectorWidth;
  bool doubleBuffer = false;
  std::vector<std::string> reasons;
  std::optional<std::string> cooperativeLayout;
  bool outerBoundsProven = false;
};

/// A loop the author wrote, or the fragment-depth loop of a dot.
struct LoopFact {
  std::string inductionVariable;
  std::string origin;
  int64_t step = 1;
  int64_t elementsPerLane = 1;
};

struct AllocationFact {
  std::string name;
  std::string addressSpace;
  std::string elementType;
  int64_t elements = 0;
  int64_t bytes = 0;
};

/// What the lowered IR says of itself.
struct IrFacts {
  std::vector<LoopFact> loops;
  std::vector<AllocationFact> allocations;
  int64_t vectorizedLoads = 0;
  /// Software pipelines, layouts the author asked for and the changes between them; IR without such
  /// operations has none.
  std::vector<Json> pipelines, valueLayouts, layoutConversions;
  bool doubleBuffered = false;
};

/// Reads the marks of IrMarks.h. `addressSpace` is where marked allocations live: "scratch" or
/// "threadgroup"; `lanes` lanes share an access.
IrFacts readLoweredIr(mlir::ModuleOp module, std::string_view addressSpace, int64_t lanes);

/// Counts the operations of a tile module between a dot's last use as accumulator and a store, a
/// cast to the stored type apart.
int64_t countEpilogueRegions(mlir::ModuleOp tileModule);

struct ReportInput {
  ReportPlan plan;
  std::vector<std::string> passes;         ///< Marked as optimisations, in the order they ran.
  std::vector<std::string> loweringPasses; ///< All others.
  IrFacts facts;
  int64_t lanes = 1; ///< Threads of the group; vector lanes on a CPU.
  int64_t epilogueRegions = 0;
  DecisionLog decisions;
  std::vector<std::string> notes;
};

/// The report of `artifact`, whose kernel, target, constants, facts and steps are stated too.
Json executionReport(const Artifact &artifact, const ReportInput &input);

} // namespace metile
