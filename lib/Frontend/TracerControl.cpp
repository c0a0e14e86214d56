// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of the tracer: loops, branches, combine functions.
#include "Frontend/Tracer.h"

#include <algorithm>

using namespace metile;

uint32_t Tracer::newRegion() {
  uint32_t parent = frames.empty() ? 0 : frames.back().region;
  raw.regions.push_back({parent, {}});
  return raw.regions.size() - 1;
}

Tracer::Frame &Tracer::pushFrame(Frame::Kind kind, ValueId op) {
  uint32_t inner = newRegion();
  raw.ops[op].regions.push_back(inner);
  Frame frame;
  frame.kind = kind;
  frame.serial = nextSerial++;
  frame.op = op;
  frame.region = inner;
  frame.sites = sites.size();
  frames.push_back(std::move(frame));
  startTrip(frames.back());
  return frames.back();
}

Tracer::Frame *Tracer::find(uint32_t serial) {
  for (Frame &frame : frames)
    if (frame.serial == serial && serial != 0)
      return &frame;
  return nullptr;
}

void Tracer::popAbove(const Frame &frame) {
  while (&frames.back() != &frame) {
    if (frames.back().guardsRest) {
      Frame closed = std::move(frames.back());
      frames.pop_back();
      closeBranch(std::move(closed));
    } else {
      abandon(frames.back().serial, true);
    }
  }
}

void Tracer::startTrip(Frame &frame) {
  ++frame.trip;
  frame.tripStart = raw.ops.size();
}

bool Tracer::endTrip(Frame &frame) {
  for (Touch &touch : frame.touched)
    touch.carry.yield = slots[touch.slot].value;
  if (frame.trip > 1)
    return false;
  for (Touch &touch : frame.touched)
    slots[touch.slot].value = touch.carry.init;
  frame.previousTouched = std::move(frame.touched);
  frame.touched.clear();
  frame.previousStart = frame.tripStart;
  frame.previousEnd = raw.ops.size();
  frame.previousYielded = frame.yielded;
  // The regions of the second run replace those of the first.
  uint32_t parent = raw.regions[raw.ops[frame.op].regions[0]].parent;
  raw.regions.push_back({parent, {}});
  frame.region = raw.regions.size() - 1;
  raw.ops[frame.op].regions = {frame.region};
  startTrip(frame);
  return true;
}

// ---- loops
// ---------------------------------------------------------------------------------------

static TraceType indexType() { return {TraceType::Kind::number, DType::i64, {}, {}}; }

uint32_t Tracer::beginLoop(ValueId lo, ValueId hi, ValueId step, uint32_t location) {
  ValueId op = emit(TraceOp::forLoop, {}, {lo, hi, step}, {}, location);
  Frame &frame = pushFrame(Frame::Kind::loop, op);
  frame.arguments = {placeholder(frame.region, indexType(), op, -1, false)};
  return frame.serial;
}

ValueId Tracer::loopIndex(uint32_t serial) {
  Frame *frame = find(serial);
  return frame ? frame->arguments.front() : poisonValue;
}

bool Tracer::nextTrip(uint32_t serial) {
  Frame *frame = find(serial);
  if (!frame)
    return false;
  popAbove(*frame);
  if (endTrip(*frame)) {
    frame->arguments = {placeholder(frame->region, indexType(), frame->op, -1, false)};
    return true;
  }
  sameTrips(*frame);
  Frame closed = std::move(frames.back());
  frames.pop_back();
  closeLoop(std::move(closed));
  return false;
}

uint32_t Tracer::beginWhile(uint32_t location) {
  ValueId op = emit(TraceOp::whileLoop, {}, {}, {}, location);
  return pushFrame(Frame::Kind::whileCondition, op).serial;
}

void Tracer::whileCondition(uint32_t serial, ValueId condition) {
  Frame *frame = find(serial);
  if (!frame)
    return;
  popAbove(*frame);
  frame->yielded = {condition};
  for (Touch &touch : frame->touched)
    touch.carry.forwarded = slots[touch.slot].value;
  frame->kind = Frame::Kind::whileBody;
  uint32_t parent = raw.regions[frame->region].parent;
  raw.regions.push_back({parent, {}});
  frame->region = raw.regions.size() - 1;
  raw.ops[frame->op].regions.push_back(frame->region);
}

