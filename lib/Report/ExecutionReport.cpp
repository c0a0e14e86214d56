// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/ExecutionReport.h"

#include "Dialect/Tile/Tile.h"
#include "Report/IrMarks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace metile {

/// Element types are spelled alike for every target.
static std::string spell(Type type) {
  if (type.isF16())
    return "half";
  if (type.isBF16())
    return "bfloat";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return "bool";
    return "int" + std::to_string(integer.getWidth());
  }
  return "pointer";
}

/// The number of a mark; nothing if it is no 64-bit number without a sign.
static std::optional<int64_t> numberIn(DictionaryAttr mark, StringRef name) {
  auto number = mark.getAs<IntegerAttr>(name);
  if (!number || !number.getType().isSignlessInteger(64))
    return std::nullopt;
  return number.getInt();
}

static int64_t byteSize(Type type) {
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

/// Elements that `op` loads or stores at once; 0 if it accesses no memory.
static int64_t accessedElements(Operation *op) {
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  if (!memory || op->getNumRegions() != 0 || isMemoryEffectFree(op))
    return 0;
  int64_t elements = 1;
  for (Type type : llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                            llvm::to_vector(op->getResultTypes())))
    if (auto vector = dyn_cast<VectorType>(type))
      elements = std::max(elements, vector.getNumElements());
  return elements;
}

IrFacts readLoweredIr(ModuleOp module, std::string_view addressSpace, int64_t lanes) {
  IrFacts facts;
  llvm::StringMap<size_t> loopOfOrigin;
  llvm::StringSet<> allocationNames;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto mark = op->getAttrOfType<DictionaryAttr>(loopMark)) {
      auto origin = mark.getAs<StringAttr>("origin");
      auto variable = mark.getAs<StringAttr>("induction_variable");
      std::optional<int64_t> step = numberIn(mark, "step");
      // Peeling and splitting leave several loops of one origin: the author wrote one.
      if (origin && variable && step) {
        auto [place, isNew] = loopOfOrigin.try_emplace(
            (origin.getValue() + "/" + variable.getValue()).str(), facts.loops.size());
        if (isNew)
          facts.loops.push_back({variable.str(), origin.str(), *step, 1});
        LoopFact &loop = facts.loops[place->second];
        op->walk([&](Operation *inner) {
          loop.elementsPerLane =
              std::max(loop.elementsPerLane, (accessedElements(inner) + lanes - 1) / lanes);
        });
      }
    }
    if (auto mark = op->getAttrOfType<DictionaryAttr>(allocationMark)) {
      auto name = mark.getAs<StringAttr>("name");
      auto element = mark.getAs<TypeAttr>("element_type");
      std::optional<int64_t> elements = numberIn(mark, "elements");
      int64_t bytes = 0;
      if (name && element && elements &&
          !llvm::MulOverflow(*elements, byteSize(element.getValue()), bytes) &&
          allocationNames.insert(name.getValue()).second)
        facts.allocations.push_back(
            {name.str(), std::string(addressSpace), spell(element.getValue()), *elements, bytes});
    }
    if (op->hasAttr(stagingMark) && op->getNumResults() == 1 &&
        isa<VectorType>(op->getResult(0).getType()))
      ++facts.vectorizedLoads;
  });
  return facts;
}

/// Whether `op` only carries the result of a dot on: loops, branches and their terminators.
static bool isTransparent(Operation *op) { return isa<scf::ForOp, scf::YieldOp, scf::IfOp>(op); }

static bool isCast(Operation *op) {
  return isa<tile::RoundOp, tile::ToIntOp, tile::FromIntOp, arith::ExtFOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp>(op);
}

/// The value outside the operation that `use`, an operand of a loop or a terminator, turns into.
static SmallVector<Value> forwarded(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp>(user) && !isa<scf::WhileOp>(user->getParentOp()))
    return {user->getParentOp()->getResult(use.getOperandNumber())};
  if (auto loop = dyn_cast<scf::ForOp>(user))
    if (use.getOperandNumber() >= loop.getNumControlOperands())
      return {loop.getTiedLoopRegionIterArg(&use), loop.getTiedLoopResult(&use)};
  return {};
}

int64_t countEpilogueRegions(ModuleOp tileModule) {
  // Everything that depends on a dot without being needed by one is work after it.
  llvm::SetVector<Operation *> after;
  llvm::DenseSet<Value> seen;
  SmallVector<Value> worklist;
  tileModule.walk([&](tile::DotOp dot) { worklist.push_back(dot.getResult()); });
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isTransparent(user)) {
        llvm::append_range(worklist, forwarded(use));
      } else if (!isa<tile::DotOp, tile::StoreOp, tile::ViewStoreOp>(user) && after.insert(user)) {
        llvm::append_range(worklist, user->getResults());
      }
    }
  }
  // What feeds a later dot is not an epilogue.
  auto feedsDot = [&](Operation *op) {
    SmallVector<Value> uses(op->getResults());
    llvm::DenseSet<Value> visited;
    while (!uses.empty()) {
      Value value = uses.pop_back_val();
      if (!visited.insert(value).second)
        continue;
      for (OpOperand &use : value.getUses()) {
        if (isa<tile::DotOp>(use.getOwner()))
          return true;
        if (isTransparent(use.getOwner()))
          llvm::append_range(uses, forwarded(use));
        else
          llvm::append_range(uses, use.getOwner()->getResults());
      }
    }
    return false;
  };
  // Connected operations form one region.
  int64_t regions = 0;
  for (Operation *op : after) {
    if (isCast(op) || feedsDot(op))
      continue;
    bool continues = llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return producer && after.contains(producer) && !isCast(producer) && !feedsDot(producer);
    });
    regions += !continues;
  }
  return regions;
}

