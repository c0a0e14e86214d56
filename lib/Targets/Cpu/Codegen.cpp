// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets/Cpu/Codegen.h"

#include "Dialect/Tile/Tile.h"
#include "Targets/Cpu/Legalize.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <chrono>
#include <mutex>

using namespace mlir;

namespace metile::cpu {

void registerCodegenDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                  cf::ControlFlowDialect, func::FuncDialect, vector::VectorDialect, ub::UBDialect,
                  LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {

/// The LLVM module in work on this thread, for the message of a fatal error.
thread_local const llvm::Module *moduleInWork = nullptr;

/// LLVM ends the process after this. All we can do for our own bug is to keep what leads to it.
void onFatalError(void *, const char *reason, bool) {
  std::fprintf(stderr, "metile: internal error in LLVM: %s\n", reason);
  llvm::SmallString<128> path;
  int file = -1;
  if (moduleInWork && !llvm::sys::fs::createTemporaryFile("metile-reproducer", "ll", file, path)) {
    llvm::raw_fd_ostream out(file, /*shouldClose=*/true);
    moduleInWork->print(out, nullptr);
    std::fprintf(stderr, "metile: the code in question is in %s\n", path.c_str());
  }
}

void initializeLLVM() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    llvm::install_fatal_error_handler(onFatalError);
  });
}

std::string signedFeatures(const TargetDesc &target) {
  std::string text;
  for (const std::string &feature : target.features)
    text += (text.empty() ? "+" : ",+") + feature;
  return text;
}

/// Making a TargetMachine costs more than compiling a small kernel, and one serves one thread at a
/// time.
llvm::TargetMachine *targetMachine(const TargetDesc &target, std::string &message) {
  thread_local std::vector<std::pair<std::string, std::unique_ptr<llvm::TargetMachine>>> machines;
  for (auto &[name, machine] : machines)
    if (name == target.name)
      return machine.get();
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return nullptr;
  llvm::TargetOptions options;
  options.NoTrappingFPMath = true;
  options.FunctionSections = false;
  // Small: code and constants lie together, so constants are addressed relative to the code.
  machines.emplace_back(
      target.name, found->createTargetMachine(triple, target.llvmCpu, signedFeatures(target),
                                              options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                              llvm::CodeGenOptLevel::Default));
  return machines.back().second.get();
}

class Stopwatch {
public:
  /// Microseconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(now - std::exchange(last, now)).count();
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

LogicalResult convertToLLVMDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(module, target, std::move(patterns), config)))
      return failure();
  }
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/true);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyFullConversion(module, target, std::move(patterns), config);
}

void setFunctionAttributes(llvm::Module &module, const TargetDesc &target) {
  std::string features = signedFeatures(target);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.llvmCpu);
    function.addFnAttr("target-features", features);
    function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
    function.addFnAttr(llvm::Attribute::NoUnwind);
    // Without it LLVM may turn a loop into a call of memset and its like.
    function.addFnAttr("no-builtins");
  }
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager loopPasses;
  loopPasses.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(std::move(loopPasses), /*UseMemorySSA=*/true));
  passes.addPass(llvm::GVNPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

/// Names of functions that code has to find elsewhere, those apart which every C library provides
/// in a form that compilers rely on.
std::vector<std::string> foreignSymbols(llvm::StringRef bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "kernel"));
  if (!object)
    return {llvm::toString(object.takeError())};
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty())
      continue;
    llvm::StringRef plain = (*object)->isMachO() ? name->ltrim('_') : *name;
    if (plain != "memcpy" && plain != "memset" && plain != "memmove")
      names.push_back(plain.str());
  }
  return names;
}

metile::Location toLocation(mlir::Location place) {
  metile::Location result;
  place->walk([&](mlir::Location part) {
    if (auto file = dyn_cast<FileLineColLoc>(part)) {
      result.file = file.getFilename().str();
      result.line = file.getLine();
      result.column = file.getColumn();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result;
}

Result<std::string> emit(ModuleOp module, const TargetDesc &target, llvm::CodeGenFileType fileType,
                         CodegenTimings *timings) {
  initializeLLVM();
  std::string message;
  llvm::TargetMachine *machine = targetMachine(target, message);
  if (!machine)
    return error("no code generator for " + target.name + ": " + message);

  Errors errors;
  ScopedDiagnosticHandler collect(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors.diagnostics.push_back(
          {toLocation(diagnostic.getLocation()), diagnostic.str(), {}, {}});
    return success();
  });
  auto failure = [&](const char *what) -> Errors {
    if (errors.diagnostics.empty())
      return error(std::string(what) + " failed for " + target.name);
    return errors;
  };

  CodegenTimings ignored;
  CodegenTimings &time = timings ? *timings : ignored;
  Stopwatch watch;
  if (failed(legalize(module, target)))
    return failure("legalisation");
  time.legalizeUs = watch.lap();
  if (failed(convertToLLVMDialect(module)))
    return failure("conversion to LLVM");
  time.convertUs = watch.lap();

  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *sink) {
        if (info->getSeverity() != llvm::DS_Error)
          return;
        std::string text;
        llvm::raw_string_ostream out(text);
        llvm::DiagnosticPrinterRawOStream printer(out);
        info->print(printer);
        static_cast<Errors *>(sink)->diagnostics.push_back({{}, text, {}, {}});
      },
      &errors);
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "kernel",
                                                               /*disableVerification=*/true);
  if (!code)
    return failure("translation to LLVM");
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  setFunctionAttributes(*code, target);
  time.translateUs = watch.lap();

  moduleInWork = code.get();
  optimize(*code, *machine);
  time.optimizeUs = watch.lap();
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager emission;
  bool refused = machine->addPassesToEmitFile(emission, out, nullptr, fileType);
  if (!refused)
    emission.run(*code);
  moduleInWork = nullptr;
  time.emitUs = watch.lap();
  if (refused || !errors.diagnostics.empty())
    return failure("emission of machine code");

  if (fileType == llvm::CodeGenFileType::ObjectFile) {
    std::vector<std::string> foreign = foreignSymbols({bytes.data(), bytes.size()});
    if (!foreign.empty()) {
      std::string names;
      for (const std::string &name : foreign)
        names += (names.empty() ? "" : ", ") + name;
      return error("code for " + target.name + " would call library functions: " + names,
                   "kernels call nothing outside themselves",
                   "this is a bug of meTile: please report the kernel");
    }
  }
  return std::string(bytes.data(), bytes.size());
}

} // namespace

Result<std::string> emitObject(ModuleOp module, const TargetDesc &target, CodegenTimings *timings) {
  return emit(module, target, llvm::CodeGenFileType::ObjectFile, timings);
}

Result<std::string> emitAssembly(ModuleOp module, const TargetDesc &target) {
  return emit(module, target, llvm::CodeGenFileType::AssemblyFile, nullptr);
}

} // namespace metile::cpu