bool Tracer::nextWhileTrip(uint32_t serial) {
  Frame *frame = find(serial);
  if (!frame)
    return false;
  popAbove(*frame);
  if (frame->kind == Frame::Kind::whileCondition)
    return true;
  if (endTrip(*frame)) {
    frame->kind = Frame::Kind::whileCondition;
    return true;
  }
  sameTrips(*frame);
  Frame closed = std::move(frames.back());
  frames.pop_back();
  raw.ops[closed.op].yields = closed.yielded;
  closeLoop(std::move(closed));
  return false;
}

void Tracer::closeLoop(Frame frame) {
  bool isWhile = frame.kind == Frame::Kind::whileBody;
  std::vector<Carry> carries;
  for (size_t k = 0; k < frame.touched.size(); ++k) {
    Touch &touch = frame.touched[k];
    Carry carry = touch.carry;
    Slot &variable = slots[touch.slot];
    ValueId unchanged = carry.argument ? carry.argument : carry.init;
    ValueId unchangedInner = carry.inner ? carry.inner : carry.forwarded;
    bool same = isWhile ? carry.forwarded == unchanged && carry.yield == unchangedInner
                        : carry.yield == unchanged;
    ValueId after = isWhile ? carry.forwarded : carry.yield;
    if (same || !variable.alive) {
      if (carry.argument)
        raw.alias[carry.argument] = carry.init;
      if (isWhile && carry.inner)
        raw.alias[carry.inner] = carry.forwarded;
      variable.value = carry.init;
    } else if (carry.init == poisonValue || carry.yield == poisonValue || after == poisonValue) {
      if (carry.argument)
        raw.alias[carry.argument] = carry.init;
      if (carry.inner)
        raw.alias[carry.inner] = carry.init;
      variable.value = poisonValue;
    } else if (readable(carry.init) && readable(carry.yield) && readable(after) &&
               type(carry.init) == type(carry.yield) && type(carry.init) == type(after)) {
      carry.result = emit(TraceOp::result, type(carry.init), {frame.op}, {int64_t(k)},
                          raw.ops[frame.op].location);
      variable.value = carry.result;
    } else {
      if (carry.argument)
        raw.alias[carry.argument] = carry.init;
      if (carry.inner)
        raw.alias[carry.inner] = carry.forwarded;
      ValueId changed = readable(carry.yield) ? carry.yield : after;
      if (!readable(carry.init)) {
        variable.value =
            carry.init == undefinedValue
                ? unreadable(
                      "this tile is first assigned inside a loop; it has no value if the loop "
                      "makes no trip",
                      "give it a value before the loop")
                : carry.init;
      } else if (!readable(changed)) {
        variable.value = changed;
      } else {
        std::string found = "this tile is " + type(carry.init).str() + " before the loop and " +
                            type(changed).str() + " after a trip";
        std::string change = "give it one type: cast or reshape before the assignment";
        if (touch.userRead) {
          uint32_t location = raw.ops[changed].location;
          variable.value = fail(location ? location : raw.ops[frame.op].location, found,
                                "a tile that a loop carries keeps its type", change);
        } else {
          variable.value = unreadable(found, change);
        }
      }
    }
    carries.push_back(carry);
  }
  raw.ops[frame.op].carries = std::move(carries);
}

void Tracer::abandon(uint32_t serial, bool byException) {
  Frame *frame = find(serial);
  if (!frame)
    return;
  while (&frames.back() != frame) {
    frames.back().kind = Frame::Kind::tail;
    abandon(frames.back().serial, byException);
    frame = find(serial);
  }
  Frame closed = std::move(frames.back());
  frames.pop_back();
  for (Touch &touch : closed.touched)
    if (slots[touch.slot].value != touch.carry.init)
      slots[touch.slot].value = poisonValue;
  if (closed.kind != Frame::Kind::loop)
    return;
  fail(raw.ops[closed.op].location,
       byException ? "an exception left this loop" : "break or return left this loop",
       "the body of a loop over traced values runs to its end",
       "use while_ with a condition, or if_ in the body");
}

