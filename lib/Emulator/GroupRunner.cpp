// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/GroupRunner.h"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstring>
#include <mutex>

namespace metile::emulator {

thread_local GroupRunner *activeRunner = nullptr;

const Services GroupRunner::table = {
    .finish = [](Group *group) { return of(group).finishThread(); },
    .barrier = [](Group *group, unsigned flags,
                  Site site) { of(group).arriveAtBarrier(flags, site); },
    .simdBarrier = [](Group *group, unsigned flags,
                      Site site) { of(group).arriveAtSimdBarrier(flags, site); },
    .collective = [](Group *group, CollectiveFn fn, const void *in, void *out,
                     Site site) { of(group).arriveAtCollective(fn, in, out, site); },
    .fence =
        [](Group *group, unsigned flags, bool wholeDevice) {
          if (group->checking && wholeDevice && flags & memoryDevice)
            of(group).checker.fence();
        },
    .threadgroupMemory =
        [](Group *group, ThreadgroupVariable *variable) {
          return of(group).threadgroupMemoryFor(*variable);
        },
    .access =
        [](Group *group, unsigned long address, unsigned long bytes, unsigned rows, long stride,
           unsigned flags, Site site) {
          GroupRunner &runner = of(group);
          runner.step(site);
          for (unsigned row = 0; row < rows; ++row) {
            uint64_t at = address + static_cast<uint64_t>(row * stride);
            if (at - runner.first < runner.bytes &&
                !runner.checker.access(runner.current, at, bytes, 1, flags, site))
              runner.abandonGroup();
          }
        },
    .load =
        [](Group *group, unsigned long address, unsigned long bytes, unsigned aligned,
           unsigned long returnAddress) {
          GroupRunner &runner = of(group);
          Site site = static_cast<Site>(returnAddress - runner.plan->codeFirst);
          runner.step(site);
          if (!runner.checker.access(runner.current, address, bytes, aligned, accessRead, site))
            runner.abandonGroup();
        },
    .store =
        [](Group *group, unsigned long address, unsigned long bytes, unsigned aligned,
           unsigned long returnAddress) {
          GroupRunner &runner = of(group);
          Site site = static_cast<Site>(returnAddress - runner.plan->codeFirst);
          runner.step(site);
          if (!runner.checker.access(runner.current, address, bytes, aligned, accessWrite, site))
            runner.abandonGroup();
        },
    .outOfBounds =
        [](Group *group, const char *type, long index, unsigned long returnAddress) {
          GroupRunner &runner = of(group);
          {
            // Gone before the group is abandoned, which unwinds nothing.
            RawFinding finding;
            finding.kind = FindingKind::outOfBounds;
            finding.first = runner.actorOf(
                runner.current, static_cast<Site>(returnAddress - runner.plan->codeFirst));
            finding.detail = "index " + std::to_string(index) + " of " + type;
            runner.checker.report(finding);
          }
          runner.abandonGroup();
        },
};

GroupRunner::GroupRunner() : Group{}, fibers(this, fiberBody, this), waiting(maxThreads) {}

//===--- A launch ---===//

/// More than any chip has: what is beyond the chip's limit is reported, but runs.
static constexpr size_t arenaBytes = size_t(1) << 19;

Status GroupRunner::begin(const LaunchPlan &launch, unsigned worker) {
  plan = &launch;
  services = &table;
  checking = launch.checking;
  fullExtent = launch.threads;
  groups = launch.groups;
  gridThreads = launch.gridThreads;
  std::copy(std::begin(launch.buffers), std::end(launch.buffers), buffers);
  std::fill(std::begin(variables), std::end(variables), nullptr);
  std::fill(std::begin(threadgroupBuffers), std::end(threadgroupBuffers), nullptr);
  unsigned window = LaunchMemory::bufferWindows + worker;
  void *memory = launch.memory->open(window, arenaBytes, false);
  if (!memory)
    return error("no memory for a worker's threadgroup memory");
  arena.adopt(memory, arenaBytes);
  first = launch.memory->first();
  bytes = LaunchMemory::bytes();
  checker.begin(launch.memory, launch.bufferRegions, window, &arena, launch.groups, launch.serial);
  for (unsigned i = 0; i < maxBuffers; ++i) {
    if (!launch.threadgroupBytes[i])
      continue;
    unsigned piece = 0;
    threadgroupBuffers[i] = arena.add(launch.threadgroupBytes[i], piece);
    if (!threadgroupBuffers[i])
      return error("threadgroup argument " + std::to_string(i) + " of " +
                       std::to_string(launch.threadgroupBytes[i]) + " bytes",
                   "the emulator has " + std::to_string(arenaBytes) +
                       " bytes of threadgroup memory");
    if (checking)
      checker.addPiece(piece, launch.threadgroupNames[i],
                       reinterpret_cast<uint64_t>(threadgroupBuffers[i]),
                       launch.threadgroupBytes[i]);
  }
  steps = 0;
  stopRequested = false;
  fibers.reset();
  currentFiber = nullptr;
  return Done{};
}

void GroupRunner::end() {
  checker.end();
  plan = nullptr;
}

void *GroupRunner::threadgroupMemoryFor(ThreadgroupVariable &variable) {
  static std::mutex slotMutex;
  if (variable.slot == 0) {
    // Slots are counted per module; a module's variables are numbered as they are first met.
    std::lock_guard lock(slotMutex);
    if (variable.slot == 0)
      variable.slot = ++*plan->module->slots;
  }
  if (variable.slot >= std::size(variables))
    abandonGroup();
  void *&memory = variables[variable.slot];
  if (!memory) {
    unsigned piece = 0;
    memory = arena.add(variable.bytes, piece);
    if (memory && checking) {
      std::memset(memory, plan->garbage, variable.bytes);
      checker.addPiece(piece, variable.name, reinterpret_cast<uint64_t>(memory), variable.bytes);
    }
    if (!memory || arena.used() > plan->threadgroupLimit) {
      RawFinding finding;
      finding.kind = FindingKind::limit;
      finding.variable = variable.name;
      finding.first = actorOf(Actor::everyone, variable.site);
      finding.bytes = arena.used() + (memory ? 0 : variable.bytes);
      finding.size = plan->threadgroupLimit;
      checker.report(finding);
    }
    if (!memory)
      abandonGroup();
  }
  return memory;
}

//===--- A group ---===//

void GroupRunner::startGroup(uint64_t index) {
  position = {static_cast<unsigned>(index % groups.x),
              static_cast<unsigned>(index / groups.x % groups.y),
              static_cast<unsigned>(index / groups.x / groups.y)};
  // At the edge of a grid of threads the group has as many as are left.
  auto left = [](unsigned grid, unsigned place, unsigned full) {
    return std::min<uint64_t>(full, grid - uint64_t(place) * full);
  };
  extent = {static_cast<unsigned>(left(gridThreads.x, position.x, fullExtent.x)),
            static_cast<unsigned>(left(gridThreads.y, position.y, fullExtent.y)),
            static_cast<unsigned>(left(gridThreads.z, position.z, fullExtent.z))};
  threads = extent.x * extent.y * extent.z;
  current = 0;
  blocked = false;
  abandoned = false;
  fault = {};
  if (checking) {
    arena.fill(plan->garbage);
    checker.startGroup(static_cast<uint32_t>(index));
  }
}

bool GroupRunner::runGroup(uint64_t index) {
  startGroup(index);
  if (!currentFiber && !(currentFiber = fibers.take()))
    return false;
  running = true;
  activeRunner = this;
  switchFiber(caller, currentFiber->context);
  activeRunner = nullptr;
  running = false;
  if (abandoned) {
    if (fault.signal || fault.isEndless)
      reportFault();
    fibers.reset();
    currentFiber = nullptr;
    return !stopRequested;
  }
  return true;
}

void GroupRunner::fiberBody(void *argument) {
  auto &runner = *static_cast<GroupRunner *>(argument);
  enterFiber(runner.caller);
  for (;;) {
    runner.plan->module->run(&runner);
    switchFiber(runner.currentFiber->context, runner.caller);
  }
}

void GroupRunner::abandonGroup() {
  abandoned = true;
  FiberContext lost;
  switchFiber(lost, caller);
  __builtin_unreachable();
}

void GroupRunner::step(Site site) {
  if (++steps <= plan->stepLimit && !stopRequested.load(std::memory_order_relaxed)) [[likely]]
    return;
  {
    RawFinding finding;
    finding.kind = FindingKind::endless;
    finding.first = actorOf(current, site);
    checker.report(finding);
  }
  stopRequested = true;
  abandonGroup();
}

void GroupRunner::noteFault(int signal, uint64_t address, uint64_t programCounter,
                            uint64_t returnAddress, bool isStack) {
  fault = {signal, address, programCounter, returnAddress, isStack, false};
}

void GroupRunner::noteEndless(uint64_t programCounter, uint64_t returnAddress) {
  fault = {0, 0, programCounter, returnAddress, false, true};
}

/// Sites are return addresses: one behind the instruction.
static Site siteOfInstruction(const LaunchPlan &plan, uint64_t programCounter) {
  return static_cast<Site>(programCounter + 1 - plan.codeFirst);
}

void GroupRunner::noteDivision(uint64_t programCounter) {
  // Without checks nobody can tell whether the result matters.
  if (!checking)
    return;
  RawFinding finding;
  finding.kind = FindingKind::division;
  finding.first = actorOf(current, siteOfInstruction(*plan, programCounter));
  checker.report(finding);
}

void GroupRunner::reportFault() {
  RawFinding finding;
  finding.first = actorOf(current, siteOfInstruction(*plan, fault.programCounter));
  if (fault.programCounter - plan->codeFirst >= plan->codeBytes)
    finding.first.site = 0;
  if (fault.returnAddress - plan->codeFirst < plan->codeBytes)
    finding.related = static_cast<Site>(fault.returnAddress - plan->codeFirst);
  if (fault.isEndless) {
    finding.kind = FindingKind::endless;
  } else if (fault.isStack) {
    finding.kind = FindingKind::crash;
    finding.detail =
        "the thread's private memory is full: recursion without end, or arrays of more "
        "than 200 KiB";
  } else if (fault.signal == SIGSEGV && fault.address - first < bytes) {
    finding.kind = FindingKind::outOfBounds;
    unsigned window = plan->memory->windowOf(fault.address);
    finding.onDevice = window < LaunchMemory::bufferWindows;
    if (finding.onDevice) {
      const LaunchPlan::BufferWindow &buffer = plan->bufferWindows[window];
      finding.variable = buffer.name;
      finding.size = buffer.bytes;
      finding.offset = static_cast<int64_t>(fault.address - buffer.address);
    }
  } else {
    finding.kind = FindingKind::crash;
    finding.detail = fault.signal == SIGILL || fault.signal == SIGTRAP
                         ? "an instruction that nothing should reach"
                         : "an access through a pointer to nowhere";
  }
  checker.report(finding);
}

Actor GroupRunner::actorOf(unsigned thread, Site site) const {
  Actor actor;
  actor.threadgroup = position;
  actor.thread = thread;
  actor.site = site;
  return actor;
}

//===--- Scheduling ---===//

void GroupRunner::becomeBlocked() {
  blocked = true;
  simdgroupCount = (threads + simdWidth - 1) / simdWidth;
  for (unsigned s = 0; s < simdgroupCount; ++s) {
    unsigned from = s * simdWidth, count = std::min(threads - from, simdWidth);
    uint32_t lanes = count == simdWidth ? ~0u : (1u << count) - 1;
    // Threads before the current one have returned.
    uint32_t gone = current <= from               ? 0
                    : current >= from + simdWidth ? ~0u
                                                  : (1u << (current - from)) - 1;
    simdgroups[s] = {};
    simdgroups[s].alive = simdgroups[s].ready = lanes & ~gone;
  }
  simdgroups[current / simdWidth].begun = 1u << current % simdWidth;
  currentSimdgroup = current / simdWidth;
  aliveCount = threads - current;
}

unsigned GroupRunner::pick() {
  for (;;) {
    for (unsigned tried = 0; tried < simdgroupCount; ++tried) {
      Simdgroup &simdgroup = simdgroups[currentSimdgroup];
      if (simdgroup.ready || resolveSimdgroup(currentSimdgroup))
        return currentSimdgroup * simdWidth +
               static_cast<unsigned>(std::countr_zero(simdgroup.ready));
      currentSimdgroup = currentSimdgroup + 1 == simdgroupCount ? 0 : currentSimdgroup + 1;
    }
    if (aliveCount == 0)
      return threads;
    resolveBarrier();
    currentSimdgroup = 0;
  }
}

void GroupRunner::block() {
  Fiber *mine = currentFiber;
  unsigned self = current;
  waiting[self].fiber = mine;
  unsigned next = pick();
  current = next;
  Simdgroup &simdgroup = simdgroups[next / simdWidth];
  uint32_t bit = 1u << next % simdWidth;
  if (next == self)
    return;
  if (simdgroup.begun & bit) {
    currentFiber = waiting[next].fiber;
  } else {
    simdgroup.begun |= bit;
    currentFiber = fibers.take();
    if (!currentFiber) {
      currentFiber = mine;
      abandonGroup();
    }
  }
  switchFiber(mine->context, currentFiber->context);
}

bool GroupRunner::finishThread() {
  Simdgroup &simdgroup = simdgroups[current / simdWidth];
  uint32_t bit = 1u << current % simdWidth;
  simdgroup.alive &= ~bit;
  simdgroup.ready &= ~bit;
  --aliveCount;
  unsigned next = pick();
  if (next == threads)
    return false;
  current = next;
  Simdgroup &other = simdgroups[next / simdWidth];
  uint32_t otherBit = 1u << next % simdWidth;
  if (!(other.begun & otherBit)) {
    other.begun |= otherBit;
    return true;
  }
  Fiber *mine = currentFiber;
  fibers.putBack(mine);
  currentFiber = waiting[next].fiber;
  switchFiber(mine->context, currentFiber->context);
  // Taken again, for a thread that has not begun.
  return true;
}

//===--- Waiting ---===//

void GroupRunner::arriveAtBarrier(unsigned flags, Site site) {
  step(site);
  if (!blocked)
    becomeBlocked();
  Simdgroup &simdgroup = simdgroups[current / simdWidth];
  uint32_t bit = 1u << current % simdWidth;
  waiting[current].site = site;
  waiting[current].flags = flags;
  simdgroup.ready &= ~bit;
  simdgroup.barrier |= bit;
  block();
}

void GroupRunner::resolveBarrier() {
  // Nobody can run and no simdgroup waits for itself, so all that live wait here.
  Site site = 0;
  unsigned flags = 0, firstThread = 0;
  unsigned here = 0, elsewhere = 0;
  Actor other;
  for (unsigned s = 0; s < simdgroupCount; ++s)
    for (uint32_t lanes = simdgroups[s].barrier; lanes; lanes &= lanes - 1) {
      unsigned thread = s * simdWidth + static_cast<unsigned>(std::countr_zero(lanes));
      const Waiting &at = waiting[thread];
      if (here + elsewhere == 0) {
        site = at.site;
        flags = at.flags;
        firstThread = thread;
      }
      if (at.site == site) {
        ++here;
        flags &= at.flags;
      } else if (elsewhere++ == 0) {
        other = actorOf(thread, at.site);
      }
    }
  if (elsewhere || aliveCount < threads) {
    RawFinding finding;
    finding.kind = FindingKind::divergence;
    finding.first = actorOf(firstThread, site);
    finding.bytes = here;
    finding.size = threads;
    finding.hasSecond = elsewhere;
    finding.second = other;
    finding.offset = threads - aliveCount;
    checker.report(finding);
  }
  for (unsigned s = 0; s < simdgroupCount; ++s) {
    simdgroups[s].ready = simdgroups[s].alive;
    simdgroups[s].barrier = 0;
  }
  if (checking)
    checker.barrier(flags, site);
}

void GroupRunner::arriveAtSimdBarrier(unsigned flags, Site site) {
  step(site);
  if (!blocked)
    becomeBlocked();
  Simdgroup &simdgroup = simdgroups[current / simdWidth];
  uint32_t bit = 1u << current % simdWidth;
  waiting[current].site = site;
  waiting[current].flags = flags;
  simdgroup.ready &= ~bit;
  simdgroup.simdBarrier |= bit;
  block();
}

void GroupRunner::arriveAtCollective(CollectiveFn fn, const void *in, void *out, Site site) {
  step(site);
  if (!blocked)
    becomeBlocked();
  Simdgroup &simdgroup = simdgroups[current / simdWidth];
  uint32_t bit = 1u << current % simdWidth;
  Waiting &mine = waiting[current];
  mine.fn = fn;
  mine.in = in;
  mine.out = out;
  mine.site = site;
  simdgroup.ready &= ~bit;
  simdgroup.collective |= bit;
  block();
}

bool GroupRunner::resolveSimdgroup(unsigned index) {
  Simdgroup &simdgroup = simdgroups[index];
  uint32_t waitingLanes = simdgroup.collective | simdgroup.simdBarrier;
  if (!waitingLanes)
    return false;
  // Lanes that took different branches wait at different places; the first in the text goes first,
  // so that the others find it at the place where the branches meet.
  const Waiting *lanes = &waiting[index * simdWidth];
  Site site = ~0u;
  for (uint32_t rest = waitingLanes; rest; rest &= rest - 1)
    site = std::min(site, lanes[std::countr_zero(rest)].site);
  uint32_t atSite = 0;
  for (uint32_t rest = waitingLanes; rest; rest &= rest - 1)
    if (lanes[std::countr_zero(rest)].site == site)
      atSite |= rest & -rest;
  if (uint32_t collective = atSite & simdgroup.collective)
    runCollective(index, collective);
  else
    openSimdBarrier(index, atSite);
  return true;
}

void GroupRunner::runCollective(unsigned index, uint32_t mask) {
  Simdgroup &simdgroup = simdgroups[index];
  const void *in[simdWidth];
  void *out[simdWidth];
  const Waiting *lanes = &waiting[index * simdWidth];
  for (unsigned lane = 0; lane < simdWidth; ++lane) {
    in[lane] = lanes[lane].in;
    out[lane] = lanes[lane].out;
  }
  lanes[std::countr_zero(mask)].fn(mask, in, out);
  simdgroup.collective &= ~mask;
  simdgroup.ready |= mask;
}

void GroupRunner::openSimdBarrier(unsigned index, uint32_t mask) {
  Simdgroup &simdgroup = simdgroups[index];
  unsigned lane = static_cast<unsigned>(std::countr_zero(mask));
  const Waiting &at = waiting[index * simdWidth + lane];
  unsigned count = std::min(threads - index * simdWidth, simdWidth);
  unsigned here = static_cast<unsigned>(std::popcount(mask));
  if (here != count) {
    RawFinding finding;
    finding.kind = FindingKind::divergence;
    finding.first = actorOf(index * simdWidth + lane, at.site);
    finding.first.collective = true;
    finding.bytes = here;
    finding.size = count;
    finding.offset = count - std::popcount(simdgroup.alive);
    uint32_t others = simdgroup.alive & ~mask;
    finding.hasSecond = others;
    if (others) {
      unsigned thread = index * simdWidth + static_cast<unsigned>(std::countr_zero(others));
      finding.second = actorOf(thread, waiting[thread].site);
    }
    checker.report(finding);
  }
  simdgroup.simdBarrier &= ~mask;
  simdgroup.ready |= mask;
  if (checking)
    checker.simdBarrier(index, at.flags);
}

} // namespace metile::emulator
