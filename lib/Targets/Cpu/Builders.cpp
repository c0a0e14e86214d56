// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/Emitter.h"

using namespace mlir;

namespace metile::cpu {

Value Emitter::constant(Type type, TypedAttr attr) {
  Value &known = constants[{type, attr}];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    known = arith::ConstantOp::create(b, loc, attr);
  }
  return known;
}

Value Emitter::constant(int64_t value) { return constant(i64, b.getI64IntegerAttr(value)); }

Value Emitter::zero(Type type) {
  if (isa<LLVM::LLVMPointerType>(type)) {
    OpBuilder::InsertionGuard guard(b);
    return LLVM::ZeroOp::create(b, loc, type);
  }
  return constant(type, cast<TypedAttr>(b.getZeroAttr(type)));
}

static std::optional<int64_t> constantOf(Value value) {
  if (!value)
    return 0;
  if (auto op = value.getDefiningOp<arith::ConstantOp>())
    if (auto attr = dyn_cast<IntegerAttr>(op.getValue()))
      return attr.getInt();
  return std::nullopt;
}

Value Emitter::add(Value lhs, Value rhs) {
  auto left = constantOf(lhs), right = constantOf(rhs);
  if (left && right)
    return constant(*left + *right);
  if (left == 0)
    return rhs;
  if (right == 0)
    return lhs;
  return arith::AddIOp::create(b, loc, lhs, rhs);
}

Value Emitter::sub(Value lhs, Value rhs) {
  auto left = constantOf(lhs), right = constantOf(rhs);
  if (left && right)
    return constant(*left - *right);
  if (right == 0)
    return lhs;
  return arith::SubIOp::create(b, loc, lhs ? lhs : constant(0), rhs);
}

Value Emitter::mul(Value lhs, Value rhs) {
  auto left = constantOf(lhs), right = constantOf(rhs);
  if (left && right)
    return constant(*left * *right);
  if (left == 0 || right == 0)
    return constant(0);
  if (left == 1)
    return rhs;
  if (right == 1)
    return lhs;
  return arith::MulIOp::create(b, loc, lhs, rhs);
}

Value Emitter::land(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(b, loc, lhs, rhs);
}

Value Emitter::compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs ? lhs : constant(0), rhs ? rhs : constant(0));
}

Type Emitter::registerType(Type element) const {
  return isa<tile::PtrType>(element) ? pointerType : element;
}

Type Emitter::memoryType(Type element) const {
  if (isa<tile::PtrType, LLVM::LLVMPointerType>(element))
    return i64;
  return element == i1 || tile::isFloat8(element) ? i8 : element;
}

int64_t Emitter::byteSize(Type memory) const {
  return isa<LLVM::LLVMPointerType>(memory) ? 8 : memory.getIntOrFloatBitWidth() / 8;
}

VectorType Emitter::vectorOf(Type element, int64_t lanes) const {
  return VectorType::get({lanes}, registerType(element));
}

Value Emitter::splat(Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(b, loc, vectorOf(scalar.getType(), lanes), scalar);
}

/// The lanes of a vector from the last to the first.
Value Emitter::reversed(Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  SmallVector<int64_t> backwards = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, lanes)));
  return vector::ShuffleOp::create(b, loc, vector, vector, backwards);
}

Value Emitter::table(Type element, ArrayRef<int64_t> values) {
  VectorType type = vectorOf(element, values.size());
  SmallVector<APInt> numbers;
  for (int64_t value : values)
    numbers.emplace_back(element.getIntOrFloatBitWidth(), uint64_t(value), false, true);
  return constant(type, DenseElementsAttr::get(type, numbers));
}

