// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the arguments of a launch and packs them into slots. The checks run at every launch, so
// they read tables made when the executable was loaded, and messages are built out of line.
#include "Runtime/Impl.h"
#include "Runtime/Overlap.h"

#include <algorithm>

namespace metile {
namespace {

std::string quote(const std::string &name) { return "'" + name + "'"; }

std::string shape(const int64_t *sizes, uint32_t rank) {
  std::string text = "(";
  for (uint32_t axis = 0; axis < rank; ++axis)
    text += (axis ? ", " : "") + std::to_string(sizes[axis]);
  return text + ")";
}

std::string hex(uint64_t value) {
  std::string digits;
  do
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
  while (value >>= 4);
  return "0x" + digits;
}

std::string describe(const ArgumentInfo &argument) {
  std::string type(longName(argument.dtype));
  switch (argument.role) {
  case ArgumentRole::pointer:
    return "a pointer to " + type;
  case ArgumentRole::scalar:
    return "a scalar of " + type;
  default:
    return "a view of " + type + " with " + std::to_string(argument.rank) +
           (argument.rank == 1 ? " axis" : " axes");
  }
}

std::string describe(const Argument &argument) {
  ArgumentInfo info;
  info.dtype = argument.dtype;
  info.rank = argument.rank;
  info.role = argument.kind == Argument::Kind::view      ? ArgumentRole::in
              : argument.kind == Argument::Kind::pointer ? ArgumentRole::pointer
                                                         : ArgumentRole::scalar;
  return describe(info);
}

const char *roleName(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::in:
    return "In";
  case ArgumentRole::out:
    return "Out";
  case ArgumentRole::inout:
    return "InOut";
  case ArgumentRole::pointer:
    return "Ptr";
  default:
    return "Scalar";
  }
}

/// Collects what is wrong with one launch.
class Refusal {
public:
  explicit Refusal(const Artifact &artifact) : artifact(artifact) {}
  bool any() const { return !errors.diagnostics.empty(); }
  Status status() { return any() ? Status(std::move(errors)) : Status(Done{}); }

  void add(std::string found, std::string allowed, std::string change) {
    Diagnostic diagnostic;
    diagnostic.found = artifact.kernel + ": " + std::move(found);
    diagnostic.allowed = std::move(allowed);
    diagnostic.change = std::move(change);
    errors.diagnostics.push_back(std::move(diagnostic));
  }

  void wrongCount(size_t given) {
    const auto &parameters = artifact.arguments;
    std::string all;
    for (const ArgumentInfo &parameter : parameters)
      all += (all.empty() ? "" : ", ") + parameter.name;
    if (given < parameters.size()) {
      std::string missing;
      for (size_t i = given; i < parameters.size(); ++i)
        missing += (missing.empty() ? "" : ", ") + quote(parameters[i].name);
      add("missing " + missing, "the parameters are (" + all + ")", "pass all of them in order");
    } else {
      add(std::to_string(given) + " arguments, " + std::to_string(given - parameters.size()) +
              " too many",
          "the parameters are (" + all + ")", "pass just these");
    }
  }

  void wrongType(size_t index, const Argument &given) {
    const ArgumentInfo &parameter = artifact.arguments[index];
    if (given.kind == Argument::Kind::view && given.rank > maxRank) {
      if (given.rank == Argument::mismatchedStrides)
        add(quote(parameter.name) + " has sizes and strides of different number",
            "one stride an axis, or none", "");
      else
        add(quote(parameter.name) + " has " + std::to_string(given.rank) + " axes",
            "at most " + std::to_string(maxRank), "");
      return;
    }
    bool sameKind = describe(given).substr(0, 6) == describe(parameter).substr(0, 6);
    add(quote(parameter.name) + " is " + describe(given),
        "this executable was compiled for " + describe(parameter),
        sameKind && given.dtype != parameter.dtype
            ? "convert the data, or compile the kernel for " + std::string(longName(given.dtype))
        : sameKind ? "compile the kernel for this rank"
                   : "parameter " + std::to_string(index + 1) + " is " + roleName(parameter.role));
  }

