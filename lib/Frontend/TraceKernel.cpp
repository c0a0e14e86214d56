// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel() and the runs of a body that make a Trace.
#include "Frontend/DslAccess.h"
#include "Frontend/Frontend.h"
#include "Frontend/Order.h"
#include "Support/Nearest.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <set>

using namespace metile;
using detail::Access;

// ---- kernels
// -------------------------------------------------------------------------------------

struct detail::Body::Shared {
  const void *object;
  Invoke invoke;
  void (*destroy)(const void *);
  std::atomic<size_t> owners{1};
};

detail::Body::Body(const void *object, Invoke invoke, void (*destroy)(const void *))
    : shared(new Shared{object, invoke, destroy}) {}

detail::Body::Body(const Body &other) : shared(other.shared) {
  if (shared)
    ++shared->owners;
}

detail::Body &detail::Body::operator=(Body other) {
  std::swap(shared, other.shared);
  return *this;
}

detail::Body::~Body() {
  if (!shared || --shared->owners != 0)
    return;
  shared->destroy(shared->object);
  delete shared;
}

void detail::Body::operator()(const Binding *bindings) const {
  shared->invoke(shared->object, bindings);
}

Kernel detail::makeKernel(std::string_view name, std::span<const ParameterSpec> parameters,
                          Body body, Loc at) {
  Kernel made = Access::newKernel();
  Access::name(made) = std::string(name);
  // Copies: a kernel may outlive the strings of the library it came from.
  Access::place(made) = {at.file_name(), at.line(), at.column(), {}};
  for (const ParameterSpec &parameter : parameters) {
    bool isConstant =
        parameter.kind == ParameterKind::constant || parameter.kind == ParameterKind::option;
    if (isConstant) {
      Access::signature(made).emplace_back(true, made.constants().size());
      Access::constants(made).push_back({parameter.name,
                                         {parameter.values, parameter.values + parameter.numValues},
                                         parameter.kind == ParameterKind::option});
    } else {
      Access::signature(made).emplace_back(false, made.parameters().size());
      Access::parameters(made).push_back({parameter.name, ArgumentRole(parameter.kind)});
    }
  }
  Access::body(made) = std::move(body);
  return made;
}

static_assert(int(ArgumentRole::in) == int(detail::ParameterKind::in) &&
              int(ArgumentRole::scalar) == int(detail::ParameterKind::scalar));

std::vector<ArgumentInfo> metile::argumentsOf(const Kernel &kernel) {
  std::vector<ArgumentInfo> result;
  for (const Kernel::Parameter &parameter : kernel.parameters()) {
    ArgumentInfo info;
    info.name = parameter.name;
    info.role = parameter.role;
    result.push_back(std::move(info));
  }
  return result;
}

std::vector<Fact> metile::defaultFacts(const std::vector<ArgumentInfo> &arguments) {
  std::vector<Fact> result;
  for (uint32_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isView() && arguments[i].rank > 0)
      result.push_back({Fact::Kind::strideEquals, i, arguments[i].rank - 1, 1});
  return result;
}

// ---- the choice of types and constants
// -----------------------------------------------------------

