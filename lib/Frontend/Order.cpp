// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Order.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

using namespace metile;

static uint64_t bitOf(size_t argument) { return uint64_t(1) << std::min<size_t>(argument, 63); }

uint64_t metile::argumentsBehind(const RawTrace &raw, ValueId value) {
  uint64_t result = 0;
  std::vector<ValueId> work{value};
  std::unordered_set<ValueId> seen;
  while (!work.empty()) {
    ValueId v = raw.resolve(work.back());
    work.pop_back();
    if (!seen.insert(v).second)
      continue;
    const RawOp &op = raw.ops[v];
    switch (op.op) {
    case TraceOp::addPtr:
    case TraceOp::splat:
    case TraceOp::expandDims:
    case TraceOp::broadcast:
    case TraceOp::reshape:
    case TraceOp::transpose:
    case TraceOp::flip:
    case TraceOp::split:
    case TraceOp::viewAt:
    case TraceOp::viewTranspose:
    case TraceOp::viewPointers:
      work.push_back(op.operands[0]);
      continue;
    case TraceOp::join:
      work.insert(work.end(), op.operands.begin(), op.operands.end());
      continue;
    case TraceOp::result:
      if (raw.ops[op.operands[0]].results.empty())
        break;
      work.push_back(op.operands[0]);
      continue;
    case TraceOp::select:
      work.push_back(op.operands[1]);
      work.push_back(op.operands[2]);
      continue;
    case TraceOp::placeholder:
      if (op.ints[0] == 0) {
        result |= bitOf(op.ints[1]);
        continue;
      }
      break;
    default:
      break;
    }
    // A pointer that a loop or branch carries may be any pointer.
    for (size_t i = 0; i < raw.arguments.size(); ++i)
      if (raw.arguments[i].role == ArgumentRole::pointer)
        result |= bitOf(i);
  }
  return result;
}

namespace {

struct Access {
  uint64_t reads = 0, writes = 0;
  bool shows = false; ///< Prints, asserts or records something.
};

class Orderer {
public:
  Orderer(const RawTrace &raw, const std::vector<Location> &locations, Trace &trace)
      : raw(raw), locations(locations), trace(trace), access(raw.ops.size()), live(raw.ops.size()),
        number(raw.ops.size()), emitted(raw.ops.size()), order(raw.ops.size()),
        inRegion(raw.regions.size()) {
    for (size_t i = 0; i < raw.arguments.size(); ++i)
      if (raw.arguments[i].role == ArgumentRole::pointer ||
          raw.arguments[i].role == ArgumentRole::inout)
        mayAlias |= bitOf(i);
  }

  void run() {
    computeAccess();
    markAnchors(0);
    drain();
    visitAnchors(0);
    for (uint32_t region = 0; region < raw.regions.size(); ++region)
      for (ValueId id : raw.regions[region].ops)
        if (live[id] && isOrdered(id))
          inRegion[region].push_back(id);
    TraceRegion body;
    for (ValueId id = 2; id < raw.ops.size(); ++id)
      if (isArgument(id))
        body.arguments.push_back(id);
    emitRegion(0, {}, body);
    trace.body = std::move(body);
    renumber();
  }

private:
  const RawOp &op(ValueId v) const { return raw.ops[v]; }
  bool isArgument(ValueId v) const {
    return op(v).op == TraceOp::placeholder && op(v).ints[0] == 0;
  }
  static bool isStructured(TraceOp code) {
    return code == TraceOp::forLoop || code == TraceOp::whileLoop || code == TraceOp::ifThenElse ||
           code == TraceOp::combine || code == TraceOp::scan;
  }
  /// Whether the results of `v` are its carries; else all of them are live together.
  bool isCarried(ValueId v) const { return op(v).results.empty(); }
  /// Whether `v` is there for what it does.
  bool isAnchor(ValueId v) const {
    return access[v].writes || access[v].shows || op(v).op == TraceOp::grid;
  }
  bool isPureRead(ValueId v) const { return access[v].reads && !access[v].writes; }
  bool isOrdered(ValueId v) const { return isAnchor(v) || isPureRead(v); }
  bool conflicts(ValueId read, ValueId write) const {
    uint64_t r = access[read].reads, w = access[write].writes;
    return (r & w) || ((r & mayAlias) && (w & mayAlias));
  }

  // ---- what an operation reads and writes
  // --------------------------------------------------------

