// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GroupRunner: one worker that runs threadgroups, one after another, on the operating-system thread
// that calls it.
//
// The threads of a group run one at a time. As long as none waits for others they run in a plain
// loop on one fiber. A thread that waits keeps the fiber it is on, and the loop goes on with the
// next thread on a fresh one; from then on the lanes of a simdgroup run until all of them wait,
// then the next simdgroup, and when all wait at the barrier it opens. The order is fixed, so every
// run of a group is the same.
#pragma once

#include "Emulator/Checker.h"
#include "Emulator/Fiber.h"

#include <atomic>
#include <vector>

namespace metile::emulator {

/// What is common to all groups of a launch.
struct LaunchPlan {
  const KernelModule *module = nullptr;
  uint64_t codeFirst = 0, codeBytes = 0; ///< Where the module's code lies.
  Extent groups, threads, gridThreads;
  void *buffers[maxBuffers] = {};
  size_t threadgroupBytes[maxBuffers] = {}; ///< 0: no argument with this index.
  std::string threadgroupNames[maxBuffers];
  size_t threadgroupLimit = 32768;
  bool checking = false;
  bool serial = false;            ///< One group runs after another, in order; only if checking.
  LaunchMemory *memory = nullptr; ///< Null: buffers lie where the caller has them.
  struct BufferWindow {
    std::string name;
    uint64_t address = 0, bytes = 0;
  };
  BufferWindow bufferWindows[LaunchMemory::bufferWindows];
  std::vector<ShadowRegion *> bufferRegions; ///< By window; only if checking.
  uint64_t stepLimit = 0;
  unsigned char garbage = 0xff; ///< What threadgroup memory holds at the start; NaN in every float.
};

class GroupRunner : public Group {
public:
  explicit GroupRunner();
  GroupRunner(const GroupRunner &) = delete;
  GroupRunner &operator=(const GroupRunner &) = delete;

  /// Prepares for groups of `plan`; its threadgroup memory is window `worker` of the plan's memory,
  /// or memory of its own. An error if memory runs out.
  Status begin(const LaunchPlan &plan, unsigned worker);
  /// Runs the group with this linear index. False if the launch is not to go on.
  bool runGroup(uint64_t index);
  /// Gives memory back.
  void end();

  Checker &checks() { return checker; }

  /// Asks the running thread to stop at its next step.
  void requestStop() { stopRequested.store(true, std::memory_order_relaxed); }
  /// Ends the current group; never returns. Called on one of its fibers or on the signal stack.
  [[noreturn]] void abandonGroup();
  /// Notes, in a signal handler, why the group is about to be abandoned.
  /// `returnAddress`: of the function that was interrupted; 0 if unknown.
  void noteFault(int signal, uint64_t address, uint64_t programCounter, uint64_t returnAddress,
                 bool isStack);
  void noteEndless(uint64_t programCounter, uint64_t returnAddress);
  /// Notes that a division had no result. Called where the kernel itself was interrupted, so no
  /// lock is held.
  void noteDivision(uint64_t programCounter);
  bool inGroup() const { return running; }
  bool isGuard(const void *address) const { return fibers.isGuard(address); }
  const LaunchPlan *launchPlan() const { return plan; }

private:
  /// What one thread waits for.
  struct Waiting {
    Fiber *fiber = nullptr;
    CollectiveFn fn = nullptr;
    const void *in = nullptr;
    void *out = nullptr;
    Site site = 0;
    unsigned flags = 0;
  };
  struct Simdgroup {
    uint32_t alive = 0;      ///< Lanes that have not returned.
    uint32_t ready = 0;      ///< Those of them that can run; others wait.
    uint32_t begun = 0;      ///< Those that have a fiber.
    uint32_t collective = 0; ///< Those that wait for a collective,
    uint32_t simdBarrier = 0;
    uint32_t barrier = 0;
  };

  static const Services table;
  static GroupRunner &of(Group *group) { return *static_cast<GroupRunner *>(group); }
  static void fiberBody(void *runner);

  void startGroup(uint64_t index);
  void becomeBlocked();
  /// Lets the current thread wait until another makes it ready.
  void block();
  /// The thread to run next; `threads` if the group is done.
  unsigned pick();
  bool resolveSimdgroup(unsigned index);
  void resolveBarrier();
  void runCollective(unsigned simdgroup, uint32_t lanes);
  void openSimdBarrier(unsigned simdgroup, uint32_t lanes);
  void step(Site site);
  void *threadgroupMemoryFor(ThreadgroupVariable &variable);
  Actor actorOf(unsigned thread, Site site) const;

  void reportFault();
  bool finishThread();
  void arriveAtBarrier(unsigned flags, Site site);
  void arriveAtSimdBarrier(unsigned flags, Site site);
  void arriveAtCollective(CollectiveFn fn, const void *in, void *out, Site site);

  const LaunchPlan *plan = nullptr;
  Checker checker;
  FiberPool fibers;
  FiberContext caller;
  Fiber *currentFiber = nullptr;
  std::vector<Waiting> waiting;
  Simdgroup simdgroups[maxThreads / simdWidth];
  unsigned simdgroupCount = 0;
  unsigned currentSimdgroup = 0;
  volatile bool running = false;
  /// Why a signal ended the group; reported after it.
  struct Fault {
    int signal = 0;
    uint64_t address = 0, programCounter = 0, returnAddress = 0;
    bool isStack = false, isEndless = false;
  } fault;
  bool abandoned = false;
  std::atomic<bool> stopRequested{false};
  uint64_t steps = 0;
  unsigned aliveCount = 0;
  ThreadgroupArena arena;
};

/// The runner of the calling thread while it runs a group, for signal handlers.
extern thread_local GroupRunner *activeRunner;

} // namespace metile::emulator
