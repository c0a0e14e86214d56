// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop nests over pieces of tiles. Roots of one shape gather in a pending nest until something
// needs their results or has another shape.

#include "Targets/Cpu/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <set>

using namespace mlir;

namespace metile::cpu {

static Coords axisMarks(size_t rank) {
  Coords coords(rank);
  for (size_t axis = 0; axis < rank; ++axis)
    coords[axis] = {{}, int64_t(axis), axisMark};
  return coords;
}

static bool isAxis(const Coord &coord, size_t axis) {
  return coord.lanes == axisMark && coord.offset == int64_t(axis);
}

/// The tiles that a root evaluates at the coordinates of its nest.
static SmallVector<Value> treesOf(const NestRoot &root) {
  SmallVector<Value> trees;
  if (root.kind == NestRoot::Kind::keep)
    trees.push_back(root.value);
  else if (root.kind == NestRoot::Kind::reduce)
    llvm::append_range(trees, cast<tile::ReduceOp>(root.op).getSources());
  else
    for (Value operand : root.op->getOperands())
      if (isTile(operand))
        trees.push_back(operand);
  return trees;
}

static bool isLoad(Operation *op) { return isa_and_nonnull<tile::LoadOp, tile::ViewLoadOp>(op); }

static Value addressOf(Operation *access) {
  if (auto store = dyn_cast<tile::ViewStoreOp>(access))
    return store.getView();
  return access->getOperand(0);
}

mlir::scf::ForOp Emitter::loop(Value from, Value to, int64_t step, ValueRange init,
                               llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, loc, from ? from : constant(0), to, constant(step), init);
  OpBuilder::InsertionGuard guard(b);
  if (init.empty())
    loop.getBody()->getTerminator()->erase();
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, loc, body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return loop;
}

void Emitter::keep(Value value, const Buffer *into) {
  ArrayRef<int64_t> shape = tile::shapeOf(value.getType());
  NestRoot root{NestRoot::Kind::keep, nullptr, value, into ? *into : Buffer(), false, !into};
  root.target.element = into ? into->element : tile::elementTypeOf(value.getType());
  unsigned lane = chooseLaneAxis(value, nullptr, shape);
  if (pending && ArrayRef<int64_t>(pending->shape) == shape && pending->columnAxis < 0)
    lane = pending->laneAxis;
  addRoot(root, shape, lane);
}

void Emitter::addRoot(NestRoot root, ArrayRef<int64_t> shape, unsigned laneAxis, int columnAxis) {
  SmallVector<Operation *> loads;
  std::optional<unsigned> stage;
  if (pending && ArrayRef<int64_t>(pending->shape) == shape && pending->laneAxis == laneAxis &&
      pending->columnAxis == columnAxis)
    stage = stageFor(root, loads);
  if (!stage) {
    flush();
    pending.emplace();
    pending->shape.assign(shape.begin(), shape.end());
    pending->laneAxis = laneAxis;
    pending->columnAxis = columnAxis;
    loads.clear();
    stage = stageFor(root, loads);
    if (!stage)
      stage = 0;
  }
  if (pending->stages.size() <= *stage)
    pending->stages.resize(*stage + 1);
  pending->stages[*stage].push_back(root);
  llvm::append_range(pending->loads, loads);
  if (root.kind == NestRoot::Kind::reduce)
    for (Value result : root.op->getResults())
      pendingStage[result] = *stage;
  if (root.isDefinition)
    pendingStage[root.value] = *stage;
  if (plan.scratchEverything)
    flush();
}

