// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Tracer.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace metile;

static thread_local Tracer *running = nullptr;

std::pair<ValueId, std::vector<uint32_t>> RawTrace::rootOf(ValueId view) const {
  const RawOp &op = ops[view];
  std::vector<uint32_t> axes;
  if (op.op == TraceOp::viewAt || op.op == TraceOp::viewTranspose) {
    auto [root, sourceAxes] = rootOf(op.operands[0]);
    if (op.op == TraceOp::viewAt)
      axes.assign(sourceAxes.begin() + (op.operands.size() - 1), sourceAxes.end());
    else
      for (int64_t axis : op.ints)
        axes.push_back(sourceAxes[axis]);
    return {root, axes};
  }
  for (uint32_t axis = 0; axis < op.type.shape.size(); ++axis)
    axes.push_back(axis);
  return {view, axes};
}

Tracer::Tracer(const Kernel &tracedKernel, Options options)
    : kernel(tracedKernel), choice(options), outer(running) {
  static std::atomic<uint32_t> counter{0};
  do
    traceId = ++counter;
  while (traceId == 0);
  raw.ops.resize(2);
  raw.ops[undefinedValue].op = raw.ops[poisonValue].op = TraceOp::unreadable;
  raw.ops[poisonValue].type.kind = TraceType::Kind::poison;
  raw.alias = {0, 1};
  raw.regions.resize(1);
  locations.push_back(kernel.definition());
  running = this;
}

Tracer::~Tracer() { running = outer; }

Tracer *Tracer::current() { return running; }

Tracer *Tracer::withId(uint32_t trace) {
  return running && running->traceId == trace ? running : nullptr;
}

// ---- values
// --------------------------------------------------------------------------------------

ValueId Tracer::emit(TraceOp op, TraceType type, std::vector<ValueId> operands,
                     std::vector<int64_t> ints, uint32_t location) {
  if (guardPending)
    guardRest();
  RawOp made;
  made.op = op;
  made.type = std::move(type);
  made.operands = std::move(operands);
  made.ints = std::move(ints);
  made.location = location;
  made.region = region();
  ValueId id = raw.ops.size();
  raw.regions[made.region].ops.push_back(id);
  raw.ops.push_back(std::move(made));
  raw.alias.push_back(id);
  return id;
}

ValueId Tracer::emitSeveral(TraceOp op, const std::vector<TraceType> &types,
                            std::vector<ValueId> operands, std::vector<int64_t> ints,
                            uint32_t location) {
  ValueId owner = emit(op, {}, std::move(operands), std::move(ints), location);
  for (size_t i = 0; i < types.size(); ++i) {
    ValueId result = emit(TraceOp::result, types[i], {owner}, {int64_t(i)}, location);
    raw.ops[owner].results.push_back(result);
  }
  return owner;
}

ValueId Tracer::constant(TraceType type, int64_t integer, double real, uint32_t location) {
  bool isReal = isFloat(type.dtype);
  ValueId id = emit(TraceOp::constant, std::move(type), {},
                    isReal ? std::vector<int64_t>{} : std::vector<int64_t>{integer}, location);
  if (isReal)
    raw.ops[id].real = real;
  return id;
}

ValueId Tracer::indexConstant(int64_t value, uint32_t location) {
  return constant({TraceType::Kind::number, DType::i64, {}, {}}, value, 0, location);
}

ValueId Tracer::addArgument(const ArgumentInfo &info, TraceType type) {
  raw.arguments.push_back(info);
  return placeholder(0, std::move(type), 0, int64_t(raw.arguments.size()) - 1, false);
}

ValueId Tracer::placeholder(uint32_t inRegion, TraceType type, ValueId owner, int64_t carry,
                            bool inner) {
  ValueId id = emit(TraceOp::placeholder, std::move(type), {}, {int64_t(owner), carry, inner}, 0);
  raw.ops[id].region = inRegion;
  return id;
}

bool Tracer::visible(ValueId value) const {
  uint32_t home = raw.ops[value].region;
  for (uint32_t r = region();; r = raw.regions[r].parent) {
    if (r == home)
      return true;
    if (r == 0)
      return false;
  }
}

// ---- messages
// ------------------------------------------------------------------------------------

uint32_t Tracer::locate(const Loc &loc) {
  uint32_t site = sites.empty() ? 0 : sites.back();
  auto [it, isNew] =
      locationNumbers.try_emplace({loc.file_name(), loc.line(), loc.column(), site}, 0);
  if (isNew) {
    Location place;
    place.file = loc.file_name();
    place.line = loc.line();
    place.column = loc.column();
    for (size_t i = sites.size(); i-- > 0;) {
      place.calledFrom.push_back(locations[sites[i]]);
      place.calledFrom.back().calledFrom.clear();
    }
    it->second = locations.size();
    locations.push_back(std::move(place));
  }
  return it->second;
}

