// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Driver/CompileModule.h"

#include "Dialect/Tile/Tile.h"
#include "Interpreter/DebugSites.h"
#include "Support/Stopwatch.h"
#include "Target/KnownTargets.h"
#include "Targets/Cpu/CostModel.h"
#include "Targets/Cpu/Pipeline.h"
#include "metile/compile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace metile {

void registerAllDialects(mlir::DialectRegistry &registry) { cpu::registerDialects(registry); }

Status checkSchedule(const Schedule &schedule, const TargetDesc &target) {
  if (target.kind == TargetKind::cpu)
    return cpu::checkSchedule(schedule, target);
  return Done{};
}

double programNs(const WorkSummary &work, const TargetDesc &target) {
  if (target.kind == TargetKind::cpu)
    return cpu::programNs(work, target);
  // The interpreter. Measured on a 3 GHz x86-64: about 1 µs an operation, 20 ns an element.
  double elements = work.elementOps + work.reducedElements;
  for (const DotWork &dot : work.dots)
    elements += dot.trips * static_cast<double>(dot.batch * dot.m * dot.n * dot.k);
  for (const MemoryWork &access : work.memory)
    elements += access.elements;
  return 1000 * work.operations + 20 * elements;
}

double launchNs(const WorkSummary &work, const TargetDesc &target, unsigned threads) {
  if (target.kind == TargetKind::cpu)
    return cpu::launchNs(work, target, threads);
  return work.programs * programNs(work, target);
}

static Result<Lowered> lowerForCpu(mlir::ModuleOp module, const TargetDesc &target,
                                   const Schedule &schedule, const WorkSummary &work,
                                   Artifact &artifact) {
  Result<cpu::CompiledModule> compiled = cpu::compileModule(module, target, schedule, work);
  if (!compiled)
    return compiled.takeErrors();
  artifact.codeKind = CodeKind::object;
  artifact.code = std::move(compiled->object);
  artifact.debugSites = std::move(compiled->debugSites);
  auto cost = static_cast<int64_t>(programNs(work, target));
  artifact.steps.push_back({compiled->entry, compiled->grid, SizeExpr::constant(cost)});
  if (compiled->scratchBytes > 0)
    artifact.workspaces.push_back(
        {"scratch", Workspace::Scope::worker, SizeExpr::constant(compiled->scratchBytes), 64});
  return Lowered{std::move(compiled->report), compiled->lowerUs, compiled->codegenUs};
}

/// The kernel itself is the code, and its tile.grid says what a launch runs, so there are no steps.
static Lowered writeForReference(mlir::ModuleOp module, Artifact &artifact) {
  Stopwatch printing;
  artifact.codeKind = CodeKind::tile;
  llvm::raw_string_ostream stream(artifact.code);
  // Findings name the place in the kernel's source.
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  artifact.debugSites = interpreter::debugSites(module);
  Lowered lowered;
  lowered.report.plan.backend = "interpreter";
  lowered.report.notes.push_back("The kernel runs as it is written, one operation after another.");
  lowered.codegenUs = printing.us();
  return lowered;
}

Result<Lowered> lowerModule(mlir::ModuleOp module, const TargetDesc &target,
                            const Schedule &schedule, const WorkSummary &work, Artifact &artifact) {
  artifact.target = target.name;
  artifact.features = target.featureList();
  artifact.producer = compilerBuildId();
  if (target.kind == TargetKind::cpu)
    return lowerForCpu(module, target, schedule, work, artifact);
  return writeForReference(module, artifact);
}

//===--- Kernels that are text ---===//

namespace {

/// Reads arguments and facts off a kernel's signature.
class Signature {
public:
  Signature(mlir::func::FuncOp function, Artifact &artifact)
      : function(function), artifact(artifact) {}

