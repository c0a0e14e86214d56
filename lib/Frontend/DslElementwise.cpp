// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, comparisons, math and conversions.
#include "Frontend/DslAccess.h"

using namespace metile;
using detail::Access;
using detail::BinaryOp;
using detail::UnaryOp;

static ValueId unaryValue(Op &op, UnaryOp code, ValueId v) {
  if (op.isPoison(v) || !op.isNumber(v, nameOf(code)))
    return poisonValue;
  v = op.cast(v, infer::arithmeticType(op.type(v).dtype));
  TraceType type = op.type(v);
  std::string found = std::string(nameOf(code)) + " of " + type.str();
  bool isBool = type.dtype == DType::boolean;
  switch (code) {
  case UnaryOp::negate:
  case UnaryOp::abs:
    if (isBool)
      return op.fail(found, "it takes integers and floats", "cast the bool first");
    if (code == UnaryOp::abs && !isSigned(type.dtype))
      return v;
    break;
  case UnaryOp::bitNot:
    if (isFloat(type.dtype))
      return op.fail(found, "bit operations take integers and bool", "cast or bitcast it first");
    break;
  case UnaryOp::logicalNot:
    if (!isBool)
      return op.fail(found, "logical operations take bool", "compare it: x == 0");
    break;
  default:
    if (!isFloat(type.dtype))
      return op.fail(found, "it takes floats", "cast it: cast(x, f32)");
  }
  return op.emit(TraceOp::unary, std::move(type), {v}, {int64_t(code)});
}

Tile detail::unary(UnaryOp code, const Operand &operand, metile::nan) {
  Op op(Access::placeOf(operand));
  return Access::make(op ? unaryValue(op, code, op.value(operand, DType::f32)) : poisonValue);
}

static bool isComparison(BinaryOp op) { return op >= BinaryOp::eq && op <= BinaryOp::ge; }

/// pointer + offset, offset + pointer, pointer - offset.
static ValueId pointerArithmetic(Op &op, BinaryOp code, ValueId a, ValueId b) {
  bool left = op.type(a).isPointer(), right = op.type(b).isPointer();
  std::string found = op.type(a).str() + " " + nameOf(code) + " " + op.type(b).str();
  if (left == right || (code != BinaryOp::add && code != BinaryOp::sub) ||
      (right && code == BinaryOp::sub))
    return op.fail(found, "a pointer takes integers: p + i, i + p, p - i",
                   "load the element first if you mean its value");
  ValueId pointer = left ? a : b, offset = left ? b : a;
  if (!op.type(offset).isNumber() || !isInteger(op.type(offset).dtype))
    return op.fail(found, "a pointer advances by integers", "cast the offset to i64");
  offset = op.cast(offset, DType::i64);
  if (code == BinaryOp::sub)
    offset = unaryValue(op, UnaryOp::negate, offset);
  if (!op.unify({&pointer, &offset}))
    return poisonValue;
  TraceType result = op.type(pointer);
  return op.emit(TraceOp::addPtr, std::move(result), {pointer, offset});
}

