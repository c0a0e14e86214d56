// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of lazy tile values, a piece at a time.

#include "Targets/Cpu/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace metile::cpu {

void Emitter::report(Operation *op, const Twine &message) {
  if (!failed)
    op->emitError("CPU lowering: ") << message;
  failed = true;
}

Piece Emitter::fail(Operation *op, const Twine &message, Type element) {
  report(op, message);
  Piece piece;
  // Any value of the right type will do: the function is thrown away.
  if (isa<tile::PtrType>(element))
    piece.pointer = zero(pointerType);
  else
    piece.value = zero(element);
  return piece;
}

Value Emitter::scalarOf(Value value) {
  if (auto it = scalars.find(value); it != scalars.end())
    return it->second;
  if (pendingStage.count(value))
    flush();
  if (auto it = scalars.find(value); it != scalars.end())
    return it->second;
  Operation *op =
      value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
  Piece piece = fail(op, "no value for " + Twine("a scalar used here"), value.getType());
  return piece.pointer ? piece.pointer : piece.value;
}

Value Emitter::toScalar(const Piece &piece, Type element) {
  if (!piece.pointer)
    return piece.value ? piece.value : zero(element);
  Type pointee = memoryType(cast<tile::PtrType>(element).getElementType());
  return gep(piece.pointer, pointee, piece.value);
}

/// All lanes: a vector, or a scalar where a piece has a single lane.
Value Emitter::lanesOf(const Piece &piece, Type element) {
  return width == 1 ? toScalar(piece, element) : toVector(piece, element);
}

Piece Emitter::coordPiece(const Coord &coord, int64_t start) {
  Piece piece;
  ArrayRef<int64_t> lanes = lanesOf(coord.lanes);
  std::optional<int64_t> stride = strideOf(lanes);
  int64_t first = stride && !lanes.empty() ? lanes.front() : 0;
  piece.value = add(coord.base, constant(coord.offset + start + first));
  if (!coord.lanes)
    return piece;
  if (stride) {
    piece.kind = Piece::Kind::affine;
    piece.stride = *stride;
    return piece;
  }
  piece.value = arith::AddIOp::create(b, loc, splat(piece.value, width), table(i64, lanes));
  piece.kind = Piece::Kind::vector;
  return piece;
}

static Value strideValueOf(const Piece &piece, Value constant) {
  return piece.strideValue ? piece.strideValue : constant;
}

Piece Emitter::addPieces(const Piece &lhs, const Piece &rhs) {
  if (lhs.kind == Piece::Kind::vector || rhs.kind == Piece::Kind::vector) {
    if (lhs.isUniform() && !lhs.value)
      return rhs;
    if (rhs.isUniform() && !rhs.value)
      return lhs;
    Piece sum;
    sum.kind = Piece::Kind::vector;
    sum.value = arith::AddIOp::create(b, loc, toVector(lhs, i64), toVector(rhs, i64));
    return sum;
  }
  Piece sum;
  sum.value = add(lhs.value, rhs.value);
  if (lhs.isUniform() && rhs.isUniform())
    return sum;
  sum.kind = Piece::Kind::affine;
  if (lhs.strideValue || rhs.strideValue) {
    sum.strideValue = add(lhs.isUniform() ? Value() : strideValueOf(lhs, constant(lhs.stride)),
                          rhs.isUniform() ? Value() : strideValueOf(rhs, constant(rhs.stride)));
    return sum;
  }
  sum.stride = (lhs.isUniform() ? 0 : lhs.stride) + (rhs.isUniform() ? 0 : rhs.stride);
  if (sum.stride == 0)
    sum.kind = Piece::Kind::uniform;
  return sum;
}

Piece Emitter::addPointer(Piece pointer, Piece offset) {
  if (offset.value && getElementTypeOrSelf(offset.value.getType()) != i64)
    offset.value = convert(offset.value, i64, false);
  Value base = pointer.pointer;
  pointer.pointer = {};
  Piece sum = addPieces(pointer, offset);
  sum.pointer = base;
  return sum;
}

/// Index arithmetic is exact modulo 2^64, so sums and products with a shared factor keep their
/// form.
std::optional<Piece> Emitter::affine(Operation *op, const Piece &lhs, const Piece &rhs) {
  if (tile::elementTypeOf(op->getResult(0).getType()) != i64 || lhs.pointer || rhs.pointer ||
      lhs.kind == Piece::Kind::vector || rhs.kind == Piece::Kind::vector)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return addPieces(lhs, rhs);
  auto scaled = [&](const Piece &piece, Value factor) {
    Piece product = piece;
    product.value = mul(piece.value, factor);
    if (piece.isUniform())
      return product;
    auto number = factor.getDefiningOp<arith::ConstantOp>();
    if (number && !piece.strideValue) {
      product.stride = piece.stride * cast<IntegerAttr>(number.getValue()).getInt();
      if (product.stride == 0)
        product.kind = Piece::Kind::uniform;
    } else {
      product.strideValue = mul(strideValueOf(piece, constant(piece.stride)), factor);
    }
    return product;
  };
  if (isa<arith::SubIOp>(op)) {
    if (lhs.isUniform() && rhs.isUniform()) {
      Piece difference;
      difference.value = sub(lhs.value, rhs.value);
      return difference;
    }
    return addPieces(lhs, scaled(rhs, constant(-1)));
  }
  if (isa<arith::MulIOp>(op) && rhs.isUniform())
    return scaled(lhs, rhs.value);
  if (isa<arith::MulIOp>(op) && lhs.isUniform())
    return scaled(rhs, lhs.value);
  return std::nullopt;
}