  void valueDoesNotFit(size_t index) {
    const ArgumentInfo &parameter = artifact.arguments[index];
    add("the value of " + quote(parameter.name) + " does not fit " +
            std::string(longName(parameter.dtype)),
        "", "pass a value within its range");
  }

  void constMemory(size_t index) {
    const ArgumentInfo &parameter = artifact.arguments[index];
    add(quote(parameter.name) + " is written, but was passed as a pointer to const",
        std::string(roleName(parameter.role)) + " parameters need memory that may be written", "");
  }

  void negativeSize(size_t index, const Argument &given) {
    add(quote(artifact.arguments[index].name) + " has the sizes " + shape(given.sizes, given.rank),
        "sizes are 0 or more", "");
  }

  void tooLarge(size_t index, const Argument &given) {
    add(quote(artifact.arguments[index].name) + " with sizes " + shape(given.sizes, given.rank) +
            " and strides " + shape(given.strides, given.rank) + " does not fit 64-bit addresses",
        "", "check sizes and strides");
  }

  void nullPointer(size_t index) {
    add(quote(artifact.arguments[index].name) + " is a null pointer",
        "only an empty view, or a launch over an empty grid, may have one", "");
  }

  void misaligned(size_t index, const Argument &given) {
    add(quote(artifact.arguments[index].name) + " lies at " +
            hex(reinterpret_cast<uintptr_t>(given.data)),
        "elements of " + std::string(longName(given.dtype)) + " lie at multiples of " +
            std::to_string(byteSize(given.dtype)) + " bytes",
        "");
  }

  void outsideBuffer(size_t index, const Argument &given, int64_t low, int64_t high) {
    auto offset = static_cast<int64_t>(reinterpret_cast<uintptr_t>(given.data) -
                                       reinterpret_cast<uintptr_t>(given.memory));
    add(quote(artifact.arguments[index].name) + " reaches from byte " +
            std::to_string(offset + low) + " to " + std::to_string(offset + high) +
            " of its buffer",
        "the buffer has " + std::to_string(given.memoryBytes) + " bytes", "");
  }

  void writtenTwice(size_t index, uint32_t axis) {
    add(quote(artifact.arguments[index].name) + " has stride 0 on axis " + std::to_string(axis) +
            ", so several elements are one",
        "only In views may repeat elements", "");
  }

  void overlap(size_t first, size_t second) {
    const ArgumentInfo &a = artifact.arguments[first], &b = artifact.arguments[second];
    add(quote(a.name) + " and " + quote(b.name) + " overlap",
        "an Out view shares no memory with other In and Out views",
        "pass separate memory, or declare the parameter as InOut");
  }

  void fact(const Fact &fact, std::span<const Argument> given) {
    const ArgumentInfo &parameter = artifact.arguments[fact.argument];
    const Argument &argument = given[fact.argument];
    std::string found;
    switch (fact.kind) {
    case Fact::Kind::sizeEquals:
    case Fact::Kind::sizeDivisible:
      found = parameter.name + ".size(" + std::to_string(fact.axis) + ") is " +
              std::to_string(argument.sizes[fact.axis]);
      break;
    case Fact::Kind::strideEquals:
    case Fact::Kind::strideDivisible:
      found = parameter.name + ".stride(" + std::to_string(fact.axis) + ") is " +
              std::to_string(argument.strides[fact.axis]);
      break;
    case Fact::Kind::aligned:
      found = parameter.name + " lies at " + hex(reinterpret_cast<uintptr_t>(argument.data));
      break;
    case Fact::Kind::scalarEquals:
    case Fact::Kind::scalarDivisible:
      found = parameter.name + " is " + std::to_string(slotInteger(parameter.dtype, argument.bits));
      break;
    }
    add(std::move(found), "this executable relies on: " + fact.str(artifact.arguments),
        "compile the kernel for such arguments");
  }

private:
  const Artifact &artifact;
  Errors errors;
};

bool matches(const Executable::Impl::Parameter &parameter, const Argument &given) {
  Argument::Kind wanted = parameter.isView()                        ? Argument::Kind::view
                          : parameter.role == ArgumentRole::pointer ? Argument::Kind::pointer
                                                                    : Argument::Kind::scalar;
  return given.kind == wanted && given.dtype == parameter.dtype &&
         (!parameter.isView() || given.rank == parameter.rank);
}

} // namespace