/// The stage of the pending nest in which `root` finds all it needs; none if it must have a nest of
/// its own. Appends the loads that the root evaluates.
std::optional<unsigned> Emitter::stageFor(const NestRoot &root,
                                          SmallVectorImpl<Operation *> &loads) {
  unsigned stage = 0;
  bool fits = true;
  unsigned laneAxis = pending->laneAxis;
  auto visit = [&](Value value, const Coords &coords) {
    Operation *op = value.getDefiningOp();
    auto it = pendingStage.find(value);
    if (it == pendingStage.end()) {
      if (isLoad(op) && isTile(value) && !buffers.count(value))
        loads.push_back(op);
      return true;
    }
    ArrayRef<int64_t> shape = tile::shapeOf(value.getType());
    bool isReduction = isa<tile::ReduceOp>(op);
    bool sameRow = pending->columnAxis < 0, sameLane = !isReduction;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      size_t nestAxis = isReduction && axis >= laneAxis ? axis + 1 : axis;
      bool same = shape[axis] == 1 || isAxis(coords[axis], nestAxis);
      (nestAxis == laneAxis && !isReduction ? sameLane : sameRow) &= same;
    }
    // A gather looks for it in memory, even where it is a single element.
    fits &= sameRow && !isGathered(value);
    stage = std::max(stage, it->second + (sameLane ? 0 : 1));
    return false;
  };
  Coords marks = axisMarks(pending->shape.size());
  for (Value tree : treesOf(root))
    walkTree(tree, marks, visit);
  auto conflicts = [&](Operation *store, Operation *other) {
    return facts.mayAlias(addressOf(store), addressOf(other));
  };
  for (auto &roots : pending->stages)
    for (NestRoot &other : roots) {
      if (other.kind != NestRoot::Kind::store)
        continue;
      for (Operation *load : loads)
        fits &= !conflicts(other.op, load);
      if (root.kind == NestRoot::Kind::store)
        fits &= !conflicts(other.op, root.op);
    }
  if (root.kind == NestRoot::Kind::store)
    for (Operation *load : pending->loads)
      fits &= !conflicts(root.op, load);
  if (!fits)
    return std::nullopt;
  return stage;
}

void Emitter::flush() {
  if (!pending)
    return;
  Nest nest = std::move(*pending);
  pending.reset();
  pendingStage.clear();
  emitNest(nest);
}

/// The axis along which most accesses are contiguous; the last one in doubt.
unsigned Emitter::chooseLaneAxis(Value value, Operation *store, ArrayRef<int64_t> shape,
                                 unsigned first) {
  size_t rank = shape.size();
  SmallVector<int> votes(rank, 0);
  auto vote = [&](Value view, const Coords &coords) {
    auto type = cast<tile::ViewType>(view.getType());
    for (auto [axis, stride] : llvm::enumerate(type.getStrides()))
      if (stride == 1 && coords[axis].lanes == axisMark)
        ++votes[coords[axis].offset];
  };
  Coords marks = axisMarks(rank);
  if (auto view = dyn_cast_or_null<tile::ViewStoreOp>(store))
    vote(view.getView(), marks);
  walkTree(value, marks, [&](Value node, const Coords &coords) {
    if (auto it = buffers.find(node); it != buffers.end()) {
      if (!coords.empty() && coords.back().lanes == axisMark)
        ++votes[coords.back().offset];
      return false;
    }
    if (auto load = node.getDefiningOp<tile::ViewLoadOp>())
      vote(load.getView(), coords);
    if (auto pointers = node.getDefiningOp<tile::ViewPointersOp>();
        pointers && node == pointers.getPtr())
      vote(pointers.getView(), coords);
    return true;
  });
  int64_t lanes = target.vectorBytes / 4;
  unsigned best = rank - 1;
  for (unsigned axis = first; axis + 1 < rank; ++axis) {
    bool isShort = shape[best] < lanes && shape[best] < shape[axis];
    bool isBetter = votes[axis] > votes[best] && shape[axis] >= std::min(lanes, shape[best]);
    if (isBetter || (isShort && votes[axis] == votes[best]))
      best = axis;
  }
  return best;
}

void Emitter::emitNest(Nest &nest) {
  llvm::SmallPtrSet<Operation *, 8> members;
  for (auto &roots : nest.stages)
    for (NestRoot &root : roots)
      members.insert(root.op ? root.op : root.value.getDefiningOp());
  for (auto &roots : nest.stages)
    for (NestRoot &root : roots) {
      if (root.kind != NestRoot::Kind::keep || root.target.pointer)
        continue;
      // What only this nest reads needs room for one row.
      SmallVector<int64_t> extents(nest.shape.begin(), nest.shape.end());
      bool isLocal = !plan.scratchEverything &&
                     llvm::all_of(facts.roots(root.value),
                                  [&](const Root &user) { return members.contains(user.op); });
      for (size_t axis = 0; isLocal && axis < extents.size(); ++axis)
        if (axis != nest.laneAxis)
          extents[axis] = 1;
      explainPlacement(root, isLocal);
      Type element = root.target.element;
      root.target = allocate(extents, element, nameOf(root.value, "tile"));
      for (size_t axis = 0; isLocal && axis < extents.size(); ++axis)
        if (axis != nest.laneAxis)
          root.target.strides[axis] = 0;
    }
  pushScope();
  Coords coords(nest.shape.size());
  emitRows(nest, 0, coords);
  popScope();
  width = 1;
  testedMasks.clear();
}

