// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fiber: a stack that runs when it is switched to, on the thread that switches. Knows nothing of
// threadgroups but the word at its base, where kernels look for theirs.
#pragma once

#include "Emulator/KernelAbi.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace metile::emulator {

/// Where a stack stopped.
struct FiberContext {
  void *stackPointer = nullptr;
  // For a build under AddressSanitizer, which wants to know about stacks.
  const void *bottom = nullptr;
  size_t bytes = 0;
  void *fakeStack = nullptr;
};

/// Saves the caller in `from` and goes on with `to`.
void switchFiber(FiberContext &from, FiberContext &to);

/// The first that a fiber does; `from` is the context that started it.
void enterFiber(FiberContext &from);

struct Fiber {
  FiberContext context;
  std::byte *base = nullptr; ///< fiberBytes at a multiple of fiberBytes.
};

/// The fibers of one worker. Their stacks are made as they are needed and kept.
class FiberPool {
public:
  using Body = void (*)(void *argument);

  /// Every fiber begins with body(argument), which must not return; `group` stands at its base.
  FiberPool(Group *group, Body body, void *argument);
  FiberPool(const FiberPool &) = delete;
  FiberPool &operator=(const FiberPool &) = delete;
  ~FiberPool();

  /// A fiber that nobody uses, or null if memory ran out.
  Fiber *take();
  void putBack(Fiber *fiber) { idle.push_back(fiber); }
  /// Forgets what all fibers were doing; each begins anew.
  void reset();
  /// Whether `address` lies in the guard below one of the stacks.
  bool isGuard(const void *address) const;

private:
  void prepare(Fiber &fiber);

  Group *group;
  Body body;
  void *argument;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber *> idle;
  std::vector<std::byte *> blocks;
};

} // namespace metile::emulator
