// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outside of a random kernel: arguments and their launch, the grid, statements.

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace metile::fuzz {

Generator::Generator(uint64_t seed, MLIRContext &context)
    : random(seed), b(&context), loc(b.getUnknownLoc()) {
  program.dataSeed = seed;
}

Type Generator::element() {
  switch (random.below(18)) {
  case 0:
    return b.getF16Type();
  case 1:
    return b.getBF16Type();
  case 2:
    return b.getF64Type();
  case 3:
    return b.getI8Type();
  case 4:
    return b.getI16Type();
  case 5:
  case 6:
    return b.getI32Type();
  case 7:
    return b.getI64Type();
  case 8:
    return b.getI1Type();
  case 9:
    return b.getType<Float8E4M3FNType>();
  case 10:
    return b.getType<Float8E5M2Type>();
  default:
    return b.getF32Type();
  }
}

Generator::Shape Generator::shape(unsigned rank, int64_t most) {
  Shape result;
  for (unsigned axis = 0; axis < rank; ++axis) {
    int64_t extent = int64_t(1) << random.below(7);
    while (extent > most)
      extent /= 2;
    most /= extent;
    result.push_back(extent);
  }
  return result;
}

/// The extent of a view that tiles of `extent` walk over: ragged, exact, small or empty.
int64_t Generator::size(int64_t extent) {
  switch (random.below(8)) {
  case 0:
    return extent;
  case 1:
    return extent * random.between(2, 3);
  case 2:
    return random.chance(0.3) ? 0 : 1;
  case 3:
    return std::max<int64_t>(1, extent - 1);
  case 4:
    return extent + 1;
  default:
    return random.pick({2, 3, 5, 7, 11, 13, 17, 31, 37, 53});
  }
}

namespace {
struct Parameter {
  Type type;
  std::string role;
  metile::fuzz::LaunchArgument launch;
};
} // namespace

void Generator::addArguments() {
  SmallVector<Parameter> parameters;
  auto addView = [&](const std::string &name, const char *role, ArrayRef<int64_t> blocks) {
    unsigned rank = std::max<size_t>(blocks.size(), random.between(1, 3));
    Parameter parameter;
    LaunchArgument &launch = parameter.launch;
    Type type = element();
    launch.name = name;
    launch.dtype = tile::dtypeOf(type);
    launch.isInput = StringRef(role) != "out";
    launch.isOutput = StringRef(role) != "in";
    SmallVector<int64_t> sizes, strides;
    for (unsigned axis = 0; axis < rank; ++axis)
      launch.sizes.push_back(size(axis < blocks.size() ? blocks[axis] : 8));
    // Rows that lie apart, another order of axes, or one element for a whole axis.
    SmallVector<unsigned> order = llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, rank)));
    bool isPermuted = rank > 1 && random.chance(0.25);
    if (isPermuted)
      std::swap(order.front(), order[random.between(1, rank - 1)]);
    launch.strides.assign(rank, 0);
    int64_t stride = random.chance(0.1) ? 2 : 1;
    bool isUnit = stride == 1 && !isPermuted;
    for (unsigned axis : order) {
      launch.strides[axis] = stride;
      stride *= std::max<int64_t>(1, launch.sizes[axis]) + (random.chance(0.2) ? 3 : 0);
    }
    if (!launch.isOutput && random.chance(0.08)) {
      launch.strides[random.below(rank)] = 0;
      isUnit &= launch.strides.back() == 1;
    }
    for (unsigned axis = 0; axis < rank; ++axis) {
      sizes.push_back(random.chance(0.15) ? launch.sizes[axis] : ShapedType::kDynamic);
      bool isFact = axis + 1 == rank ? isUnit && random.chance(0.8) : random.chance(0.1);
      strides.push_back(isFact ? launch.strides[axis] : ShapedType::kDynamic);
    }
    parameter.role = role;
    parameter.type = tile::ViewType::get(b.getContext(), sizes, type, strides);
    parameters.push_back(std::move(parameter));
  };
  auto addPointer = [&](const std::string &name, bool isOutput, Type type) {
    Parameter parameter;
    LaunchArgument &launch = parameter.launch;
    launch.name = name;
    launch.kind = LaunchArgument::Kind::pointer;
    launch.dtype = tile::dtypeOf(type);
    launch.sizes = {size(32)};
    launch.strides = {1};
    launch.isInput = true;
    launch.isOutput = isOutput;
    parameter.role = "pointer";
    parameter.type = tile::PtrType::get(type);
    parameters.push_back(std::move(parameter));
    Parameter count;
    count.launch.name = name + "_count";
    count.launch.kind = LaunchArgument::Kind::scalar;
    count.launch.dtype = DType::i64;
    count.launch.value = parameters.back().launch.sizes[0];
    count.type = b.getI64Type();
    parameters.push_back(std::move(count));
  };

  gridRank = random.between(1, 2);
  unsigned inputCount = random.between(1, 3), outputCount = random.between(1, 2);
  SmallVector<Shape> blocks;
  for (unsigned i = 0; i < inputCount; ++i)
    addView("in" + std::to_string(i), "in", {});
  for (unsigned i = 0; i < outputCount; ++i) {
    blocks.push_back(shape(gridRank));
    addView("out" + std::to_string(i), random.chance(0.3) ? "inout" : "out", blocks.back());
  }
  bool hasSource = random.chance(0.5), hasTarget = random.chance(0.3),
       hasCounter = random.chance(0.2);
  if (hasSource)
    addPointer("source", false, element());
  if (hasTarget)
    addPointer("target", true, element());
  if (hasCounter)
    addPointer("counter", true, random.chance(0.7) ? b.getI32Type() : b.getI64Type());
  unsigned scalarCount = random.between(0, 2);
  for (unsigned i = 0; i < scalarCount; ++i) {
    Parameter parameter;
    parameter.type = random.chance(0.5) ? Type(b.getI64Type()) : Type(b.getF32Type());
    parameter.launch.name = "scalar" + std::to_string(i);
    parameter.launch.kind = LaunchArgument::Kind::scalar;
    parameter.launch.dtype = tile::dtypeOf(parameter.type);
    parameter.launch.value = random.between(-3, 20);
    parameters.push_back(std::move(parameter));
  }

  SmallVector<Type> types;
  for (Parameter &parameter : parameters)
    types.push_back(parameter.type);
  kernel = func::FuncOp::create(b, loc, "fuzzed", b.getFunctionType(types, {}));
  kernel->setAttr(tile::kernelAttrName, b.getUnitAttr());
  Block *entry = kernel.addEntryBlock();
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    kernel.setArgAttr(number, tile::nameAttrName, b.getStringAttr(parameter.launch.name));
    if (!parameter.role.empty())
      kernel.setArgAttr(number, tile::roleAttrName, b.getStringAttr(parameter.role));
    program.arguments.push_back(parameter.launch);
  }
  b.setInsertionPointToStart(entry);
  for (unsigned i = 0; i < inputCount; ++i)
    inputs.push_back(entry->getArgument(i));
  for (unsigned i = 0; i < outputCount; ++i)
    outputs.push_back({entry->getArgument(inputCount + i), blocks[i],
                       parameters[inputCount + i].role == "inout"});
  unsigned next = inputCount + outputCount;
  auto takePointer = [&](SmallVector<Pointer> &into) {
    into.push_back({entry->getArgument(next), entry->getArgument(next + 1)});
    indices.push_back(entry->getArgument(next + 1));
    next += 2;
  };
  if (hasSource)
    takePointer(sources);
  if (hasTarget)
    takePointer(targets);
  if (hasCounter)
    takePointer(counters);
  for (; next < entry->getNumArguments(); ++next)
    scope.push_back(entry->getArgument(next));
}

