// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, branches and call sites: what the bodies of control.h call.
#include "Frontend/DslAccess.h"

#include <exception>

using namespace metile;
using detail::Access;

/// False after a message inside a combine function.
static bool controlAllowed(Op &op, const char *what) {
  if (op->where() != Tracer::Where::combine)
    return true;
  op.fail(std::string(what) + " inside a combine function",
          "a combine function only computes with its scalars", "use where");
  return false;
}

// ---- range
// ---------------------------------------------------------------------------------------

Range::Iterator::Iterator(const Range &range) {
  Op op(range.place);
  if (!op || !controlAllowed(op, "a loop"))
    return;
  ValueId lo = op.index(range.low, "the start of range");
  ValueId hi = op.index(range.high, "the end of range");
  ValueId step = op.index(range.stride, "the step of range");
  const RawOp &stepOp = op->op(step);
  if (stepOp.op == TraceOp::constant && stepOp.ints[0] <= 0) {
    op.fail("a step of " + std::to_string(stepOp.ints[0]), "the step is positive",
            "count upwards and compute the index from the counter");
    step = poisonValue;
  }
  // A loop with a wrong bound is traced all the same: its body may have mistakes of its own.
  ValueId one = op->indexConstant(1, op.location);
  for (ValueId *v : {&lo, &hi, &step})
    if (op.isPoison(*v))
      *v = one;
  trace = op->id();
  loop = op->beginLoop(lo, hi, step, op.location);
  exceptions = std::uncaught_exceptions();
  running = true;
}

Index Range::Iterator::operator*() const {
  Tracer *tracer = Tracer::withId(trace);
  return Index(Access::make(tracer ? tracer->loopIndex(loop) : poisonValue));
}

Range::Iterator &Range::Iterator::operator++() {
  Tracer *tracer = Tracer::withId(trace);
  running = tracer && tracer->nextTrip(loop);
  return *this;
}

Range::Iterator::~Iterator() {
  Tracer *tracer = Tracer::withId(trace);
  if (running && tracer)
    tracer->abandon(loop, std::uncaught_exceptions() != exceptions);
}

// ---- while_
// --------------------------------------------------------------------------------------

detail::While::While(Loc at) : place(at) {
  Op op(at);
  if (!op || !controlAllowed(op, "while_"))
    return;
  trace = op->id();
  loop = op->beginWhile(op.location);
}

bool detail::While::nextTrip() {
  Tracer *tracer = Tracer::withId(trace);
  if (loop && (!tracer || !tracer->nextWhileTrip(loop)))
    loop = 0;
  return loop != 0;
}

void detail::While::condition(const Tile &value) {
  Op op(place);
  if (!op || !loop)
    return;
  ValueId v = op.value(value);
  if (!op.isScalarCondition(v, "the condition of while_"))
    v = op->constant(infer::scalarType(DType::boolean), 0, 0, op.location);
  op->whileCondition(loop, v);
}

detail::While::~While() {
  Tracer *tracer = Tracer::withId(trace);
  if (loop && tracer)
    tracer->abandon(loop, true);
}

// ---- if_
// -----------------------------------------------------------------------------------------

detail::Branch::Branch(const Tile &condition, Loc at) {
  Op op(at);
  if (!op || !controlAllowed(op, "if_"))
    return;
  trace = op->id();
  ValueId v = op.value(condition);
  if (!op.isScalarCondition(v, "the condition of if_"))
    v = op->constant(infer::scalarType(DType::boolean), 0, 0, op.location);
  conditional = op->beginIf(v, op.location, frame);
  open = !op->options().skipBranches;
}

detail::Branch::Branch(const If &first, Loc at)
    : trace(first.trace), conditional(first.conditional) {
  Op op(at);
  if (!op || op->id() != trace)
    return;
  open = op->beginElse(conditional, op.location, frame) && !op->options().skipBranches;
}

detail::Branch::~Branch() {
  if (Tracer *tracer = Tracer::withId(trace))
    tracer->endBranch(frame);
}

void metile::return_if(const Tile &condition, Loc at) {
  Op op(at);
  if (!op || !controlAllowed(op, "return_if"))
    return;
  if (op->where() == Tracer::Where::loop) {
    op.fail("return_if inside a loop", "return_if stands outside loops",
            "use if_ around the rest of the body");
    return;
  }
  ValueId v = op.value(condition);
  if (op.isScalarCondition(v, "the condition of return_if"))
    op->returnIf(v, op.location);
}

// ---- Site
// ----------------------------------------------------------------------------------------

Site::Site(Loc at) {
  if (Tracer *tracer = Tracer::current()) {
    trace = tracer->id();
    depth = tracer->pushSite(at);
  }
}

Site::~Site() {
  if (Tracer *tracer = Tracer::withId(trace))
    tracer->popSite(depth);
}
