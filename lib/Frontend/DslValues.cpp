// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile, Index and View, and the steps all operations share.
#include "Frontend/DslAccess.h"

#include <cmath>

using namespace metile;
using detail::Access;

// ---- Op
// ------------------------------------------------------------------------------------------

static const char *const foreignTile = "this tile does not belong to the kernel being traced";
static const char *const foreignChange = "make tiles inside the body, or pass them as parameters";

ValueId Op::value(const Tile &tile) {
  detail::Slot slot = Access::slotOf(tile);
  if (!tracer)
    return poisonValue;
  if (slot.trace != tracer->id())
    return fail(foreignTile, "a body uses its own tiles and parameters only", foreignChange);
  return tracer->read(slot.id, location);
}

ValueId Op::value(const View &view) {
  if (!tracer)
    return poisonValue;
  if (Access::traceOf(view) != tracer->id())
    return fail("this view does not belong to the kernel being traced",
                "a body uses its own parameters only", "pass the view as a parameter");
  return Access::valueOf(view);
}

ValueId Op::value(const Operand &operand, DType dtype, std::vector<int64_t> shape) {
  if (!tracer)
    return poisonValue;
  if (Access::isTile(operand)) {
    if (Access::traceOf(operand) != tracer->id())
      return fail(foreignTile, "a body uses its own tiles and parameters only", foreignChange);
    return Access::valueOf(operand);
  }
  infer::Mistake mistake;
  bool isReal = Access::isReal(operand);
  int64_t integer = Access::integer(operand);
  if (!infer::literalFits(dtype, isReal, Access::isUnsigned(operand), integer,
                          Access::real(operand), mistake))
    return fail(mistake);
  return tracer->constant(infer::tileType(dtype, std::move(shape)), integer, Access::real(operand),
                          location);
}

ValueId Op::index(const Operand &operand, const std::string &what) {
  if (Access::isReal(operand))
    return fail(what + " is not an integer", "integer scalars and C++ integers",
                "write an integer");
  ValueId v = value(operand, DType::i64);
  if (isPoison(v))
    return v;
  const TraceType &t = type(v);
  if (!t.isNumber() || !t.shape.empty() || !isInteger(t.dtype))
    return fail(what + " is " + t.str(), "integer scalars and C++ integers",
                t.isScalar() && t.isNumber() ? "cast it: cast(x, i64)"
                                             : "reduce or load it to a scalar first");
  return cast(v, DType::i64);
}

bool Op::isNumber(ValueId v, const std::string &what) {
  if (type(v).isNumber())
    return true;
  fail(what + " of " + type(v).str(), "it takes a tile of numbers", "load the elements first");
  return false;
}

bool Op::isCondition(ValueId v, const std::string &what) {
  if (isPoison(v))
    return false;
  if (type(v).isNumber() && type(v).dtype == DType::boolean)
    return true;
  fail(what + " is " + type(v).str(), "conditions are bool", "compare it: x != 0");
  return false;
}

bool Op::isScalarCondition(ValueId v, const std::string &what) {
  if (!isCondition(v, what))
    return false;
  if (type(v).shape.empty())
    return true;
  fail(what + " is " + type(v).str(), "one bool decides for the whole program",
       "use where for a choice per element, or reduce the condition to a scalar");
  return false;
}

ValueId Op::cast(ValueId v, DType to) {
  if (isPoison(v) || type(v).dtype == to)
    return v;
  return emit(TraceOp::cast, infer::tileType(to, type(v).shape), {v});
}

ValueId Op::broadcast(ValueId v, const std::vector<int64_t> &shape) {
  if (isPoison(v) || type(v).shape == shape)
    return v;
  TraceType result = type(v);
  result.shape = shape;
  return emit(type(v).shape.empty() ? TraceOp::splat : TraceOp::broadcast, std::move(result), {v});
}

bool Op::unify(std::vector<ValueId *> values) {
  std::vector<int64_t> shape;
  infer::Mistake mistake;
  for (ValueId *v : values) {
    std::vector<int64_t> joined;
    if (!infer::broadcast(shape, type(*v).shape, joined, mistake)) {
      fail(mistake);
      return false;
    }
    shape = std::move(joined);
  }
  if (!infer::checkExtents(shape, mistake)) {
    fail(mistake);
    return false;
  }
  for (ValueId *v : values)
    *v = broadcast(*v, shape);
  return true;
}

// ---- Operand, Tile, Index
// ------------------------------------------------------------------------

Operand::Operand(const Tile &tile, Loc at) : place(at) {
  Op op(at);
  if (!op)
    return;
  trace = tile.slot.trace;
  if (trace == op->id())
    tileValue = op.value(tile);
}

Tile::Tile() {
  if (Tracer *tracer = Tracer::current())
    slot = {tracer->id(), tracer->newSlot(undefinedValue)};
}

Tile::Tile(const Tile &other) {
  Tracer *tracer = Tracer::current();
  if (!tracer)
    return;
  if (other.slot.trace == tracer->id()) {
    slot = {tracer->id(), tracer->newSlot(tracer->peek(other.slot.id))};
    tracer->copied(slot.id);
  } else {
    slot = other.slot; // Reported where it is used.
  }
}

Tile::Tile(const detail::Binding &binding) {
  if (Tracer *tracer = Tracer::withId(binding.trace))
    slot = {tracer->id(), tracer->newSlot(binding.value)};
}

