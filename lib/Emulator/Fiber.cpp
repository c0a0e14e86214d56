// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Fiber.h"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define METILE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define METILE_ASAN 1
#endif
#endif
#if METILE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

// Saves the registers that a call must preserve, swaps stacks, and restores them.
extern "C" void metileSwitchStack(void **from, void *to);
extern "C" void metileStartFiber();

#if defined(__x86_64__)
asm(R"(
.text
.globl metileSwitchStack
.hidden metileSwitchStack
.type metileSwitchStack,@function
metileSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.globl metileStartFiber
.hidden metileStartFiber
.type metileStartFiber,@function
metileStartFiber:
  movq %r12, %rdi
  callq *%rbx
  ud2
)");
/// Registers on a stack that was switched away from, lowest address first.
struct SavedRegisters {
  uint64_t r15, r14, r13, r12, rbx, rbp;
  void (*resume)();
};
/// What a call leaves of a stack's alignment.
static constexpr size_t startOffset = 8;
static void setStart(SavedRegisters &saved, void (*body)(void *), void *argument) {
  saved.rbx = reinterpret_cast<uint64_t>(body);
  saved.r12 = reinterpret_cast<uint64_t>(argument);
  saved.resume = metileStartFiber;
}
#elif defined(__aarch64__)
asm(R"(
.text
.globl metileSwitchStack
.hidden metileSwitchStack
.type metileSwitchStack,%function
metileSwitchStack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.globl metileStartFiber
.hidden metileStartFiber
.type metileStartFiber,%function
metileStartFiber:
  mov x0, x20
  blr x19
  brk #1
)");
/// Registers on a stack that was switched away from, lowest address first.
struct SavedRegisters {
  uint64_t x19, x20, others[9];
  void (*resume)();
  uint64_t vectors[8];
};
static constexpr size_t startOffset = 0;
static void setStart(SavedRegisters &saved, void (*body)(void *), void *argument) {
  saved.x19 = reinterpret_cast<uint64_t>(body);
  saved.x20 = reinterpret_cast<uint64_t>(argument);
  saved.resume = metileStartFiber;
}
#else
#error "the emulator's fibers are written for x86-64 and arm64"
#endif

namespace metile::emulator {

/// The base page holds the group's address; the page above it is closed, so that a stack that grows
/// too far does not reach it.
static constexpr size_t pageBytes = 4096;
static constexpr size_t guardBytes = pageBytes;
/// Fibers that are mapped together.
static constexpr size_t blockFibers = 32;

void switchFiber(FiberContext &from, FiberContext &to) {
#if METILE_ASAN
  __sanitizer_start_switch_fiber(&from.fakeStack, to.bottom, to.bytes);
#endif
  metileSwitchStack(&from.stackPointer, to.stackPointer);
#if METILE_ASAN
  __sanitizer_finish_switch_fiber(from.fakeStack, nullptr, nullptr);
#endif
}

void enterFiber(FiberContext &from) {
#if METILE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.bytes);
#else
  (void)from;
#endif
}

FiberPool::FiberPool(Group *group, Body body, void *argument)
    : group(group), body(body), argument(argument) {}

FiberPool::~FiberPool() {
  for (std::byte *block : blocks)
    munmap(block, (blockFibers + 1) * fiberBytes);
}

Fiber *FiberPool::take() {
  if (idle.empty()) {
    void *mapped = mmap(nullptr, (blockFibers + 1) * fiberBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      return nullptr;
    auto *block = static_cast<std::byte *>(mapped);
    blocks.push_back(block);
    size_t misaligned = reinterpret_cast<uintptr_t>(block) % fiberBytes;
    std::byte *first = block + (misaligned ? fiberBytes - misaligned : 0);
    for (size_t i = blockFibers; i-- > 0;) {
      auto fiber = std::make_unique<Fiber>();
      fiber->base = first + i * fiberBytes;
      mprotect(fiber->base + pageBytes, guardBytes, PROT_NONE);
      std::memcpy(fiber->base, &group, sizeof(group));
      prepare(*fiber);
      idle.push_back(fiber.get());
      fibers.push_back(std::move(fiber));
    }
  }
  Fiber *fiber = idle.back();
  idle.pop_back();
  return fiber;
}

void FiberPool::prepare(Fiber &fiber) {
  std::byte *bottom = fiber.base + pageBytes + guardBytes;
  auto *saved = reinterpret_cast<SavedRegisters *>(fiber.base + fiberBytes - 256 - startOffset);
  std::memset(static_cast<void *>(saved), 0, sizeof(*saved));
  setStart(*saved, body, argument);
  fiber.context = {saved, bottom, fiberBytes - pageBytes - guardBytes, nullptr};
}

void FiberPool::reset() {
  idle.clear();
  for (size_t i = fibers.size(); i-- > 0;) {
    prepare(*fibers[i]);
    idle.push_back(fibers[i].get());
  }
}

bool FiberPool::isGuard(const void *address) const {
  for (const auto &fiber : fibers) {
    const auto *at = static_cast<const std::byte *>(address);
    if (at >= fiber->base && at < fiber->base + pageBytes + guardBytes)
      return true;
  }
  return false;
}

} // namespace metile::emulator