static bool isNarrowFloat(Type type) { return type.isF16() || type.isBF16(); }

/// Arithmetic on narrow floats is done in f32 and rounded once.
static bool widensNarrowFloats(Operation *op) {
  return !isa<arith::ExtFOp, arith::TruncFOp, arith::SelectOp, arith::BitcastOp, tile::RoundOp,
              tile::FromIntOp>(op);
}

/// A piece whose value holds the addresses themselves, put in the form of pointers.
static Piece addressed(Piece piece, Type element) {
  if (!isa<tile::PtrType>(element))
    return piece;
  piece.pointer = std::exchange(piece.value, {});
  piece.kind = Piece::Kind::uniform;
  return piece;
}

Piece Emitter::elementwise(Operation *op, ArrayRef<Piece> operands, Type resultElement) {
  if (isa<tile::AddPtrOp>(op))
    return addPointer(operands[0], operands[1]);
  if (operands.size() == 2)
    if (auto piece = affine(op, operands[0], operands[1]))
      return *piece;
  bool isVector = llvm::any_of(operands, [](const Piece &piece) {
    return !piece.isUniform() || (piece.pointer && isa<VectorType>(piece.pointer.getType()));
  });
  bool widens = widensNarrowFloats(op);
  SmallVector<Value> values;
  for (auto [i, piece] : llvm::enumerate(operands)) {
    Type element = tile::elementTypeOf(op->getOperand(i).getType());
    bool isCondition = isa<arith::SelectOp>(op) && i == 0 && piece.isUniform();
    Value value = isVector && !isCondition ? toVector(piece, element) : toScalar(piece, element);
    if (widens && isNarrowFloat(element))
      value = convert(value, f32, false);
    values.push_back(value);
  }
  Type element = registerType(resultElement);
  bool rounds = widens && isNarrowFloat(element);
  auto typeOf = [&](Type scalar) { return isVector ? Type(vectorOf(scalar, width)) : scalar; };
  Operation *copy = op->cloneWithoutRegions();
  copy->setLoc(loc);
  copy->setOperands(values);
  copy->getResult(0).setType(typeOf(rounds ? f32 : element));
  b.insert(copy);
  Piece piece;
  piece.kind = isVector ? Piece::Kind::vector : Piece::Kind::uniform;
  piece.value = copy->getResult(0);
  if (rounds)
    piece.value = tile::RoundOp::create(b, loc, typeOf(element), piece.value);
  return addressed(piece, resultElement);
}

Piece Emitter::evaluateConstant(arith::ConstantOp op, const Coords &coords) {
  auto dense = cast<DenseElementsAttr>(op.getValue());
  Piece piece;
  if (dense.isSplat()) {
    auto scalar = cast<TypedAttr>(dense.getSplatValue<Attribute>());
    piece.value = constant(scalar.getType(), scalar);
    return piece;
  }
  // A table in the program's constant data.
  Type element = dense.getElementType(), memory = memoryType(element);
  Buffer buffer;
  buffer.element = element;
  ArrayRef<int64_t> shape = tile::shapeOf(op.getType());
  buffer.strides.resize(shape.size());
  int64_t elements = 1;
  for (int axis = int(shape.size()) - 1; axis >= 0; --axis) {
    buffer.strides[axis] = elements;
    elements *= shape[axis];
  }
  auto module = kernel->getParentOfType<ModuleOp>();
  std::string symbol;
  for (unsigned i = 0; symbol.empty() || module.lookupSymbol(symbol); ++i)
    symbol = (kernel.getName() + "_table" + Twine(i)).str();
  auto flat = dense.reshape(RankedTensorType::get({elements}, element));
  Attribute data = flat;
  if (element == i1) {
    SmallVector<int8_t> bytes;
    for (bool bit : flat.getValues<bool>())
      bytes.push_back(bit);
    data = DenseElementsAttr::get(RankedTensorType::get({elements}, i8), ArrayRef<int8_t>(bytes));
  }
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto global = LLVM::GlobalOp::create(b, op.getLoc(), LLVM::LLVMArrayType::get(memory, elements),
                                         true, LLVM::Linkage::Internal, symbol, data);
    b.setInsertionPointToStart(entry);
    buffer.pointer = LLVM::AddressOfOp::create(b, op.getLoc(), global);
  }
  buffers[op.getResult()] = buffer;
  return read(bufferAddress(buffer, coords), element, {}, nullptr);
}