Tile &Tile::operator=(const Tile &other) {
  Tracer *tracer = Tracer::current();
  if (this == &other || !tracer)
    return *this;
  bool isOurs = other.slot.trace == tracer->id();
  if (slot.trace != tracer->id()) {
    slot = isOurs ? detail::Slot{tracer->id(), tracer->newSlot(undefinedValue)} : other.slot;
    if (!isOurs)
      return *this;
  }
  tracer->write(slot.id, isOurs ? tracer->peek(other.slot.id) : poisonValue);
  return *this;
}

Tile::~Tile() {
  if (Tracer *tracer = Tracer::withId(slot.trace))
    tracer->releaseSlot(slot.id);
}

/// The type of a tile for questions that the body asks on the host; never reports.
static TraceType typeOf(const Tile &tile) {
  detail::Slot slot = Access::slotOf(tile);
  Tracer *tracer = Tracer::withId(slot.trace);
  return tracer && slot.trace ? tracer->type(tracer->peek(slot.id)) : TraceType{};
}

DType Tile::dtype() const { return typeOf(*this).dtype; }
uint32_t Tile::rank() const { return typeOf(*this).shape.size(); }
std::vector<int64_t> Tile::shape() const { return typeOf(*this).shape; }

int64_t Tile::size(int axis, Loc at) const {
  Op op(at);
  ValueId v = op ? op.value(*this) : poisonValue;
  if (!op || op.isPoison(v))
    return 1;
  int64_t position = axis;
  infer::Mistake mistake;
  if (!infer::checkAxis(position, op.type(v).shape.size(), "a tile " + op.type(v).str(), mistake)) {
    op.fail(mistake);
    return 1;
  }
  return op.type(v).shape[position];
}

Index::Index(const Tile &tile, Loc at) : Index(Operand(tile, at)) {}

Index::Index(const Operand &value) {
  Op op(Access::placeOf(value));
  if (op)
    Tile::operator=(Access::make(op.index(value, "the value of an Index")));
}

Index &Index::operator+=(Operand o) {
  return *this = Index(detail::binary(detail::BinaryOp::add, *this, o), Access::placeOf(o));
}
Index &Index::operator-=(Operand o) {
  return *this = Index(detail::binary(detail::BinaryOp::sub, *this, o), Access::placeOf(o));
}
Index &Index::operator*=(Operand o) {
  return *this = Index(detail::binary(detail::BinaryOp::mul, *this, o), Access::placeOf(o));
}
Index &Index::operator/=(Operand o) {
  return *this = Index(detail::binary(detail::BinaryOp::div, *this, o), Access::placeOf(o));
}
Index &Index::operator%=(Operand o) {
  return *this = Index(detail::binary(detail::BinaryOp::rem, *this, o), Access::placeOf(o));
}

OldValue::operator Tile() const {
  return Access::make(Tracer::withId(trace) ? value : poisonValue);
}
OldValue::operator Index() const { return Index(Tile(*this), place); }

// ---- View
// ----------------------------------------------------------------------------------------

View::View(const detail::Binding &binding) : trace(binding.trace), value(binding.value) {}

static TraceType typeOf(const View &view) {
  Tracer *tracer = Tracer::withId(Access::traceOf(view));
  return tracer ? tracer->type(Access::valueOf(view)) : TraceType{};
}

DType View::dtype() const { return typeOf(*this).dtype; }
uint32_t View::rank() const { return typeOf(*this).shape.size(); }

/// The argument and its axis behind an axis of a view; false after a message.
static bool rootAxis(Op &op, const View &view, int axis, ValueId &root, uint32_t &rootAxis) {
  ValueId v = op ? op.value(view) : poisonValue;
  if (!op || op.isPoison(v))
    return false;
  int64_t position = axis;
  infer::Mistake mistake;
  auto [argument, axes] = op->raw.rootOf(v);
  if (!infer::checkAxis(position, axes.size(), "a " + op.type(v).str(), mistake)) {
    op.fail(mistake);
    return false;
  }
  root = argument;
  rootAxis = axes[position];
  return true;
}

static Index sizeOrStride(const View &view, int axis, TraceOp code, Loc at) {
  Op op(at);
  ValueId root;
  uint32_t axisOfRoot;
  ValueId result = poisonValue;
  if (rootAxis(op, view, axis, root, axisOfRoot))
    result = op.emit(code, infer::scalarType(DType::i64), {root}, {axisOfRoot});
  return Index(Access::make(result), at);
}

Index View::size(int axis, Loc at) const {
  return sizeOrStride(*this, axis, TraceOp::viewSize, at);
}
Index View::stride(int axis, Loc at) const {
  return sizeOrStride(*this, axis, TraceOp::viewStride, at);
}

int64_t View::fixed_size(int axis, Loc at) const {
  Op op(at);
  ValueId root;
  uint32_t axisOfRoot;
  if (!rootAxis(op, *this, axis, root, axisOfRoot))
    return 1;
  int64_t &known = op->op(root).type.shape[axisOfRoot];
  uint32_t argument = op->op(root).ints[1];
  if (known < 0) {
    const auto &typical = op->typicalSizes;
    if (argument >= typical.size() || axisOfRoot >= typical[argument].size()) {
      op.fail("the size of axis " + std::to_string(axisOfRoot) + " of " +
                  op->raw.arguments[argument].name + " is not known",
              "fixed_size needs the sizes of a launch when the kernel is compiled",
              "state the sizes in ArgumentSpec, or use size() instead");
      return 1;
    }
    known = typical[argument][axisOfRoot];
    op->facts.push_back({Fact::Kind::sizeEquals, argument, axisOfRoot, known});
  }
  return known;
}
