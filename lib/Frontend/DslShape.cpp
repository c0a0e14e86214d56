// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making tiles, changing shapes, reductions, dot.
#include "Frontend/DslAccess.h"

#include <algorithm>

using namespace metile;
using detail::Access;
using detail::ReduceOp;

Tile metile::full(DType dtype, const Shape &shape, Operand value, Loc at) {
  Op op(at);
  if (!op)
    return Access::make(poisonValue);
  infer::Mistake mistake;
  if (!infer::checkExtents(shape.values(), mistake))
    return Access::make(op.fail(mistake));
  ValueId v = op.value(value, dtype, shape.values());
  if (op.isPoison(v))
    return Access::make(poisonValue);
  const TraceType &type = op.type(v);
  if (Access::isTile(value) && (!type.isNumber() || type.dtype != dtype || !type.shape.empty()))
    return Access::make(op.fail("full of " + std::string(name(dtype)) + " with " + type.str(),
                                "a C++ number or a scalar of that type", "cast the value"));
  return Access::make(op.broadcast(v, shape.values()));
}

Tile metile::zeros(DType dtype, const Shape &shape, Loc at) {
  return full(dtype, shape, Operand(0, at), at);
}

Tile metile::arange(int64_t size, Loc at) { return arange(0, size, at); }

Tile metile::arange(int64_t start, int64_t end, Loc at) {
  Op op(at);
  if (!op)
    return Access::make(poisonValue);
  infer::Mistake mistake;
  if (end < start || !infer::checkExtents({end - start}, mistake)) {
    if (end < start)
      mistake = {"arange from " + std::to_string(start) + " to " + std::to_string(end),
                 "the end lies above the start",
                 {}};
    return Access::make(op.fail(mistake));
  }
  return Access::make(
      op.emit(TraceOp::arange, infer::tileType(DType::i64, {end - start}), {}, {start}));
}

Tile metile::expand(const Tile &x, int axis, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::make(poisonValue);
  TraceType result = op.type(v);
  int64_t position = axis;
  infer::Mistake mistake;
  if (!infer::checkAxis(position, result.shape.size() + 1, "an expanded " + result.str(), mistake))
    return Access::make(op.fail(mistake));
  result.shape.insert(result.shape.begin() + position, 1);
  return Access::make(op.emit(TraceOp::expandDims, std::move(result), {v}, {position}));
}

Tile metile::broadcast_to(const Tile &x, const Shape &shape, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::make(poisonValue);
  infer::Mistake mistake;
  std::vector<int64_t> joined;
  if (!infer::checkExtents(shape.values(), mistake))
    return Access::make(op.fail(mistake));
  if (!infer::broadcast(op.type(v).shape, shape.values(), joined, mistake) ||
      joined != shape.values())
    return Access::make(
        op.fail("broadcast_to " + infer::shapeText(shape.values()) + " of " + op.type(v).str(),
                "only axes of extent 1 are repeated, and ranks are equal",
                "insert axes with expand(x, axis)"));
  return Access::make(op.broadcast(v, shape.values()));
}

Tile metile::reshape(const Tile &x, const Shape &shape, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::make(poisonValue);
  TraceType result = op.type(v);
  infer::Mistake mistake;
  if (!infer::checkExtents(shape.values(), mistake))
    return Access::make(op.fail(mistake));
  if (infer::elements(shape.values()) != infer::elements(result.shape))
    return Access::make(op.fail(
        "reshape of " + result.str() + " to " + infer::shapeText(shape.values()),
        "the number of elements stays " + std::to_string(infer::elements(result.shape)), {}));
  if (result.shape == shape.values())
    return Access::make(v);
  result.shape = shape.values();
  return Access::make(op.emit(TraceOp::reshape, std::move(result), {v}));
}

Tile metile::permute(const Tile &x, const std::vector<int> &axes, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::make(poisonValue);
  TraceType source = op.type(v), result = source;
  std::vector<int64_t> order(axes.begin(), axes.end());
  for (int64_t &axis : order)
    axis += axis < 0 ? int64_t(source.shape.size()) : 0;
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool good = sorted.size() == source.shape.size();
  for (size_t i = 0; good && i < sorted.size(); ++i)
    good = sorted[i] == int64_t(i);
  if (!good)
    return Access::make(op.fail(
        "permute with axes " + infer::shapeText({axes.begin(), axes.end()}) + " of " + source.str(),
        "each axis once", {}));
  for (size_t i = 0; i < order.size(); ++i)
    result.shape[i] = source.shape[order[i]];
  return Access::make(op.emit(TraceOp::transpose, std::move(result), {v}, std::move(order)));
}

