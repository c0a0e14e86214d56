// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/Pipeline.h"

#include "Dialect/Tile/DebugSite.h"
#include "Dialect/Tile/Tile.h"
#include "Support/Stopwatch.h"
#include "Targets/Cpu/Codegen.h"
#include "Targets/Cpu/CostModel.h"
#include "Targets/Cpu/LowerTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace metile::cpu {

void registerDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect, arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                  math::MathDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerCodegenDialects(registry);
}

/// Whether the registers of `target` hold the accumulators, operands and broadcast of `tile`.
static Status checkRegisterTile(std::pair<int64_t, int64_t> tile, const TargetDesc &target) {
  int64_t lanes = target.lanes(DType::f32);
  auto [rows, columns] = tile;
  int64_t vectors = columns / lanes;
  if (columns % lanes != 0 || rows * vectors + vectors + 1 > target.vectorRegisters) {
    RegisterTile best = chooseRegisterTile(target, DType::f32, 1 << 20);
    return error("register_tile=" + std::to_string(rows) + "x" + std::to_string(columns) +
                     " does not fit the registers of " + target.name,
                 "columns are a multiple of " + std::to_string(lanes) +
                     ", and rows*vectors + vectors + 1 is at most " +
                     std::to_string(target.vectorRegisters) + " (vectors = columns/" +
                     std::to_string(lanes) + ")",
                 "for example register_tile=" + std::to_string(best.rows) + "x" +
                     std::to_string(best.columns()));
  }
  return Done{};
}

Status checkSchedule(const Schedule &schedule, const TargetDesc &target) {
  Errors errors;
  auto refuse = [&](std::string found, std::string allowed, std::string change) {
    errors.diagnostics.push_back({{}, std::move(found), std::move(allowed), std::move(change)});
  };
  if (auto width = schedule.number(ScheduleField::vectorWidth);
      width && *width != target.lanes(DType::f32))
    refuse("vector_width=" + std::to_string(*width) + " cannot be honoured",
           "vectors of " + target.name + " hold " + std::to_string(target.lanes(DType::f32)) +
               " f32",
           "remove the field, or choose another target");
  if (schedule.has(ScheduleField::blockSwizzle))
    refuse("block_swizzle cannot be honoured on " + target.name,
           "programs run in the order of the grid on a CPU", "remove the field");
  if (auto repack = schedule.choice(ScheduleField::repack); repack && *repack == "shared")
    refuse("repack=shared cannot be honoured on " + target.name,
           "repack is none or private: each program copies its own panels", "use repack=private");
  if (auto math = schedule.choice(ScheduleField::math); math && *math == "fast")
    refuse("math=fast cannot be honoured on " + target.name, "math is strict or default here",
           "remove the field");
  if (auto tile = schedule.pair(ScheduleField::registerTile))
    if (Status fits = checkRegisterTile(*tile, target); !fits)
      errors.diagnostics.push_back(fits.errors().diagnostics.front());
  if (!errors.diagnostics.empty())
    return errors;
  return Done{};
}

static CpuPlan planOf(const Schedule &schedule, const TargetDesc &target) {
  CpuPlan plan;
  plan.unroll = static_cast<unsigned>(schedule.number(ScheduleField::unroll).value_or(0));
  plan.scratchEverything = schedule.flag(ScheduleField::scratchEverything).value_or(false);
  if (auto tile = schedule.pair(ScheduleField::registerTile)) {
    unsigned lanes = target.lanes(DType::f32);
    plan.registerTile = RegisterTile{static_cast<unsigned>(tile->first),
                                     static_cast<unsigned>(tile->second) / lanes, lanes};
  }
  if (auto repack = schedule.choice(ScheduleField::repack))
    plan.packRows = *repack == "none" ? std::numeric_limits<int64_t>::max() : 0;
  return plan;
}

/// Collects MLIR's errors while it lives.
namespace {
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          metile::Diagnostic found;
          found.found = diagnostic.str();
          found.location = tile::sourceOf(diagnostic.getLocation());
          errors.diagnostics.push_back(std::move(found));
          return success();
        }) {}

  Errors take(std::string_view doing) {
    if (errors.diagnostics.empty())
      return error("internal error while " + std::string(doing));
    return std::move(errors);
  }

private:
  Errors errors;
  ScopedDiagnosticHandler handler;
};

} // namespace

Result<CompiledModule> compileModule(ModuleOp module, const TargetDesc &target,
                                     const Schedule &schedule, const WorkSummary &work) {
  if (Status honoured = checkSchedule(schedule, target); !honoured)
    return honoured.takeErrors();
  CompiledModule compiled;
  ReportInput &report = compiled.report;
  DiagnosticCollector collector(module.getContext());
  Stopwatch lowering;

  PassManager fold(module.getContext());
  fold.addPass(createCanonicalizerPass());
  fold.addPass(createCSEPass());
  if (failed(fold.run(module)))
    return collector.take("folding constants");
  report.passes.push_back("fold_constants");
  report.epilogueRegions = countEpilogueRegions(module);

  CpuPlan plan = planOf(schedule, target);
  CpuLoweringInfo info;
  // What comes after relies on sound IR, and costs many times more than this check.
  if (failed(lowerTileToVector(module, target, plan, info)) || failed(verify(module)))
    return collector.take("lowering tiles to vectors");
  report.loweringPasses = {"lower_tile_to_vector", "legalize", "convert_to_llvm"};
  report.facts = readLoweredIr(module, "scratch", target.lanes(DType::f32));
  compiled.lowerUs = lowering.us();

  Stopwatch codegen;
  Result<std::string> object = emitObject(module, target);
  if (!object)
    return object.takeErrors();
  compiled.codegenUs = codegen.us();
  compiled.object = std::move(*object);
  compiled.entry = info.entry;
  compiled.grid = info.grid;
  compiled.scratchBytes = info.scratchBytes;
  compiled.debugSites = std::move(info.debugSites);

  report.lanes = target.lanes(DType::f32);
  report.decisions = std::move(info.decisions);
  report.plan.backend = "vector";
  report.plan.threadgroupSize = {report.lanes, 1, 1};
  if (!info.dots.empty()) {
    const DotInfo &dot = info.dots.front();
    report.plan.tileShape = {dot.m, dot.n, dot.k};
    report.plan.cooperativeLayout = dot.tile.str() + " register tile";
    if (dot.isPacked)
      report.plan.staging = "scratch";
  }
  report.plan.vectorWidth = report.lanes;
  report.plan.outerBoundsProven = info.outerBoundsProven;
  for (const Decision &decision : report.decisions)
    report.plan.reasons.push_back(decision.subject + ": " + decision.chosen + ". " +
                                  decision.reason);
  report.notes.push_back("Layout widths describe emitted vector operations, not final machine "
                         "instructions.");
  if (!info.outerBoundsProven)
    report.notes.push_back("Programs at an edge run a masked version of each loop.");
  return compiled;
}

} // namespace metile::cpu
