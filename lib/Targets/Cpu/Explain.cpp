// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of the lowering as reports state them: recorded where they are taken, with what
// they were weighed against.

#include "Dialect/Tile/DebugSite.h"
#include "Targets/Cpu/Emitter.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace metile::cpu {

/// The clause as a sentence of its own.
static std::string sentence(std::string clause) {
  clause.front() = llvm::toUpper(clause.front());
  return clause + ".";
}

/// The name of an argument, for a view of the one behind it; else how `value` is made.
static std::string nameOrOperation(Value value) {
  if (auto load = value.getDefiningOp<tile::ViewLoadOp>())
    return "tile of " + nameOrOperation(load.getView());
  while (value.getDefiningOp<tile::ViewAtOp>() || value.getDefiningOp<tile::ViewTransposeOp>())
    value = value.getDefiningOp()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto kernel = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
      if (auto name =
              kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::nameAttrName))
        return name.str();
  if (Operation *op = value.getDefiningOp())
    return ("result of " + op->getName().stripDialect()).str();
  return "carried value";
}

void Emitter::explainRegisterTile(const DotInfo &described) {
  const RegisterTile &chosen = described.tile;
  Decision decision;
  decision.id = DecisionId::registerTile;
  decision.subject = described.origin + " (" + std::to_string(described.m) + "x" +
                     std::to_string(described.n) + "x" + std::to_string(described.k) + ")";
  decision.location = tile::sourceOf(loc);
  decision.chosen = chosen.str();
  decision.requested = plan.registerTile.has_value();
  decision.unit = "FMAs a cycle";
  decision.cost = fmaRate(chosen, target);
  for (unsigned vectors = 1; vectors <= 4; ++vectors)
    for (unsigned rows : {2u, 4u, 6u, 8u, 12u, 14u}) {
      RegisterTile other{rows, vectors, chosen.lanes};
      if (other == chosen)
        continue;
      Alternative alternative{other.str(), std::nullopt, {}};
      if (unsigned needed = rows * vectors + vectors + 1; needed > target.vectorRegisters)
        alternative.violated = "needs " + std::to_string(needed) + " registers of " +
                               std::to_string(target.vectorRegisters);
      else if (described.n % other.columns() != 0)
        alternative.violated =
            "does not divide the dot's " + std::to_string(described.n) + " columns";
      else
        alternative.cost = fmaRate(other, target);
      decision.alternatives.push_back(std::move(alternative));
    }
  decision.reason = decision.requested
                        ? "The schedule asks for it."
                        : "Of the tiles that fit " + std::to_string(target.vectorRegisters) +
                              " registers it keeps the FMA units busiest.";
  decision.wouldChange =
      "Another number of registers or columns, or register_tile in the schedule.";
  info.decisions.push_back(std::move(decision));
}

void Emitter::explainOperand(const DotInfo &described, StringRef operand, int64_t bytes,
                             bool isGuarded, const std::string &obstacle) {
  Decision decision;
  decision.id = DecisionId::operandPlacement;
  decision.subject = described.origin + ", " + operand.str() + " operand";
  decision.location = tile::sourceOf(loc);
  if (!obstacle.empty()) {
    decision.chosen = "packed";
    decision.reason = sentence(obstacle);
    decision.alternatives.push_back({"in place", std::nullopt, obstacle});
    decision.wouldChange = "An f32 operand that is a tile of a view, or repack in the schedule.";
  } else if (isGuarded) {
    decision.chosen = "in place inside, packed at the edge";
    decision.reason = "Its rows lie in memory as the multiplication reads them, but a tile may "
                      "cross an edge of its view.";
    decision.alternatives.push_back(
        {"in place", std::nullopt, "the tile is not known to lie inside its view"});
    decision.wouldChange = "A size that is known to be a multiple of the tile's.";
  } else {
    decision.chosen = "in place";
    decision.reason = "Its rows lie where and as the multiplication reads them.";
    decision.wouldChange = "More rows that read it, or another type.";
  }
  decision.unit = "bytes copied";
  if (obstacle.empty())
    decision.alternatives.push_back({"packed", double(bytes), {}});
  decision.cost = obstacle.empty() ? 0 : double(bytes);
  info.decisions.push_back(std::move(decision));
}

/// What kept a value from being evaluated where it is used.
static std::string describe(KeptReason reason) {
  switch (reason) {
  case KeptReason::asked:
    return "the schedule asks for scratch_everything";
  case KeptReason::rowsRepeat:
    return "each of its rows would be evaluated for many rows of what uses it";
  case KeptReason::manyUsers:
    return "several loop nests would evaluate it";
  case KeptReason::usedInLoop:
    return "a loop that does not change it would evaluate it on every turn";
  case KeptReason::storeBetween:
    return "a store may change what it loads before its last use";
  case KeptReason::gathered:
    return "a gather picks from all of its elements";
  }
  llvm_unreachable("unknown reason");
}