void Generator::declareGrid() {
  const Output &first = outputs.front();
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < gridRank; ++axis) {
    Value extent = tile::ViewSizeOp::create(b, loc, first.view, axis);
    extents.push_back(tile::DivOp::create(b, loc, b.getI64Type(), extent, index(first.block[axis]),
                                          tile::Rounding::Ceil, false));
  }
  tile::GridOp::create(b, loc, extents, random.chance(0.5));
  for (unsigned axis = 0; axis < gridRank; ++axis) {
    programIds.push_back(tile::ProgramIdOp::create(b, loc, b.getI64Type(), axis));
    indices.push_back(programIds.back());
  }
}

void Generator::store() {
  Output &output = random.pick(outputs);
  auto type = cast<tile::ViewType>(output.view.getType());
  Shape extents = output.block;
  SmallVector<Value> offsets;
  for (auto [axis, extent] : llvm::enumerate(output.block))
    offsets.push_back(arith::MulIOp::create(b, loc, programIds[axis], index(extent)));
  for (unsigned axis = output.block.size(); axis < type.getRank(); ++axis) {
    extents.push_back(shape(1, 16)[0]);
    offsets.push_back(offset(extents.back()));
  }
  Value value = grow(RankedTensorType::get(extents, type.getElementType()), 4);
  tile::ViewStoreOp::create(b, loc, value, output.view, offsets, DenseBoolArrayAttr());
  // What a program wrote it may read again.
  if (output.isReadable && random.chance(0.5))
    scope.push_back(tile::ViewLoadOp::create(b, loc, value.getType(), output.view, offsets, Value(),
                                             DenseBoolArrayAttr()));
}

