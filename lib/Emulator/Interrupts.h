// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what would end the process while a kernel runs into findings: bad addresses, illegal
// instructions, division traps, full stacks, and loops without end. Faults of other code go on to
// whoever handled them before.
#pragma once

#include "Emulator/GroupRunner.h"

#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <thread>

namespace metile::emulator {

/// Makes the calling thread ready to run kernels: the process's handlers, and a stack for them.
class FaultGuard {
public:
  FaultGuard();
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;
  ~FaultGuard();

private:
  std::unique_ptr<char[]> stack;
  void *before = nullptr;
  size_t beforeBytes = 0;
  int beforeFlags = 0;
};

/// Stops the runners of a launch when its time is over.
class Watchdog {
public:
  explicit Watchdog(double seconds);
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;
  ~Watchdog();

  /// The calling thread runs `runner` from now on, or nothing more if it is null.
  void watch(GroupRunner *runner);

private:
  void loop(double seconds);

  std::mutex mutex;
  std::condition_variable wake;
  bool finished = false;
  struct Watched {
    pthread_t thread;
    GroupRunner *runner;
  };
  std::vector<Watched> watched;
  std::thread thread;
};

} // namespace metile::emulator
