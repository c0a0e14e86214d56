// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadPool: helpers that sleep between jobs. The calling thread works too, and never waits for a
// helper that has not begun: whoever wakes too late finds the job closed and sleeps on.
// Knows nothing of kernels.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace metile {

class ThreadPool {
public:
  /// A part of a job: called once by each worker that takes part.
  using Body = void (*)(void *job, int64_t worker);

  /// At most `helpers` threads beside the calling one; they start with the first job. If the system
  /// refuses some, the pool makes do with fewer.
  explicit ThreadPool(unsigned helpers) : helperCount(helpers) {}
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;
  ~ThreadPool();

  /// Calls body(job, 0) on this thread and body(job, 1 … workers - 1) on those helpers that wake in
  /// time, and returns when all calls have returned. False, without a call, if another thread's job
  /// is running.
  bool run(int64_t workers, Body body, void *job);

private:
  struct alignas(64) Helper {
    /// Counts the wake-ups sent to this helper.
    std::atomic<int> signal{0};
    std::thread thread;
  };

  void start();
  void helperLoop(unsigned index);
  /// Wakes the two helpers that `worker` is responsible for: a large pool wakes as a tree.
  void wakeChildren(int64_t worker, int64_t workers);
  bool join();
  void leave();

  unsigned helperCount;
  std::unique_ptr<Helper[]> helpers;
  std::once_flag started;
  std::atomic<bool> stopping{false};
  std::mutex busy; ///< Held by the thread whose job runs.

  // Written by the owner of `busy` while `state` is 0; read only between join() and leave().
  Body body = nullptr;
  void *job = nullptr;
  int64_t workers = 0;
  uint64_t number = 0; ///< Counts the jobs.

  static constexpr int open = 1 << 30;
  /// `open` while helpers may join, plus the number of those that have.
  alignas(64) std::atomic<int> state{0};
};

} // namespace metile