/// Which side an element comes from is known for each lane, unless the last axis is looped over.
Piece Emitter::evaluateJoin(tile::JoinOp op, const Coords &coords) {
  Coords inner(coords.begin(), coords.end() - 1);
  const Coord &side = coords.back();
  if (!side.base && !side.lanes)
    return evaluate(side.offset ? op.getRhs() : op.getLhs(), inner);
  Type element = tile::elementTypeOf(op.getType());
  Piece lhs = evaluate(op.getLhs(), inner), rhs = evaluate(op.getRhs(), inner);
  Value isRight = side.lanes ? table(i1, lanesOf(side.lanes))
                             : compare(arith::CmpIPredicate::ne, coordValue(side), constant(0));
  Value chosen =
      arith::SelectOp::create(b, loc, isRight, lanesOf(rhs, element), lanesOf(lhs, element));
  return addressed(Piece::lanes(chosen), element);
}

/// The source lies in scratch; lanes whose index names no element of it read nothing.
Piece Emitter::evaluateGather(tile::GatherOp op, const Coords &coords) {
  Type element = tile::elementTypeOf(op.getType());
  auto source = buffers.find(op.getSource());
  if (source == buffers.end())
    return fail(op, "the source is not kept", element);
  unsigned axis = op.getAxis();
  Coords line = coords;
  line[axis] = {};
  Address address = bufferAddress(source->second, line);
  int64_t extent = tile::shapeOf(op.getSource().getType())[axis];
  int64_t stride = source->second.strides[axis];
  Piece index = evaluate(op.getIndex(), coords);
  Mask inside;
  if (index.isUniform()) {
    inside.scalar = compare(arith::CmpIPredicate::ult, index.value, constant(extent));
    index.value = mul(index.value, constant(stride));
  } else {
    Value lanes = toVector(index, i64);
    inside.vector = compare(arith::CmpIPredicate::ult, lanes, splat(constant(extent), width));
    index = Piece::lanes(arith::MulIOp::create(b, loc, lanes, splat(constant(stride), width)));
  }
  address.offset = addPieces(address.offset, index);
  return read(address, element, inside, nullptr);
}

Piece Emitter::evaluate(Value value, const Coords &coords) {
  if (!isTile(value)) {
    Piece piece;
    if (isa<tile::PtrType>(value.getType()))
      piece.pointer = scalarOf(value);
    else
      piece.value = scalarOf(value);
    return piece;
  }
  Key key{value.getAsOpaquePointer(), coords};
  for (auto &scope : llvm::reverse(scopes))
    if (auto it = scope.find(key); it != scope.end())
      return it->second;
  Piece piece = evaluateNew(value, coords);
  scopes.back()[key] = piece;
  return piece;
}

Piece Emitter::evaluateNew(Value value, const Coords &coords) {
  Type element = tile::elementTypeOf(value.getType());
  if (auto it = buffers.find(value); it != buffers.end())
    return read(bufferAddress(it->second, coords), element, {}, nullptr);
  if (auto it = shifted.find(value); it != shifted.end()) {
    Piece step;
    step.value = it->second.second;
    Piece first = evaluate(it->second.first, coords);
    return first.pointer ? addPointer(first, step) : addPieces(first, step);
  }
  Operation *op = value.getDefiningOp();
  if (!op || !isLazy(op))
    return fail(op ? op : value.getParentBlock()->getParentOp(), "no value for a tile used here",
                element);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return evaluateConstant(constant, coords);
  if (auto arange = dyn_cast<tile::ArangeOp>(op))
    return coordPiece(coords[0], arange.getStart());
  if (isa<tile::LoadOp, tile::ViewLoadOp>(op))
    return load(op, coords);
  if (auto join = dyn_cast<tile::JoinOp>(op))
    return evaluateJoin(join, coords);
  if (auto gather = dyn_cast<tile::GatherOp>(op))
    return evaluateGather(gather, coords);
  if (auto pointers = dyn_cast<tile::ViewPointersOp>(op)) {
    if (value == pointers.getInside())
      return maskPiece(edgeMask(op, coords));
    Address address = viewAddress(views[pointers.getView()], pointers.getOffsets(), coords);
    address.offset.pointer = address.pointer;
    return address.offset;
  }
  SmallVector<Piece, 3> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Coords inner;
    if (!operandCoords(value, i, coords, inner) && !isa<tile::SplatOp>(op))
      return fail(op, "no rule for this operation", element);
    operands.push_back(evaluate(op->getOperand(i), inner));
  }
  return isElementwise(op) ? elementwise(op, operands, element) : operands[0];
}

} // namespace metile::cpu