  void computeAccess() {
    // Operations of a region come after their owner, so one pass from the end sums them up.
    std::vector<Access> ofRegion(raw.regions.size());
    for (ValueId id = raw.ops.size(); id-- > 2;) {
      const RawOp &o = op(id);
      Access &a = access[id];
      if (o.op == TraceOp::load || o.op == TraceOp::viewLoad)
        a.reads = argumentsBehind(raw, o.operands[0]);
      else if (o.op == TraceOp::store)
        a.writes = argumentsBehind(raw, o.operands[0]);
      else if (o.op == TraceOp::atomicRmw || o.op == TraceOp::atomicCas)
        a.reads = a.writes = argumentsBehind(raw, o.operands[0]);
      else if (o.op == TraceOp::viewStore)
        a.writes = argumentsBehind(raw, o.operands[1]);
      a.shows = o.op == TraceOp::print || o.op == TraceOp::assertion || o.op == TraceOp::probe;
      for (uint32_t region : o.regions) {
        a.reads |= ofRegion[region].reads;
        a.writes |= ofRegion[region].writes;
        a.shows |= ofRegion[region].shows;
      }
      ofRegion[o.region].reads |= a.reads;
      ofRegion[o.region].writes |= a.writes;
      ofRegion[o.region].shows |= a.shows;
    }
  }

  // ---- liveness
  // ----------------------------------------------------------------------------------

  void mark(ValueId v) {
    v = raw.resolve(v);
    if (v < 2 || live[v])
      return;
    live[v] = true;
    work.push_back(v);
  }
  void markAnchors(uint32_t region) {
    for (ValueId id : raw.regions[region].ops)
      if (isAnchor(id))
        mark(id);
  }
  /// Carries are live when their result or their placeholder is.
  void markCarry(ValueId owner, int64_t k) {
    auto &liveOfOwner = liveCarries[owner];
    liveOfOwner.resize(op(owner).carries.size());
    if (k < 0 || !isCarried(owner) || liveOfOwner[k])
      return;
    liveOfOwner[k] = true;
    const Carry &c = op(owner).carries[k];
    mark(c.init);
    mark(c.yield);
    if (op(owner).op == TraceOp::whileLoop)
      mark(c.forwarded);
    if (op(owner).op == TraceOp::ifThenElse)
      mark(c.other);
  }
  void drain() {
    while (!work.empty()) {
      ValueId v = work.back();
      work.pop_back();
      const RawOp &o = op(v);
      if (o.op == TraceOp::placeholder) {
        if (!isArgument(v))
          markCarry(o.ints[0], o.ints[1]);
        continue;
      }
      for (ValueId operand : o.operands)
        mark(operand);
      if (o.op == TraceOp::result)
        markCarry(o.operands[0], o.ints[0]);
      for (uint32_t region : o.regions)
        markAnchors(region);
      for (ValueId yielded : o.yields)
        mark(yielded);
    }
  }

  // ---- numbers by first demand
  // ------------------------------------------------------------------- They decide the order of
  // carried values and of reads that a write forces out.

  void visit(ValueId start) {
    std::vector<std::pair<ValueId, size_t>> stack{{raw.resolve(start), 0}};
    while (!stack.empty()) {
      auto &[v, next] = stack.back();
      if (v < 2 || (next == 0 && number[v])) {
        stack.pop_back();
        continue;
      }
      const RawOp &o = op(v);
      if (next == 0)
        number[v] = UINT32_MAX; // Being visited.
      if (next < o.operands.size()) {
        ValueId operand = raw.resolve(o.operands[next++]);
        if (!number[operand])
          stack.emplace_back(operand, 0);
        continue;
      }
      ValueId done = v;
      stack.pop_back();
      if (o.op == TraceOp::placeholder && !isArgument(done))
        demandCarry(o.ints[0], o.ints[1]);
      if (o.op == TraceOp::result)
        demandCarry(o.operands[0], o.ints[0]);
      if (isStructured(o.op))
        visitStructured(done);
      number[done] = ++counter;
    }
  }
  void visitAnchors(uint32_t region) {
    for (ValueId id : raw.regions[region].ops)
      if (isAnchor(id) && live[id])
        visit(id);
  }
  void visitStructured(ValueId v) {
    const RawOp &o = op(v);
    for (size_t i = 0; i < o.regions.size(); ++i) {
      visitAnchors(o.regions[i]);
      if (i == 0)
        for (ValueId yielded : o.yields)
          visit(yielded);
    }
    // Yields demand further carries, which are appended meanwhile.
    for (size_t i = 0; i < order[v].size(); ++i)
      visitYields(v, order[v][i]);
    complete.insert({v, true});
  }
  void visitYields(ValueId owner, int64_t k) {
    const Carry &c = op(owner).carries[k];
    if (op(owner).op == TraceOp::whileLoop)
      visit(c.forwarded);
    visit(c.yield);
    if (op(owner).op == TraceOp::ifThenElse)
      visit(c.other);
  }
  void demandCarry(ValueId owner, int64_t k) {
    if (k < 0 || !isCarried(owner) ||
        std::find(order[owner].begin(), order[owner].end(), k) != order[owner].end())
      return;
    order[owner].push_back(k);
    if (op(owner).op != TraceOp::ifThenElse)
      visit(op(owner).carries[k].init);
    if (complete.count(owner))
      for (size_t i = order[owner].size() - 1; i < order[owner].size(); ++i)
        visitYields(owner, order[owner][i]);
  }