/// Adds to `errors` what is wrong with the kernel's signature and the specialization.
static void checkSpecialization(const Kernel &kernel, const Specialization &choice,
                                std::vector<Diagnostic> &errors) {
  auto fail = [&](std::string found, std::string allowed, std::string change) {
    errors.push_back(
        {kernel.definition(), std::move(found), std::move(allowed), std::move(change)});
  };
  auto isNameCharacter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const std::string &name = kernel.name();
  if (name.empty() || (name[0] >= '0' && name[0] <= '9') ||
      !std::all_of(name.begin(), name.end(), isNameCharacter))
    fail("a kernel is named '" + name + "'",
         "names are made of letters, digits and _, and start with no digit", {});
  std::set<std::string> names;
  std::vector<std::string> constantNames;
  auto checkName = [&](const std::string &parameter) {
    if (parameter.empty())
      fail("a parameter of kernel '" + name + "' has an empty name",
           "every parameter is named: In<\"x\">", {});
    else if (!names.insert(parameter).second)
      fail("two parameters of kernel '" + name + "' are named '" + parameter + "'",
           "names are unique", "rename one");
  };
  for (const Kernel::Parameter &parameter : kernel.parameters())
    checkName(parameter.name);
  for (const Kernel::Constant &constant : kernel.constants()) {
    checkName(constant.name);
    constantNames.push_back(constant.name);
  }

  if (choice.arguments.size() != kernel.parameters().size())
    fail("kernel '" + kernel.name() + "' was given " + std::to_string(choice.arguments.size()) +
             " arguments",
         "it takes " + std::to_string(kernel.parameters().size()), {});
  for (const Fact &fact : choice.facts) {
    bool good = fact.argument < choice.arguments.size();
    bool ofAxis = fact.kind <= Fact::Kind::strideDivisible;
    if (good && ofAxis)
      good = choice.arguments[fact.argument].isView() &&
             fact.axis < choice.arguments[fact.argument].rank;
    if (!good)
      fail("a fact about argument " + std::to_string(fact.argument) + ", axis " +
               std::to_string(fact.axis) + " of kernel '" + kernel.name() + "'",
           "facts are about arguments and axes that exist", {});
  }

  for (const auto &[constantName, value] : choice.constants) {
    auto constant = std::find_if(
        kernel.constants().begin(), kernel.constants().end(),
        [&, &wanted = constantName](const Kernel::Constant &c) { return c.name == wanted; });
    if (constant == kernel.constants().end()) {
      std::vector<std::string> near = nearestNames(constantName, constantNames);
      fail("kernel '" + name + "' has no constant '" + constantName + "'",
           constantNames.empty() ? "it has none"
                                 : "its constants are " + listNames(constantNames, "and"),
           near.empty() ? "" : "did you mean " + listNames(near) + "?");
      continue;
    }
    if (std::find(constant->values.begin(), constant->values.end(), value) !=
        constant->values.end())
      continue;
    std::vector<std::string> values;
    int64_t nearest = constant->values.front();
    for (int64_t legal : constant->values) {
      values.push_back(std::to_string(legal));
      if (std::abs(legal - value) < std::abs(nearest - value))
        nearest = legal;
    }
    fail("constant " + constantName + " of kernel '" + kernel.name() + "' is " +
             std::to_string(value),
         "its values are " + listNames(values, "and"), "the nearest is " + std::to_string(nearest));
  }
  for (const Kernel::Constant &constant : kernel.constants()) {
    bool given = std::any_of(choice.constants.begin(), choice.constants.end(),
                             [&](const auto &c) { return c.first == constant.name; });
    if (!given && !constant.isOption)
      fail("constant " + constant.name + " of kernel '" + kernel.name() + "' has no value",
           "the schedule or the planner chooses one", {});
  }
}

static int64_t valueOf(const Kernel::Constant &constant, const Specialization &choice) {
  for (const auto &[name, value] : choice.constants)
    if (name == constant.name)
      return value;
  return constant.values.front();
}

static TraceType argumentType(uint32_t number, const Specialization &choice) {
  const ArgumentInfo &argument = choice.arguments[number];
  TraceType type;
  type.dtype = argument.dtype;
  if (argument.role == ArgumentRole::scalar) {
    type.kind = TraceType::Kind::number;
  } else if (argument.role == ArgumentRole::pointer) {
    type.kind = TraceType::Kind::pointer;
  } else {
    type.kind = TraceType::Kind::view;
    type.shape.assign(argument.rank, -1);
    type.strides.assign(argument.rank, -1);
    for (const Fact &fact : choice.facts) {
      if (fact.argument != number)
        continue;
      if (fact.kind == Fact::Kind::sizeEquals)
        type.shape[fact.axis] = fact.value;
      if (fact.kind == Fact::Kind::strideEquals)
        type.strides[fact.axis] = fact.value;
    }
  }
  return type;
}

// ---- running the body
// ----------------------------------------------------------------------------