static ValueId binaryValue(Op &op, BinaryOp code, const Operand &lhs, const Operand &rhs,
                           metile::nan mode) {
  if (!Access::isTile(lhs) && !Access::isTile(rhs))
    return op.fail(std::string(nameOf(code)) + " of two C++ numbers", "at least one side is a tile",
                   "use C++ arithmetic for host numbers");
  ValueId a = Access::isTile(lhs) ? op.value(lhs, DType::f32) : 0;
  ValueId b = Access::isTile(rhs) ? op.value(rhs, DType::f32) : 0;
  if ((a && op.isPoison(a)) || (b && op.isPoison(b)))
    return poisonValue;
  // A number takes the tile's type; an offset of a pointer is an index.
  auto literal = [&](const Operand &number, ValueId tile) {
    const TraceType &type = op.type(tile);
    return op.value(number, type.isPointer() ? DType::i64 : infer::arithmeticType(type.dtype));
  };
  if (!a)
    a = literal(lhs, b);
  if (!b)
    b = literal(rhs, a);
  if (op.isPoison(a) || op.isPoison(b))
    return poisonValue;
  if (op.type(a).isPointer() || op.type(b).isPointer())
    return pointerArithmetic(op, code, a, b);
  if (!op.isNumber(a, nameOf(code)) || !op.isNumber(b, nameOf(code)))
    return poisonValue;

  infer::Mistake mistake;
  std::optional<DType> dtype = infer::promote(op.type(a).dtype, op.type(b).dtype, mistake);
  std::string found = op.type(a).str() + " " + nameOf(code) + " " + op.type(b).str();
  if (code >= BinaryOp::maximum)
    found = std::string(nameOf(code)) + " of " + op.type(a).str() + " and " + op.type(b).str();
  if (!dtype)
    return op.fail(found + ": " + mistake.found, mistake.allowed, mistake.change);
  bool isBool = *dtype == DType::boolean;
  switch (code) {
  case BinaryOp::logicalAnd:
  case BinaryOp::logicalOr:
    if (!isBool)
      return op.fail(found, "logical operations take bool", "compare first: x != 0 && y != 0");
    break;
  case BinaryOp::bitAnd:
  case BinaryOp::bitOr:
  case BinaryOp::bitXor:
    if (isFloat(*dtype))
      return op.fail(found, "bit operations take integers and bool", "cast or bitcast first");
    break;
  case BinaryOp::shl:
  case BinaryOp::shr:
  case BinaryOp::floorDiv:
  case BinaryOp::floorMod:
  case BinaryOp::cdiv:
    if (!isInteger(*dtype))
      return op.fail(found, "it takes integers",
                     code >= BinaryOp::floorDiv ? "use floor(a / b) for floats" : "cast first");
    break;
  case BinaryOp::mulhi:
  case BinaryOp::umulhi:
    if (!isInteger(*dtype))
      return op.fail(found, "it takes integers", "cast first");
    if (code == BinaryOp::umulhi && isSigned(*dtype))
      return op.fail(found, "it takes unsigned integers", "use mulhi, or cast both to unsigned");
    code = BinaryOp::mulhi;
    break;
  case BinaryOp::eq:
  case BinaryOp::ne:
    break;
  default:
    if (isBool)
      return op.fail(found, "bool has no arithmetic and no order",
                     "cast it to i32, or use && and ||");
  }
  dtype = infer::arithmeticType(*dtype);
  a = op.cast(a, *dtype);
  b = op.cast(b, *dtype);
  if (!op.unify({&a, &b}))
    return poisonValue;
  TraceType result = op.type(a);
  if (isComparison(code))
    result.dtype = DType::boolean;
  return op.emit(TraceOp::binary, std::move(result), {a, b}, {int64_t(code), int64_t(mode)});
}

Tile detail::binaryAt(BinaryOp code, const Operand &lhs, const Operand &rhs, metile::nan mode,
                      Loc at) {
  Op op(at);
  return Access::make(op ? binaryValue(op, code, lhs, rhs, mode) : poisonValue);
}

Tile detail::binary(BinaryOp code, const Operand &lhs, const Operand &rhs, metile::nan mode) {
  return binaryAt(code, lhs, rhs, mode, Access::placeOf(rhs));
}

/// Where the value of `tile` was made: the best that && and || can say about where they stand.
static Op opAtValue(const Tile &tile) {
  Op op{Loc()};
  if (!op)
    return op;
  detail::Slot slot = Access::slotOf(tile);
  if (slot.trace == op->id()) {
    ValueId value = op->peek(slot.id);
    op.location = op->op(value).location;
  } else {
    op.location = 0;
  }
  return op;
}

Tile detail::logical(BinaryOp code, const Tile &lhs, const Tile &rhs) {
  Op op = opAtValue(rhs);
  if (!op)
    return Access::make(poisonValue);
  ValueId a = op.value(lhs), b = op.value(rhs);
  if (op.isPoison(a) || op.isPoison(b))
    return Access::make(poisonValue);
  for (ValueId v : {a, b})
    if (!op.type(v).isNumber() || op.type(v).dtype != DType::boolean)
      return Access::make(op.fail(op.type(a).str() + " " + nameOf(code) + " " + op.type(b).str(),
                                  "logical operations take bool",
                                  "compare first: x != 0 && y != 0"));
  if (!op.unify({&a, &b}))
    return Access::make(poisonValue);
  TraceType result = op.type(a);
  return Access::make(op.emit(TraceOp::binary, std::move(result), {a, b}, {int64_t(code), 0}));
}

Tile detail::logicalNot(const Tile &operand) {
  Op op = opAtValue(operand);
  return Access::make(op ? unaryValue(op, UnaryOp::logicalNot, op.value(operand)) : poisonValue);
}

Tile metile::cast(const Tile &x, DType to, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v) || !op.isNumber(v, "cast"))
    return Access::make(poisonValue);
  return Access::make(op.cast(v, to));
}