Value Emitter::toVector(const Piece &piece, Type element) {
  if (piece.pointer) {
    Type pointee = isa<tile::PtrType>(element)
                       ? memoryType(cast<tile::PtrType>(element).getElementType())
                       : i8;
    return pointerVector({pointee,
                          piece.pointer,
                          {piece.kind, piece.value, piece.stride, piece.strideValue, Value()}});
  }
  if (piece.kind == Piece::Kind::vector)
    return piece.value;
  if (piece.kind == Piece::Kind::uniform) {
    Value value = piece.value ? piece.value : zero(registerType(element));
    if (auto op = value.getDefiningOp<arith::ConstantOp>()) {
      VectorType type = vectorOf(value.getType(), width);
      return constant(type, DenseElementsAttr::get(type, Attribute(op.getValue())));
    }
    return splat(value, width);
  }
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < width; ++lane)
    lanes.push_back(piece.strideValue ? lane : lane * piece.stride);
  Value steps = table(i64, lanes);
  if (piece.strideValue)
    steps = arith::MulIOp::create(b, loc, steps, splat(piece.strideValue, width));
  if (constantOf(piece.value) == 0)
    return steps;
  return arith::AddIOp::create(b, loc, splat(piece.value, width), steps);
}

Value Emitter::gep(Value pointer, Type element, Value index) {
  if (auto number = constantOf(index))
    return gep(pointer, element, *number);
  return LLVM::GEPOp::create(b, loc, pointerType, element, pointer, ValueRange{index});
}

Value Emitter::gep(Value pointer, Type element, int64_t index) {
  if (index == 0)
    return pointer;
  if (index != int32_t(index))
    return LLVM::GEPOp::create(b, loc, pointerType, element, pointer, ValueRange{constant(index)});
  return LLVM::GEPOp::create(b, loc, pointerType, element, pointer,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

/// Changes the element type of a scalar or vector without loss.
Value Emitter::convert(Value value, Type to, bool isUnsigned) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == to)
    return value;
  Type type = to;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vectorOf(to, vector.getNumElements());
  if (isa<LLVM::LLVMPointerType>(from))
    return LLVM::PtrToIntOp::create(b, loc, type, value);
  if (isa<LLVM::LLVMPointerType>(to))
    return LLVM::IntToPtrOp::create(b, loc, type, value);
  if ((tile::isFloat8(from) && to == i8) || (from == i8 && tile::isFloat8(to)))
    return arith::BitcastOp::create(b, loc, type, value);
  if (to == i1)
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero(value.getType()));
  if (isa<FloatType>(to) && isa<FloatType>(from))
    return arith::ExtFOp::create(b, loc, type, value);
  if (isUnsigned || from == i1)
    return arith::ExtUIOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

int64_t ScratchArena::allocate(int64_t bytes) {
  int64_t offset = (top + 63) / 64 * 64;
  top = offset + bytes;
  peak = std::max(peak, top);
  return offset;
}

Value Emitter::scratchPointer(int64_t elements, Type memory, const Twine &name) {
  int64_t bytes = elements * byteSize(memory);
  int64_t offset = arena.allocate(bytes);
  std::string unique = name.str();
  if (unsigned count = usedNames[unique]++)
    unique += "_" + std::to_string(count);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  Value pointer = LLVM::GEPOp::create(b, loc, pointerType, i8, entryPoint,
                                      ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  pointer.getDefiningOp()->setAttr(
      allocationMark,
      b.getDictionaryAttr({b.getNamedAttr("name", b.getStringAttr(unique)),
                           b.getNamedAttr("element_type", TypeAttr::get(memory)),
                           b.getNamedAttr("elements", b.getI64IntegerAttr(elements))}));
  return pointer;
}

Buffer Emitter::allocate(ArrayRef<int64_t> shape, Type element, const Twine &name) {
  Buffer buffer;
  buffer.element = element;
  buffer.strides.resize(shape.size());
  int64_t elements = 1;
  for (int axis = int(shape.size()) - 1; axis >= 0; --axis) {
    buffer.strides[axis] = elements;
    elements *= shape[axis];
  }
  buffer.pointer = scratchPointer(elements, memoryType(element), name);
  return buffer;
}

/// The name the location carries, made an identifier.
std::string Emitter::nameOf(Value value, StringRef fallback) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    if (!name.getName().empty())
      return name.getName().str();
  return fallback.str();
}

} // namespace metile::cpu