  void read() {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      addArgument(i);
  }

private:
  void addArgument(unsigned number) {
    mlir::Type type = function.getArgument(number).getType();
    ArgumentInfo info;
    // The verifier makes sure of both attributes.
    info.name = function.getArgAttrOfType<mlir::StringAttr>(number, tile::nameAttrName).str();
    auto role = function.getArgAttrOfType<mlir::StringAttr>(number, tile::roleAttrName);
    if (auto view = mlir::dyn_cast<tile::ViewType>(type)) {
      info.role = role.getValue() == "in"    ? ArgumentRole::in
                  : role.getValue() == "out" ? ArgumentRole::out
                                             : ArgumentRole::inout;
      info.dtype = tile::dtypeOf(view.getElementType());
      info.rank = view.getRank();
      addEqualities(view, number);
    } else if (auto pointer = mlir::dyn_cast<tile::PtrType>(type)) {
      info.role = ArgumentRole::pointer;
      info.dtype = tile::dtypeOf(pointer.getElementType());
    } else {
      info.role = ArgumentRole::scalar;
      info.dtype = tile::dtypeOf(type);
    }
    artifact.arguments.push_back(std::move(info));
    addDivisors(number);
  }

  void addEqualities(tile::ViewType view, unsigned number) {
    auto add = [&](Fact::Kind kind, llvm::ArrayRef<int64_t> values) {
      for (auto [axis, value] : llvm::enumerate(values))
        if (!mlir::ShapedType::isDynamic(value))
          artifact.facts.push_back({kind, number, static_cast<uint32_t>(axis), value});
    };
    add(Fact::Kind::sizeEquals, view.getShape());
    add(Fact::Kind::strideEquals, view.getStrides());
  }

  void addDivisors(unsigned number) {
    auto one = [&](llvm::StringRef name, Fact::Kind kind) {
      if (auto divisor = function.getArgAttrOfType<mlir::IntegerAttr>(number, name))
        artifact.facts.push_back({kind, number, 0, divisor.getInt()});
    };
    auto each = [&](llvm::StringRef name, Fact::Kind kind) {
      if (auto list = function.getArgAttrOfType<mlir::DenseI64ArrayAttr>(number, name))
        for (auto [axis, divisor] : llvm::enumerate(list.asArrayRef()))
          artifact.facts.push_back({kind, number, static_cast<uint32_t>(axis), divisor});
    };
    one(tile::alignmentAttrName, Fact::Kind::aligned);
    one(tile::divisibilityAttrName, Fact::Kind::scalarDivisible);
    each(tile::sizeDivisibilityAttrName, Fact::Kind::sizeDivisible);
    each(tile::strideDivisibilityAttrName, Fact::Kind::strideDivisible);
  }

  mlir::func::FuncOp function;
  Artifact &artifact;
};

} // namespace

Result<Artifact> compileModule(mlir::ModuleOp module, const std::string &targetName,
                               const std::string &scheduleText, bool probes) {
  Result<TargetDesc> target = findTarget(targetName);
  if (!target)
    return target.takeErrors();
  Result<Schedule> schedule = Schedule::parse(scheduleText, {}, target->kind);
  if (!schedule)
    return schedule.takeErrors();
  if (Status honoured = checkSchedule(*schedule, *target); !honoured)
    return honoured.takeErrors();

  mlir::func::FuncOp kernel;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function->hasAttr(tile::kernelAttrName))
      kernel = function;
  if (!kernel)
    return error("the module holds no kernel",
                 "a kernel is a func.func with the attribute tile.kernel");
  Artifact artifact;
  artifact.kernel = kernel.getName().str();
  Signature(kernel, artifact).read();
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (!probes)
    copy->walk([](tile::ProbeOp probe) { probe.erase(); });
  Result<Lowered> lowered = lowerModule(*copy, *target, *schedule, {}, artifact);
  if (!lowered)
    return lowered.takeErrors();
  artifact.report = executionReport(artifact, lowered->report).dump(2);
  return artifact;
}

} // namespace metile
