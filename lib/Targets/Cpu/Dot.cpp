// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dot: the accumulator lies in scratch, the left operand is read where it is or from a copy of
// the right type, the right operand from panels as wide as the register tile.

#include "Targets/Cpu/Dot.h"
#include "Targets/Cpu/StoredRows.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace metile::cpu {

static DType accumulatorDType(Type type) {
  if (type.isF64())
    return DType::f64;
  return type.isF32() ? DType::f32 : DType::i32;
}

void Emitter::emitDot(tile::DotOp op) {
  flush();
  DotShape dot;
  dot.op = op;
  ArrayRef<int64_t> shape = tile::shapeOf(op.getType());
  dot.batchAxes = shape.size() - 2;
  dot.m = shape[dot.batchAxes];
  dot.n = shape[dot.batchAxes + 1];
  dot.k = tile::shapeOf(op.getLhs().getType()).back();
  dot.element = tile::elementTypeOf(op.getType());
  dot.origin = "dot" + std::to_string(info.dots.size());
  dot.tile = plan.registerTile ? *plan.registerTile
                               : chooseRegisterTile(target, accumulatorDType(dot.element), dot.n);
  if (plan.scratchEverything)
    dot.tile = {1, 1, target.vectorBytes / unsigned(byteSize(dot.element))};
  dot.tile.lanes = std::min<int64_t>(dot.tile.lanes, dot.n);
  while (dot.n % dot.tile.columns() != 0)
    --dot.tile.vectors;
  dot.tile.rows = std::min<int64_t>(dot.tile.rows, dot.m);

  auto destination = destinations.find(op.getResult());
  Buffer acc = destination != destinations.end()
                   ? destination->second
                   : allocate(shape, dot.element, nameOf(op.getResult(), "acc"));
  auto old = buffers.find(op.getAcc());
  if (old == buffers.end() || old->second.pointer != acc.pointer) {
    keep(op.getAcc(), &acc);
    flush();
  }

  if (!plan.scratchEverything) {
    // Beyond the edges of both views there is nothing to add.
    Value left = termsInside(op.getLhs(), dot, 1), right = termsInside(op.getRhs(), dot, 0);
    if (left && right) {
      Value terms = arith::MaxSIOp::create(b, loc, left, right);
      terms = arith::MaxSIOp::create(b, loc, terms, constant(0));
      dot.depthEnd = arith::MinSIOp::create(b, loc, terms, constant(dot.k));
    }
    dot.rowEnd = rowEnd(dot);
  }

  int64_t mark = arena.mark();
  DotInfo described{dot.origin, 1, dot.m, dot.n, dot.k, dot.tile};
  for (unsigned axis = 0; axis < dot.batchAxes; ++axis)
    described.batch *= shape[axis];
  explainRegisterTile(described);
  Coords batch;
  std::function<void(unsigned)> emitBatch = [&](unsigned axis) {
    if (axis < dot.batchAxes) {
      if (shape[axis] == 1) {
        batch.push_back({});
        emitBatch(axis + 1);
      } else {
        loop({}, constant(shape[axis]), 1, {}, [&](Value index, ValueRange) {
          batch.push_back({index, 0, 0});
          emitBatch(axis + 1);
          return SmallVector<Value>();
        });
      }
      return;
    }
    pushScope();
    DotOperand lhs = lhsOperand(dot, batch, described);
    DotOperand rhs = rhsOperand(dot, batch, described);
    Value offset;
    for (unsigned i = 0; i < dot.batchAxes; ++i)
      offset = add(offset, mul(coordValue(batch[i]), constant(acc.strides[i])));
    emitMicroKernels(dot, lhs, rhs, gep(acc.pointer, dot.element, offset));
    popScope();
  };
  emitBatch(0);
  arena.release(mark);
  info.dots.push_back(described);
  buffers[op.getResult()] = acc;
}

/// The row from which on all stores clip the result; null if that is not known here.
Value Emitter::rowEnd(const DotShape &dot) {
  std::optional<SmallVector<RowEdge>> edges = storedRows(dot.op.getResult(), dot.rowAxis());
  if (!edges || edges->empty())
    return {};
  Value end = constant(0);
  for (const RowEdge &edge : *edges) {
    // What is made after this dot has no value yet.
    auto offset = scalars.find(edge.offset);
    auto view = views.find(edge.view);
    if (offset == scalars.end() || view == views.end() ||
        facts.endsInside(edge.view, edge.axis, edge.offset, dot.m))
      return {};
    Value rows = sub(view->second.sizes[edge.axis], offset->second);
    end = arith::MaxSIOp::create(b, loc, end, rows);
  }
  return arith::MinSIOp::create(b, loc, end, constant(dot.m));
}

