// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Cpu/ThreadPool.h"

#include <csignal>
#include <system_error>

namespace metile {

ThreadPool::~ThreadPool() {
  if (!helpers)
    return;
  stopping.store(true);
  for (unsigned i = 0; i < helperCount; ++i) {
    helpers[i].signal.fetch_add(1, std::memory_order_release);
    helpers[i].signal.notify_one();
  }
  for (unsigned i = 0; i < helperCount; ++i)
    helpers[i].thread.join();
}

void ThreadPool::start() {
  helpers = std::make_unique<Helper[]>(helperCount);
  // The program's signal handlers belong to its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (unsigned i = 0; i < helperCount; ++i) {
    try {
      helpers[i].thread = std::thread([this, i] { helperLoop(i); });
    } catch (const std::system_error &) {
      helperCount = i;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ThreadPool::wakeChildren(int64_t worker, int64_t among) {
  for (int64_t child : {2 * worker + 1, 2 * worker + 2})
    if (child < among) {
      std::atomic<int> &signal = helpers[child - 1].signal;
      signal.fetch_add(1, std::memory_order_release);
      signal.notify_one();
    }
}

bool ThreadPool::join() {
  int now = state.load(std::memory_order_relaxed);
  while (now & open)
    if (state.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel))
      return true;
  return false;
}

void ThreadPool::leave() {
  // Only the last one to leave a closed job has somebody waiting for it.
  if (state.fetch_sub(1, std::memory_order_acq_rel) == 1)
    state.notify_one();
}

void ThreadPool::helperLoop(unsigned index) {
  const int64_t worker = index + 1;
  uint64_t served = 0;
  for (int seen = 0;;) {
    std::atomic<int> &signal = helpers[index].signal;
    signal.wait(seen, std::memory_order_acquire);
    seen = signal.load(std::memory_order_acquire);
    if (stopping.load())
      return;
    if (!join())
      continue;
    // A late helper may have joined the job after the one it was woken for. That one may need fewer
    // workers, and wakes the helper once more.
    if (worker < workers && served != number) {
      served = number;
      wakeChildren(worker, workers);
      body(job, worker);
    }
    leave();
  }
}

bool ThreadPool::run(int64_t wanted, Body newBody, void *newJob) {
  std::unique_lock lock(busy, std::try_to_lock);
  if (!lock)
    return false;
  std::call_once(started, [this] { start(); });
  body = newBody;
  job = newJob;
  ++number;
  workers = wanted < int64_t(helperCount) + 1 ? wanted : int64_t(helperCount) + 1;
  state.store(open, std::memory_order_release);
  wakeChildren(0, workers);
  newBody(newJob, 0);
  int joined = state.fetch_and(~open, std::memory_order_acq_rel) & ~open;
  while (joined) {
    state.wait(joined, std::memory_order_acquire);
    joined = state.load(std::memory_order_acquire);
  }
  return true;
}

} // namespace metile
