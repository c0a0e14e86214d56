// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the library looks into the language's classes, and the steps that its operations share:
// reading operands, converting, broadcasting. Every mistake is recorded in the tracer and yields
// poison. Knows nothing of MLIR.
#pragma once

#include "Frontend/Infer.h"
#include "Frontend/Tracer.h"
#include "metile/dsl.h"

namespace metile {
namespace detail {

struct Access {
  static Tile make(ValueId value) {
    Tile tile;
    if (Tracer *tracer = Tracer::withId(tile.slot.trace))
      tracer->write(tile.slot.id, value);
    return tile;
  }
  static Slot slotOf(const Tile &tile) { return tile.slot; }
  static OldValue makeOld(Tracer &tracer, ValueId value, const Loc &at) {
    return OldValue(tracer.id(), value, at);
  }
  static OldValue makeOld(const Loc &at) { return OldValue(0, poisonValue, at); }
  static View makeView(Tracer &tracer, ValueId value) { return View(tracer.id(), value); }
  static uint32_t traceOf(const View &view) { return view.trace; }
  static ValueId valueOf(const View &view) { return view.value; }

  static bool isTile(const Operand &o) { return o.kind == Operand::Kind::tile; }
  static bool isReal(const Operand &o) { return o.kind == Operand::Kind::real; }
  static bool isUnsigned(const Operand &o) { return o.kind == Operand::Kind::unsignedInteger; }
  static bool isTruth(const Operand &o) { return o.kind == Operand::Kind::truth; }
  static int64_t integer(const Operand &o) {
    return isTruth(o) ? int64_t(o.realValue != 0) : o.integerValue;
  }
  static double real(const Operand &o) { return o.realValue; }
  static uint32_t traceOf(const Operand &o) { return o.trace; }
  static ValueId valueOf(const Operand &o) { return o.tileValue; }
  static const Loc &placeOf(const Operand &o) { return o.place; }

  static Kernel newKernel() { return Kernel(); }
  static std::string &name(Kernel &k) { return k.kernelName; }
  static std::vector<Kernel::Parameter> &parameters(Kernel &k) { return k.argumentList; }
  static std::vector<Kernel::Constant> &constants(Kernel &k) { return k.constantList; }
  static std::vector<std::pair<bool, uint32_t>> &signature(Kernel &k) { return k.signature; }
  static const std::vector<std::pair<bool, uint32_t>> &signature(const Kernel &k) {
    return k.signature;
  }
  static Location &place(Kernel &k) { return k.place; }
  static Body &body(Kernel &k) { return k.body; }
  static const Body &body(const Kernel &k) { return k.body; }
};

} // namespace detail

/// One operation of the language while it is recorded.
class Op {
public:
  /// Without a running tracer every step yields poison and records nothing.
  explicit Op(const Loc &at) : tracer(Tracer::current()) {
    if (tracer)
      location = tracer->locate(at);
  }

  explicit operator bool() const { return tracer != nullptr; }
  Tracer *operator->() { return tracer; }
  Tracer &get() { return *tracer; }

  ValueId fail(std::string found, std::string allowed = {}, std::string change = {}) {
    return tracer->fail(location, std::move(found), std::move(allowed), std::move(change));
  }
  ValueId fail(const infer::Mistake &m) { return fail(m.found, m.allowed, m.change); }
  const TraceType &type(ValueId value) const { return tracer->type(value); }
  bool isPoison(ValueId value) const { return tracer->isPoison(value); }
  ValueId emit(TraceOp op, TraceType resultType, std::vector<ValueId> operands,
               std::vector<int64_t> ints = {}) {
    return tracer->emit(op, std::move(resultType), std::move(operands), std::move(ints), location);
  }

  /// Value of a tile; poison if it has none or belongs to another kernel.
  ValueId value(const Tile &tile);
  /// Value of a tile operand; a number becomes a constant scalar or, in `shape`, a tile of `dtype`.
  ValueId value(const Operand &operand, DType dtype, std::vector<int64_t> shape = {});
  /// The view's value, or poison.
  ValueId value(const View &view);
  /// An operand as an i64 scalar; `what` stands in messages.
  ValueId index(const Operand &operand, const std::string &what);
  /// A tile of numbers, else a message: "`what` of a pointer".
  bool isNumber(ValueId value, const std::string &what);
  /// A bool tile or scalar, else a message.
  bool isCondition(ValueId value, const std::string &what);
  bool isScalarCondition(ValueId value, const std::string &what);

  ValueId cast(ValueId value, DType to);
  /// Repeats a scalar or axes of extent 1 up to `shape`.
  ValueId broadcast(ValueId value, const std::vector<int64_t> &shape);
  /// Brings all to one shape in place; false after a message.
  bool unify(std::vector<ValueId *> values);

  Tracer *tracer;
  uint32_t location = 0;
};

} // namespace metile
