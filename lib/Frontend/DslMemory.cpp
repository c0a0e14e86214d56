// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid, loads and stores, views.
#include "Frontend/DslAccess.h"
#include "Frontend/Order.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

using namespace metile;
using detail::Access;

// ---- grid
// ----------------------------------------------------------------------------------------

/// False after a message if the grid may not be declared here.
static bool gridAllowed(Op &op, const char *what) {
  Tracer::Where where = op->where();
  if (where == Tracer::Where::top)
    return true;
  const char *place = where == Tracer::Where::afterReturn ? "after return_if"
                      : where == Tracer::Where::branch    ? "inside an if_"
                      : where == Tracer::Where::loop      ? "inside a loop"
                                                          : "inside a combine function";
  op.fail(std::string(what) + " " + place,
          "the grid is declared once, before everything conditional",
          "move it to the top of the body");
  return false;
}

Index metile::tile_of(const View &view, int axis, int64_t block, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(view) : poisonValue;
  if (!op || op.isPoison(v) || !gridAllowed(op, "tile_of"))
    return Index(Access::make(poisonValue), at);
  op->gridAttempted = true;
  infer::Mistake mistake;
  int64_t position = axis;
  auto [root, axes] = op->raw.rootOf(v);
  ValueId result = poisonValue;
  if (!infer::checkAxis(position, axes.size(), "a " + op.type(v).str(), mistake))
    op.fail(mistake);
  else if (!infer::checkExtents({block}, mistake))
    op.fail("tile_of with " + mistake.found, mistake.allowed, mistake.change);
  else if (op->gridOp)
    op.fail("tile_of in a kernel that declares its grid with grid", "one of the two",
            "compute the offset from program_id, or remove grid");
  else if (op->tileOfOps.size() == 3)
    op.fail("a fourth tile_of", "a grid has at most three axes",
            "loop over one of the axes, or use grid and split program_id");
  else {
    result = op.emit(TraceOp::tileOf, infer::scalarType(DType::i64), {root},
                     {axes[position], block, position});
    op->tileOfOps.push_back(result);
  }
  return Index(Access::make(result), at);
}

/// Whether a launch can compute `value` from its arguments.
static bool isUniform(const RawTrace &raw, ValueId value) {
  using detail::BinaryOp;
  std::vector<ValueId> work{value};
  std::unordered_set<ValueId> seen;
  while (!work.empty()) {
    ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v).second)
      continue;
    const RawOp &op = raw.ops[v];
    switch (op.op) {
    case TraceOp::constant:
    case TraceOp::viewSize:
    case TraceOp::viewStride:
      continue;
    case TraceOp::placeholder:
      if (op.ints[0] != 0)
        return false;
      continue;
    case TraceOp::cast:
      if (!isInteger(op.type.dtype) || !isInteger(raw.ops[op.operands[0]].type.dtype))
        return false;
      break;
    case TraceOp::binary: {
      BinaryOp code = BinaryOp(op.ints[0]);
      if (code != BinaryOp::add && code != BinaryOp::sub && code != BinaryOp::mul &&
          code != BinaryOp::cdiv && code != BinaryOp::maximum && code != BinaryOp::minimum)
        return false;
      break;
    }
    default:
      return false;
    }
    work.insert(work.end(), op.operands.begin(), op.operands.end());
  }
  return true;
}

static void declareGrid(std::initializer_list<const Operand *> extents, Loc at) {
  Op op(at);
  if (!op)
    return;
  std::vector<ValueId> values;
  bool failed = !gridAllowed(op, "grid");
  const char *const names[] = {"x", "y", "z"};
  for (const Operand *extent : extents) {
    ValueId v =
        op.index(*extent, std::string("the extent of the grid along ") + names[values.size()]);
    failed |= op.isPoison(v);
    if (!op.isPoison(v) && !isUniform(op->raw, v)) {
      failed = true;
      op.fail(std::string("the extent of the grid along ") + names[values.size()] +
                  " is not known at the launch",
              "sizes, strides, integer scalars and constants joined by + - * cdiv minimum maximum",
              {});
    } else if (!op.isPoison(v) && op->op(v).op == TraceOp::constant && op->op(v).ints[0] < 0) {
      failed = true;
      op.fail("the extent of the grid along " + std::string(names[values.size()]) + " is " +
                  std::to_string(op->op(v).ints[0]),
              "extents are 0 or more", {});
    }
    values.push_back(v);
  }
  if (failed)
    values.assign(values.size(), op->indexConstant(1, op.location));
  if (op->gridOp) {
    op.fail("a second grid", "a kernel declares its grid once",
            "remove one; the first is on line " +
                std::to_string(op->location(op->gridLocation).line));
    return;
  }
  if (!op->tileOfOps.empty()) {
    op.fail("grid in a kernel that uses tile_of", "one of the two", "remove grid");
    return;
  }
  if (op->where() != Tracer::Where::top)
    return;
  op->gridLocation = op.location;
  op->gridOp = op.emit(TraceOp::grid, {}, std::move(values), {0});
}