/// A number that no other program has: that of the program, x fastest.
static Value programNumber(OpBuilder &b, mlir::Location loc, ArrayRef<Value> ids) {
  Value number = ids[0];
  if (ids.size() > 1) {
    Value width = tile::NumProgramsOp::create(b, loc, b.getI64Type(), 0);
    number = arith::AddIOp::create(b, loc, number, arith::MulIOp::create(b, loc, ids[1], width));
  }
  return number;
}

void Generator::storeThroughPointer() {
  const Pointer &target = random.pick(targets);
  Type element = cast<tile::PtrType>(target.pointer.getType()).getElementType();
  // One block size for all stores, so that those of two programs never meet.
  int64_t extent = 8;
  auto indexType = RankedTensorType::get({extent}, b.getI64Type());
  auto pointerType = RankedTensorType::get({extent}, target.pointer.getType());
  Value start = arith::MulIOp::create(b, loc, programNumber(b, loc, programIds), index(extent));
  Value at = arith::AddIOp::create(b, loc, tile::SplatOp::create(b, loc, indexType, start),
                                   tile::ArangeOp::create(b, loc, indexType, 0));
  Value mask = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at,
                                     tile::SplatOp::create(b, loc, indexType, target.count));
  if (random.chance(0.3))
    mask = arith::AndIOp::create(b, loc, mask,
                                 grow(RankedTensorType::get({extent}, b.getI1Type()), 2));
  Value pointers = tile::AddPtrOp::create(
      b, loc, pointerType, tile::SplatOp::create(b, loc, pointerType, target.pointer), at);
  tile::StoreOp::create(b, loc, pointers, grow(RankedTensorType::get({extent}, element), 4), mask);
}

/// Integers only, and the old value goes nowhere: the result is the same in every order.
void Generator::updateAtomically() {
  const Pointer &counter = random.pick(counters);
  Type element = cast<tile::PtrType>(counter.pointer.getType()).getElementType();
  Shape extents = shape(random.between(1, 2), 32);
  auto indexType = RankedTensorType::get(extents, b.getI64Type());
  auto pointerType = RankedTensorType::get(extents, counter.pointer.getType());
  Value at = grow(indexType, 3);
  Value zeros = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(indexType)));
  Value count = tile::SplatOp::create(b, loc, indexType, counter.count);
  Value notBelow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at, zeros);
  Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, count);
  Value inside = arith::AndIOp::create(b, loc, notBelow, below);
  Value pointers = tile::AddPtrOp::create(
      b, loc, pointerType, tile::SplatOp::create(b, loc, pointerType, counter.pointer), at);
  // Kinds do not commute with one another.
  tile::AtomicKind kind =
      random.pick({tile::AtomicKind::Add, tile::AtomicKind::Max, tile::AtomicKind::Min,
                   tile::AtomicKind::And, tile::AtomicKind::Or, tile::AtomicKind::Xor});
  auto order = random.pick({tile::MemoryOrder::Relaxed, tile::MemoryOrder::AcqRel});
  tile::AtomicRmwOp::create(b, loc, kind, /*isUnsigned=*/false, order, pointers,
                            grow(RankedTensorType::get(extents, element), 3), inside);
  counters.clear();
}

SmallVector<Value> Generator::someInScope(unsigned most) {
  SmallVector<Value> found;
  for (unsigned i = 0; i < most && !scope.empty(); ++i)
    found.push_back(random.pick(scope));
  return found;
}

SmallVector<Value> Generator::likes(ArrayRef<Value> like) {
  SmallVector<Value> values;
  for (Value value : like)
    values.push_back(grow(value.getType(), 2));
  return values;
}