Tile metile::transpose(const Tile &x, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::make(poisonValue);
  int rank = op.type(v).shape.size();
  if (rank < 2)
    return Access::make(op.fail("transpose of " + op.type(v).str(), "two axes or more",
                                "insert an axis with expand(x, axis)"));
  std::vector<int> order;
  for (int i = 0; i < rank; ++i)
    order.push_back(i);
  std::swap(order[rank - 1], order[rank - 2]);
  return permute(x, order, at);
}

// ---- reductions
// ----------------------------------------------------------------------------------

static const char *nameOf(ReduceOp op) {
  static const char *const names[] = {"sum", "max", "min", "argmax", "argmin"};
  return names[size_t(op)];
}

/// The operand and axis of a reduction; false after a message.
static bool reduced(Op &op, const Tile &x, int axis, const char *what, ValueId &v,
                    int64_t &position) {
  v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v) || !op.isNumber(v, what))
    return false;
  position = axis;
  infer::Mistake mistake;
  if (infer::checkAxis(position, op.type(v).shape.size(), op.type(v).str(), mistake))
    return true;
  op.fail(std::string(what) + " along " + mistake.found, mistake.allowed, mistake.change);
  return false;
}

Tile detail::reduce(ReduceOp code, const Tile &x, int axis, metile::nan mode, Loc at) {
  Op op(at);
  ValueId v;
  int64_t position;
  if (!reduced(op, x, axis, nameOf(code), v, position))
    return Access::make(poisonValue);
  v = op.cast(v, infer::arithmeticType(op.type(v).dtype));
  TraceType result = op.type(v);
  result.shape.erase(result.shape.begin() + position);
  if (code == ReduceOp::sum) {
    result.dtype = infer::sumType(result.dtype);
    v = op.cast(v, result.dtype);
  } else if (result.dtype == DType::boolean) {
    return Access::make(op.fail(std::string(nameOf(code)) + " of " + op.type(v).str(),
                                "bool has no order", "cast it to i32 first"));
  } else if (code == ReduceOp::argmax || code == ReduceOp::argmin) {
    result.dtype = DType::i64;
  }
  return Access::make(
      op.emit(TraceOp::reduce, std::move(result), {v}, {int64_t(code), position, int64_t(mode)}));
}

Tile metile::sum(const Tile &x, int axis, Loc at) {
  return detail::reduce(ReduceOp::sum, x, axis, metile::nan::propagate, at);
}
Tile metile::max(const Tile &x, int axis, metile::nan mode, Loc at) {
  return detail::reduce(ReduceOp::max, x, axis, mode, at);
}
Tile metile::min(const Tile &x, int axis, metile::nan mode, Loc at) {
  return detail::reduce(ReduceOp::min, x, axis, mode, at);
}
Tile metile::argmax(const Tile &x, int axis, metile::nan mode, Loc at) {
  return detail::reduce(ReduceOp::argmax, x, axis, mode, at);
}
Tile metile::argmin(const Tile &x, int axis, metile::nan mode, Loc at) {
  return detail::reduce(ReduceOp::argmin, x, axis, mode, at);
}

detail::Combine::Combine(const Tile &x, int axis, Loc at) : reduced(poisonValue), place(at) {
  Op op(at);
  ValueId v;
  int64_t position;
  if (!::reduced(op, x, axis, "reduce", v, position))
    return;
  if (op->where() == Tracer::Where::combine) {
    op.fail("reduce inside a combine function",
            "a combine function only computes with its two scalars", {});
    return;
  }
  v = op.cast(v, infer::arithmeticType(op.type(v).dtype));
  TraceType result = op.type(v);
  result.shape.erase(result.shape.begin() + position);
  trace = op->id();
  reduced = op->beginCombine(std::move(result), v, position, op.location, frame);
}