/// The view load whose elements `operand` merely rearranges, with the load's coordinates for those
/// of the operand; null if there is none.
Operation *Emitter::viewBehind(Value operand, const Coords &at, Coords &coords) {
  coords = at;
  while (true) {
    Operation *op = operand.getDefiningOp();
    if (!op || facts.isKept(operand) || buffers.count(operand))
      return nullptr;
    if (isa<tile::ViewLoadOp>(op))
      return op;
    Coords inner;
    if (!isa<tile::TransposeOp, tile::ExpandDimsOp, tile::ReshapeOp>(op) ||
        !operandCoords(operand, 0, coords, inner) ||
        llvm::any_of(inner, [](const Coord &coord) { return coord.lanes == unknownMark; }))
      return nullptr;
    coords = inner;
    operand = op->getOperand(0);
  }
}

/// How many terms of a dot lie before the edge of the operand's view, if the rest of the operand is
/// zero and it is not known to be empty.
Value Emitter::termsInside(Value operand, const DotShape &dot, unsigned depthMark) {
  Coords marks(dot.batchAxes), coords;
  for (unsigned axis : {0u, 1u})
    marks.push_back({{}, axis, axisMark});
  auto load = dyn_cast_or_null<tile::ViewLoadOp>(viewBehind(operand, marks, coords));
  if (!load || load.getFill())
    return {};
  for (auto [axis, coord] : llvm::enumerate(coords))
    if (coord.lanes == axisMark && coord.offset == depthMark && !isInside(load, axis, true))
      return sub(views[load.getView()].sizes[axis], scalarOf(load.getOffsets()[axis]));
  return {};
}

static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The operand where it lies, if its elements can be used as they are. Strides are those of its two
/// last axes. Appends what must hold at run time, or says what makes a copy necessary.
std::optional<Emitter::DotOperand> Emitter::inPlace(Value operand, const DotShape &dot,
                                                    const Coords &batch,
                                                    SmallVectorImpl<Value> &conditions,
                                                    std::string &obstacle) {
  if (Type element = tile::elementTypeOf(operand.getType()); element != dot.element) {
    obstacle = "it holds " + spell(element) + ", the multiplication takes " + spell(dot.element);
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = tile::shapeOf(operand.getType());
  Coords marks = batch, coords;
  for (unsigned axis : {0u, 1u})
    marks.push_back({{}, axis, axisMark});
  auto kept = buffers.find(operand);
  auto load = dyn_cast_or_null<tile::ViewLoadOp>(viewBehind(operand, marks, coords));
  if (kept == buffers.end() && !load) {
    obstacle = "it is computed, not a tile of a view as it stands";
    return std::nullopt;
  }
  DotOperand result;
  Value offset, strides[2];
  auto addAxis = [&](const Coord &coord, Value start, Value stride) {
    offset = add(offset, mul(start, stride));
    if (coord.lanes == axisMark)
      strides[coord.offset] = add(strides[coord.offset], stride);
    else
      offset = add(offset, mul(coordValue(coord), stride));
  };
  if (kept != buffers.end()) {
    const Buffer &buffer = kept->second;
    if (buffer.element != dot.element || buffer.panel) {
      obstacle =
          "it lies in scratch as " + spell(buffer.element) + (buffer.panel ? " in panels" : "");
      return std::nullopt;
    }
    for (auto [axis, coord] : llvm::enumerate(marks))
      addAxis(coord, {}, constant(buffer.strides[axis]));
    result.pointer = gep(buffer.pointer, dot.element, offset);
  } else {
    unsigned depthMark = operand == dot.op.getLhs() ? 1 : 0;
    const View &view = views[load.getView()];
    if (view.valid)
      conditions.push_back(view.valid);
    for (auto [axis, coord] : llvm::enumerate(coords)) {
      Value start = scalarOf(load.getOffsets()[axis]);
      addAxis(coord, start, view.strides[axis]);
      bool isMarked = coord.lanes == axisMark;
      Value first = isMarked ? start : add(start, coordValue(coord));
      Value extent = constant(isMarked ? shape[dot.batchAxes + coord.offset] : 1);
      if (isMarked && dot.depthEnd && coord.offset == depthMark)
        extent = dot.depthEnd;
      if (!isInside(load, axis, false))
        conditions.push_back(compare(CmpIPredicate::sge, first, {}));
      if (!isInside(load, axis, true))
        conditions.push_back(compare(CmpIPredicate::sle, add(first, extent), view.sizes[axis]));
    }
    if (!conditions.empty())
      info.outerBoundsProven = false;
    result.pointer = gep(view.data, dot.element, offset);
  }
  result.rowStride = strides[0] ? strides[0] : constant(0);
  result.columnStride = strides[1] ? strides[1] : constant(0);
  return result;
}

static bool isOne(Value value) {
  auto number = value.getDefiningOp<arith::ConstantOp>();
  return number && cast<IntegerAttr>(number.getValue()).getInt() == 1;
}

/// `there` if `inside` holds at run time, else what `packed` makes.
Emitter::DotOperand Emitter::choose(Value inside, const DotOperand &there,
                                    llvm::function_ref<DotOperand()> packed) {
  auto branch =
      scf::IfOp::create(b, loc, TypeRange{pointerType, i64, i64, i64}, inside, true, true);
  auto fields = [&](const DotOperand &operand) {
    auto number = [&](Value value) { return value ? value : constant(0); };
    return SmallVector<Value>{operand.pointer, number(operand.rowStride),
                              number(operand.columnStride), number(operand.panelStride)};
  };
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> left = fields(there);
  scf::YieldOp::create(b, loc, left);
  b.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> right = fields(packed());
  scf::YieldOp::create(b, loc, right);
  // A stride that is the same either way stays a constant.
  auto result = [&](unsigned i) { return left[i] == right[i] ? left[i] : branch.getResult(i); };
  return {branch.getResult(0), result(1), result(2), result(3)};
}

static Value conjunction(ArrayRef<Value> conditions, llvm::function_ref<Value(Value, Value)> both) {
  Value all;
  for (Value condition : conditions)
    all = both(all, condition);
  return all;
}

/// What reports call the copy of an operand: after the argument that it is read from, where there
/// is one.
static std::string copyName(Value operand, StringRef fallback) {
  SmallVector<Value> work{operand};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp()) {
      llvm::append_range(work, llvm::reverse(op->getOperands()));
      continue;
    }
    auto argument = cast<BlockArgument>(value);
    auto kernel = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (kernel && isa<tile::ViewType, tile::PtrType>(argument.getType()))
      if (auto name =
              kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::nameAttrName))
        return ("shared_" + name.getValue() + "_0").str();
  }
  return ("shared_" + fallback + "_0").str();
}