void metile::grid(Operand x, Loc at) { declareGrid({&x}, at); }
void metile::grid(Operand x, Operand y, Loc at) { declareGrid({&x, &y}, at); }
void metile::grid(Operand x, Operand y, Operand z, Loc at) { declareGrid({&x, &y, &z}, at); }

static Index gridQuestion(TraceOp code, const char *what, int axis, Loc at) {
  Op op(at);
  if (!op)
    return Index(Access::make(poisonValue), at);
  ValueId result = poisonValue;
  if (axis < 0 || axis > 2) {
    op.fail(std::string(what) + " along axis " + std::to_string(axis), "0 (x), 1 (y) or 2 (z)", {});
  } else {
    result = op.emit(code, infer::scalarType(DType::i64), {}, {axis});
    if (!op->programIdLocation)
      op->programIdLocation = op.location;
  }
  return Index(Access::make(result), at);
}

Index metile::program_id(int axis, Loc at) {
  return gridQuestion(TraceOp::programId, "program_id", axis, at);
}
Index metile::num_programs(int axis, Loc at) {
  return gridQuestion(TraceOp::numPrograms, "num_programs", axis, at);
}

// ---- pointers
// ------------------------------------------------------------------------------------

static bool isPointer(Op &op, ValueId v, const char *what) {
  if (op.isPoison(v))
    return false;
  if (op.type(v).isPointer())
    return true;
  op.fail(std::string(what) + " " + op.type(v).str(), "a pointer or a tile of pointers",
          "a Ptr parameter plus offsets is one: load(x + i)");
  return false;
}

static Tile loadPointers(const Tile &pointers, const Tile *mask, const Operand *other, Loc at) {
  Op op(at);
  if (!op)
    return Access::make(poisonValue);
  ValueId p = op.value(pointers);
  if (!isPointer(op, p, "load through"))
    return Access::make(poisonValue);
  DType dtype = op.type(p).dtype;
  std::vector<ValueId> operands{p};
  if (mask) {
    operands.push_back(op.value(*mask));
    if (!op.isCondition(operands.back(), "the mask of load"))
      return Access::make(poisonValue);
  }
  if (other) {
    ValueId fill = op.value(*other, dtype);
    if (op.isPoison(fill))
      return Access::make(poisonValue);
    if (!op.type(fill).isNumber() || op.type(fill).dtype != dtype)
      return Access::make(op.fail("`other` of load is " + op.type(fill).str() +
                                      ", the memory holds " + std::string(name(dtype)),
                                  "a load converts nothing", "cast `other`"));
    operands.push_back(fill);
  }
  std::vector<ValueId *> all;
  for (ValueId &v : operands)
    all.push_back(&v);
  if (!op->effectAllowed(op.location, "load") || !op.unify(all))
    return Access::make(poisonValue);
  TraceType result = infer::tileType(dtype, op.type(operands[0]).shape);
  return Access::make(op.emit(TraceOp::load, std::move(result), std::move(operands)));
}

Tile metile::load(const Tile &pointers, Loc at) {
  return loadPointers(pointers, nullptr, nullptr, at);
}
Tile metile::load(const Tile &pointers, const Tile &mask, Loc at) {
  return loadPointers(pointers, &mask, nullptr, at);
}
Tile metile::load(const Tile &pointers, const Tile &mask, Operand other, Loc at) {
  return loadPointers(pointers, &mask, &other, at);
}

/// The value to be stored, of type `dtype`; poison after a message.
static ValueId storedValue(Op &op, const Operand &operand, DType dtype) {
  ValueId v = op.value(operand, dtype);
  if (op.isPoison(v))
    return v;
  if (op.type(v).isNumber() && op.type(v).dtype == dtype)
    return v;
  return op.fail("store of " + op.type(v).str() + " into memory of " + std::string(name(dtype)),
                 "a store converts nothing",
                 "cast the value: cast(x, " + std::string(name(dtype)) + ")");
}

