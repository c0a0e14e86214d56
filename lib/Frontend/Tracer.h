// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracer: records what a kernel body does while it runs. Holds the variables (slots) that C++ tiles
// stand for, the open loops and branches (frames) and the raw operations in the order in which C++
// happened to evaluate them. Order.h makes a Trace of it. Knows nothing of typing rules or of MLIR.
#pragma once

#include "Frontend/Trace.h"
#include "metile/dsl/kernel.h"
#include "metile/dsl/tile.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace metile {

using detail::ValueId;

/// A variable that a loop or branch touches, in the order of its life.
struct Carry {
  ValueId init = 0;      ///< Value before.
  ValueId argument = 0;  ///< Placeholder in the body (while: in the condition); 0 if never read.
  ValueId forwarded = 0; ///< while: value after the condition.
  ValueId inner = 0;     ///< while: placeholder in the body; 0 if never read.
  ValueId yield = 0;     ///< Value after the body (if: after the first branch).
  ValueId other = 0;     ///< if: value after the second branch.
  ValueId result = 0;    ///< Value after the whole; 0 if the variable did not change.
  bool operator==(const Carry &) const = default;
};

/// An operation as recorded. Its index is the id of its one value. Loops, branches and operations
/// with several results have these as operations `result`, and region arguments are operations
/// `placeholder`:
///   result       operands {owner}, ints {carry, or number of the result}
///   placeholder  ints {owner, carry, 1 if it is a while's inner}; carry -1 - i: argument i of the
///                region before the carried ones; owner 0: an argument of the kernel, carry its
///                number
struct RawOp {
  TraceOp op = TraceOp::placeholder;
  TraceType type;
  std::vector<ValueId> operands;
  std::vector<int64_t> ints;
  double real = 0;
  std::string text;
  uint32_t location = 0;
  uint32_t region = 0;
  std::vector<uint32_t> regions;
  std::vector<Carry> carries;
  std::vector<ValueId> results; ///< Of an operation with several, in order.
  std::vector<ValueId> yields;  ///< while: the condition; combine and scan: one value a result.
};

struct RawRegion {
  uint32_t parent = 0;
  std::vector<ValueId> ops;
};

/// Everything recorded in one run of a body.
struct RawTrace {
  std::vector<RawOp> ops;
  std::vector<RawRegion> regions;
  /// alias[v] is what v turned out to be: a carried value that never changes is its initial value.
  std::vector<ValueId> alias;
  std::vector<ArgumentInfo> arguments;

  ValueId resolve(ValueId value) const {
    while (alias[value] != value)
      value = alias[value];
    return value;
  }
  /// The argument behind a view and, for each of its axes, the argument's axis.
  std::pair<ValueId, std::vector<uint32_t>> rootOf(ValueId view) const;
};

/// Id of the value that uninitialised variables hold, and of the one that failed operations yield.
inline constexpr ValueId undefinedValue = 0, poisonValue = 1;

class Tracer {
public:
  struct Options {
    bool skipBranches = false; ///< Leave the bodies of if_ out.
  };

  /// Becomes the thread's running tracer until destroyed.
  Tracer(const Kernel &kernel, Options options);
  ~Tracer();
  Tracer(const Tracer &) = delete;
  Tracer &operator=(const Tracer &) = delete;

  /// The running tracer, or null outside a body.
  static Tracer *current();
  /// The running tracer if its id is `trace`, else null.
  static Tracer *withId(uint32_t trace);

  uint32_t id() const { return traceId; }
  const Options &options() const { return choice; }

  // ---- values ----
  const TraceType &type(ValueId value) const { return raw.ops[value].type; }
  bool isPoison(ValueId value) const { return type(value).isPoison(); }
  RawOp &op(ValueId value) { return raw.ops[value]; }
  ValueId emit(TraceOp op, TraceType type, std::vector<ValueId> operands, std::vector<int64_t> ints,
               uint32_t location);
  /// An operation with a result of each of `types`; its results are raw.ops[owner].results.
  ValueId emitSeveral(TraceOp op, const std::vector<TraceType> &types,
                      std::vector<ValueId> operands, std::vector<int64_t> ints, uint32_t location);
  /// An integer or bool constant of `type`, or a float one.
  ValueId constant(TraceType type, int64_t integer, double real, uint32_t location);
  ValueId indexConstant(int64_t value, uint32_t location);

  // ---- messages ----
  /// Location numbers include the open Sites.
  uint32_t locate(const Loc &loc);
  /// The number here of a location of another tracer.
  uint32_t locate(const Tracer &other, uint32_t number) {
    locations.push_back(other.locations[number]);
    return locations.size() - 1;
  }
  const Location &location(uint32_t number) const { return locations[number]; }
  /// Records a mistake; returns the poison value.
  ValueId fail(uint32_t location, std::string found, std::string allowed = {},
               std::string change = {});
  size_t pushSite(const Loc &loc);
  void popSite(size_t depth);

  // ---- variables ----
  uint32_t newSlot(ValueId value);
  void releaseSlot(uint32_t slot);
  /// The variable's value here; reports at `location` if it has none.
  ValueId read(uint32_t slot, uint32_t location);
  /// The same without a report: undefinedValue if it has none.
  ValueId peek(uint32_t slot);
  void write(uint32_t slot, ValueId value);
  /// From here on the variables that copies make are collected, in order.
  void collectCopies() {
    copies.clear();
    collecting = true;
  }
  void copied(uint32_t slot) {
    if (collecting)
      copies.push_back(slot);
  }
  /// Those made since collectCopies; ends the collection.
  std::vector<uint32_t> collectedCopies() {
    collecting = false;
    return std::move(copies);
  }