Tile metile::bitcast(const Tile &x, DType to, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v) || !op.isNumber(v, "bitcast"))
    return Access::make(poisonValue);
  DType from = op.type(v).dtype;
  if (from == to)
    return Access::make(v);
  if (byteSize(from) != byteSize(to) || from == DType::boolean || to == DType::boolean)
    return Access::make(op.fail("bitcast of " + op.type(v).str() + " to " + std::string(name(to)),
                                "both have the same width, and bool has no bits to give away",
                                "use cast to convert the value"));
  return Access::make(op.emit(TraceOp::bitcast, infer::tileType(to, op.type(v).shape), {v}));
}

Tile metile::where(const Tile &condition, Operand a, Operand b, Loc at) {
  Op op(at);
  if (!op)
    return Access::make(poisonValue);
  ValueId c = op.value(condition);
  if (!op.isCondition(c, "the condition of where"))
    return Access::make(poisonValue);
  bool tileA = Access::isTile(a), tileB = Access::isTile(b);
  DType both = Access::isReal(a) || Access::isReal(b)     ? DType::f32
               : Access::isTruth(a) && Access::isTruth(b) ? DType::boolean
                                                          : DType::i32;
  ValueId x = tileA ? op.value(a, both) : 0;
  ValueId y = tileB ? op.value(b, both) : 0;
  if ((x && op.isPoison(x)) || (y && op.isPoison(y)))
    return Access::make(poisonValue);
  if (!x)
    x = op.value(a, y ? op.type(y).dtype : both);
  if (!y)
    y = op.value(b, tileA ? op.type(x).dtype : both);
  if (op.isPoison(x) || op.isPoison(y))
    return Access::make(poisonValue);
  if (op.type(x).isPointer() || op.type(y).isPointer()) {
    if (op.type(x).kind != op.type(y).kind || op.type(x).dtype != op.type(y).dtype)
      return Access::make(
          op.fail("where chooses between " + op.type(x).str() + " and " + op.type(y).str(),
                  "both have one type", {}));
  } else {
    infer::Mistake mistake;
    std::optional<DType> dtype = infer::promote(op.type(x).dtype, op.type(y).dtype, mistake);
    if (!dtype)
      return Access::make(
          op.fail("where chooses between " + op.type(x).str() + " and " + op.type(y).str(),
                  mistake.allowed, mistake.change));
    x = op.cast(x, *dtype);
    y = op.cast(y, *dtype);
  }
  if (!op.unify({&c, &x, &y}))
    return Access::make(poisonValue);
  TraceType result = op.type(x);
  return Access::make(op.emit(TraceOp::select, std::move(result), {c, x, y}));
}

Tile metile::clamp(const Tile &x, Operand low, Operand high, Loc at) {
  Tile raised =
      detail::binaryAt(BinaryOp::maximum, Operand(x, at), low, metile::nan::propagate, at);
  return detail::binaryAt(BinaryOp::minimum, Operand(raised, at), high, metile::nan::propagate, at);
}

Tile metile::fma(Operand a, Operand b, Operand c, Loc at) {
  Op op(at);
  if (!op)
    return Access::make(poisonValue);
  const Operand *operands[] = {&a, &b, &c};
  ValueId values[3] = {};
  std::optional<DType> dtype;
  infer::Mistake mistake;
  for (int i = 0; i < 3; ++i) {
    if (!Access::isTile(*operands[i]))
      continue;
    values[i] = op.value(*operands[i], DType::f32);
    if (op.isPoison(values[i]) || !op.isNumber(values[i], "fma"))
      return Access::make(poisonValue);
    DType own = infer::arithmeticType(op.type(values[i]).dtype);
    dtype = dtype ? infer::promote(*dtype, own, mistake) : own;
    if (!dtype)
      return Access::make(op.fail("fma: " + mistake.found, mistake.allowed, mistake.change));
  }
  if (!dtype || !isFloat(*dtype))
    return Access::make(
        op.fail(dtype ? "fma of " + std::string(name(*dtype)) : std::string("fma of C++ numbers"),
                "it takes float tiles", "write a * b + c for integers"));
  for (int i = 0; i < 3; ++i) {
    if (!values[i])
      values[i] = op.value(*operands[i], *dtype);
    values[i] = op.cast(values[i], *dtype);
  }
  if (!op.unify({&values[0], &values[1], &values[2]}))
    return Access::make(poisonValue);
  TraceType result = op.type(values[0]);
  return Access::make(op.emit(TraceOp::fma, std::move(result), {values[0], values[1], values[2]}));
}