static void storePointers(const Tile &pointers, const Operand &value, const Tile *mask, Loc at) {
  Op op(at);
  if (!op)
    return;
  ValueId p = op.value(pointers);
  if (!isPointer(op, p, "store through"))
    return;
  ValueId v = storedValue(op, value, op.type(p).dtype);
  ValueId m = mask ? op.value(*mask) : 0;
  if (op.isPoison(v) || (mask && !op.isCondition(m, "the mask of store")) ||
      !op->effectAllowed(op.location, "store"))
    return;
  if (op.type(p).shape.empty() && !op.type(v).shape.empty()) {
    op.fail("store of " + op.type(v).str() + " through one pointer",
            "there is one pointer for each element", "add offsets: store(p + arange(n), x)");
    return;
  }
  if (mask ? !op.unify({&p, &v, &m}) : !op.unify({&p, &v}))
    return;
  std::vector<ValueId> operands{p, v};
  if (mask)
    operands.push_back(m);
  op.emit(TraceOp::store, {}, std::move(operands));
}

void metile::store(const Tile &pointers, Operand value, Loc at) {
  storePointers(pointers, value, nullptr, at);
}
void metile::store(const Tile &pointers, Operand value, const Tile &mask, Loc at) {
  storePointers(pointers, value, &mask, at);
}

// ---- views
// ---------------------------------------------------------------------------------------

/// The argument behind a view, if the view may be read (`isStore` false) or written.
static bool accessAllowed(Op &op, ValueId view, bool isStore) {
  ValueId root = op->raw.rootOf(view).first;
  const ArgumentInfo &argument = op->raw.arguments[op->op(root).ints[1]];
  if (isStore && argument.role == ArgumentRole::in)
    op.fail("store into In argument '" + argument.name + "'", "an In view is only read",
            "declare it Out<\"" + argument.name + "\"> or InOut<\"" + argument.name + "\">");
  else if (!isStore && argument.role == ArgumentRole::out)
    op.fail("load from Out argument '" + argument.name + "'", "an Out view is only written",
            "declare it InOut<\"" + argument.name + "\">");
  else
    return op->effectAllowed(op.location, isStore ? "store" : "load");
  return false;
}

/// Offsets as i64 scalars; false after a message.
static bool readOffsets(Op &op, ValueId view, const Offsets &offsets, const char *what,
                        bool leading, std::vector<ValueId> &result) {
  size_t given = offsets.values().size(), rank = op.type(view).shape.size();
  if (leading ? given == 0 || given > rank : given != rank) {
    std::string argument = op->raw.arguments[op->op(op->raw.rootOf(view).first).ints[1]].name;
    op.fail(std::string(what) + " with " + std::to_string(given) +
                (given == 1 ? " offset of '" : " offsets of '") + argument + "', a " +
                op.type(view).str(),
            leading ? "1 to " + std::to_string(rank) + " offsets" : "one offset for each axis", {});
    return false;
  }
  bool good = true;
  for (size_t i = 0; i < given; ++i) {
    result.push_back(op.index(offsets.values()[i], "offset " + std::to_string(i)));
    good &= !op.isPoison(result.back());
  }
  return good;
}

static ValueId viewAt(Op &op, ValueId view, const std::vector<ValueId> &indices) {
  TraceType result = op.type(view);
  result.shape.erase(result.shape.begin(), result.shape.begin() + indices.size());
  result.strides.erase(result.strides.begin(), result.strides.begin() + indices.size());
  std::vector<ValueId> operands{view};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return op.emit(TraceOp::viewAt, std::move(result), std::move(operands));
}