void Emitter::explainPlacement(const NestRoot &root, bool isLocal) {
  Decision decision;
  decision.id = DecisionId::valuePlacement;
  decision.subject = nameOrOperation(root.value);
  decision.location = tile::sourceOf(root.value.getLoc());
  decision.chosen = isLocal ? "a row of scratch" : "scratch";
  decision.unit = "operations an element";
  double uses = double(std::max<size_t>(1, facts.roots(root.value).size()));
  // A write, and a read for each use.
  decision.cost = 1 + uses;
  std::optional<KeptReason> reason = facts.keptReason(root.value);
  std::string why = reason ? describe(*reason) : "it is needed as a whole before its uses begin";
  Alternative again{"evaluated where it is used", std::nullopt, {}};
  if (reason && (*reason == KeptReason::manyUsers))
    again.cost = uses * facts.cost(root.value);
  else
    again.violated = why;
  decision.alternatives.push_back(std::move(again));
  if (isLocal)
    decision.reason = "Only one loop nest uses it, row by row; otherwise " + why + ".";
  else
    decision.reason = sentence(why);
  decision.wouldChange = "One use, in the loop that makes it.";
  info.decisions.push_back(std::move(decision));
}

void Emitter::explainUnroll(ArrayRef<NestRoot> roots, int64_t extent, unsigned unroll,
                            const std::string &limit) {
  const NestRoot &root = roots.front();
  Decision decision;
  decision.id = DecisionId::unroll;
  decision.subject = root.kind == NestRoot::Kind::keep
                         ? "loop that fills " + nameOrOperation(root.value)
                         : ("loop of " + root.op->getName().stripDialect()).str();
  decision.location = tile::sourceOf(root.op ? root.op->getLoc() : root.value.getLoc());
  int64_t vectors = (extent + target.vectorBytes / 4 - 1) / (target.vectorBytes / 4);
  decision.requested = plan.unroll != 0;
  decision.chosen = std::to_string(std::min<int64_t>(unroll, vectors));
  decision.reason = vectors <= unroll ? "The row has no more vectors." : sentence(limit);
  for (unsigned other : {1u, 2u, 4u, 8u, 16u})
    if (other > unroll)
      decision.alternatives.push_back(
          {std::to_string(other), std::nullopt,
           other > vectors ? "the row has " + std::to_string(vectors) + " vectors" : limit});
  decision.wouldChange = "unroll in the schedule.";
  for (const Decision &known : info.decisions)
    if (known.id == decision.id && known.subject == decision.subject &&
        known.location.str() == decision.location.str() && known.chosen == decision.chosen)
      return;
  info.decisions.push_back(std::move(decision));
}

void Emitter::explainBounds() {
  kernel.walk([&](Operation *op) {
    if (!isa<tile::ViewLoadOp, tile::ViewStoreOp>(op))
      return;
    auto load = dyn_cast<tile::ViewLoadOp>(op);
    auto view = load ? load.getView() : cast<tile::ViewStoreOp>(op).getView();
    std::string unproven;
    for (unsigned axis = 0; axis < view.getType().getRank(); ++axis) {
      bool start = !isInside(op, axis, false), end = !isInside(op, axis, true);
      if (start || end)
        unproven += (unproven.empty() ? "" : "; ") + std::string("axis ") + std::to_string(axis) +
                    ": not known to " +
                    (start && end ? "start and end"
                     : start      ? "start"
                                  : "end") +
                    " inside";
    }
    Decision decision;
    decision.id = DecisionId::bounds;
    decision.subject = (load ? "load from " : "store to ") + nameOrOperation(view);
    decision.location = tile::sourceOf(op->getLoc());
    if (unproven.empty()) {
      decision.chosen = "untested";
      decision.reason = "Every tile lies inside the view.";
      decision.wouldChange = "Sizes that are not known to be multiples of the tile's.";
    } else {
      decision.chosen = "tested once a step, masked at the edge";
      decision.reason = "A tile may cross an edge (" + unproven + ").";
      decision.alternatives.push_back({"untested", std::nullopt, unproven});
      decision.wouldChange = "Facts: sizes that are multiples of the tile's, by fixed_size or by "
                             "compiling for such sizes.";
    }
    info.decisions.push_back(std::move(decision));
  });
}

} // namespace metile::cpu