Emitter::DotOperand Emitter::lhsOperand(const DotShape &dot, const Coords &batch,
                                        DotInfo &described) {
  Value operand = dot.op.getLhs();
  SmallVector<Value> conditions;
  std::string obstacle;
  std::optional<DotOperand> there = inPlace(operand, dot, batch, conditions, obstacle);
  explainOperand(described, "left", dot.m * dot.k * byteSize(dot.element), !conditions.empty(),
                 obstacle);
  described.isPacked |= !there;
  if (there && conditions.empty())
    return *there;
  auto packed = [&]() -> DotOperand {
    unsigned lane =
        chooseLaneAxis(operand, nullptr, tile::shapeOf(operand.getType()), dot.batchAxes);
    bool isColumnMajor = lane == dot.rowAxis();
    Buffer buffer;
    buffer.element = dot.element;
    buffer.pointer = scratchPointer(dot.m * dot.k, dot.element, copyName(operand, "a"));
    buffer.strides.assign(dot.batchAxes, 0);
    buffer.strides.push_back(isColumnMajor ? 1 : dot.k);
    buffer.strides.push_back(isColumnMajor ? dot.m : 1);
    pack(operand, buffer, lane, 0, dot.op.getUnsignedLhs(), batch);
    return {buffer.pointer,
            constant(buffer.strides[dot.rowAxis()]),
            constant(buffer.strides[dot.columnAxis()]),
            {}};
  };
  if (!there)
    return packed();
  return choose(conjunction(conditions, [&](Value l, Value r) { return land(l, r); }), *there,
                packed);
}

Emitter::DotOperand Emitter::rhsOperand(const DotShape &dot, const Coords &batch,
                                        DotInfo &described) {
  Value operand = dot.op.getRhs();
  int64_t columns = dot.tile.columns();
  SmallVector<Value> conditions;
  std::string obstacle;
  std::optional<DotOperand> there = inPlace(operand, dot, batch, conditions, obstacle);
  if (there && !isOne(there->columnStride))
    obstacle = "its columns do not lie side by side";
  // A tile that is in scratch already is near enough.
  else if (there && dot.m > plan.packRows && !(conditions.empty() && buffers.count(operand)))
    obstacle = std::to_string(dot.m) + " rows read it, which pays for a copy from " +
               std::to_string(plan.packRows + 1) + " rows on";
  if (!obstacle.empty()) {
    there.reset();
    conditions.clear();
  }
  explainOperand(described, "right", dot.k * dot.n * byteSize(dot.element), !conditions.empty(),
                 obstacle);
  described.isPacked |= !there;
  if (there) {
    there->panelStride = constant(columns);
    if (conditions.empty())
      return *there;
  }
  auto packed = [&]() -> DotOperand {
    ArrayRef<int64_t> shape = tile::shapeOf(operand.getType());
    Buffer buffer;
    buffer.element = dot.element;
    buffer.pointer = scratchPointer(dot.k * dot.n, dot.element, copyName(operand, "b"));
    buffer.strides.assign(dot.batchAxes, 0);
    buffer.strides.push_back(columns);
    buffer.strides.push_back(1);
    buffer.panel = columns;
    buffer.panelStride = dot.k * columns;
    int64_t lanes = target.vectorBytes / byteSize(dot.element);
    bool isTransposed = chooseLaneAxis(operand, nullptr, shape, dot.batchAxes) == dot.rowAxis();
    if (isTransposed && dot.k >= lanes && columns >= lanes && !plan.scratchEverything)
      packTransposed(dot, buffer, batch);
    else
      pack(operand, buffer, dot.columnAxis(), columns, dot.op.getUnsignedRhs(), batch);
    return {buffer.pointer, constant(columns), constant(1), constant(buffer.panelStride)};
  };
  if (!there)
    return packed();
  return choose(conjunction(conditions, [&](Value l, Value r) { return land(l, r); }), *there,
                packed);
}

