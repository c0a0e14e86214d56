// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of views and bound masks. A piece that lies inside all of them, which one test per step of
// a loop finds out, is read and written without masks.

#include "Targets/Cpu/Emitter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace metile::cpu {

namespace {
struct ViewAccess {
  Value view;
  ValueRange offsets;
  std::optional<ArrayRef<bool>> inBounds;
  Type tile;

  explicit ViewAccess(Operation *op) {
    if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
      view = load.getView();
      offsets = load.getOffsets();
      inBounds = load.getInBounds();
      tile = load.getType();
      return;
    }
    if (auto pointers = dyn_cast<tile::ViewPointersOp>(op)) {
      view = pointers.getView();
      offsets = pointers.getOffsets();
      tile = pointers.getInside().getType();
      return;
    }
    auto store = cast<tile::ViewStoreOp>(op);
    view = store.getView();
    offsets = store.getOffsets();
    inBounds = store.getInBounds();
    tile = store.getValue().getType();
  }
};
} // namespace

bool Emitter::isInside(Operation *viewAccess, unsigned axis, bool end) const {
  ViewAccess access(viewAccess);
  if (access.inBounds && (*access.inBounds)[axis])
    return true;
  Value offset = access.offsets[axis];
  int64_t extent = tile::shapeOf(access.tile)[axis];
  return end ? facts.endsInside(access.view, axis, offset, extent) : facts.startsInside(offset);
}

/// Lane numbers are compared in the narrowest integer that the target compares well.
static Type laneType(OpBuilder &b, const TargetDesc &target) {
  return target.hasMaskedMemory ? b.getI8Type() : b.getI32Type();
}

Value Emitter::lanesBelow(Value base, Value end) {
  Type lane = laneType(b, target);
  Value some = compare(CmpIPredicate::slt, base, end);
  Value count = arith::MinUIOp::create(b, loc, sub(end, base), constant(width));
  count = arith::SelectOp::create(b, loc, some, count, constant(0));
  count = arith::TruncIOp::create(b, loc, lane, count);
  SmallVector<int64_t> lanes = llvm::to_vector(llvm::seq<int64_t>(0, width));
  return arith::CmpIOp::create(b, loc, CmpIPredicate::ult, table(lane, lanes), splat(count, width));
}

Value Emitter::lanesFromZero(Value base) {
  Type lane = laneType(b, target);
  Value some = compare(CmpIPredicate::slt, base, {});
  Value count = arith::MinUIOp::create(b, loc, sub({}, base), constant(width));
  count = arith::SelectOp::create(b, loc, some, count, constant(0));
  count = arith::TruncIOp::create(b, loc, lane, count);
  SmallVector<int64_t> lanes = llvm::to_vector(llvm::seq<int64_t>(0, width));
  return arith::CmpIOp::create(b, loc, CmpIPredicate::uge, table(lane, lanes), splat(count, width));
}

Mask Emitter::viewMask(Operation *op, const Coords &coords) {
  return isInsideBounds ? Mask() : edgeMask(op, coords);
}

/// Which lanes of a tile of a view lie inside it, whatever was tested before.
Mask Emitter::edgeMask(Operation *op, const Coords &coords) {
  Mask mask;
  ViewAccess access(op);
  const View &view = views[access.view];
  mask.scalar = view.valid;
  for (unsigned axis = 0; axis < coords.size(); ++axis) {
    bool start = !isInside(op, axis, false), end = !isInside(op, axis, true);
    if (!start && !end)
      continue;
    info.outerBoundsProven = false;
    Piece offset;
    offset.value = scalarOf(access.offsets[axis]);
    Piece index = addPieces(coordPiece(coords[axis], 0), offset);
    Value size = view.sizes[axis];
    if (index.isUniform()) {
      if (start)
        mask.scalar = land(mask.scalar, compare(CmpIPredicate::sge, index.value, {}));
      if (end)
        mask.scalar = land(mask.scalar, compare(CmpIPredicate::slt, index.value, size));
      continue;
    }
    bool isStep = index.kind == Piece::Kind::affine && !index.strideValue && index.stride == 1 &&
                  width <= 128;
    Value lanes = isStep ? Value() : toVector(index, i64);
    if (start)
      mask.vector =
          land(mask.vector, isStep ? lanesFromZero(index.value)
                                   : compare(CmpIPredicate::sge, lanes, zero(lanes.getType())));
    if (end)
      mask.vector =
          land(mask.vector, isStep ? lanesBelow(index.value, size)
                                   : compare(CmpIPredicate::slt, lanes, splat(size, width)));
  }
  return mask;
}

Piece Emitter::maskPiece(const Mask &mask) {
  if (mask.vector)
    return Piece::lanes(vectorMask(mask));
  return Piece::lanes(mask.scalar ? mask.scalar : constant(i1, b.getBoolAttr(true)));
}

