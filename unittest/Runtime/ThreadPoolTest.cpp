// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Cpu/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <vector>

namespace metile {
namespace {

using Clock = std::chrono::steady_clock;

TEST(ThreadPool, EachWorkerIsCalledAtMostOnceAndTheCallerAlways) {
  ThreadPool pool(7);
  struct Job {
    std::atomic<int> calls[8] = {};
  };
  for (int round = 0; round < 3000; ++round) {
    Job job;
    int64_t workers = 1 + round % 8;
    ASSERT_TRUE(pool.run(
        workers, [](void *job, int64_t worker) { ++static_cast<Job *>(job)->calls[worker]; },
        &job));
    ASSERT_EQ(job.calls[0], 1);
    for (int64_t worker = 1; worker < 8; ++worker)
      ASSERT_LE(job.calls[worker], worker < workers ? 1 : 0);
  }
}

TEST(ThreadPool, HelpersDoHelp) {
  ThreadPool pool(3);
  struct Job {
    std::atomic<int> arrived{0};
  } job;
  // Each call waits until all are there, so all must run at the same time.
  ASSERT_TRUE(pool.run(
      4,
      [](void *data, int64_t) {
        Job &job = *static_cast<Job *>(data);
        ++job.arrived;
        while (job.arrived < 4)
          std::this_thread::yield();
      },
      &job));
  EXPECT_EQ(job.arrived, 4);
}

TEST(ThreadPool, ASecondJobIsTurnedAway) {
  ThreadPool pool(1);
  struct Job {
    ThreadPool &pool;
    bool accepted = true;
  } job{pool};
  ASSERT_TRUE(pool.run(
      1,
      [](void *data, int64_t) {
        Job &job = *static_cast<Job *>(data);
        std::thread other(
            [&job] { job.accepted = job.pool.run(1, [](void *, int64_t) {}, nullptr); });
        other.join();
      },
      &job));
  EXPECT_FALSE(job.accepted);
}

TEST(ThreadPool, SleepsBetweenJobs) {
  ThreadPool pool(3);
  auto nothing = [](void *, int64_t) {};
  ASSERT_TRUE(pool.run(4, nothing, nullptr));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  double cpuMs = 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  EXPECT_LT(cpuMs, 100) << "three busy helpers would use up to 600 ms";
}

/// Prints what Cpu/Device.cpp's threshold is based on.
TEST(ThreadPool, WakesHelpers) {
  ThreadPool pool(1);
  struct Job {
    Clock::time_point started;
    std::atomic<bool> begun{false};
  };
  std::vector<double> us;
  for (int round = 0; round < 200; ++round) {
    Job job;
    Clock::time_point called = Clock::now();
    ASSERT_TRUE(pool.run(
        2,
        [](void *data, int64_t worker) {
          Job &job = *static_cast<Job *>(data);
          if (worker == 0) {
            while (!job.begun.load())
              std::this_thread::yield();
            return;
          }
          job.started = Clock::now();
          job.begun.store(true);
        },
        &job));
    us.push_back(std::chrono::duration<double, std::micro>(job.started - called).count());
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  std::sort(us.begin(), us.end());
  RecordProperty("median_wake_us", std::to_string(us[us.size() / 2]));
  std::printf("waking a helper: median %.1f us, 90%% within %.1f us\n", us[us.size() / 2],
              us[us.size() * 9 / 10]);
}

} // namespace
} // namespace metile