template <class T> static Json orNull(const std::optional<T> &value) {
  return value ? Json(*value) : Json();
}

static Json toJson(const ReportPlan &plan) {
  return Json::object({{"backend", plan.backend},
                       {"threadgroup_size", Json::list(plan.threadgroupSize)},
                       {"simdgroup_grid", Json::list(plan.simdgroupGrid)},
                       {"tile_shape", Json::list(plan.tileShape)},
                       {"staging", orNull(plan.staging)},
                       {"vector_width", orNull(plan.vectorWidth)},
                       {"double_buffer", plan.doubleBuffer},
                       {"reasons", Json::list(plan.reasons)},
                       {"cooperative_layout", orNull(plan.cooperativeLayout)},
                       {"outer_bounds_proven", plan.outerBoundsProven}});
}

static Json toJson(const Decision &decision) {
  Json alternatives = Json::array();
  for (const Alternative &alternative : decision.alternatives)
    alternatives.push(Json::object(
        {{"choice", alternative.choice},
         {"cost", orNull(alternative.cost)},
         {"violated", alternative.violated.empty() ? Json() : Json(alternative.violated)}}));
  return Json::object(
      {{"id", name(decision.id)},
       {"question", question(decision.id)},
       {"subject", decision.subject},
       {"location", decision.location.known() ? Json(decision.location.str()) : Json()},
       {"chosen", decision.chosen},
       {"cost", orNull(decision.cost)},
       {"unit", decision.unit.empty() ? Json() : Json(decision.unit)},
       {"reason", decision.reason},
       {"requested", decision.requested},
       {"alternatives", std::move(alternatives)},
       {"would_change", decision.wouldChange.empty() ? Json() : Json(decision.wouldChange)}});
}

static Json stepsOf(const Artifact &artifact) {
  Json steps = Json::array();
  for (const Step &step : artifact.steps) {
    Json grid = Json::array();
    for (const SizeExpr &extent : step.grid)
      grid.push(extent.str(artifact.arguments));
    steps.push(Json::object({{"entry", step.entry}, {"grid", std::move(grid)}}));
  }
  return steps;
}

Json executionReport(const Artifact &artifact, const ReportInput &input) {
  Json loops = Json::array();
  Json origins = Json::array();
  for (const LoopFact &loop : input.facts.loops) {
    loops.push(Json::object({{"induction_variable", loop.inductionVariable},
                             {"kind", "loop"},
                             {"lanes", input.lanes},
                             {"elements_per_lane", loop.elementsPerLane},
                             {"iteration_step", loop.step}}));
    origins.push(loop.origin);
  }
  Json allocations = Json::array();
  for (const AllocationFact &allocation : input.facts.allocations)
    allocations.push(Json::object({{"name", allocation.name},
                                   {"address_space", allocation.addressSpace},
                                   {"element_type", allocation.elementType},
                                   {"elements", allocation.elements},
                                   {"bytes", allocation.bytes}}));
  Json constants = Json::object();
  for (const auto &[constant, value] : artifact.constants)
    constants[constant] = value;
  Json facts = Json::array();
  for (const Fact &fact : artifact.facts)
    facts.push(fact.str(artifact.arguments));
  Json decisions = Json::array();
  for (const Decision &decision : input.decisions)
    decisions.push(toJson(decision));

  return Json::object({{"schema_version", reportSchemaVersion},
                       {"kernel", artifact.kernel},
                       {"target", artifact.target},
                       {"plan", toJson(input.plan)},
                       {"passes", Json::list(input.passes)},
                       {"loops", std::move(loops)},
                       {"allocations", std::move(allocations)},
                       {"double_buffered", input.facts.doubleBuffered},
                       {"vectorized_loads", input.facts.vectorizedLoads},
                       {"epilogue_regions", input.epilogueRegions},
                       {"notes", Json::list(input.notes)},
                       {"value_layouts", Json::list(input.facts.valueLayouts)},
                       {"layout_conversions", Json::list(input.facts.layoutConversions)},
                       {"pipelines", Json::list(input.facts.pipelines)},
                       {"constants", std::move(constants)},
                       {"facts", std::move(facts)},
                       {"decisions", std::move(decisions)},
                       {"lowering", Json::object({{"passes", Json::list(input.loweringPasses)},
                                                  {"loop_origins", std::move(origins)}})},
                       {"layouts", Json::array()},
                       {"steps", stepsOf(artifact)}});
}

} // namespace metile
