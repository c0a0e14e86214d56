// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/Emitter.h"

#include "llvm/Support/MathExtras.h"
#include <set>
#include <tuple>

using namespace mlir;

namespace metile::cpu {

static auto comparable(const Coord &coord) {
  return std::make_tuple(coord.base.getAsOpaquePointer(), coord.offset, coord.lanes);
}

bool Emitter::Key::operator<(const Key &other) const {
  if (value != other.value)
    return value < other.value;
  return std::lexicographical_compare(
      coords.begin(), coords.end(), other.coords.begin(), other.coords.end(),
      [](const Coord &l, const Coord &r) { return comparable(l) < comparable(r); });
}

unsigned Emitter::laneTable(ArrayRef<int64_t> table) {
  if (llvm::all_of(table, [](int64_t lane) { return lane == 0; }))
    return 0;
  auto [it, isNew] = tableIds.try_emplace(SmallVector<int64_t>(table), tables.size());
  if (isNew)
    tables.emplace_back(table);
  return it->second;
}

unsigned Emitter::consecutiveLanes(int64_t count) {
  SmallVector<int64_t> table;
  for (int64_t lane = 0; lane < count; ++lane)
    table.push_back(lane);
  return laneTable(table);
}

std::optional<int64_t> Emitter::strideOf(ArrayRef<int64_t> table) const {
  int64_t stride = table.size() > 1 ? table[1] - table[0] : 0;
  for (size_t lane = 0; lane < table.size(); ++lane)
    if (table[lane] != table[0] + int64_t(lane) * stride)
      return std::nullopt;
  return stride;
}

/// The part of an index that all lanes share.
Value Emitter::coordValue(const Coord &coord) {
  return add(coord.base, coord.offset ? constant(coord.offset) : Value());
}

/// Coordinates in operand `operand` of the operation behind `value` that serve `coords` in `value`.
/// False if the operation has no rule.
bool Emitter::operandCoords(Value value, unsigned operand, const Coords &coords, Coords &result) {
  Operation *op = value.getDefiningOp();
  Value source = op->getOperand(operand);
  result.clear();
  if (!isTile(source))
    return true;
  if (isElementwise(op) || isa<tile::LoadOp>(op)) {
    result = coords;
  } else if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    result = coords;
    result.erase(result.begin() + expand.getAxis());
  } else if (isa<tile::BroadcastOp>(op)) {
    result = coords;
    for (auto [axis, extent] : llvm::enumerate(tile::shapeOf(source.getType())))
      if (extent == 1)
        result[axis] = Coord();
  } else if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
    result.resize(coords.size());
    for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
      result[from] = coords[axis];
  } else if (isa<tile::ReshapeOp>(op)) {
    reshapeCoords(tile::shapeOf(value.getType()), tile::shapeOf(source.getType()), coords, result);
  } else if (auto flip = dyn_cast<tile::FlipOp>(op)) {
    result = coords;
    int64_t extent = tile::shapeOf(flip.getType())[flip.getAxis()];
    result[flip.getAxis()] = flipCoord(coords[flip.getAxis()], extent);
  } else if (isa<tile::JoinOp>(op)) {
    result.assign(coords.begin(), coords.end() - 1);
  } else if (auto split = dyn_cast<tile::SplitOp>(op)) {
    result = coords;
    result.push_back({{}, value == split.getRhs(), 0});
  } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
    result = coords;
    if (source == gather.getSource())
      result[gather.getAxis()].lanes = unknownMark;
  } else {
    return false;
  }
  return true;
}

/// extent - 1 - coord. Like every coordinate it keeps the lanes of a piece in bits that its shared
/// part leaves clear.
Coord Emitter::flipCoord(const Coord &coord, int64_t extent) {
  if (extent == 1)
    return coord;
  if (isMark(coord))
    return {{}, 0, unknownMark};
  int64_t used = 0;
  SmallVector<int64_t> lanes = llvm::to_vector(lanesOf(coord.lanes));
  for (int64_t lane : lanes)
    used |= lane;
  for (int64_t &lane : lanes)
    lane = used - lane;
  Coord result;
  result.offset = extent - 1 - used - coord.offset;
  if (coord.base) {
    result.base = sub(constant(result.offset), coord.base);
    result.offset = 0;
  }
  result.lanes = laneTable(lanes);
  return result;
}

