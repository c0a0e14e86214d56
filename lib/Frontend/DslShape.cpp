// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making tiles, moving their elements, dot.
#include "Frontend/DslAccess.h"

#include <algorithm>

using namespace metile;
using detail::Access;

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

/// Two tiles of one type and shape; false after a message.
static bool samePair(Op &op, const char *what, const Tile &a, const Tile &b, ValueId &x,
                     ValueId &y) {
  x = op ? op.value(a) : poisonValue;
  y = op ? op.value(b) : poisonValue;
  if (!op || op.isPoison(x) || op.isPoison(y))
    return false;
  if (op.type(x).kind == op.type(y).kind && op.type(x).dtype == op.type(y).dtype)
    return op.unify({&x, &y});
  op.fail(std::string(what) + " of " + op.type(x).str() + " and " + op.type(y).str(),
          "both have one type", "cast one of them");
  return false;
}

static ValueId joined(Op &op, ValueId a, ValueId b) {
  TraceType result = op.type(a);
  result.shape.push_back(2);
  infer::Mistake mistake;
  if (!infer::checkExtents(result.shape, mistake))
    return op.fail(mistake);
  return op.emit(TraceOp::join, std::move(result), {a, b});
}

Tile metile::join(const Tile &a, const Tile &b, Loc at) {
  Op op(at);
  ValueId x, y;
  return Access::make(samePair(op, "join", a, b, x, y) ? joined(op, x, y) : poisonValue);
}

Tile metile::interleave(const Tile &a, const Tile &b, Loc at) {
  Op op(at);
  ValueId x, y;
  ValueId both = samePair(op, "interleave", a, b, x, y) ? joined(op, x, y) : poisonValue;
  if (both == poisonValue || op.type(both).shape.size() == 1)
    return Access::make(both);
  TraceType result = op.type(both);
  result.shape.pop_back();
  result.shape.back() *= 2;
  return Access::make(op.emit(TraceOp::reshape, std::move(result), {both}));
}

std::pair<Tile, Tile> metile::split(const Tile &x, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return {Access::make(poisonValue), Access::make(poisonValue)};
  TraceType half = op.type(v);
  if (half.shape.empty() || half.shape.back() != 2) {
    op.fail("split of " + half.str(), "its last axis has extent 2",
            "reshape it to […, 2], or permute that axis to the end");
    return {Access::make(poisonValue), Access::make(poisonValue)};
  }
  half.shape.pop_back();
  ValueId both = op->emitSeveral(TraceOp::split, {half, half}, {v}, {}, op.location);
  return {Access::make(op->op(both).results[0]), Access::make(op->op(both).results[1])};
}

Tile metile::flip(const Tile &x, int axis, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::make(poisonValue);
  TraceType type = op.type(v);
  int64_t position = axis;
  infer::Mistake mistake;
  if (!infer::checkAxis(position, type.shape.size(), type.str(), mistake))
    return Access::make(op.fail("flip along " + mistake.found, mistake.allowed, mistake.change));
  return Access::make(op.emit(TraceOp::flip, std::move(type), {v}, {position}));
}

Tile metile::gather(const Tile &x, const Tile &index, int axis, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue, i = op ? op.value(index) : poisonValue;
  if (!op || op.isPoison(v) || op.isPoison(i) || !op.isNumber(v, "gather"))
    return Access::make(poisonValue);
  TraceType source = op.type(v), indices = op.type(i);
  std::string found = "gather from " + source.str() + " by " + indices.str();
  if (!indices.isNumber() || !isInteger(indices.dtype))
    return Access::make(op.fail(found, "indices are integers", "cast them: cast(index, i64)"));
  int64_t position = axis;
  infer::Mistake mistake;
  if (!infer::checkAxis(position, source.shape.size(), source.str(), mistake))
    return Access::make(op.fail("gather along " + mistake.found, mistake.allowed, mistake.change));
  if (indices.shape.size() != source.shape.size())
    return Access::make(
        op.fail(found, "both have one rank", "insert axes with expand(index, axis)"));
  for (size_t k = 0; k < source.shape.size(); ++k)
    if (k != size_t(position) && source.shape[k] != indices.shape[k])
      return Access::make(op.fail(found + " along axis " + std::to_string(position),
                                  "all other axes are equal",
                                  "broadcast the indices along axis " + std::to_string(k)));
  TraceType result = infer::tileType(source.dtype, indices.shape);
  return Access::make(
      op.emit(TraceOp::gather, std::move(result), {v, op.cast(i, DType::i64)}, {position}));
}

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