// ---- branches
// ------------------------------------------------------------------------------------

ValueId Tracer::beginIf(ValueId condition, uint32_t location, uint32_t &serial) {
  ValueId op = emit(TraceOp::ifThenElse, {}, {condition}, {}, location);
  serial = pushFrame(Frame::Kind::branch, op).serial;
  return op;
}

bool Tracer::beginElse(ValueId op, uint32_t location, uint32_t &serial) {
  auto first = firstBranches.find(op);
  if (first == firstBranches.end() || raw.ops[op].region != region()) {
    fail(location, "this else_ belongs to an if_ that is complete",
         "else_ follows its if_ at once, and only once: if_(…).else_(…)");
    return false;
  }
  for (Touch &touch : first->second) {
    if (slots[touch.slot].value != touch.carry.result && touch.carry.result) {
      fail(location, "tiles were assigned between this else_ and its if_",
           "else_ follows its if_ at once: if_(…).else_(…)");
      return false;
    }
    slots[touch.slot].value = touch.carry.init;
  }
  guardPending = false;
  serial = pushFrame(Frame::Kind::branch, op).serial;
  return true;
}

void Tracer::endBranch(uint32_t serial) {
  Frame *frame = find(serial);
  if (!frame)
    return;
  guardPending = false;
  popAbove(*frame);
  Frame closed = std::move(frames.back());
  frames.pop_back();
  branchRanges.emplace_back(closed.tripStart, raw.ops.size());
  ValueId op = closed.op;
  closeBranch(std::move(closed));
  if (returnedSlot == noSlot)
    return;
  const RawOp &returned = raw.ops[slots[returnedSlot].value];
  guardPending = returned.op == TraceOp::result && returned.operands[0] == op;
  guardLocation = raw.ops[op].location;
}

void Tracer::closeBranch(Frame frame) {
  bool isElse = raw.ops[frame.op].regions.size() == 2;
  std::vector<Touch> touched;
  if (isElse) {
    touched = std::move(firstBranches[frame.op]);
    firstBranches.erase(frame.op);
    for (Touch &touch : touched)
      touch.carry.other = slots[touch.slot].value;
  }
  for (Touch &touch : frame.touched) {
    bool known = std::any_of(touched.begin(), touched.end(),
                             [&](const Touch &t) { return t.slot == touch.slot; });
    if (known)
      continue;
    touched.push_back(touch);
    Carry &carry = touched.back().carry;
    carry.yield = isElse ? carry.init : slots[touch.slot].value;
    carry.other = isElse ? slots[touch.slot].value : carry.init;
  }
  std::vector<Carry> carries;
  for (size_t k = 0; k < touched.size(); ++k) {
    Carry &carry = touched[k].carry;
    ValueId a = carry.yield, b = carry.other, merged = poisonValue;
    if (a == b) {
      merged = a;
    } else if (a != poisonValue && b != poisonValue) {
      if (!readable(a) || !readable(b)) {
        bool missing = a == undefinedValue || b == undefinedValue;
        merged = missing
                     ? unreadable(std::string("this tile has no value where the condition is ") +
                                      (a == undefinedValue ? "true" : "false"),
                                  "give it a value before the if_ or in both branches")
                     : (readable(a) ? b : a);
      } else if (type(a) == type(b)) {
        merged =
            emit(TraceOp::result, type(a), {frame.op}, {int64_t(k)}, raw.ops[frame.op].location);
      } else {
        merged =
            unreadable("this tile is " + type(a).str() + " where the condition is true and " +
                           type(b).str() + " where it is false",
                       "give it one type in both cases: cast or reshape before the assignment");
      }
    }
    carry.result = merged;
    slots[touched[k].slot].value = merged;
    carries.push_back(carry);
  }
  raw.ops[frame.op].carries = std::move(carries);
  if (!isElse)
    firstBranches[frame.op] = std::move(touched);
}