size_t Tracer::pushSite(const Loc &loc) {
  sites.push_back(locate(loc));
  return sites.size() - 1;
}

void Tracer::popSite(size_t depth) {
  if (sites.size() > depth)
    sites.resize(depth);
}

ValueId Tracer::fail(uint32_t location, std::string found, std::string allowed,
                     std::string change) {
  Diagnostic made{locations[location], std::move(found), std::move(allowed), std::move(change)};
  // A body is traced more than once; each mistake is told once.
  for (const Diagnostic &known : diagnostics)
    if (known.str() == made.str())
      return poisonValue;
  diagnostics.push_back(std::move(made));
  firstFailure = std::min<ValueId>(firstFailure, raw.ops.size());
  return poisonValue;
}

ValueId Tracer::unreadable(std::string found, std::string change) {
  messages.emplace_back(std::move(found), std::move(change));
  return emit(TraceOp::unreadable, {}, {}, {int64_t(messages.size()) - 1}, 0);
}

// ---- variables
// -----------------------------------------------------------------------------------

uint32_t Tracer::newSlot(ValueId value) {
  slots.push_back({value, frames.empty() ? 0 : frames.back().serial, true});
  return slots.size() - 1;
}

void Tracer::releaseSlot(uint32_t slot) { slots[slot].alive = false; }

bool Tracer::readable(ValueId value) const { return raw.ops[value].op != TraceOp::unreadable; }

size_t Tracer::depthOf(const Slot &slot) const {
  for (size_t i = frames.size(); i-- > 0;)
    if (frames[i].serial == slot.frame)
      return i + 1;
  return 0;
}

Tracer::Touch *Tracer::findTouch(Frame &frame, uint32_t slot) {
  for (Touch &touch : frame.touched)
    if (touch.slot == slot)
      return &touch;
  return nullptr;
}

void Tracer::touch(uint32_t slot, bool read) {
  // From the outermost frame inwards, so that each finds the value of the one around it. All but
  // the innermost need the old value even for a write: their inner construct starts from it.
  for (size_t i = depthOf(slots[slot]); i < frames.size(); ++i)
    touchFrame(frames[i], slot, read, read || i + 1 < frames.size());
}

void Tracer::touchFrame(Frame &frame, uint32_t slot, bool userRead, bool needValue) {
  if (frame.kind == Frame::Kind::tail)
    return;
  Slot &variable = slots[slot];
  Touch *touch = findTouch(frame, slot);
  bool isNew = !touch;
  if (isNew) {
    frame.touched.push_back({slot, {}, false, false});
    touch = &frame.touched.back();
    touch->carry.init = variable.value;
  }
  if (frame.kind == Frame::Kind::branch || frame.kind == Frame::Kind::combine)
    return;

  int64_t number = touch - frame.touched.data();
  auto makeArgument = [&](bool inner, uint32_t inRegion) {
    if (!readable(variable.value))
      return ValueId(0);
    return placeholder(inRegion, type(variable.value), frame.op, number, inner);
  };
  bool inBody = frame.kind == Frame::Kind::whileBody;
  if (isNew && (needValue || inBody)) {
    uint32_t outerRegion = inBody ? raw.ops[frame.op].regions[0] : frame.region;
    touch->carry.argument = makeArgument(false, outerRegion);
    if (touch->carry.argument)
      variable.value = touch->carry.argument;
    touch->carry.forwarded = variable.value;
  }
  if (inBody && !touch->innerDone) {
    touch->innerDone = true;
    if (needValue) {
      touch->carry.inner = makeArgument(true, frame.region);
      if (touch->carry.inner)
        variable.value = touch->carry.inner;
    }
  }
  if (userRead && variable.value != 0 &&
      (variable.value == touch->carry.argument || variable.value == touch->carry.inner))
    touch->userRead = true;
}

ValueId Tracer::peek(uint32_t slot) {
  touch(slot, true);
  return slots[slot].value;
}

