// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans. Along an axis that is looped over, each lane carries its own running value; along the lane
// axis a register is scanned by combining it with itself at doubling distances, and its last lane
// is carried on to the next.

#include "Targets/Cpu/Emitter.h"

using namespace mlir;

namespace metile::cpu {

void Emitter::emitScan(tile::ScanOp op) {
  flush();
  ArrayRef<int64_t> shape = tile::shapeOf(op.getSources()[0].getType());
  unsigned axis = op.getAxis();
  for (Value result : op.getResults())
    buffers[result] =
        allocate(shape, tile::elementTypeOf(result.getType()), nameOf(result, "scanned"));
  Nest nest;
  nest.shape.assign(shape.begin(), shape.end());
  nest.laneAxis = chooseLaneAxis(op.getSources()[0], nullptr, shape);
  nest.columnAxis = nest.laneAxis == axis ? -1 : int(axis);
  nest.stages.push_back({NestRoot{NestRoot::Kind::scan, op, {}, {}, false, false}});
  emitNest(nest);
}

/// Combines the sources at `pieces` with what the former pieces came to, if there is any, writes
/// the results and returns what is to be carried on.
SmallVector<Value> Emitter::scanPieces(const NestRoot &root, ArrayRef<Coords> pieces,
                                       ArrayRef<Value> carried, ArrayRef<Type> types) {
  auto op = cast<tile::ScanOp>(root.op);
  bool isAlongLanes = width > 1 && pieces.front()[op.getAxis()].lanes;
  return emitGuarded({root}, pieces, types, [&] {
    pushScope();
    SmallVector<Value> next;
    ArrayRef<Value> before = carried;
    for (const Coords &coords : pieces) {
      SmallVector<Value> values;
      for (Value source : op.getSources())
        values.push_back(lanesOf(evaluate(source, coords), tile::elementTypeOf(source.getType())));
      if (isAlongLanes)
        values = scanLanes(op, values);
      if (!before.empty()) {
        SmallVector<Value> sums;
        for (Value value : before.take_front(values.size()))
          sums.push_back(isAlongLanes ? splat(value, width) : value);
        before = before.drop_front(values.size());
        values = combine(op.getCombine(), sums, values);
      }
      for (auto [result, value] : llvm::zip(op.getResults(), values))
        write(bufferAddress(buffers[result], coords), Piece::lanes(value),
              tile::elementTypeOf(result.getType()), {});
      for (Value value : values)
        next.push_back(
            isAlongLanes ? vector::ExtractOp::create(b, loc, value, op.getReverse() ? 0 : width - 1)
                               .getResult()
                         : value);
    }
    popScope();
    return next;
  });
}

/// Each lane combined with all that come before it, in log2(width) steps.
SmallVector<Value> Emitter::scanLanes(tile::ScanOp op, ArrayRef<Value> lanes) {
  SmallVector<Value> values(lanes);
  for (int64_t distance = 1; distance < width; distance *= 2) {
    SmallVector<int64_t> earlier, hasEarlier;
    for (int64_t lane = 0; lane < width; ++lane) {
      int64_t from = op.getReverse() ? lane + distance : lane - distance;
      hasEarlier.push_back(from >= 0 && from < width);
      earlier.push_back(hasEarlier.back() ? from : lane);
    }
    SmallVector<Value> shifted;
    for (Value value : values)
      shifted.push_back(vector::ShuffleOp::create(b, loc, value, value, earlier));
    SmallVector<Value> combined = combine(op.getCombine(), shifted, values);
    Value mask = table(i1, hasEarlier);
    for (auto [value, sum] : llvm::zip(values, combined))
      value = arith::SelectOp::create(b, loc, mask, sum, value);
  }
  return values;
}

void Emitter::emitScanStage(const Nest &nest, const NestRoot &root, const Coords &row) {
  auto op = cast<tile::ScanOp>(root.op);
  unsigned axis = op.getAxis();
  int64_t extent = nest.shape[axis];
  // Place of the `step`-th element (or register) from the end where the scan begins.
  auto place = [&](Value step, int64_t size) {
    Coord coord{step, 0, size > 1 ? consecutiveLanes(size) : 0};
    if (op.getReverse())
      coord.base = sub(constant(extent - size), step);
    return coord;
  };
  auto scan = [&](llvm::function_ref<SmallVector<Coords>(Value)> at, int64_t step,
                  ArrayRef<Type> types) {
    SmallVector<Value> first = scanPieces(root, at({}), {}, types);
    if (step == extent)
      return;
    loop(constant(step), constant(extent), step, first, [&](Value index, ValueRange carried) {
      return scanPieces(root, at(index), llvm::to_vector(carried), types);
    });
  };
  SmallVector<Type> elements;
  for (Value source : op.getSources())
    elements.push_back(registerType(tile::elementTypeOf(source.getType())));
  Coords at = row;
  if (nest.columnAxis < 0) {
    width = plan.scratchEverything ? 1 : std::min<int64_t>(extent, target.vectorBytes / 4);
    hoist(nest, {root}, row);
    scan(
        [&](Value index) {
          at[axis] = place(index, width);
          return SmallVector<Coords>{at};
        },
        width, elements);
    return;
  }
  unsigned laneAxis = nest.laneAxis;
  int64_t chunk = chunkLanes(nest, {root}, nest.shape[laneAxis]);
  width = std::min<int64_t>(chunk, target.vectorBytes / 4);
  hoist(nest, {root}, row);
  SmallVector<Type> types;
  for (int64_t lane = 0; lane < chunk; lane += width)
    for (Type element : elements)
      types.push_back(width == 1 ? element : vectorOf(element, width));
  auto columns = [&](Value base) {
    pushScope();
    scan(
        [&](Value index) {
          SmallVector<Coords> pieces;
          at[axis] = place(index, 1);
          for (int64_t lane = 0; lane < chunk; lane += width) {
            at[laneAxis] = {base, lane, width > 1 ? consecutiveLanes(width) : 0};
            pieces.push_back(at);
          }
          return pieces;
        },
        1, types);
    popScope();
    return SmallVector<Value>();
  };
  if (chunk == nest.shape[laneAxis])
    columns({});
  else
    loop({}, constant(nest.shape[laneAxis]), chunk, {},
         [&](Value base, ValueRange) { return columns(base); });
}

} // namespace metile::cpu