static Tile loadView(const View &view, const Offsets &offsets, const Shape *shape,
                     const Operand *fill, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(view) : poisonValue;
  std::vector<ValueId> positions;
  if (!op || op.isPoison(v) || !accessAllowed(op, v, false) ||
      !readOffsets(op, v, offsets, "load", false, positions))
    return Access::make(poisonValue);
  DType dtype = op.type(v).dtype;
  TraceType result = infer::scalarType(dtype);
  infer::Mistake mistake;
  if (shape) {
    result.shape = shape->values();
    if (result.shape.size() != positions.size())
      return Access::make(op.fail("load of a tile " + infer::shapeText(result.shape) + " from a " +
                                      op.type(v).str(),
                                  "a tile has one extent for each axis of its view",
                                  "give extent 1 to further axes, or fix them with at()"));
    if (!infer::checkExtents(result.shape, mistake))
      return Access::make(op.fail(mistake));
  } else if (!positions.empty()) {
    v = viewAt(op, v, positions);
    positions.clear();
  }
  std::vector<ValueId> operands{v};
  operands.insert(operands.end(), positions.begin(), positions.end());
  if (fill) {
    ValueId f = op.value(*fill, dtype);
    if (op.isPoison(f))
      return Access::make(poisonValue);
    if (!op.type(f).isNumber() || op.type(f).dtype != dtype || !op.type(f).shape.empty())
      return Access::make(op.fail("the fill of load is " + op.type(f).str() + ", the view holds " +
                                      std::string(name(dtype)),
                                  "a C++ number or a scalar of the view's type", "cast it"));
    operands.push_back(f);
  }
  return Access::make(
      op.emit(TraceOp::viewLoad, std::move(result), std::move(operands), {fill ? 1 : 0}));
}

Tile View::load(const Offsets &offsets, const Shape &shape, Loc at) const {
  return loadView(*this, offsets, &shape, nullptr, at);
}
Tile View::load(const Offsets &offsets, const Shape &shape, Operand fill, Loc at) const {
  return loadView(*this, offsets, &shape, &fill, at);
}
Tile View::load(const Offsets &offsets, Loc at) const {
  return loadView(*this, offsets, nullptr, nullptr, at);
}

void View::store(const Offsets &offsets, Operand operand, Loc at) const {
  Op op(at);
  ValueId v = op ? op.value(*this) : poisonValue;
  std::vector<ValueId> positions;
  if (!op || op.isPoison(v) || !accessAllowed(op, v, true) ||
      !readOffsets(op, v, offsets, "store", false, positions))
    return;
  ValueId stored = storedValue(op, operand, op.type(v).dtype);
  if (op.isPoison(stored))
    return;
  const std::vector<int64_t> &shape = op.type(stored).shape;
  if (shape.empty() && !positions.empty()) {
    v = viewAt(op, v, positions);
    positions.clear();
  } else if (shape.size() != positions.size()) {
    op.fail("store of " + op.type(stored).str() + " into a " + op.type(v).str(),
            "a tile has one axis for each axis of the view",
            "insert axes with expand(x, axis), or fix axes of the view with at()");
    return;
  }
  std::vector<ValueId> operands{stored, v};
  operands.insert(operands.end(), positions.begin(), positions.end());
  op.emit(TraceOp::viewStore, {}, std::move(operands));
}

// ---- atomics
// -------------------------------------------------------------------------------------

using detail::AtomicOp;

static const char *nameOf(AtomicOp op) {
  static const char *const names[] = {"atomic_add", "atomic_max", "atomic_min", "atomic_and",
                                      "atomic_or",  "atomic_xor", "atomic_xchg"};
  return names[size_t(op)];
}

/// Whether `what` is defined on memory of `dtype`; false after a message.
static bool atomicDefined(Op &op, const char *what, std::optional<AtomicOp> code, DType dtype) {
  std::string found = std::string(what) + " on memory of " + std::string(name(dtype));
  bool isBits = code && *code >= AtomicOp::bitAnd && *code <= AtomicOp::bitXor;
  bool isOrdered = code && *code <= AtomicOp::min;
  if (isFloat8(dtype))
    op.fail(found, "floats of 8 bits are only stored", "use memory of f32");
  else if (isBits && isFloat(dtype))
    op.fail(found, "bit operations take integers and bool", {});
  else if (isOrdered && dtype == DType::boolean)
    op.fail(found, "bool has no arithmetic and no order", "use atomic_or or atomic_and");
  else
    return true;
  return false;
}

/// An operand of type `dtype`; poison after a message.
static ValueId atomicOperand(Op &op, const char *what, const Operand &operand, DType dtype) {
  ValueId v = op.value(operand, dtype);
  if (op.isPoison(v) || (op.type(v).isNumber() && op.type(v).dtype == dtype))
    return v;
  return op.fail(std::string(what) + " with " + op.type(v).str() + " on memory of " +
                     std::string(name(dtype)),
                 "an atomic operation converts nothing",
                 "cast the value: cast(x, " + std::string(name(dtype)) + ")");
}

