// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations along an axis: reductions, scans, sorting, counting.
#include "Frontend/DslAccess.h"

#include <algorithm>

using namespace metile;
using detail::Access;
using detail::BinaryOp;
using detail::ReduceOp;

/// The value of `x`, a tile of numbers, and the axis; false after a message.
static bool axisOperand(Op &op, const Tile &x, int axis, const char *what, ValueId &v,
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

/// The results of an operation that has several.
static ValueId resultOf(Op &op, ValueId owner, size_t number) {
  return op->op(owner).results[number];
}

// ---- reductions
// ----------------------------------------------------------------------------------

Tile detail::reduce(ReduceOp code, const Tile &x, int axis, metile::nan mode, Loc at) {
  Op op(at);
  ValueId v;
  int64_t position;
  if (!axisOperand(op, x, axis, nameOf(code), v, position))
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

// ---- combine functions
// ---------------------------------------------------------------------------

/// False after a message inside a combine function.
static bool combineAllowed(Op &op, const char *what) {
  if (op->where() != Tracer::Where::combine)
    return true;
  op.fail(std::string(what) + " inside a combine function",
          "a combine function only computes with its scalars", "move it out of the function");
  return false;
}

detail::Combine::Combine(Kind kind, int axis, Loc at) : place(at), axisGiven(axis), what(kind) {
  if (Tracer *tracer = Tracer::current())
    trace = tracer->id();
}

detail::Combine::~Combine() {
  Tracer *tracer = Tracer::withId(trace);
  if (frame && tracer)
    tracer->abandon(frame, true);
}

void detail::Combine::collect() const {
  if (Tracer *tracer = Tracer::withId(trace))
    tracer->collectCopies();
}

void detail::Combine::collect(const Tile &tile) const {
  if (Tracer *tracer = Tracer::withId(trace))
    tracer->copied(Access::slotOf(tile).id);
}

void detail::Combine::sources() {
  Op made(place);
  if (!made || made->id() != trace)
    return;
  slots = made->collectedCopies();
  op = poisonValue;
  const char *name = what == Kind::reduce ? "reduce" : "associative_scan";
  if (!combineAllowed(made, name))
    return;
  if (slots.empty()) {
    made.fail(std::string(name) + " of no tile", "it takes a tile, or a struct or tuple of tiles",
              {});
    return;
  }
  std::vector<ValueId> values;
  std::vector<TraceType> types;
  int64_t position = axisGiven;
  for (uint32_t slot : slots) {
    ValueId v = made->read(slot, made.location);
    if (made.isPoison(v) || !made.isNumber(v, name))
      return;
    v = made.cast(v, infer::arithmeticType(made.type(v).dtype));
    const TraceType &type = made.type(v);
    infer::Mistake mistake;
    if (values.empty() && !infer::checkAxis(position, type.shape.size(), type.str(), mistake)) {
      made.fail(std::string(name) + " along " + mistake.found, mistake.allowed, mistake.change);
      return;
    }
    if (!values.empty() && type.shape != made.type(values.front()).shape) {
      made.fail(std::string(name) + " of " + made.type(values.front()).str() + " and " + type.str(),
                "all tiles have one shape", "use broadcast_to");
      return;
    }
    values.push_back(v);
    types.push_back(type);
    if (what == Kind::reduce)
      types.back().shape.erase(types.back().shape.begin() + position);
  }
  std::vector<int64_t> ints{position};
  if (what != Kind::reduce)
    ints.push_back(what == Kind::reverseScan);
  op = made->emitSeveral(what == Kind::reduce ? TraceOp::combine : TraceOp::scan, types,
                         std::move(values), std::move(ints), made.location);
  frame = made->beginCombine(op);
}

bool detail::Combine::nextTrip() const { return frame && Tracer::withId(trace); }

/// Gives each of the collected tiles its value.
static void writeCollected(Tracer &tracer, const std::vector<ValueId> &values) {
  std::vector<uint32_t> slots = tracer.collectedCopies();
  for (size_t i = 0; i < slots.size(); ++i)
    tracer.write(slots[i], i < values.size() ? values[i] : poisonValue);
}

void detail::Combine::left() const {
  if (Tracer *tracer = Tracer::withId(trace))
    writeCollected(*tracer, tracer->combineArguments(frame, false));
}

void detail::Combine::right() const {
  if (Tracer *tracer = Tracer::withId(trace))
    writeCollected(*tracer, tracer->combineArguments(frame, true));
}

void detail::Combine::yield() {
  Op made(place);
  if (!made || made->id() != trace)
    return;
  std::vector<ValueId> yielded;
  for (uint32_t slot : made->collectedCopies())
    yielded.push_back(made->read(slot, made.location));
  const std::vector<ValueId> &results = made->op(op).results;
  if (yielded.size() != results.size()) {
    made.fail("the combine function returns " + std::to_string(yielded.size()) +
                  (yielded.size() == 1 ? " tile" : " tiles"),
              "it returns as many as it combines, " + std::to_string(results.size()), {});
    yielded.assign(results.size(), poisonValue);
  }
  for (size_t i = 0; i < yielded.size(); ++i) {
    const TraceType &type = made.type(yielded[i]);
    DType dtype = made.type(results[i]).dtype;
    if (type.isPoison() || (type.isScalar() && type.isNumber() && type.dtype == dtype))
      continue;
    yielded[i] = made.fail("the combine function returns " + type.str(),
                           "it returns a scalar of the type it takes, " + std::string(name(dtype)),
                           "cast the result");
  }
  if (!made->nextCombineTrip(frame, std::move(yielded)))
    frame = 0;
}

void detail::Combine::results() const {
  Tracer *tracer = Tracer::withId(trace);
  if (!tracer)
    return;
  const std::vector<ValueId> results = tracer->op(op).results;
  for (size_t i = 0; i < slots.size(); ++i)
    tracer->write(slots[i], i < results.size() ? results[i] : poisonValue);
}

static Tile running(BinaryOp code, const char *what, const Tile &x, int axis, bool reverse,
                    Loc at) {
  Op op(at);
  ValueId v;
  int64_t position;
  if (!axisOperand(op, x, axis, what, v, position) || !combineAllowed(op, what))
    return Access::make(poisonValue);
  Tile wide = Access::make(op.cast(v, infer::sumType(op.type(v).dtype)));
  return associative_scan(
      wide, axis,
      [&](const Tile &a, const Tile &b) {
        return detail::binaryAt(code, Operand(a, at), Operand(b, at), metile::nan::propagate, at);
      },
      reverse, at);
}

Tile metile::cumsum(const Tile &x, int axis, bool reverse, Loc at) {
  return running(BinaryOp::add, "cumsum", x, axis, reverse, at);
}
Tile metile::cumprod(const Tile &x, int axis, bool reverse, Loc at) {
  return running(BinaryOp::mul, "cumprod", x, axis, reverse, at);
}

// ---- sorting and counting
// ------------------------------------------------------------------------

/// 0, 1, … along `axis`, in `shape`.
static ValueId positions(Op &op, const std::vector<int64_t> &shape, int64_t axis) {
  TraceType type = infer::tileType(DType::i64, {shape[axis]});
  ValueId v = op.emit(TraceOp::arange, type, {}, {0});
  if (shape.size() == 1)
    return v;
  type.shape.assign(shape.size(), 1);
  type.shape[axis] = shape[axis];
  return op.broadcast(op.emit(TraceOp::reshape, std::move(type), {v}), shape);
}

/// The first `kept` elements of each sorted line of `x` (all if negative) and, if asked for, where
/// they stood.
static std::pair<Tile, Tile> sorted(const char *what, const Tile &x, int64_t kept, int axis,
                                    bool descending, bool withIndices, Loc at) {
  std::pair<Tile, Tile> result{Access::make(poisonValue), Access::make(poisonValue)};
  Op op(at);
  ValueId v;
  int64_t position;
  if (!axisOperand(op, x, axis, what, v, position))
    return result;
  TraceType keys = op.type(v);
  std::vector<int64_t> shape = keys.shape;
  infer::Mistake mistake;
  if (kept < 0)
    kept = shape[position];
  if (!infer::checkExtents({kept}, mistake)) {
    op.fail(std::string(what) + " with k = " + std::to_string(kept), mistake.allowed,
            mistake.change);
    return result;
  }
  if (kept > shape[position]) {
    op.fail(std::string(what) + " with k = " + std::to_string(kept) + " of " + keys.str() +
                " along axis " + std::to_string(position),
            "k is at most the extent, " + std::to_string(shape[position]), "use a smaller k");
    return result;
  }
  keys.shape[position] = kept;
  std::vector<TraceType> types{keys};
  std::vector<ValueId> operands{v};
  if (withIndices) {
    types.push_back(infer::tileType(DType::i64, keys.shape));
    operands.push_back(positions(op, shape, position));
  }
  ValueId sort = op->emitSeveral(TraceOp::sort, types, std::move(operands), {position, descending},
                                 op.location);
  result.first = Access::make(resultOf(op, sort, 0));
  if (withIndices)
    result.second = Access::make(resultOf(op, sort, 1));
  return result;
}

Tile metile::sort(const Tile &x, int axis, bool descending, Loc at) {
  return sorted("sort", x, -1, axis, descending, false, at).first;
}
Tile metile::argsort(const Tile &x, int axis, bool descending, Loc at) {
  return sorted("argsort", x, -1, axis, descending, true, at).second;
}
Tile metile::topk(const Tile &x, int64_t k, int axis, Loc at) {
  return sorted("topk", x, std::max<int64_t>(k, 0), axis, true, false, at).first;
}
std::pair<Tile, Tile> metile::topk_with_indices(const Tile &x, int64_t k, int axis, Loc at) {
  return sorted("topk_with_indices", x, std::max<int64_t>(k, 0), axis, true, true, at);
}

static Tile countBins(const Tile &x, int64_t bins, const Tile *mask, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(x) : poisonValue;
  if (!op || op.isPoison(v) || !op.isNumber(v, "histogram"))
    return Access::make(poisonValue);
  const TraceType &type = op.type(v);
  infer::Mistake mistake;
  if (!isInteger(type.dtype) || type.shape.empty())
    return Access::make(op.fail("histogram of " + type.str(), "it counts a tile of integers",
                                type.shape.empty() ? "compare the scalar with arange(bins)"
                                                   : "cast the tile: cast(x, i32)"));
  if (!infer::checkExtents({bins}, mistake))
    return Access::make(op.fail("histogram with " + std::to_string(bins) + " bins", mistake.allowed,
                                mistake.change));
  if (!isSigned(type.dtype)) // Bins are found by signed numbers.
    v = op.cast(v, DType::i64);
  std::vector<ValueId> operands{v};
  if (mask) {
    ValueId m = op.value(*mask);
    if (!op.isCondition(m, "the mask of histogram") || !op.unify({&operands[0], &m}))
      return Access::make(poisonValue);
    operands.push_back(m);
  }
  return Access::make(
      op.emit(TraceOp::histogram, infer::tileType(DType::i32, {bins}), std::move(operands)));
}

Tile metile::histogram(const Tile &x, int64_t bins, Loc at) {
  return countBins(x, bins, nullptr, at);
}
Tile metile::histogram(const Tile &x, int64_t bins, const Tile &mask, Loc at) {
  return countBins(x, bins, &mask, at);
}