static void runBody(Tracer &tracer, const Specialization &choice) {
  std::vector<ValueId> values;
  for (uint32_t i = 0; i < choice.arguments.size(); ++i)
    values.push_back(tracer.addArgument(choice.arguments[i], argumentType(i, choice)));
  tracer.typicalSizes = choice.sizes;
  std::vector<detail::Binding> bindings;
  for (auto [isConstant, number] : Access::signature(tracer.kernel)) {
    detail::Binding binding;
    binding.trace = tracer.id();
    if (isConstant)
      binding.constant = valueOf(tracer.kernel.constants()[number], choice);
    else
      binding.value = values[number];
    bindings.push_back(binding);
  }
  auto threw = [&](const std::string &what) {
    tracer.fail(0, "the body of kernel '" + tracer.kernel.name() + "' threw an exception" + what,
                "a body ends normally", "report mistakes with host code before the kernel is made");
  };
  try {
    Access::body(tracer.kernel)(bindings.data());
  } catch (const std::exception &e) {
    threw(std::string(": ") + e.what());
  } catch (...) {
    threw("");
  }
  tracer.finish();
}

/// Replaces tile_of operations by their meaning and checks that there is exactly one grid.
static void completeGrid(Tracer &tracer) {
  RawTrace &raw = tracer.raw;
  std::vector<ValueId> &tiles = tracer.tileOfOps;
  if (!tiles.empty() && tracer.programIdLocation)
    tracer.fail(tracer.programIdLocation,
                "program_id or num_programs in a kernel that uses tile_of",
                "with tile_of the order of programs is the compiler's",
                "use the Index that tile_of returns, or declare the grid with grid");
  if (tiles.empty() && !tracer.gridOp) {
    if (!tracer.gridAttempted)
      tracer.fail(0, "kernel '" + tracer.kernel.name() + "' declares no grid",
                  "a kernel calls tile_of or grid", "grid(1) runs a single program");
    return;
  }
  if (tiles.empty()) {
    size_t axes = raw.ops[tracer.gridOp].operands.size();
    for (ValueId id = 2; id < raw.ops.size(); ++id) {
      const RawOp &op = raw.ops[id];
      bool asks = op.op == TraceOp::programId || op.op == TraceOp::numPrograms;
      if (asks && op.ints[0] >= int64_t(axes))
        tracer.fail(op.location,
                    std::string(op.op == TraceOp::programId ? "program_id" : "num_programs") +
                        " along axis " + std::to_string(op.ints[0]) + " of a grid with " +
                        std::to_string(axes) + (axes == 1 ? " axis" : " axes"),
                    "the axes are those given to grid", "give grid one more extent");
    }
    return;
  }
  // Axes of the view order the grid, whichever call C++ evaluated first; the last runs along x.
  std::sort(tiles.begin(), tiles.end(), [&](ValueId a, ValueId b) {
    return std::pair(raw.ops[a].ints[2], a) < std::pair(raw.ops[b].ints[2], b);
  });
  TraceType index = infer::scalarType(DType::i64);
  using detail::BinaryOp;
  std::vector<ValueId> extents;
  for (size_t i = tiles.size(); i-- > 0;) {
    uint32_t location = raw.ops[tiles[i]].location;
    ValueId view = raw.ops[tiles[i]].operands[0];
    int64_t axis = raw.ops[tiles[i]].ints[0], block = raw.ops[tiles[i]].ints[1];
    ValueId size = tracer.emit(TraceOp::viewSize, index, {view}, {axis}, location);
    ValueId width = tracer.indexConstant(block, location);
    extents.push_back(
        tracer.emit(TraceOp::binary, index, {size, width}, {int64_t(BinaryOp::cdiv), 0}, location));
    ValueId program =
        tracer.emit(TraceOp::programId, index, {}, {int64_t(tiles.size() - 1 - i)}, location);
    RawOp &tile = raw.ops[tiles[i]];
    tile.op = TraceOp::binary;
    tile.operands = {program, width};
    tile.ints = {int64_t(BinaryOp::mul), 0};
  }
  uint32_t location = raw.ops[tiles.front()].location;
  tracer.gridOp = tracer.emit(TraceOp::grid, {}, std::move(extents), {1}, location);
  std::vector<ValueId> &top = raw.regions[0].ops;
  top.insert(top.begin(), tracer.gridOp);
}

/// Views made before fixed_size learned a size get it too.
static void completeViewTypes(RawTrace &raw) {
  for (RawOp &op : raw.ops) {
    if (op.op != TraceOp::viewAt && op.op != TraceOp::viewTranspose)
      continue;
    auto [root, axes] = raw.rootOf(&op - raw.ops.data());
    for (size_t i = 0; i < axes.size(); ++i)
      op.type.shape[i] = raw.ops[root].type.shape[axes[i]];
  }
}