  // ---- emission
  // ----------------------------------------------------------------------------------

  /// Where operations of the region under construction go, and what it needs from outside.
  struct Output {
    uint32_t region;
    TraceRegion &out;
    std::vector<ValueId> outside;
  };

  void emit(ValueId start, Output &output) {
    std::vector<std::pair<ValueId, size_t>> stack{{raw.resolve(start), 0}};
    while (!stack.empty()) {
      auto &[v, next] = stack.back();
      const RawOp &o = op(v);
      if (v < 2 || emitted[v]) {
        stack.pop_back();
        continue;
      }
      if (o.region != output.region) {
        output.outside.push_back(v);
        stack.pop_back();
        continue;
      }
      if (o.op == TraceOp::placeholder) {
        stack.pop_back();
        continue;
      }
      if (next < o.operands.size()) {
        stack.emplace_back(raw.resolve(o.operands[next++]), 0);
        continue;
      }
      ValueId done = v;
      stack.pop_back();
      if (isStructured(o.op))
        emitStructured(done, output);
      else if (o.op != TraceOp::result)
        append(done, output);
      emitted[done] = true;
    }
  }

  void append(ValueId v, Output &output) {
    const RawOp &o = op(v);
    TraceOperation made;
    made.op = o.op;
    made.ints = o.ints;
    made.real = o.real;
    made.text = o.text;
    made.location = o.location;
    for (ValueId operand : o.operands)
      made.operands.push_back(raw.resolve(operand));
    made.results = o.results;
    if (o.type.kind != TraceType::Kind::none)
      made.results.push_back(v);
    output.out.operations.push_back(std::move(made));
  }

  /// Emits what `region` does, then the values it ends with.
  std::vector<ValueId> emitRegion(uint32_t region, const std::vector<ValueId> &yields,
                                  TraceRegion &out) {
    Output output{region, out, {}};
    const std::vector<ValueId> &ordered = inRegion[region];
    for (size_t i = 0; i < ordered.size(); ++i) {
      ValueId anchor = ordered[i];
      if (!isAnchor(anchor))
        continue;
      std::vector<ValueId> pending;
      for (size_t j = 0; j < i; ++j)
        if (!isAnchor(ordered[j]) && !emitted[ordered[j]] && conflicts(ordered[j], anchor))
          pending.push_back(ordered[j]);
      std::sort(pending.begin(), pending.end(),
                [&](ValueId a, ValueId b) { return number[a] < number[b]; });
      for (ValueId read : pending)
        emit(read, output);
      emit(anchor, output);
    }
    for (ValueId v : yields) {
      if (v < raw.ops.size()) { // Not an argument that only the Trace has.
        emit(v, output);
        v = raw.resolve(v);
      }
      out.yields.push_back(v);
    }
    return std::move(output.outside);
  }

  ValueId fresh(const TraceType &type) {
    extraTypes.push_back(type);
    return raw.ops.size() + extraTypes.size() - 1;
  }