/// Emits the operation on `pointers` with one operand, or two for a compare and swap.
static OldValue atomicAt(Op &op, std::optional<AtomicOp> code, ValueId pointers,
                         std::initializer_list<const Operand *> operands, ValueId mask, sem order,
                         Loc at) {
  const char *what = code ? nameOf(*code) : "atomic_cas";
  DType dtype = op.type(pointers).dtype;
  if (!op->effectAllowed(op.location, what) || !atomicDefined(op, what, code, dtype))
    return Access::makeOld(at);
  std::vector<ValueId> values{pointers};
  for (const Operand *operand : operands) {
    values.push_back(atomicOperand(op, what, *operand, dtype));
    if (op.isPoison(values.back()))
      return Access::makeOld(at);
    if (op.type(pointers).shape.empty() && !op.type(values.back()).shape.empty()) {
      op.fail(std::string(what) + " of " + op.type(values.back()).str() + " through one pointer",
              "there is one pointer for each element",
              "reduce the tile first, or add offsets to the pointer");
      return Access::makeOld(at);
    }
  }
  if (mask)
    values.push_back(mask);
  std::vector<ValueId *> all;
  for (ValueId &v : values)
    all.push_back(&v);
  if (!op.unify(all))
    return Access::makeOld(at);
  TraceType result = infer::tileType(dtype, op.type(values[0]).shape);
  std::vector<int64_t> ints{int64_t(order)};
  if (code)
    ints.insert(ints.begin(), int64_t(*code));
  ValueId old = op.emit(code ? TraceOp::atomicRmw : TraceOp::atomicCas, std::move(result),
                        std::move(values), std::move(ints));
  return Access::makeOld(op.get(), old, at);
}

static OldValue atomicPointers(std::optional<AtomicOp> code, const Tile &pointers,
                               std::initializer_list<const Operand *> operands, const Tile *mask,
                               sem order, Loc at) {
  Op op(at);
  const char *what = code ? nameOf(*code) : "atomic_cas";
  ValueId p = op ? op.value(pointers) : poisonValue, m = 0;
  if (!op || !isPointer(op, p, (std::string(what) + " through").c_str()))
    return Access::makeOld(at);
  if (mask) {
    m = op.value(*mask);
    if (!op.isCondition(m, std::string("the mask of ") + what))
      return Access::makeOld(at);
  }
  return atomicAt(op, code, p, operands, m, order, at);
}

OldValue detail::atomic(AtomicOp code, const Tile &pointers, const Operand &value, const Tile *mask,
                        sem order, Loc at) {
  return atomicPointers(code, pointers, {&value}, mask, order, at);
}

OldValue metile::atomic_cas(const Tile &pointers, Operand expected, Operand desired, sem order,
                            Loc at) {
  return atomicPointers(std::nullopt, pointers, {&expected, &desired}, nullptr, order, at);
}

/// The shape of the tile on which `operands` act together; false after a message.
static bool operandShape(Op &op, DType dtype, std::initializer_list<const Operand *> operands,
                         std::vector<int64_t> &shape) {
  infer::Mistake mistake;
  for (const Operand *operand : operands) {
    if (!Access::isTile(*operand))
      continue;
    std::vector<int64_t> joined;
    ValueId v = op.value(*operand, dtype);
    if (op.isPoison(v))
      return false;
    if (!infer::broadcast(shape, op.type(v).shape, joined, mistake)) {
      op.fail(mistake);
      return false;
    }
    shape = std::move(joined);
  }
  return true;
}