void Emitter::emitRows(Nest &nest, unsigned axis, Coords &coords) {
  if (axis == nest.shape.size()) {
    pushScope();
    for (auto &roots : nest.stages) {
      emitStage(nest, roots, coords);
      defineBuffers(roots);
    }
    popScope();
    return;
  }
  auto fixed = nest.fixed.find(axis);
  if (fixed != nest.fixed.end())
    coords[axis] = fixed->second;
  if (fixed != nest.fixed.end() || axis == nest.laneAxis || int(axis) == nest.columnAxis ||
      nest.shape[axis] == 1) {
    emitRows(nest, axis + 1, coords);
    return;
  }
  loop({}, constant(nest.shape[axis]), 1, {}, [&](Value index, ValueRange) {
    coords[axis] = {index, 0, 0};
    emitRows(nest, axis + 1, coords);
    return SmallVector<Value>();
  });
}

void Emitter::defineBuffers(ArrayRef<NestRoot> roots) {
  for (const NestRoot &root : roots)
    if (root.isDefinition)
      buffers[root.value] = root.target;
}

/// How many vectors one step handles, and what keeps it from being more: more registers hide
/// latency, fewer leave room for intermediate values.
std::pair<unsigned, std::string> Emitter::chooseUnroll(const Nest &nest, ArrayRef<NestRoot> roots) {
  if (plan.scratchEverything)
    return {1, "scratch_everything works vector by vector"};
  if (plan.unroll)
    return {plan.unroll, "the schedule asks for it"};
  std::pair<unsigned, std::string> best{8,
                                        "more would not fit the registers beside their operands"};
  auto limit = [&](unsigned unroll, const char *why) {
    if (unroll < best.first)
      best = {unroll, why};
  };
  for (const NestRoot &root : roots) {
    if (root.kind == NestRoot::Kind::reduce && root.op->getNumResults() > 1)
      limit(2, "each vector of a reduction with several results keeps them all in registers");
    unsigned loads = 0;
    for (Value tree : treesOf(root))
      walkTree(tree, axisMarks(nest.shape.size()), [&](Value node, const Coords &) {
        Operation *op = node.getDefiningOp();
        if (op && isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp>(op))
          limit(4, "a function such as exp keeps several values a vector in registers");
        if (isTile(node) && tile::elementTypeOf(node.getType()).isF64())
          limit(4, "values of 64 bits take two registers a vector");
        if (isLoad(op) && ++loads > 2)
          limit(4, "more than two operands are loaded a vector");
        return true;
      });
  }
  return best;
}

/// Lanes that one step handles.
int64_t Emitter::chunkLanes(const Nest &nest, ArrayRef<NestRoot> roots, int64_t extent) {
  auto [unroll, limit] = chooseUnroll(nest, roots);
  explainUnroll(roots, extent, unroll, limit);
  int64_t lanes = std::min<int64_t>(extent, target.vectorBytes / 4 * unroll);
  lanes = std::min<int64_t>(lanes, 128);
  return nest.maxLanes ? std::min(lanes, nest.maxLanes) : lanes;
}