  void emitStructured(ValueId v, Output &output) {
    const RawOp &o = op(v);
    TraceOperation made;
    made.op = o.op;
    made.ints = o.ints;
    made.location = o.location;
    for (ValueId operand : o.operands)
      made.operands.push_back(raw.resolve(operand));
    made.regions.resize(o.op == TraceOp::ifThenElse ? 2 : o.regions.size());

    // The region arguments first: index or elements, then the carried values.
    auto ownArgument = [&](uint32_t region, int64_t which, const TraceType &type) {
      for (ValueId id : placeholdersOf(v))
        if (op(id).region == region && op(id).ints[1] == which)
          return id;
      return fresh(type);
    };
    std::vector<ValueId> yields, others;
    if (o.op == TraceOp::forLoop)
      made.regions[0].arguments.push_back(
          ownArgument(o.regions[0], -1, {TraceType::Kind::number, DType::i64, {}, {}}));
    if (!isCarried(v))
      for (int64_t i = 0; i < int64_t(2 * o.operands.size()); ++i) {
        DType dtype = op(o.operands[i % o.operands.size()]).type.dtype;
        made.regions[0].arguments.push_back(
            ownArgument(o.regions[0], -1 - i, {TraceType::Kind::number, dtype, {}, {}}));
      }
    made.results = o.results;
    yields = o.yields;
    for (int64_t k : order[v]) {
      const Carry &c = o.carries[k];
      const TraceType &type = op(c.result).type;
      made.results.push_back(c.result);
      if (o.op == TraceOp::ifThenElse) {
        yields.push_back(c.yield);
        others.push_back(c.other);
        continue;
      }
      made.operands.push_back(raw.resolve(c.init));
      made.regions[0].arguments.push_back(c.argument ? c.argument : fresh(type));
      if (o.op == TraceOp::whileLoop) {
        made.regions[1].arguments.push_back(c.inner ? c.inner : fresh(type));
        yields.push_back(c.forwarded);
        others.push_back(c.inner || c.yield != c.forwarded ? c.yield
                                                           : made.regions[1].arguments.back());
      } else {
        yields.push_back(c.yield);
      }
    }
    std::vector<ValueId> outside = emitRegion(o.regions[0], yields, made.regions[0]);
    if (made.regions.size() == 2) {
      std::vector<ValueId> more;
      if (o.regions.size() == 2) {
        more = emitRegion(o.regions[1], others, made.regions[1]);
      } else {
        for (ValueId other : others) {
          made.regions[1].yields.push_back(raw.resolve(other));
          more.push_back(raw.resolve(other));
        }
      }
      outside.insert(outside.end(), more.begin(), more.end());
    }
    for (int64_t k : order[v])
      if (o.op != TraceOp::ifThenElse)
        emit(o.carries[k].init, output);
    for (ValueId needed : outside)
      emit(needed, output);
    output.out.operations.push_back(std::move(made));
  }

  const std::vector<ValueId> &placeholdersOf(ValueId owner) {
    if (placeholders.empty())
      for (ValueId id = 2; id < raw.ops.size(); ++id)
        if (op(id).op == TraceOp::placeholder)
          placeholders[op(id).ints[0]].push_back(id);
    return placeholders[owner];
  }

  // ---- final numbers
  // -----------------------------------------------------------------------------

  uint32_t rename(ValueId old) {
    auto [it, isNew] = renamed.try_emplace(old, trace.types.size());
    if (isNew)
      trace.types.push_back(old < raw.ops.size() ? op(old).type : extraTypes[old - raw.ops.size()]);
    return it->second;
  }
  void renameRegion(TraceRegion &region) {
    for (TraceValue &v : region.arguments)
      v = rename(v);
    for (TraceOperation &operation : region.operations) {
      for (TraceValue &v : operation.operands)
        v = rename(v);
      auto [it, isNew] = newLocations.try_emplace(operation.location, trace.locations.size());
      if (isNew)
        trace.locations.push_back(locations[operation.location]);
      operation.location = it->second;
      for (TraceRegion &inner : operation.regions)
        renameRegion(inner);
      for (TraceValue &v : operation.results)
        v = rename(v);
    }
    for (TraceValue &v : region.yields)
      v = rename(v);
  }
  void renumber() { renameRegion(trace.body); }

  const RawTrace &raw;
  const std::vector<Location> &locations;
  Trace &trace;
  std::vector<Access> access;
  std::vector<bool> live;
  std::vector<uint32_t> number;
  std::vector<bool> emitted;
  std::vector<std::vector<int64_t>> order; ///< Live carries by owner, by first demand.
  std::vector<std::vector<ValueId>> inRegion;
  std::vector<ValueId> work;
  std::unordered_map<ValueId, std::vector<bool>> liveCarries;
  std::unordered_map<ValueId, bool> complete;
  std::unordered_map<ValueId, std::vector<ValueId>> placeholders;
  std::vector<TraceType> extraTypes;
  std::unordered_map<ValueId, uint32_t> renamed;
  std::unordered_map<uint32_t, uint32_t> newLocations;
  uint64_t mayAlias = 0;
  uint32_t counter = 0;
};

} // namespace

void metile::orderTrace(const RawTrace &raw, const std::vector<Location> &locations, Trace &trace) {
  Orderer(raw, locations, trace).run();
}
