// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestKernels.h"

#include "Runtime/Cpu/Grid.h"

#include <gtest/gtest.h>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace metile {
namespace {

using test::cpu;
using test::make;

/// Runs `count` over `n` programs on `executable`; each must run once.
void runCounting(const Executable &executable, int64_t n, const char *what) {
  std::vector<int32_t> hits(static_cast<size_t>(n) + 1, 0);
  Status status = executable.launch({Argument::pointer(hits.data(), i32), Argument::scalar(n)});
  ASSERT_TRUE(status) << status.errors().str();
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(hits[i], 1) << what << ": program " << i << " of " << n;
  EXPECT_EQ(hits[n], 0);
}

/// A host with its own threads, one for each call.
void hostThreads(void *, int64_t count, ParallelFor::Body body, void *job) {
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < count; ++i)
    threads.emplace_back([=] { body(job, i); });
  for (std::thread &thread : threads)
    thread.join();
}

Device hosted(unsigned threads, decltype(ParallelFor::run) run, void *host = nullptr) {
  DeviceOptions options;
  options.threads = threads;
  options.parallelFor = {run, host};
  return Device::open("cpu", options).orExit();
}

} // namespace

TEST(Grid, EveryProgramRunsOnce) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    Device device = cpu(threads);
    // Unknown, tiny and large costs give chunks of different sizes.
    for (int64_t cost : {0, 1, 5, 100000}) {
      Executable executable = make(device, test::countArtifact(cost));
      for (int64_t n : {1, 2, 7, 63, 1000, 100003})
        runCounting(executable, n, "pool");
    }
  }
}

TEST(Grid, WorkersRunFromManyThreadsWithoutAPool) {
  // Straight on Grid, with more workers than programs at times.
  for (int64_t programs : {1, 5, 4096}) {
    std::vector<int32_t> hits(static_cast<size_t>(programs), 0);
    const uint64_t slots[] = {reinterpret_cast<uint64_t>(hits.data())};
    GridTask task{test::count, slots, programs, 1e6, 128 + 4096, 128};
    std::vector<Worker> state(6);
    Grid grid(task, state, 6);
    std::vector<std::thread> threads;
    for (int64_t i = 0; i < 6; ++i)
      threads.emplace_back([&grid, i] { grid.work(i); });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(grid.status(), 0);
    for (int32_t hit : hits)
      ASSERT_EQ(hit, 1);
  }
}

TEST(Grid, GridsBeyondThirtyTwoBits) {
  // Programs are counted in units then; each call covers whole units but for the last.
  static std::atomic<int64_t> covered;
  covered = 0;
  auto entry = [](const uint64_t *, int64_t begin, int64_t end, void *) -> int32_t {
    covered += end - begin;
    return begin < end ? 0 : 1;
  };
  for (int64_t programs : {(int64_t(1) << 32) - 1, int64_t(1) << 32, (int64_t(5) << 40) + 3,
                           int64_t(0x7fffffffffffffff)}) {
    covered = 0;
    GridTask task{entry, nullptr, programs, 1000, 0, 64};
    std::vector<Worker> state(3);
    Grid grid(task, state, 3);
    std::thread other([&grid] { grid.work(1); });
    grid.work(0);
    other.join();
    EXPECT_EQ(grid.status(), 0);
    EXPECT_EQ(covered, programs);
  }
}

TEST(Grid, SmallWorkStaysOnTheCallingThread) {
  Device device = cpu(4);
  std::vector<int32_t> hits(1000);
  auto workers = [&](int64_t cost, int64_t n) {
    return make(device, test::countArtifact(cost))
        .bind({Argument::pointer(hits.data(), i32), Argument::scalar(n)})
        .orExit()
        .workers();
  };
  EXPECT_EQ(workers(1, 1000), 1u);
  EXPECT_EQ(workers(100000, 1), 1u);
  EXPECT_EQ(workers(100000, 2), 2u);
  EXPECT_EQ(workers(100000, 1000), 4u);
  EXPECT_EQ(workers(30, 1000), 3u) << "30 us is worth three workers, not four";
  EXPECT_EQ(workers(1000, 0), 0u);

  static thread_local bool here = false;
  here = true;
  static std::atomic<int> elsewhere;
  elsewhere = 0;
  const Symbol symbols[] = {{"count", [](const uint64_t *, int64_t, int64_t, void *) -> int32_t {
                               elsewhere += !here;
                               return 0;
                             }}};
  Executable tiny = Executable::fromSymbols(device, test::countArtifact(1), symbols).orExit();
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(
        tiny.launch({Argument::pointer(hits.data(), i32), Argument::scalar(int64_t(1000))}));
  EXPECT_EQ(elsewhere, 0);
}

TEST(Grid, LaunchesFromManyThreadsAtOnce) {
  Device device = cpu(3);
  Executable executable = make(device, test::countArtifact(10000));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        runCounting(executable, 200 + i, "concurrent");
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(ParallelFor, HostThreadsDoTheWork) {
  Device device = hosted(4, hostThreads);
  Executable executable = make(device, test::countArtifact(10000));
  for (int64_t n : {1, 2, 3, 1000})
    runCounting(executable, n, "host threads");
}

TEST(ParallelFor, HostMayCallInAnyOrderOrNotAtAll) {
  auto backwards = [](void *, int64_t count, ParallelFor::Body body, void *job) {
    while (count-- > 0)
      body(job, count);
  };
  auto onlyOne = [](void *, int64_t, ParallelFor::Body body, void *job) { body(job, 1); };
  auto none = [](void *calls, int64_t, ParallelFor::Body, void *) { ++*static_cast<int *>(calls); };
  int calls = 0;
  runCounting(make(hosted(4, backwards), test::countArtifact(10000)), 500, "backwards");
  runCounting(make(hosted(4, onlyOne), test::countArtifact(10000)), 500, "only one");
  runCounting(make(hosted(4, none, &calls), test::countArtifact(10000)), 500, "none");
  EXPECT_EQ(calls, 1);
}

TEST(ParallelFor, ExceptionsBecomeErrors) {
  auto throwing = [](void *after, int64_t, ParallelFor::Body body, void *job) {
    if (after)
      body(job, 0);
    throw std::runtime_error("out of fibres");
  };
  auto odd = [](void *, int64_t, ParallelFor::Body, void *) { throw 3; };
  int marker = 0;
  std::vector<int32_t> hits(100);
  std::vector<Argument> arguments = {Argument::pointer(hits.data(), i32),
                                     Argument::scalar(int64_t(100))};
  for (void *host : {static_cast<void *>(nullptr), static_cast<void *>(&marker)}) {
    Executable executable = make(hosted(4, throwing, host), test::countArtifact(10000));
    for (int again = 0; again < 2; ++again) {
      Status status = executable.launch(arguments);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.errors().str(), "error: count: parallelFor threw: out of fibres");
    }
  }
  Status status = make(hosted(4, odd), test::countArtifact(10000)).launch(arguments);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.errors().str(), "error: count: parallelFor threw an exception");
}

} // namespace metile