void Emitter::emitStage(Nest &nest, ArrayRef<NestRoot> roots, const Coords &coords) {
  if (roots.front().kind == NestRoot::Kind::scan) {
    emitScanStage(nest, roots.front(), coords);
    return;
  }
  unsigned laneAxis = nest.laneAxis;
  int64_t extent = nest.shape[laneAxis];
  int64_t chunk = chunkLanes(nest, roots, extent);
  // Masks of many lanes are cheap only where they have registers of their own.
  width = target.hasMaskedMemory ? chunk : std::min<int64_t>(chunk, target.vectorBytes / 4);
  unsigned pieces = chunk / width;
  unsigned lanes = width > 1 ? consecutiveLanes(width) : 0;
  auto piecesAt = [&](Coords at, Value base) {
    SmallVector<Coords> result;
    for (unsigned piece = 0; piece < pieces; ++piece) {
      at[laneAxis] = {base, int64_t(piece * width), lanes};
      result.push_back(at);
    }
    return result;
  };
  hoist(nest, roots, coords);
  if (nest.columnAxis >= 0) {
    int64_t depth = nest.shape[nest.columnAxis];
    auto column = [&](Value base) {
      pushScope();
      Coords at = coords;
      SmallVector<Value> sums = accumulateLoop(roots, depth, 1, [&](Value index) {
        at[nest.columnAxis] = {index, 0, 0};
        return piecesAt(at, base);
      });
      finishColumns(roots, piecesAt(coords, base), nest.columnAxis, sums);
      popScope();
    };
    if (chunk == extent) {
      column({});
      return;
    }
    loop({}, constant(extent), chunk, {}, [&](Value base, ValueRange) {
      column(base);
      return SmallVector<Value>();
    });
    return;
  }
  auto at = [&](Value base) { return piecesAt(coords, base); };
  if (llvm::any_of(roots,
                   [](const NestRoot &root) { return root.kind == NestRoot::Kind::reduce; })) {
    SmallVector<Value> sums = accumulateLoop(roots, extent, chunk, at);
    finishLanes(roots, pieces, sums, coords, laneAxis);
    return;
  }
  if (chunk == extent) {
    emitChunk(roots, at({}), {});
    return;
  }
  loop({}, constant(extent), chunk, {},
       [&](Value base, ValueRange) { return emitChunk(roots, at(base), {}); });
}

void Emitter::visitTile(Operation *op, ArrayRef<int64_t> shape, unsigned laneAxis,
                        llvm::function_ref<void(const Coords &)> visit) {
  if (shape.empty()) {
    width = 1;
    pushScope();
    visit({});
    popScope();
    return;
  }
  Nest nest;
  nest.shape.assign(shape.begin(), shape.end());
  nest.laneAxis = laneAxis;
  nest.maxLanes = target.vectorBytes / 4;
  NestRoot root{NestRoot::Kind::visit, op, {}, {}, false, false};
  root.visit = visit;
  nest.stages.push_back({root});
  emitNest(nest);
}

void Emitter::forEachLane(ArrayRef<Piece> pieces, ArrayRef<Type> types,
                          llvm::function_ref<void(Value, ArrayRef<Value>)> body) {
  SmallVector<Value> scalars, lines(pieces.size());
  if (width == 1) {
    for (auto [piece, type] : llvm::zip(pieces, types))
      scalars.push_back(toScalar(piece, type));
    body({}, scalars);
    return;
  }
  int64_t lanes = width;
  for (auto [i, piece] : llvm::enumerate(pieces)) {
    Value all = toVector(piece, types[i]);
    Type memory = memoryType(types[i]);
    lines[i] = scratchPointer(lanes, memory, "lanes");
    LLVM::StoreOp::create(b, loc, convert(all, memory, true), lines[i], unsigned(byteSize(memory)));
  }
  loop({}, constant(lanes), 1, {}, [&](Value lane, ValueRange) {
    width = 1;
    for (auto [line, type] : llvm::zip(lines, types)) {
      Type memory = memoryType(type);
      Value raw =
          LLVM::LoadOp::create(b, loc, memory, gep(line, memory, lane), unsigned(byteSize(memory)));
      scalars.push_back(convert(raw, registerType(type), true));
    }
    body(lane, scalars);
    width = lanes;
    return SmallVector<Value>();
  });
}