void Tracer::returnIf(ValueId condition, uint32_t location) {
  if (where() != Where::branch) {
    TraceType flag{TraceType::Kind::number, DType::boolean, {}, {}};
    ValueId go =
        emit(TraceOp::unary, flag, {condition}, {int64_t(detail::UnaryOp::logicalNot)}, location);
    pushFrame(Frame::Kind::tail, emit(TraceOp::ifThenElse, {}, {go}, {}, location));
    return;
  }
  // Inside a branch the condition goes into a variable, by which the branches around this one and
  // at last the body itself guard what follows them.
  if (returnedSlot == noSlot) {
    TraceType flag{TraceType::Kind::number, DType::boolean, {}, {}};
    ValueId no = constant(flag, 0, 0, location);
    std::erase(raw.regions[raw.ops[no].region].ops, no);
    raw.ops[no].region = 0;
    raw.regions[0].ops.push_back(no);
    slots.push_back({no, 0, true});
    returnedSlot = slots.size() - 1;
  }
  write(returnedSlot, condition);
  guardPending = true;
  guardLocation = location;
}

void Tracer::guardRest() {
  guardPending = false;
  TraceType flag{TraceType::Kind::number, DType::boolean, {}, {}};
  bool inBranch = where() == Where::branch;
  ValueId begin = raw.ops.size();
  ValueId go = emit(TraceOp::unary, flag, {peek(returnedSlot)},
                    {int64_t(detail::UnaryOp::logicalNot)}, guardLocation);
  ValueId op = emit(TraceOp::ifThenElse, {}, {go}, {}, guardLocation);
  branchRanges.emplace_back(begin, raw.ops.size());
  pushFrame(inBranch ? Frame::Kind::branch : Frame::Kind::tail, op).guardsRest = inBranch;
}

// ---- combine functions
// ---------------------------------------------------------------------------

uint32_t Tracer::beginCombine(ValueId op) { return pushFrame(Frame::Kind::combine, op).serial; }

std::vector<ValueId> Tracer::combineArguments(uint32_t serial, bool right) {
  Frame *frame = find(serial);
  if (!frame)
    return {};
  std::vector<ValueId> sources = raw.ops[frame->op].operands;
  if (frame->arguments.empty())
    for (int64_t i = 0; i < int64_t(2 * sources.size()); ++i) {
      TraceType element{TraceType::Kind::number, type(sources[i % sources.size()]).dtype, {}, {}};
      frame->arguments.push_back(placeholder(frame->region, element, frame->op, -1 - i, false));
    }
  auto first = frame->arguments.begin() + (right ? sources.size() : 0);
  return {first, first + sources.size()};
}

bool Tracer::nextCombineTrip(uint32_t serial, std::vector<ValueId> yielded) {
  Frame *frame = find(serial);
  if (!frame)
    return false;
  popAbove(*frame);
  frame->yielded = std::move(yielded);
  for (Touch &touch : frame->touched)
    if (slots[touch.slot].value != touch.carry.init)
      fail(raw.ops[frame->op].location, "the combine function assigns a tile declared outside it",
           "a combine function only computes its result", "return the value instead");
  if (endTrip(*frame)) {
    frame->arguments.clear();
    return true;
  }
  sameTrips(*frame);
  Frame closed = std::move(frames.back());
  frames.pop_back();
  raw.ops[closed.op].yields = closed.yielded;
  for (Touch &touch : closed.touched)
    slots[touch.slot].value = touch.carry.init;
  return false;
}

Tracer::Where Tracer::where() const {
  Where result = guardPending ? Where::afterReturn : Where::top;
  for (const Frame &frame : frames)
    switch (frame.kind) {
    case Frame::Kind::tail:
      result = std::max(result, Where::afterReturn);
      break;
    case Frame::Kind::branch:
      result = std::max(result, Where::branch);
      break;
    case Frame::Kind::combine:
      return Where::combine;
    default:
      result = std::max(result, Where::loop);
    }
  return result;
}

bool Tracer::effectAllowed(uint32_t location, const char *what) {
  if (where() != Where::combine)
    return true;
  fail(location, std::string(what) + " inside a combine function",
       "a combine function only computes with its scalars", "move it out of the function");
  return false;
}

void Tracer::finish() {
  while (!frames.empty()) {
    if (frames.back().kind == Frame::Kind::tail)
      frames.pop_back();
    else
      abandon(frames.back().serial, true);
  }
}