void Emitter::pack(Value operand, const Buffer &buffer, unsigned laneAxis, int64_t maxLanes,
                   bool isUnsigned, const Coords &batch) {
  Nest nest;
  ArrayRef<int64_t> shape = tile::shapeOf(operand.getType());
  nest.shape.assign(shape.begin(), shape.end());
  nest.laneAxis = laneAxis;
  nest.maxLanes = maxLanes;
  for (auto [axis, coord] : llvm::enumerate(batch))
    nest.fixed[axis] = coord;
  nest.stages.push_back(
      {NestRoot{NestRoot::Kind::keep, nullptr, operand, buffer, isUnsigned, false}});
  isStaging = true;
  emitNest(nest);
  isStaging = false;
}

/// Packs a right operand that is contiguous along K: squares of lanes x lanes are read along K and
/// transposed in registers.
void Emitter::packTransposed(const DotShape &dot, const Buffer &buffer, const Coords &batch) {
  Value operand = dot.op.getRhs();
  Type element = tile::elementTypeOf(operand.getType());
  int64_t lanes = target.vectorBytes / byteSize(dot.element);
  NestRoot root{NestRoot::Kind::keep, nullptr, operand, buffer, dot.op.getUnsignedRhs(), false};
  width = lanes;
  isStaging = true;
  unsigned table = consecutiveLanes(lanes);
  auto square = [&](Value column, Value depth) {
    SmallVector<Coords> rows;
    for (int64_t i = 0; i < lanes; ++i) {
      Coords coords = batch;
      coords.push_back({depth, 0, table});
      coords.push_back({column, i, 0});
      rows.push_back(coords);
    }
    auto emit = [&] {
      pushScope();
      SmallVector<Value> values;
      for (const Coords &coords : rows)
        values.push_back(
            convert(toVector(evaluate(operand, coords), element), dot.element, root.isUnsigned));
      transposeInRegisters(values);
      for (auto [i, value] : llvm::enumerate(values)) {
        Coords coords = batch;
        coords.push_back({depth, int64_t(i), 0});
        coords.push_back({column, 0, table});
        Piece piece;
        piece.kind = Piece::Kind::vector;
        piece.value = value;
        write(bufferAddress(buffer, coords), piece, dot.element, {});
      }
      popScope();
      return SmallVector<Value>();
    };
    emitGuarded({root}, rows, {}, emit);
  };
  pushScope();
  auto columns = [&](Value depth) {
    if (dot.n == lanes) {
      square({}, depth);
      return;
    }
    loop({}, constant(dot.n), lanes, {}, [&](Value column, ValueRange) {
      square(column, depth);
      return SmallVector<Value>();
    });
  };
  if (dot.k == lanes)
    columns({});
  else
    loop({}, constant(dot.k), lanes, {}, [&](Value depth, ValueRange) {
      columns(depth);
      return SmallVector<Value>();
    });
  popScope();
  isStaging = false;
  width = 1;
  testedMasks.clear();
}

/// rows[i][j] becomes rows[j][i], for as many rows as a row has lanes.
void Emitter::transposeInRegisters(MutableArrayRef<Value> rows) {
  int64_t lanes = rows.size();
  for (int64_t step = 1; step < lanes; step *= 2) {
    // Exchanges the off-diagonal step x step blocks of each 2 step x 2 step block.
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool isSecond = lane & step;
      upper.push_back(isSecond ? lanes + lane - step : lane);
      lower.push_back(isSecond ? lanes + lane : lane + step);
    }
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & step)
        continue;
      Value top = rows[row], bottom = rows[row + step];
      rows[row] = vector::ShuffleOp::create(b, loc, top, bottom, upper);
      rows[row + step] = vector::ShuffleOp::create(b, loc, top, bottom, lower);
    }
  }
}

} // namespace metile::cpu