Status Executable::Impl::packParameters(std::span<const Argument> arguments,
                                        PackedLaunch &launch) const {
  Refusal refusal(artifact);
  for (size_t index = 0; index < parameters.size(); ++index) {
    const Parameter &parameter = parameters[index];
    const Argument &given = arguments[index];
    uint64_t *slot = launch.slots.data() + parameter.slot;
    PackedLaunch::Extent &extent = launch.extents[index];
    extent = {};
    Reach &reach = launch.reach[index];
    reach = {};
    if (!matches(parameter, given)) [[unlikely]] {
      refusal.wrongType(index, given);
      continue;
    }
    if (parameter.role == ArgumentRole::scalar) {
      if (!given.fits) [[unlikely]]
        refusal.valueDoesNotFit(index);
      slot[0] = given.bits;
      continue;
    }
    auto address = reinterpret_cast<uintptr_t>(given.data);
    slot[0] = address;
    reach = {address, address, parameter.isView() || given.memory != nullptr,
             parameter.isView() ? parameter.role != ArgumentRole::out : given.hasContents};
    if (address % byteSize(given.dtype)) [[unlikely]]
      refusal.misaligned(index, given);
    int64_t low = 0, high = 0;
    if (parameter.isView()) {
      bool negative = false, empty = false;
      uint32_t repeated = parameter.rank;
      for (uint32_t axis = 0; axis < parameter.rank; ++axis) {
        slot[1 + axis] = static_cast<uint64_t>(given.sizes[axis]);
        slot[1 + parameter.rank + axis] = static_cast<uint64_t>(given.strides[axis]);
        negative |= given.sizes[axis] < 0;
        empty |= given.sizes[axis] == 0;
        if (given.strides[axis] == 0 && given.sizes[axis] > 1) [[unlikely]]
          repeated = axis;
      }
      if (parameter.isWritten() && repeated < parameter.rank && !empty) [[unlikely]]
        refusal.writtenTwice(index, repeated);
      if (negative) [[unlikely]] {
        refusal.negativeSize(index, given);
        continue;
      }
      if (parameter.isWritten() && given.readOnly) [[unlikely]]
        refusal.constMemory(index);
      if (!byteExtent(given, low, high)) [[unlikely]] {
        refusal.tooLarge(index, given);
        continue;
      }
      if (low == high)
        continue;
      if (!given.data) [[unlikely]] {
        refusal.nullPointer(index);
        continue;
      }
      extent = {address + static_cast<uintptr_t>(low), address + static_cast<uintptr_t>(high)};
      reach.low = extent.low;
      reach.high = extent.high;
      // The last byte, not the end, must have an address.
      if (extent.low > address || extent.high - 1 < address) [[unlikely]] {
        refusal.tooLarge(index, given);
        continue;
      }
    }
    if (given.memory) {
      auto base = reinterpret_cast<uintptr_t>(given.memory);
      uintptr_t first = address + static_cast<uintptr_t>(low);
      if (first < base || address + static_cast<uintptr_t>(high) - base > given.memoryBytes)
          [[unlikely]]
        refusal.outsideBuffer(index, given, low, high);
      if (!parameter.isView()) {
        reach.low = base;
        reach.high = base + given.memoryBytes;
      }
    }
  }
  if (refusal.any()) [[unlikely]]
    return refusal.status();

  for (size_t second = 1; second < parameters.size(); ++second)
    for (size_t first = 0; first < second; ++first) {
      const PackedLaunch::Extent &a = launch.extents[first], &b = launch.extents[second];
      if (a.low >= b.high || b.low >= a.high) [[likely]]
        continue;
      ArgumentRole roleA = parameters[first].role, roleB = parameters[second].role;
      bool exempt = roleA == ArgumentRole::inout || roleB == ArgumentRole::inout ||
                    (roleA == ArgumentRole::in && roleB == ArgumentRole::in);
      if (!exempt && mayShareBytes(arguments[first], arguments[second])) [[unlikely]]
        refusal.overlap(first, second);
    }
  for (size_t index = 0; index < facts.size(); ++index)
    if (!facts[index].holds(launch.slots.data())) [[unlikely]]
      refusal.fact(artifact.facts[index], arguments);
  return refusal.status();
}