detail::Combine::~Combine() {
  Tracer *tracer = Tracer::withId(trace);
  if (frame && tracer)
    tracer->abandon(frame, true);
}

bool detail::Combine::nextTrip() { return frame && Tracer::withId(trace); }

Tile detail::Combine::left() const {
  Tracer *tracer = Tracer::withId(trace);
  return Access::make(tracer ? tracer->combineArguments(frame).first : poisonValue);
}
Tile detail::Combine::right() const {
  Tracer *tracer = Tracer::withId(trace);
  return Access::make(tracer ? tracer->combineArguments(frame).second : poisonValue);
}

void detail::Combine::yield(const Tile &combined) {
  Op op(place);
  if (!op || op->id() != trace)
    return;
  ValueId v = op.value(combined);
  DType dtype = op.type(reduced).dtype;
  if (!op.isPoison(v) &&
      (!op.type(v).isScalar() || !op.type(v).isNumber() || op.type(v).dtype != dtype))
    v = op.fail("the combine function returns " + op.type(v).str(),
                "it returns a scalar of the type it takes, " + std::string(name(dtype)),
                "cast the result");
  if (!op->nextCombineTrip(frame, v))
    frame = 0;
}

Tile detail::Combine::result() const { return Access::make(reduced); }

// ---- dot
// -----------------------------------------------------------------------------------------

static Tile dotValues(const Tile &a, const Tile &b, const Tile *acc, precision mode, Loc at) {
  Op op(at);
  if (!op)
    return Access::make(poisonValue);
  ValueId x = op.value(a), y = op.value(b), z = acc ? op.value(*acc) : 0;
  if (op.isPoison(x) || op.isPoison(y) || (acc && op.isPoison(z)) || !op.isNumber(x, "dot") ||
      !op.isNumber(y, "dot"))
    return Access::make(poisonValue);
  const std::vector<int64_t> &l = op.type(x).shape, &r = op.type(y).shape;
  std::string found = "dot of " + op.type(x).str() + " and " + op.type(y).str();
  size_t rank = l.size();
  if (rank < 2 || r.size() != rank)
    return Access::make(
        op.fail(found, "[…, M, K] and […, K, N] of one rank", "insert axes with expand(x, axis)"));
  if (l[rank - 1] != r[rank - 2])
    return Access::make(op.fail(
        found + ": K is " + std::to_string(l[rank - 1]) + " on the left and " +
            std::to_string(r[rank - 2]) + " on the right",
        "[…, M, K] and […, K, N]",
        l[rank - 1] == r[rank - 1] ? "transpose the right operand" : "load both with one K"));
  if (!std::equal(l.begin(), l.end() - 2, r.begin()))
    return Access::make(op.fail(found, "leading axes are equal", "use broadcast_to"));
  DType left = op.type(x).dtype, right = op.type(y).dtype;
  std::optional<DType> dtype = infer::dotType(left, right);
  if (!dtype)
    return Access::make(op.fail(found, "two tiles of one float type, or i8 and u8",
                                left == right ? "cast both" : "cast one to the other's type"));
  std::vector<int64_t> shape(l.begin(), l.end() - 1);
  shape.push_back(r.back());
  infer::Mistake mistake;
  if (!infer::checkExtents(shape, mistake))
    return Access::make(op.fail(mistake));
  if (mode == precision::tf32 && left != DType::f32)
    return Access::make(
        op.fail(found + " with precision::tf32", "tf32 is for f32 operands", "leave it out"));
  TraceType result = infer::tileType(*dtype, std::move(shape));
  if (acc && op.type(z) != result)
    return Access::make(op.fail(found + " with an accumulator " + op.type(z).str(),
                                "the accumulator is " + result.str(),
                                "start with zeros(" + std::string(name(*dtype)) + ", …)"));
  if (!acc)
    z = op->constant(result, 0, 0, op.location);
  return Access::make(op.emit(TraceOp::dot, std::move(result), {x, y, z}, {int64_t(mode)}));
}

Tile metile::dot(const Tile &a, const Tile &b, precision mode, Loc at) {
  return dotValues(a, b, nullptr, mode, at);
}
Tile metile::dot(const Tile &a, const Tile &b, const Tile &acc, precision mode, Loc at) {
  return dotValues(a, b, &acc, mode, at);
}
