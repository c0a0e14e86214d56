// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Worker.h"
#include "Bench/Paired.h"
#include "TestCases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace metile::bench {
namespace {

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

VariantSource worker(const std::string &mood, double seconds = 20) {
  WorkerOptions options;
  options.label = "exec:" + mood;
  options.command = {METILE_TEST_WORKER, mood};
  options.helloSeconds = options.prepareSeconds = options.runSeconds = seconds;
  return workerSource(options);
}

CaseResult measure(const VariantSource &baseline, const VariantSource &current) {
  PairedOptions options;
  options.blocks = 6;
  options.warmupMs = 0.1;
  options.repMs = 0.2;
  return runPaired(options, {addCase(DType::f32, 4, 4)}, baseline, current).orExit().cases[0];
}

/// Why a worker in this mood is refused.
std::string refusal(const std::string &mood, double seconds = 20) {
  CaseResult result = measure(addSource("here", 1000), worker(mood, seconds));
  EXPECT_EQ(result.status, CaseStatus::refused) << mood;
  EXPECT_TRUE(result.blocks.empty()) << mood;
  return result.current.error;
}

TEST(Worker, MeasuresAnotherProcessLikeThisOne) {
  CaseResult result = measure(addSource("here", 20'000), worker("slow"));
  ASSERT_EQ(result.status, CaseStatus::ok) << result.current.error;
  EXPECT_EQ(result.blocks.size(), 6u);
  // The worker spins for 60 µs a launch on the clock that we read, too; what is taken off for
  // asking may be too much on a busy machine.
  EXPECT_GE(result.timeUs(Side::current), 40);
  const VariantDescription &description = result.current.description;
  EXPECT_EQ(description.label, "exec:slow");
  EXPECT_EQ(description.scheduleJson, R"({"BLOCK": 4})");
  EXPECT_EQ(description.sourceSha256, "00ff");
  ASSERT_FALSE(description.tools.empty());
  EXPECT_EQ(description.tools.back().second, "test worker 1.0");
  for (const Block &block : result.blocks)
    for (const Burst &burst : block.bursts)
      EXPECT_EQ(burst.overheadNs > 0, burst.side == Side::current);
}

TEST(Worker, TwoProcessesShareTheArguments) {
  CaseResult result = measure(worker("good"), worker("good"));
  EXPECT_EQ(result.status, CaseStatus::ok) << result.baseline.error << result.current.error;
}

TEST(Worker, WhatItPrintsDoesNotDisturbTheAnswers) {
  CaseResult result = measure(addSource("here", 20'000), worker("print"));
  EXPECT_EQ(result.status, CaseStatus::ok) << result.current.error;
}

TEST(Worker, WrongResultsAreRefused) {
  EXPECT_TRUE(contains(refusal("wrong"), "1 of 16 elements of 'c' are wrong"));
}

TEST(Worker, ADeadOneIsNamedWithItsLastWords) {
  std::string text = refusal("dead");
  EXPECT_TRUE(contains(text, "ended with exit code 3")) << text;
  EXPECT_TRUE(contains(text, "out of cheese")) << text;
}

TEST(Worker, ACrashIsNamedWithItsSignal) {
  std::string text = refusal("crash");
  EXPECT_TRUE(contains(text, "killed by signal 6")) << text;
  EXPECT_TRUE(contains(text, "about to crash")) << text;
}

TEST(Worker, ASilentOneTimesOut) {
  EXPECT_TRUE(contains(refusal("silent", 0.3), "did not answer within 0.3 s"));
  EXPECT_TRUE(contains(refusal("hang", 0.3), "did not answer within 0.3 s"));
}

TEST(Worker, ABabblingOneIsQuoted) {
  std::string text = refusal("babble");
  EXPECT_TRUE(contains(text, "'Hello there, I am no worker.'")) << text;
}

TEST(Worker, AnotherVersionIsRefused) {
  std::string text = refusal("foreign");
  EXPECT_TRUE(contains(text, "version 99")) << text;
}

TEST(Worker, ItsOwnRefusalIsHandedOn) {
  std::string text = refusal("refuse");
  EXPECT_TRUE(contains(text, "cannot make add float32_4x4 as self")) << text;
}

TEST(Worker, ACommandThatDoesNotExist) {
  WorkerOptions options;
  options.label = "exec:nothing";
  options.command = {"/nonexistent/worker"};
  CaseResult result = measure(addSource("here", 1000), workerSource(options));
  EXPECT_TRUE(contains(result.current.error, "cannot start '/nonexistent/worker'"))
      << result.current.error;
  // A shell starts always; what it says stands in the message.
  result = measure(addSource("here", 1000), execSource("/nonexistent/worker", 1));
  EXPECT_TRUE(contains(result.current.error, "exit code 127")) << result.current.error;
}

TEST(Worker, ARootNeedsABuild) {
  Result<VariantSource> source = rootSource("/nonexistent", 1);
  ASSERT_FALSE(source);
  EXPECT_TRUE(contains(source.errors().str(), "bin/metile"));
}

TEST(Worker, ARootIsStartedAsBenchWorker) {
  namespace fs = std::filesystem;
  fs::path root = fs::path(testing::TempDir()) / "metile-root-test";
  fs::create_directories(root / "bin");
  fs::path program = root / "bin" / "metile";
  std::ofstream(program) << "#!/bin/sh\ntest \"$1\" = bench-worker || exit 9\nexec "
                         << METILE_TEST_WORKER << " good\n";
  fs::permissions(program, fs::perms::owner_all);
  Result<VariantSource> source = rootSource(root.string(), 1);
  ASSERT_TRUE(source);
  CaseResult result = measure(addSource("here", 20'000), *source);
  EXPECT_EQ(result.status, CaseStatus::ok) << result.current.error;
  EXPECT_EQ(result.current.description.root, root.string());
  fs::remove_all(root);
}

/// What a worker answers to `input`, line by line.
std::string conversation(const std::string &input) {
  std::string command = "printf '%s' '" + input + "' | " + METILE_TEST_WORKER;
  FILE *pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c; (c = fgetc(pipe)) != EOF;)
    text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  return text;
}

TEST(WorkerServer, AnswersNonsenseWithErrorsAndGoesOn) {
  std::string answers = conversation("garbage\n"
                                     "{\"op\":\"dance\",\"id\":7}\n"
                                     "{\"op\":\"run\",\"id\":8,\"launches\":1}\n"
                                     "{\"op\":\"prepare\",\"id\":9,\"arguments\":[{\"name\":\"a\","
                                     "\"dtype\":\"f99\"}]}\n"
                                     "{\"op\":\"hello\",\"id\":10,\"protocol\":"
                                     "\"metile-bench-worker\",\"version\":1}\n");
  EXPECT_TRUE(contains(answers, "unknown op 'dance'")) << answers;
  EXPECT_TRUE(contains(answers, "before a 'prepare'")) << answers;
  EXPECT_TRUE(contains(answers, "unknown dtype 'f99'")) << answers;
  EXPECT_TRUE(contains(answers, R"("op": "hello", "id": 10)")) << answers;
  EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 5);
}

TEST(WorkerServer, RefusesMemoryThatDoesNotHoldTheArguments) {
  std::string path = testing::TempDir() + "metile-worker-XXXXXX";
  int file = mkstemp(path.data());
  ASSERT_EQ(ftruncate(file, 4096), 0);
  auto prepare = [&](const std::string &argument, int threads = 1) {
    return conversation(
        fmt::format(
            R"({{"op":"prepare","id":1,"kernel":"k","case":"c","threads":{},"memory":)"
            R"({{"path":"{}","bytes":4096}},"arguments":[{{"name":"a","dtype":"f32",{}}}]}})",
            threads, path, argument) +
        "\n");
  };
  auto expect = [](const std::string &answer, const char *words) {
    EXPECT_TRUE(contains(answer, words)) << answer;
  };
  expect(prepare(R"("sizes":[1024],"strides":[1],"offset":0,"bytes":4)"), "overrun");
  expect(prepare(R"("sizes":[-4],"strides":[1],"offset":0,"bytes":4)"), "overrun");
  expect(prepare(R"("sizes":[2],"strides":[9223372036854775807],"offset":0,"bytes":4)"), "overrun");
  expect(prepare(R"("sizes":[2],"strides":[1],"offset":2,"bytes":8)"), "a multiple of 4");
  expect(prepare(R"("sizes":[2],"strides":[1],"offset":4092,"bytes":8)"), "beyond");
  expect(prepare(R"("sizes":[2],"strides":[1],"offset":0,"bytes":8)", -1), "from 1 to 4096");
  close(file);
  unlink(path.c_str());
}

TEST(WorkerServer, QuitEndsIt) {
  EXPECT_EQ(conversation("{\"op\":\"quit\"}\n{\"op\":\"dance\"}\n"), "");
}

} // namespace
} // namespace metile::bench
