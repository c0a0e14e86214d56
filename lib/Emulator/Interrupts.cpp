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

/// Where the interrupted function returns to; 0 if its frame lies on no stack of a fiber.
uint64_t returnAddress(const ucontext_t &context) {
#if defined(__x86_64__)
  auto frame = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RBP]);
  auto stack = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#else
  uint64_t frame = context.uc_mcontext.regs[29], stack = context.uc_mcontext.sp;
#endif
  bool isOnStack = frame >= stack && frame / fiberBytes == stack / fiberBytes;
  return isOnStack ? reinterpret_cast<const uint64_t *>(frame)[1] : 0;
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

/// Gives a division that trapped some result and goes on behind it; Metal's divisions do not trap.
/// False if it is no division of whole numbers. Processors of other kinds have no such trap.
bool skipDivision(ucontext_t &context, unsigned char garbage) {
#if defined(__x86_64__)
  auto &registers = context.uc_mcontext.gregs;
  const auto *at = reinterpret_cast<const unsigned char *>(registers[REG_RIP]);
  bool isShort = false, isLong = false;
  for (; *at == 0x66 || (*at & 0xf0) == 0x40; ++at) {
    isShort |= *at == 0x66;
    isLong |= (*at & 0xf8) == 0x48;
  }
  bool isByte = at[0] == 0xf6;
  unsigned mode = at[1] >> 6, operation = at[1] >> 3 & 7, base = at[1] & 7;
  if ((!isByte && at[0] != 0xf7) || operation < 6)
    return false;
  at += 2;
  if (mode != 3 && base == 4)
    base = *at++ & 7; // An index; of base 5 there may be none.
  at += mode == 1 ? 1 : mode == 2 || (mode == 0 && base == 5) ? 4 : 0;
  registers[REG_RIP] = reinterpret_cast<greg_t>(at);
  auto value = static_cast<greg_t>(garbage * 0x0101010101010101u);
  greg_t mask = isLong ? -1 : isShort || isByte ? 0xffff : 0xffffffff;
  // A result of 32 bits clears the rest of its register, a shorter one keeps it.
  greg_t kept = isShort || isByte ? ~mask : 0;
  registers[REG_RAX] = (registers[REG_RAX] & kept) | (value & mask);
  if (!isByte)
    registers[REG_RDX] = (registers[REG_RDX] & kept) | (value & mask);
  return true;
#else
  (void)context, (void)garbage;
  return false;
#endif
}

bool inModule(uint64_t address) {
  const LaunchPlan *plan = activeRunner->launchPlan();
  return address - plan->codeFirst < plan->codeBytes;
}

void onFault(int signal, siginfo_t *info, void *argument) {
  auto &context = *static_cast<ucontext_t *>(argument);
  GroupRunner *runner = activeRunner;
  if (signal == SIGFPE && runner && runner->inGroup() && inModule(programCounter(context))) {
    uint64_t place = programCounter(context);
    if (skipDivision(context, runner->launchPlan()->garbage)) {
      runner->noteDivision(place);
      return;
    }
  }
  bool isStack = runner && runner->inGroup() && runner->isGuard(info->si_addr);
  if (runner && runner->inGroup() && (inModule(programCounter(context)) || isStack)) {
    runner->noteFault(signal, reinterpret_cast<uint64_t>(info->si_addr), programCounter(context),
                      isStack ? 0 : returnAddress(context), isStack);
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
  runner->noteEndless(programCounter(context), returnAddress(context));
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