static OldValue atomicView(std::optional<AtomicOp> code, const View &view, const Offsets &offsets,
                           std::initializer_list<const Operand *> operands, sem order, Loc at) {
  Op op(at);
  const char *what = code ? nameOf(*code) : "atomic_cas";
  ValueId v = op ? op.value(view) : poisonValue;
  if (!op || op.isPoison(v))
    return Access::makeOld(at);
  const ArgumentInfo &argument = op->raw.arguments[op->op(op->raw.rootOf(v).first).ints[1]];
  if (argument.role != ArgumentRole::inout) {
    bool isIn = argument.role == ArgumentRole::in;
    op.fail(std::string(what) + " on " + (isIn ? "In" : "Out") + " argument '" + argument.name +
                "'",
            "an atomic operation reads and writes", "declare it InOut<\"" + argument.name + "\">");
    return Access::makeOld(at);
  }
  std::vector<ValueId> positions;
  std::vector<int64_t> shape;
  DType dtype = op.type(v).dtype;
  if (!readOffsets(op, v, offsets, what, false, positions) ||
      !operandShape(op, dtype, operands, shape))
    return Access::makeOld(at);
  if (shape.empty() && !positions.empty()) {
    v = viewAt(op, v, positions);
    positions.clear();
  } else if (shape.size() != positions.size()) {
    op.fail(std::string(what) + " of a tile " + infer::shapeText(shape) + " on a " +
                op.type(v).str(),
            "a tile has one axis for each axis of the view",
            "insert axes with expand(x, axis), or fix axes of the view with at()");
    return Access::makeOld(at);
  }
  TraceType pointers{TraceType::Kind::pointer, dtype, shape, {}};
  std::vector<ValueId> parts{v};
  parts.insert(parts.end(), positions.begin(), positions.end());
  ValueId addresses =
      op->emitSeveral(TraceOp::viewPointers, {pointers, infer::tileType(DType::boolean, shape)},
                      std::move(parts), {}, op.location);
  ValueId pointer = op->op(addresses).results[0], inside = op->op(addresses).results[1];
  return atomicAt(op, code, pointer, operands, inside, order, at);
}

#define METILE_VIEW_ATOMIC(name, op)                                                               \
  OldValue View::name(const Offsets &offsets, Operand value, sem order, Loc at) const {            \
    return atomicView(AtomicOp::op, *this, offsets, {&value}, order, at);                          \
  }
METILE_VIEW_ATOMIC(atomic_add, add)
METILE_VIEW_ATOMIC(atomic_max, max)
METILE_VIEW_ATOMIC(atomic_min, min)
METILE_VIEW_ATOMIC(atomic_and, bitAnd)
METILE_VIEW_ATOMIC(atomic_or, bitOr)
METILE_VIEW_ATOMIC(atomic_xor, bitXor)
METILE_VIEW_ATOMIC(atomic_xchg, xchg)
#undef METILE_VIEW_ATOMIC

OldValue View::atomic_cas(const Offsets &offsets, Operand expected, Operand desired, sem order,
                          Loc at) const {
  return atomicView(std::nullopt, *this, offsets, {&expected, &desired}, order, at);
}

// ---- other views of the same memory
// --------------------------------------------------------------

View View::at(const Offsets &indices, Loc at) const {
  Op op(at);
  ValueId v = op ? op.value(*this) : poisonValue;
  std::vector<ValueId> positions;
  if (!op || op.isPoison(v) || !readOffsets(op, v, indices, "at()", true, positions))
    return *this;
  return View(trace, viewAt(op, v, positions));
}

View View::permute(const std::vector<int> &axes, Loc at) const {
  Op op(at);
  ValueId v = op ? op.value(*this) : poisonValue;
  if (!op || op.isPoison(v))
    return *this;
  TraceType source = op.type(v), result = source;
  std::vector<int64_t> order(axes.begin(), axes.end());
  std::vector<int64_t> sorted;
  for (int64_t &axis : order) {
    axis += axis < 0 ? int64_t(source.shape.size()) : 0;
    sorted.push_back(axis);
  }
  std::sort(sorted.begin(), sorted.end());
  bool good = sorted.size() == source.shape.size();
  for (size_t i = 0; good && i < sorted.size(); ++i)
    good = sorted[i] == int64_t(i);
  if (!good) {
    op.fail("permute with axes " + infer::shapeText({axes.begin(), axes.end()}) + " of a " +
                source.str(),
            "each axis once", {});
    return *this;
  }
  for (size_t i = 0; i < order.size(); ++i) {
    result.shape[i] = source.shape[order[i]];
    result.strides[i] = source.strides[order[i]];
  }
  return View(trace, op.emit(TraceOp::viewTranspose, std::move(result), {v}, std::move(order)));
}

View View::transpose(Loc at) const {
  uint32_t axes = rank();
  if (axes < 2) {
    Op op(at);
    if (op)
      op.fail("transpose of a view of rank " + std::to_string(axes), "two axes or more", {});
    return *this;
  }
  std::vector<int> order;
  for (uint32_t i = 0; i < axes; ++i)
    order.push_back(i);
  std::swap(order[axes - 1], order[axes - 2]);
  return permute(order, at);
}