Mask Emitter::pointerMask(Operation *op, Value mask, const Coords &coords) {
  if (!mask || (isInsideBounds && testedMasks.contains(op)))
    return {};
  Piece piece = evaluate(mask, isTile(mask) ? coords : Coords());
  if (!piece.isUniform())
    return {{}, piece.value};
  if (matchPattern(piece.value, m_One()))
    return {};
  return {piece.value, {}};
}

/// Appends what puts all lanes of a tile of a view inside it.
void Emitter::edgeConditions(Operation *op, const Coords &coords,
                             SmallVectorImpl<Value> &conditions) {
  ViewAccess access(op);
  const View &view = views[access.view];
  if (view.valid)
    conditions.push_back(view.valid);
  for (unsigned axis = 0; axis < coords.size(); ++axis) {
    bool start = !isInside(op, axis, false), end = !isInside(op, axis, true);
    if (!start && !end)
      continue;
    Value index = add(scalarOf(access.offsets[axis]), coordValue(coords[axis]));
    int64_t low = 0, high = 0;
    for (int64_t lane : lanesOf(coords[axis].lanes)) {
      low = std::min(low, lane);
      high = std::max(high, lane);
    }
    if (start)
      conditions.push_back(compare(CmpIPredicate::sge, add(index, constant(low)), {}));
    if (end)
      conditions.push_back(
          compare(CmpIPredicate::slt, add(index, constant(high)), view.sizes[axis]));
  }
}

void Emitter::conditionsOf(Operation *op, const Coords &coords,
                           SmallVectorImpl<Value> &conditions) {
  Value mask;
  if (auto load = dyn_cast<tile::LoadOp>(op))
    mask = load.getMask();
  else if (auto store = dyn_cast<tile::StoreOp>(op))
    mask = store.getMask();
  else
    return edgeConditions(op, coords, conditions);
  SmallVector<Value> found;
  if (mask && allTrue(mask, isTile(mask) ? coords : Coords(), found)) {
    testedMasks.insert(op);
    conditions.append(found);
  }
}

/// Appends what makes `mask` true in all lanes of a piece; false if there is no cheap test.
bool Emitter::allTrue(Value mask, const Coords &coords, SmallVectorImpl<Value> &conditions) {
  if (!isTile(mask)) {
    conditions.push_back(scalarOf(mask));
    return true;
  }
  Operation *op = mask.getDefiningOp();
  if (!op || buffers.count(mask) || shifted.count(mask))
    return false;
  if (isa<tile::ViewPointersOp>(op)) {
    info.outerBoundsProven = false;
    edgeConditions(op, coords, conditions);
    return true;
  }
  if (isa<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransposeOp,
          tile::FlipOp>(op)) {
    Coords inner;
    operandCoords(mask, 0, coords, inner);
    return allTrue(op->getOperand(0), inner, conditions);
  }
  if (isa<arith::AndIOp>(op))
    return allTrue(op->getOperand(0), coords, conditions) &&
           allTrue(op->getOperand(1), coords, conditions);
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  if (!cmp || tile::elementTypeOf(cmp.getLhs().getType()) != i64)
    return false;
  CmpIPredicate predicate = cmp.getPredicate();
  bool wantsSmall = predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sle;
  bool wantsLarge = predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge;
  if (!wantsSmall && !wantsLarge)
    return false;
  Piece lhs = evaluate(cmp.getLhs(), coords), rhs = evaluate(cmp.getRhs(), coords);
  if (lhs.kind == Piece::Kind::vector || rhs.kind == Piece::Kind::vector)
    return false;
  info.outerBoundsProven = false;
  // The difference of the sides is affine: its ends decide.
  bool isStatic = !lhs.strideValue && !rhs.strideValue;
  int64_t slope = (lhs.isUniform() ? 0 : lhs.stride) - (rhs.isUniform() ? 0 : rhs.stride);
  auto at = [&](const Piece &piece, int64_t lane) {
    if (piece.isUniform() || lane == 0)
      return piece.value;
    Value stride = piece.strideValue ? piece.strideValue : constant(piece.stride);
    return add(piece.value, mul(stride, constant(lane)));
  };
  bool checksFirst = !isStatic || slope == 0 || (slope > 0) != wantsSmall;
  bool checksLast = !isStatic || (slope != 0 && (slope > 0) == wantsSmall);
  if (checksFirst)
    conditions.push_back(compare(predicate, at(lhs, 0), at(rhs, 0)));
  if (checksLast)
    conditions.push_back(compare(predicate, at(lhs, width - 1), at(rhs, width - 1)));
  return true;
}

} // namespace metile::cpu