/// Evaluates what is the same for a whole row before the loop over its lanes.
void Emitter::hoist(const Nest &nest, ArrayRef<NestRoot> roots, const Coords &coords) {
  if (plan.scratchEverything)
    return;
  Coords marked = coords;
  marked[nest.laneAxis] = {{}, nest.laneAxis, axisMark};
  if (nest.columnAxis >= 0)
    marked[nest.columnAxis] = {{}, nest.columnAxis, axisMark};
  for (const NestRoot &root : roots)
    for (Value tree : treesOf(root))
      walkTree(tree, marked, [&](Value node, const Coords &at) {
        if (!isTile(node))
          return false;
        if (llvm::any_of(at, isMark))
          return true;
        Operation *op = node.getDefiningOp();
        if (op && isa<arith::ConstantOp, tile::SplatOp, tile::ArangeOp>(op))
          return false;
        evaluate(node, at);
        return false;
      });
}

SmallVector<Value> Emitter::emitChunk(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces,
                                      ArrayRef<Value> accumulators) {
  return emitGuarded(roots, pieces, accumulatorTypes(roots, pieces.size()),
                     [&] { return emitRoots(roots, pieces, accumulators); });
}

/// Emits `body` once for pieces inside all bounds and once with masks, or just once where nothing
/// is to be tested.
SmallVector<Value> Emitter::emitGuarded(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces,
                                        TypeRange types,
                                        llvm::function_ref<SmallVector<Value>()> body) {
  pushScope();
  SmallVector<Value> conditions;
  std::set<Key> tested;
  auto collect = [&](Value node, const Coords &at) {
    // What lies the same for all lanes has been read before the loop; one lane is like no other.
    bool isLane =
        width == 1 || llvm::any_of(at, [](const Coord &coord) { return coord.lanes != 0; });
    if (isTile(node) && isLane && !buffers.count(node) && isLoad(node.getDefiningOp()) &&
        tested.insert({node.getAsOpaquePointer(), at}).second)
      conditionsOf(node.getDefiningOp(), at, conditions);
    return true;
  };
  if (!plan.scratchEverything)
    for (const Coords &coords : pieces)
      for (const NestRoot &root : roots) {
        if (root.kind == NestRoot::Kind::store)
          conditionsOf(root.op, coords, conditions);
        for (Value tree : treesOf(root))
          walkTree(tree, coords, collect);
      }
  Value inside;
  llvm::SmallDenseSet<Value> seen;
  for (Value condition : conditions)
    if (seen.insert(condition).second)
      inside = land(inside, condition);
  SmallVector<Value> results;
  if (!inside) {
    results = body();
  } else {
    auto branch = scf::IfOp::create(b, loc, types, inside, true, true);
    OpBuilder::InsertionGuard guard(b);
    for (bool isFast : {true, false}) {
      Block *block = isFast ? branch.thenBlock() : branch.elseBlock();
      if (!block->empty())
        block->getTerminator()->erase();
      b.setInsertionPointToStart(block);
      isInsideBounds = isFast;
      scf::YieldOp::create(b, loc, body());
    }
    isInsideBounds = false;
    results.assign(branch.getResults().begin(), branch.getResults().end());
  }
  popScope();
  return results;
}

SmallVector<Value> Emitter::emitRoots(ArrayRef<NestRoot> roots, ArrayRef<Coords> pieces,
                                      ArrayRef<Value> accumulators) {
  pushScope();
  SmallVector<Value> results;
  for (const NestRoot &root : roots) {
    Location outer = loc;
    loc = root.op ? root.op->getLoc() : root.value.getLoc();
    for (const Coords &coords : pieces) {
      if (root.kind == NestRoot::Kind::store) {
        store(root.op, coords);
        continue;
      }
      if (root.kind == NestRoot::Kind::visit) {
        root.visit(coords);
        continue;
      }
      if (root.kind == NestRoot::Kind::keep) {
        Piece piece = evaluate(root.value, coords);
        write(bufferAddress(root.target, coords), piece, tile::elementTypeOf(root.value.getType()),
              {}, root.isUnsigned);
        continue;
      }
      auto reduce = cast<tile::ReduceOp>(root.op);
      SmallVector<Value> next;
      for (Value source : reduce.getSources())
        next.push_back(lanesOf(evaluate(source, coords), tile::elementTypeOf(source.getType())));
      if (!accumulators.empty()) {
        next = combine(reduce.getCombine(), accumulators.take_front(next.size()), next);
        accumulators = accumulators.drop_front(next.size());
      }
      results.append(next);
    }
    loc = outer;
  }
  popScope();
  return results;
}

} // namespace metile::cpu