ValueId Tracer::read(uint32_t slot, uint32_t location) {
  ValueId value = peek(slot);
  if (value == poisonValue)
    return value;
  const RawOp &op = raw.ops[value];
  if (value == undefinedValue)
    return fail(location, "this tile has no value yet", "a tile is read after it was assigned",
                "give it a value where it is declared");
  if (op.op == TraceOp::unreadable)
    return fail(location, messages[op.ints[0]].first, {}, messages[op.ints[0]].second);
  if (!visible(raw.resolve(value)))
    return fail(location, "this tile was made inside a loop or branch that has ended",
                "values leave a body through tiles declared outside it",
                "declare the tile before the loop or branch");
  return value;
}

void Tracer::write(uint32_t slot, ValueId value) {
  touch(slot, false);
  slots[slot].value = value;
}

// ---- comparing two runs of a body
// ----------------------------------------------------------------

/// Views may learn a size between two runs (View::fixed_size).
static bool sameType(const TraceType &a, const TraceType &b) {
  if (a.isView() && b.isView())
    return a.dtype == b.dtype && a.shape.size() == b.shape.size();
  return a == b;
}

bool Tracer::sameTrips(Frame &frame) {
  // The first trip may have made placeholders of frames around this one; they serve both trips.
  auto belongs = [&](ValueId id) {
    const RawOp &op = raw.ops[id];
    return op.op != TraceOp::placeholder || ValueId(op.ints[0]) >= frame.op;
  };
  std::vector<ValueId> first, second;
  for (ValueId id = frame.previousStart; id < frame.previousEnd; ++id)
    if (belongs(id))
      first.push_back(id);
  for (ValueId id = frame.tripStart; id < raw.ops.size(); ++id)
    if (belongs(id))
      second.push_back(id);
  size_t common = std::min(first.size(), second.size());
  std::vector<ValueId> counterpart(frame.previousEnd - frame.previousStart);
  for (size_t i = 0; i < counterpart.size(); ++i)
    counterpart[i] = frame.previousStart + i;
  for (size_t i = 0; i < common; ++i)
    counterpart[first[i] - frame.previousStart] = second[i];
  auto map = [&](ValueId v) {
    return v >= frame.previousStart && v < frame.previousEnd ? counterpart[v - frame.previousStart]
                                                             : v;
  };
  auto mapped = [&](Carry c) {
    return Carry{map(c.init),  map(c.argument), map(c.forwarded), map(c.inner),
                 map(c.yield), map(c.other),    map(c.result)};
  };
  for (size_t i = 0; i < common; ++i) {
    const RawOp &a = raw.ops[first[i]], &b = raw.ops[second[i]];
    bool same = a.op == b.op && a.text == b.text && sameType(a.type, b.type) &&
                a.ints.size() == b.ints.size() && a.operands.size() == b.operands.size() &&
                a.carries.size() == b.carries.size() && a.yields.size() == b.yields.size() &&
                std::memcmp(&a.real, &b.real, sizeof(double)) == 0;
    for (size_t k = 0; same && k < a.yields.size(); ++k)
      same = map(a.yields[k]) == b.yields[k];
    for (size_t k = 0; same && k < a.operands.size(); ++k)
      same = map(a.operands[k]) == b.operands[k];
    for (size_t k = 0; same && k < a.ints.size(); ++k) {
      bool isOwner = a.op == TraceOp::placeholder && k == 0;
      bool isMessage = a.op == TraceOp::unreadable;
      same = isMessage || (isOwner ? int64_t(map(a.ints[k])) : a.ints[k]) == b.ints[k];
    }
    for (size_t k = 0; same && k < a.carries.size(); ++k)
      same = mapped(a.carries[k]) == b.carries[k];
    if (!same) {
      reportImpure(frame, second[i]);
      return false;
    }
  }
  if (first.size() != second.size()) {
    reportImpure(frame, first.size() < second.size() ? second[common] : first[common]);
    return false;
  }
  bool same = frame.touched.size() == frame.previousTouched.size() &&
              frame.yielded.size() == frame.previousYielded.size();
  for (size_t k = 0; same && k < frame.yielded.size(); ++k)
    same = map(frame.previousYielded[k]) == frame.yielded[k];
  for (size_t k = 0; same && k < frame.touched.size(); ++k)
    same = frame.touched[k].slot == frame.previousTouched[k].slot &&
           mapped(frame.previousTouched[k].carry) == frame.touched[k].carry;
  if (!same)
    reportImpure(frame, frame.op);
  return same;
}

void Tracer::reportImpure(Frame &frame, ValueId where) {
  uint32_t location = raw.ops[where].location;
  fail(location ? location : raw.ops[frame.op].location,
       "this body did something else when it was traced a second time",
       "a body is a pure function: it may not depend on C++ variables that it changes",
       "make the variable an Index or a Tile declared before the body");
}