void Generator::forLoop(unsigned depth) {
  int64_t step = int64_t(1) << random.below(5);
  Value low = index(random.chance(0.8) ? 0 : random.between(-2, 5));
  Value high = random.chance(0.3) && !inputs.empty()
                   ? Value(tile::ViewSizeOp::create(b, loc, random.pick(inputs), 0))
                   : index(step * random.between(0, 3) + random.below(2));
  SmallVector<Value> initial = someInScope(random.between(0, 3));
  auto loop = scf::ForOp::create(b, loc, low, high, index(step), initial);
  OpBuilder::InsertionGuard guard(b);
  if (initial.empty())
    loop.getBody()->getTerminator()->erase();
  b.setInsertionPointToStart(loop.getBody());
  size_t outerScope = scope.size(), outerIndices = indices.size();
  indices.push_back(loop.getInductionVar());
  SmallVector<Value> carried(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  llvm::append_range(scope, carried);
  statements(depth - 1, random.between(0, 2));
  scf::YieldOp::create(b, loc, likes(carried));
  scope.truncate(outerScope);
  indices.truncate(outerIndices);
  llvm::append_range(scope, loop.getResults());
}

void Generator::whileLoop(unsigned depth) {
  SmallVector<Value> initial = someInScope(random.between(0, 2));
  initial.insert(initial.begin(), index(random.between(0, 3)));
  SmallVector<Type> types(ValueRange(initial).getTypes());
  auto loop = scf::WhileOp::create(b, loc, types, initial);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<mlir::Location> locations(types.size(), loc);
  size_t outer = scope.size();

  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
  SmallVector<Value> forwarded(before->getArguments().begin(), before->getArguments().end());
  llvm::append_range(scope, ArrayRef<Value>(forwarded).drop_front());
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, forwarded[0], index(0));
  if (random.chance(0.4))
    more = arith::AndIOp::create(b, loc, more, grow(b.getI1Type(), 2));
  scf::ConditionOp::create(b, loc, more, forwarded);
  scope.truncate(outer);

  Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
  SmallVector<Value> carried(after->getArguments().begin(), after->getArguments().end());
  llvm::append_range(scope, ArrayRef<Value>(carried).drop_front());
  statements(depth - 1, random.between(0, 1));
  SmallVector<Value> next = likes(ArrayRef<Value>(carried).drop_front());
  next.insert(next.begin(), arith::SubIOp::create(b, loc, carried[0], index(1)));
  scf::YieldOp::create(b, loc, next);
  scope.truncate(outer);
  llvm::append_range(scope, loop.getResults().drop_front());
}

void Generator::branch(unsigned depth) {
  SmallVector<Value> like = someInScope(random.between(0, 2));
  Value condition = grow(b.getI1Type(), 2);
  auto branch = scf::IfOp::create(b, loc, ValueRange(like).getTypes(), condition, true, true);
  OpBuilder::InsertionGuard guard(b);
  size_t outer = scope.size();
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    if (!block->empty())
      block->getTerminator()->erase();
    b.setInsertionPointToStart(block);
    statements(depth - 1, random.between(0, 2));
    scf::YieldOp::create(b, loc, likes(like));
    scope.truncate(outer);
  }
  llvm::append_range(scope, branch.getResults());
}

void Generator::statements(unsigned depth, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    switch (random.below(10)) {
    case 0:
    case 1:
      if (depth > 0)
        forLoop(depth);
      break;
    case 2:
      if (depth > 0)
        branch(depth);
      break;
    case 3:
      if (depth > 0 && random.chance(0.4))
        whileLoop(depth);
      break;
    case 4:
      if (!targets.empty())
        storeThroughPointer();
      break;
    case 5:
      if (!counters.empty())
        updateAtomically();
      break;
    case 6:
    case 7:
      store();
      break;
    default:
      scope.push_back(grow(RankedTensorType::get(shape(random.between(1, 3)), element()), 3));
    }
}

Program Generator::run() {
  program.module = ModuleOp::create(loc);
  b.setInsertionPointToStart(program.module->getBody());
  program.hasSpecials = random.chance(0.25);
  addArguments();
  declareGrid();
  statements(2, random.between(1, 4));
  store();
  func::ReturnOp::create(b, loc);
  for (const char *schedule :
       {"scratch_everything=true", "unroll=1", "unroll=2", "repack=none", "register_tile=2x16"})
    if (random.chance(0.2))
      program.schedules.push_back(schedule);
  return std::move(program);
}

Program generate(uint64_t seed, MLIRContext &context) { return Generator(seed, context).run(); }

} // namespace metile::fuzz