Status Executable::Impl::packGrid(std::span<const Argument> arguments, PackedLaunch &launch) const {
  for (size_t index = 0; index < steps.size(); ++index) {
    PackedLaunch::StepRun &step = launch.steps[index];
    bool fits = true, nothing = false;
    step.programs = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
      int64_t extent = 0;
      fits &= steps[index].grid[axis].evaluate(launch.slots.data(), extent);
      extent = std::max<int64_t>(extent, 0);
      nothing |= extent == 0;
      step.grid[axis] = static_cast<uint64_t>(extent);
      // An extent of 0 makes the grid empty, however large the others are.
      fits &= !__builtin_mul_overflow(step.programs, extent, &step.programs) || nothing;
    }
    if (!fits) [[unlikely]] {
      Refusal refusal(artifact);
      std::string rule;
      for (const SizeExpr &extent : artifact.steps[index].grid)
        rule += (rule.empty() ? "" : " x ") + extent.str(artifact.arguments);
      refusal.add("the grid of '" + artifact.steps[index].entry + "', " + rule +
                      ", does not fit 64 bits",
                  "", "check the sizes and scalars");
      return refusal.status();
    }
    if (nothing)
      step.programs = 0;
    int64_t cost = 0;
    bool known = steps[index].programCost.evaluate(launch.slots.data(), cost);
    step.programNs = known ? static_cast<double>(std::max<int64_t>(cost, 0)) : 0x1p62;
  }
  if (launch.empty())
    return Done{};
  Refusal refusal(artifact);
  for (size_t index = 0; index < parameters.size(); ++index)
    if (parameters[index].role == ArgumentRole::pointer && !arguments[index].data) [[unlikely]]
      refusal.nullPointer(index);
  return refusal.status();
}

Status Executable::Impl::packWorkspaces(PackedLaunch &launch) const {
  launch.scratchBytes = 0;
  launch.scratchAlignment = 64;
  uint64_t *slot = launch.slots.data() + workspaceSlot();
  for (size_t index = 0; index < workspaceBytes.size(); ++index) {
    const Workspace &workspace = artifact.workspaces[index];
    int64_t bytes = 0;
    bool fits = workspaceBytes[index].evaluate(launch.slots.data(), bytes) && bytes < 0x1p48;
    bytes = std::max<int64_t>(bytes, 0);
    if (fits && workspace.scope == Workspace::Scope::worker) {
      size_t alignment = workspace.alignment;
      launch.scratchAlignment = std::max(launch.scratchAlignment, alignment);
      launch.scratchBytes = (launch.scratchBytes + alignment - 1) / alignment * alignment;
      launch.scratchBytes += static_cast<size_t>(bytes);
      continue;
    }
    void *memory =
        fits ? launch.workspaces[index].ensure(static_cast<size_t>(bytes), workspace.alignment)
             : nullptr;
    if (!memory && (!fits || bytes)) [[unlikely]] {
      Refusal refusal(artifact);
      refusal.add("no memory for the workspace '" + workspace.name + "' of " +
                      workspace.bytes.str(artifact.arguments) + " = " + std::to_string(bytes) +
                      " bytes",
                  "", "use smaller sizes");
      return refusal.status();
    }
    *slot++ = reinterpret_cast<uintptr_t>(memory);
  }
  return Done{};
}

Status Executable::Impl::pack(std::span<const Argument> arguments, PackedLaunch &launch) const {
  launch.ready = false;
  if (arguments.size() != parameters.size()) [[unlikely]] {
    Refusal refusal(artifact);
    refusal.wrongCount(arguments.size());
    return refusal.status();
  }
  launch.slots.resize(workspaceSlot() + artifact.workspaces.size());
  launch.steps.resize(steps.size());
  launch.extents.resize(parameters.size());
  launch.reach.resize(parameters.size());
  launch.workspaces.resize(artifact.workspaces.size());
  Status status = packParameters(arguments, launch);
  if (status)
    status = packGrid(arguments, launch);
  if (status && !launch.empty())
    status = packWorkspaces(launch);
  launch.ready = status.ok();
  return status;
}

} // namespace metile