  // ---- control flow; frames are named by serial numbers ----
  uint32_t beginLoop(ValueId lo, ValueId hi, ValueId step, uint32_t location);
  ValueId loopIndex(uint32_t frame);
  /// Ends a trip; true if the body is to be run again.
  bool nextTrip(uint32_t frame);
  /// The loop was left before its body ended.
  void abandon(uint32_t frame, bool byException);

  uint32_t beginWhile(uint32_t location);
  /// Before the condition of each trip; false when the loop is complete.
  bool nextWhileTrip(uint32_t frame);
  void whileCondition(uint32_t frame, ValueId condition);

  /// Returns the operation; `frame` gets the frame's serial.
  ValueId beginIf(ValueId condition, uint32_t location, uint32_t &frame);
  bool beginElse(ValueId conditional, uint32_t location, uint32_t &frame);
  void endBranch(uint32_t frame);
  void returnIf(ValueId condition, uint32_t location);

  /// Opens the region of `op`, a combine or scan; returns the frame's serial.
  uint32_t beginCombine(ValueId op);
  /// The left elements in this trip, one a source, or the right ones.
  std::vector<ValueId> combineArguments(uint32_t frame, bool right);
  /// Ends a trip of a combine region; true if the function is to be run again.
  bool nextCombineTrip(uint32_t frame, std::vector<ValueId> yielded);

  enum class Where : uint8_t { top, afterReturn, branch, loop, combine };
  Where where() const;
  /// Reports an operation with an effect on memory inside a combine region; false then.
  bool effectAllowed(uint32_t location, const char *what);

  // ---- the kernel ----
  ValueId addArgument(const ArgumentInfo &info, TraceType type);
  /// After the body: closes what is open.
  void finish();
  const Kernel &kernel;
  RawTrace raw;
  std::vector<Location> locations;
  std::vector<Diagnostic> diagnostics;
  ValueId firstFailure = UINT32_MAX; ///< Number of operations when the first mistake was found.
  std::vector<Fact> facts;
  std::vector<std::vector<int64_t>> typicalSizes;
  ValueId gridOp = 0;
  uint32_t gridLocation = 0;
  bool gridAttempted = false; ///< A grid was declared, rightly or not.
  std::vector<ValueId> tileOfOps;
  uint32_t programIdLocation = 0;
  /// Operations of each run of an if_ body, to compare runs with and without.
  std::vector<std::pair<ValueId, ValueId>> branchRanges;

private:
  struct Touch {
    uint32_t slot = 0;
    Carry carry;
    bool userRead = false; ///< An operation of the body used the value from before.
    bool innerDone = false;
  };
  struct Frame {
    enum class Kind : uint8_t { loop, whileCondition, whileBody, branch, tail, combine };
    Kind kind = Kind::loop;
    uint32_t serial = 0;
    ValueId op = 0;
    uint32_t region = 0;
    uint32_t trip = 0;
    ValueId tripStart = 0, previousStart = 0, previousEnd = 0;
    std::vector<Touch> touched, previousTouched;
    std::vector<ValueId> arguments; ///< Loop: the index; combine: the left and right elements.
    std::vector<ValueId> yielded, previousYielded;
    size_t sites = 0;
    bool guardsRest = false; ///< Of a branch: opened by return_if, ends with the one around it.
  };
  struct Slot {
    ValueId value = undefinedValue;
    uint32_t frame = 0;
    bool alive = false;
  };

  uint32_t region() const { return frames.empty() ? 0 : frames.back().region; }
  uint32_t newRegion();
  Frame &pushFrame(Frame::Kind kind, ValueId op);
  Frame *find(uint32_t serial);
  /// Pops whatever a body left open above `frame`.
  void popAbove(const Frame &frame);
  size_t depthOf(const Slot &slot) const;
  void touch(uint32_t slot, bool read);
  Touch *findTouch(Frame &frame, uint32_t slot);
  void touchFrame(Frame &frame, uint32_t slot, bool userRead, bool needValue);
  /// A region argument of `owner` in `region`.
  ValueId placeholder(uint32_t region, TraceType type, ValueId owner, int64_t carry, bool inner);
  void startTrip(Frame &frame);
  /// Notes what the trip left in its variables; after the first trip puts them back.
  bool endTrip(Frame &frame);
  /// True if the two trips of `frame` did the same.
  bool sameTrips(Frame &frame);
  void reportImpure(Frame &frame, ValueId where);
  bool visible(ValueId value) const;
  void closeLoop(Frame frame);
  void closeBranch(Frame frame);
  void mergeBranches(ValueId op, const std::vector<Touch> &touched);
  /// Whether a value can stand for a variable: neither undefined nor unreadable.
  bool readable(ValueId value) const;
  ValueId unreadable(std::string found, std::string change);

  Options choice;
  uint32_t traceId;
  Tracer *outer;
  uint32_t nextSerial = 1;
  std::vector<Frame> frames;
  std::vector<Slot> slots;
  std::vector<uint32_t> copies;
  bool collecting = false;
  std::vector<uint32_t> sites; ///< Location numbers of the open Sites, outermost first.
  /// By file, line, column and innermost Site.
  std::map<std::tuple<const char *, uint32_t, uint32_t, uint32_t>, uint32_t> locationNumbers;
  std::vector<std::pair<std::string, std::string>> messages; ///< Of unreadable values.
  /// Whether the program has returned from inside a branch: a variable made by the first return_if
  /// there. The rest of the program is guarded as soon as it does something.
  static constexpr uint32_t noSlot = UINT32_MAX;
  uint32_t returnedSlot = noSlot;
  bool guardPending = false;
  uint32_t guardLocation = 0;
  void guardRest();
  /// Variables touched by the first branch of the ifs that may still get an else_.
  std::map<ValueId, std::vector<Touch>> firstBranches;
};

} // namespace metile
