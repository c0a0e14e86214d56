// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Interrupts.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ucontext.h>

namespace metile::emulator {
namespace {

constexpr int faultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
constexpr size_t signalStackBytes = 1 << 16;

struct sigaction previous[NSIG];

int stopSignal() { return SIGRTMIN + 7; }

uint64_t programCounter(const ucontext_t &context) {
#if defined(__x86_64__)
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#else
  return context.uc_mcontext.pc;
#endif
}

/// What the interrupted thread does instead of going on; runs on the signal stack's lower half, as
/// its own may be full.
[[noreturn]] void abandon() { activeRunner->abandonGroup(); }

thread_local char *abandonStackEnd = nullptr;

void goOnWith(ucontext_t &context, void (*function)()) {
  auto stack = reinterpret_cast<uint64_t>(abandonStackEnd) & ~uint64_t(15);
#if defined(__x86_64__)
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack - 8);
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
#else
  context.uc_mcontext.sp = stack;
  context.uc_mcontext.pc = reinterpret_cast<uint64_t>(function);
#endif
}

bool inModule(uint64_t address) {
  const LaunchPlan *plan = activeRunner->launchPlan();
  return address - plan->codeFirst < plan->codeBytes;
}

void onFault(int signal, siginfo_t *info, void *argument) {
  auto &context = *static_cast<ucontext_t *>(argument);
  GroupRunner *runner = activeRunner;
  bool isStack = runner && runner->inGroup() && runner->isGuard(info->si_addr);
  if (runner && runner->inGroup() && (inModule(programCounter(context)) || isStack)) {
    runner->noteFault(signal, reinterpret_cast<uint64_t>(info->si_addr), programCounter(context),
                      isStack);
    goOnWith(context, abandon);
    return;
  }
  const struct sigaction &next = previous[signal];
  if (next.sa_flags & SA_SIGINFO && next.sa_sigaction) {
    next.sa_sigaction(signal, info, argument);
  } else if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN && next.sa_handler) {
    next.sa_handler(signal);
  } else {
    // Returning repeats the instruction, now without a handler.
    struct sigaction normal = {};
    normal.sa_handler = SIG_DFL;
    sigaction(signal, &normal, nullptr);
  }
}

void onStop(int, siginfo_t *, void *argument) {
  auto &context = *static_cast<ucontext_t *>(argument);
  GroupRunner *runner = activeRunner;
  if (!runner || !runner->inGroup())
    return;
  runner->requestStop();
  // Elsewhere a lock may be held; there the next step stops it.
  if (!inModule(programCounter(context)))
    return;
  runner->noteEndless(programCounter(context));
  goOnWith(context, abandon);
}

void installHandlers() {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_sigaction = onFault;
  for (int signal : faultSignals)
    sigaction(signal, &action, &previous[signal]);
  action.sa_sigaction = onStop;
  sigaction(stopSignal(), &action, nullptr);
}

} // namespace

FaultGuard::FaultGuard() : stack(new char[2 * signalStackBytes]) {
  static std::once_flag once;
  std::call_once(once, installHandlers);
  abandonStackEnd = stack.get() + signalStackBytes;
  stack_t mine = {}, old = {};
  mine.ss_sp = stack.get() + signalStackBytes;
  mine.ss_size = signalStackBytes;
  sigaltstack(&mine, &old);
  before = old.ss_sp;
  beforeBytes = old.ss_size;
  beforeFlags = old.ss_flags;
}

FaultGuard::~FaultGuard() {
  stack_t old = {};
  old.ss_sp = before;
  old.ss_size = beforeBytes;
  old.ss_flags = before ? beforeFlags & ~SS_ONSTACK : SS_DISABLE;
  sigaltstack(&old, nullptr);
}

Watchdog::Watchdog(double seconds) : thread([this, seconds] { loop(seconds); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex);
    finished = true;
  }
  wake.notify_all();
  thread.join();
}

void Watchdog::watch(GroupRunner *runner) {
  std::lock_guard lock(mutex);
  pthread_t self = pthread_self();
  std::erase_if(watched,
                [self](const Watched &entry) { return pthread_equal(entry.thread, self); });
  if (runner)
    watched.push_back({self, runner});
}

void Watchdog::loop(double seconds) {
  std::unique_lock lock(mutex);
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  if (wake.wait_until(lock, std::chrono::time_point_cast<std::chrono::steady_clock::duration>(end),
                      [this] { return finished; }))
    return;
  // A thread that was in the emulator's own code is asked again.
  while (!finished) {
    for (const Watched &entry : watched)
      pthread_kill(entry.thread, stopSignal());
    wake.wait_for(lock, std::chrono::milliseconds(20), [this] { return finished; });
  }
}

} // namespace metile::emulator
