// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CodeLoader over LLJIT: each object gets a JITDylib of its own, which goes with the last
// reference.

#include "metile/code_loader.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"

#include <map>
#include <mutex>

namespace metile {
namespace {

Errors refusal(std::string_view name, llvm::Error why) {
  return error("cannot load " + std::string(name) + ": " + llvm::toString(std::move(why)));
}

class JitCode : public LoadedCode {
public:
  JitCode(llvm::orc::LLJIT &jit, llvm::orc::JITDylib &library) : jit(jit), library(library) {}
  ~JitCode() override { llvm::consumeError(jit.getExecutionSession().removeJITDylib(library)); }

  void *lookup(std::string_view symbol) const override {
    auto found = symbols.find(symbol);
    return found == symbols.end() ? nullptr : found->second;
  }

  std::map<std::string, void *, std::less<>> symbols;

private:
  llvm::orc::LLJIT &jit;
  llvm::orc::JITDylib &library;
};

class JitLoader : public CodeLoader {
public:
  Result<std::shared_ptr<LoadedCode>> load(std::string_view object,
                                           std::string_view name) override {
    if (llvm::Error failed = start())
      return refusal(name, std::move(failed));
    llvm::MemoryBufferRef buffer{llvm::StringRef(object), llvm::StringRef(name)};
    auto parsed = llvm::object::ObjectFile::createObjectFile(buffer);
    if (!parsed)
      return refusal(name, parsed.takeError());
    if ((*parsed)->getArch() != jit->getTargetTriple().getArch())
      return error("cannot load " + std::string(name) + ": it holds code for " +
                       llvm::Triple::getArchTypeName((*parsed)->getArch()).str(),
                   "this machine runs " + jit->getTargetTriple().getArchName().str());

    llvm::orc::SymbolLookupSet wanted;
    for (const llvm::object::SymbolRef &symbol : (*parsed)->symbols()) {
      llvm::Expected<uint32_t> flags = symbol.getFlags();
      if (!flags)
        return refusal(name, flags.takeError());
      llvm::Expected<llvm::StringRef> symbolName = symbol.getName();
      if (!symbolName)
        return refusal(name, symbolName.takeError());
      using Flags = llvm::object::SymbolRef::Flags;
      if ((*flags & Flags::SF_Global) && !(*flags & Flags::SF_Undefined))
        wanted.add(jit->getExecutionSession().intern(*symbolName));
    }

    llvm::Expected<llvm::orc::JITDylib &> library =
        jit->getExecutionSession().createJITDylib("kernel" + std::to_string(count++));
    if (!library)
      return refusal(name, library.takeError());
    library->addToLinkOrder(*runtime);
    auto code = std::make_shared<JitCode>(*jit, *library);
    if (llvm::Error failed = jit->addObjectFile(
            *library,
            llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object), llvm::StringRef(name))))
      return refusal(name, std::move(failed));
    auto addresses = jit->getExecutionSession().lookup(
        llvm::orc::makeJITDylibSearchOrder(&*library), std::move(wanted));
    if (!addresses)
      return refusal(name, addresses.takeError());
    const char prefix = jit->getDataLayout().getGlobalPrefix();
    for (auto &[symbol, definition] : *addresses) {
      llvm::StringRef plain = *symbol;
      if (prefix)
        plain.consume_front(llvm::StringRef(&prefix, 1));
      code->symbols[plain.str()] = definition.getAddress().toPtr<void *>();
    }
    return std::shared_ptr<LoadedCode>(std::move(code));
  }

private:
  llvm::Error start() {
    std::lock_guard lock(mutex);
    if (jit)
      return llvm::Error::success();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::orc::LLJITBuilder builder;
    // Objects reach nothing of this process but what `runtime` lists.
    builder.setLinkProcessSymbolsByDefault(false);
    builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
    auto made = builder.create();
    if (!made)
      return made.takeError();
    llvm::orc::ExecutionSession &session = (*made)->getExecutionSession();
    // Every failure comes back to the caller of load(); nothing is printed on the side.
    session.setErrorReporter([](llvm::Error failed) { llvm::consumeError(std::move(failed)); });
    auto library = session.createJITDylib("runtime");
    if (!library)
      return library.takeError();
    llvm::orc::SymbolMap symbols;
    auto provide = [&](const char *symbol, auto *function) {
      symbols[(*made)->mangleAndIntern(symbol)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                                   llvm::JITSymbolFlags::Exported |
                                                       llvm::JITSymbolFlags::Callable};
    };
    provide("memcpy", &std::memcpy);
    provide("memmove", &std::memmove);
    provide("memset", &std::memset);
    if (llvm::Error failed = library->define(llvm::orc::absoluteSymbols(std::move(symbols))))
      return failed;
    runtime = &*library;
    jit = std::move(*made);
    return llvm::Error::success();
  }

  std::mutex mutex;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::orc::JITDylib *runtime = nullptr;
  std::atomic<unsigned> count{0};
};

} // namespace

CodeLoader &jitLoader() {
  // Never destroyed: code may be released by destructors that run later than any of ours.
  static JitLoader *loader = new JitLoader;
  return *loader;
}

} // namespace metile