/// Whether an operation says the same in two runs of which one left the if_ bodies out: what those
/// bodies assign may differ, everything else may not.
static bool sameWithoutBranches(const RawTrace &full, const RawOp &a, const RawOp &b,
                                const std::vector<ValueId> &counterpart) {
  if (a.op != b.op || a.ints != b.ints || a.text != b.text ||
      a.operands.size() != b.operands.size() || std::memcmp(&a.real, &b.real, sizeof a.real) != 0)
    return false;
  if (a.type.kind != b.type.kind || a.type.dtype != b.type.dtype ||
      (a.type.isTile() && a.type.shape != b.type.shape))
    return false;
  for (size_t i = 0; i < a.operands.size(); ++i) {
    ValueId mine = counterpart[a.operands[i]];
    if (mine && mine != b.operands[i] && full.ops[a.operands[i]].op != TraceOp::placeholder)
      return false;
  }
  return true;
}

/// Operations outside if_ bodies whose order and contents do not depend on what the bodies assign.
static std::vector<ValueId> outsideBranches(const Tracer &tracer) {
  std::vector<bool> inside(tracer.raw.ops.size() + 1);
  for (auto [begin, end] : tracer.branchRanges)
    for (ValueId id = begin; id < end; ++id)
      inside[id] = true;
  std::vector<ValueId> result;
  for (ValueId id = 2; id < tracer.raw.ops.size(); ++id) {
    TraceOp op = tracer.raw.ops[id].op;
    if (!inside[id] && op != TraceOp::placeholder && op != TraceOp::result &&
        op != TraceOp::unreadable)
      result.push_back(id);
  }
  return result;
}

/// A C++ variable that an if_ body changes and later code reads shows as a difference between a run
/// with and a run without the bodies.
static void checkBranchesPure(Tracer &full, const Specialization &choice) {
  if (full.branchRanges.empty())
    return;
  Tracer bare(full.kernel, {.skipBranches = true});
  runBody(bare, choice);
  std::vector<ValueId> a = outsideBranches(full), b = outsideBranches(bare);
  std::vector<ValueId> counterpart(full.raw.ops.size());
  auto report = [&](uint32_t location) {
    full.fail(location, "this depends on a C++ variable that the body of an if_ changes",
              "both branches are traced, whatever the condition will be",
              "make the variable a Tile or an Index, or use where");
  };
  // A tile that only the bodies assign has no value in the bare run; what follows is not
  // comparable.
  bool whole = bare.diagnostics.empty();
  size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    if (!whole && b[i] >= bare.firstFailure)
      return;
    const RawOp &op = full.raw.ops[a[i]];
    if (!sameWithoutBranches(full.raw, op, bare.raw.ops[b[i]], counterpart))
      return report(op.location);
    counterpart[a[i]] = b[i];
  }
  if (whole && a.size() != b.size())
    report(a.size() > b.size() ? full.raw.ops[a[common]].location
                               : full.locate(bare, bare.raw.ops[b[common]].location));
}

Result<Trace> metile::traceKernel(const Kernel &kernel, const Specialization &choice) {
  Errors errors;
  checkSpecialization(kernel, choice, errors.diagnostics);
  if (!errors.diagnostics.empty())
    return errors;

  Tracer tracer(kernel, {});
  runBody(tracer, choice);
  if (tracer.diagnostics.empty())
    checkBranchesPure(tracer, choice);
  completeGrid(tracer);
  if (!tracer.diagnostics.empty()) {
    errors.diagnostics = std::move(tracer.diagnostics);
    return errors;
  }

  Trace trace;
  trace.kernel = kernel.name();
  trace.math = kernel.math();
  trace.arguments = choice.arguments;
  for (size_t i = 0; i < trace.arguments.size(); ++i) {
    trace.arguments[i].name = kernel.parameters()[i].name;
    trace.arguments[i].role = kernel.parameters()[i].role;
  }
  trace.facts = choice.facts;
  trace.facts.insert(trace.facts.end(), tracer.facts.begin(), tracer.facts.end());
  for (const Kernel::Constant &constant : kernel.constants())
    trace.constants.emplace_back(constant.name, valueOf(constant, choice));
  completeViewTypes(tracer.raw);
  orderTrace(tracer.raw, tracer.locations, trace);
  return trace;
}