/// Coordinates in a tile of shape `to` of the element that stands at `coords` in shape `from`. All
/// extents are powers of two, so an index is cut into fields of bits; the lanes of a piece fill
/// bits that its shared part leaves clear, so both parts can be cut apart from each other.
void Emitter::reshapeCoords(ArrayRef<int64_t> from, ArrayRef<int64_t> to, const Coords &coords,
                            Coords &result) {
  result.assign(to.size(), Coord());
  SmallVector<unsigned> fromAxes, toAxes;
  for (auto [axis, extent] : llvm::enumerate(from))
    if (extent > 1)
      fromAxes.push_back(axis);
  for (auto [axis, extent] : llvm::enumerate(to))
    if (extent > 1)
      toAxes.push_back(axis);
  bool onlyUnits = fromAxes.size() == toAxes.size();
  for (size_t i = 0; onlyUnits && i < toAxes.size(); ++i)
    onlyUnits = from[fromAxes[i]] == to[toAxes[i]];
  if (onlyUnits) {
    for (size_t i = 0; i < toAxes.size(); ++i)
      result[toAxes[i]] = coords[fromAxes[i]];
    return;
  }
  if (llvm::any_of(coords, isMark)) {
    for (unsigned axis : toAxes)
      result[axis].lanes = unknownMark;
    return;
  }
  Value shared;
  int64_t offset = 0;
  SmallVector<int64_t> lanes;
  int64_t stride = 1;
  for (int axis = int(from.size()) - 1; axis >= 0; --axis) {
    const Coord &coord = coords[axis];
    if (from[axis] > 1) {
      if (coord.base)
        shared = add(shared, mul(coord.base, constant(stride)));
      offset += coord.offset * stride;
      if (coord.lanes) {
        lanes.resize(tables[coord.lanes].size());
        for (auto [lane, index] : llvm::enumerate(tables[coord.lanes]))
          lanes[lane] += index * stride;
      }
    }
    stride *= from[axis];
  }
  int64_t inner = 1;
  for (int axis = int(to.size()) - 1; axis >= 0; --axis) {
    int64_t extent = to[axis];
    if (extent > 1) {
      Coord &coord = result[axis];
      unsigned shift = llvm::Log2_64(inner);
      if (shared) {
        Value index = add(shared, constant(offset));
        if (shift)
          index = arith::ShRUIOp::create(b, loc, index, constant(shift));
        if (axis != 0)
          index = arith::AndIOp::create(b, loc, index, constant(extent - 1));
        coord.base = index;
      } else {
        coord.offset = (offset >> shift) & (extent - 1);
      }
      SmallVector<int64_t> field;
      for (int64_t lane : lanes)
        field.push_back((lane >> shift) & (extent - 1));
      coord.lanes = laneTable(field);
    }
    inner *= extent;
  }
}

void Emitter::walkTree(Value value, const Coords &coords,
                       llvm::function_ref<bool(Value, const Coords &)> visit) {
  std::set<Key> seen;
  std::function<void(Value, const Coords &)> walk = [&](Value node, const Coords &at) {
    if (!seen.insert({node.getAsOpaquePointer(), at}).second || !visit(node, at) || !isTile(node) ||
        buffers.count(node))
      return;
    if (auto it = shifted.find(node); it != shifted.end()) {
      walk(it->second.first, at);
      return;
    }
    Operation *op = node.getDefiningOp();
    if (!op || !isLazy(op))
      return;
    if (auto view = dyn_cast<tile::ViewLoadOp>(op)) {
      if (view.getFill())
        walk(view.getFill(), {});
      return;
    }
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Coords inner;
      if (operandCoords(node, i, at, inner))
        walk(op->getOperand(i), inner);
    }
  };
  walk(value, coords);
}

} // namespace metile::cpu
