// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "metile/compile.h"
#include "Driver/Cache.h"
#include "Support/Json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace metile;
namespace fs = std::filesystem;

namespace {

Kernel scaled(double factor) {
  return kernel("scaled", [factor](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64, 256> block) {
    Index i = tile_of(y, 0, block);
    y.store({i}, x.load({i}, {block}) * factor);
  });
}

class CompileTest : public testing::Test {
protected:
  void SetUp() override {
    directory = fs::temp_directory_path() / ("metile-compile-test-" + std::to_string(getpid()));
    fs::remove_all(directory);
    options.cacheDirectory = directory.string();
  }
  void TearDown() override { fs::remove_all(directory); }

  Artifact compileScaled(double factor, int64_t size, CompileTimings &timings) {
    return compile(scaled(factor), {{f32, {size}}, {f32, {size}}}, options, &timings).orExit();
  }

  fs::path directory;
  CompileOptions options;
};

TEST_F(CompileTest, SecondCompilationComesFromTheCache) {
  CompileTimings first, second;
  Artifact made = compileScaled(2, 1000, first);
  Artifact found = compileScaled(2, 1000, second);
  EXPECT_FALSE(first.cacheHit);
  EXPECT_TRUE(second.cacheHit);
  EXPECT_EQ(serialize(made), serialize(found));
}

TEST_F(CompileTest, WhatTheCodeDependsOnIsInTheKey) {
  CompileTimings timings;
  compileScaled(2, 1000, timings);
  compileScaled(3, 1000, timings); // a number captured by the body
  EXPECT_FALSE(timings.cacheHit);
  compileScaled(2, 1001, timings); // another fact
  EXPECT_FALSE(timings.cacheHit);
  options.schedule = "BLOCK=64";
  compileScaled(2, 1000, timings);
  options.schedule = "BLOCK=256";
  compileScaled(2, 1000, timings);
  EXPECT_FALSE(timings.cacheHit);
}

TEST_F(CompileTest, DamagedAndForeignEntriesAreRebuilt) {
  CompileTimings timings;
  Artifact made = compileScaled(2, 1000, timings);
  ArtifactCache cache(options.cacheDirectory);
  ASSERT_EQ(cache.entries().size(), 1u);
  fs::path entry = cache.entries().front().path;
  auto size = fs::file_size(entry);
  for (int damage = 0; damage < 3; ++damage) {
    if (damage == 0) {
      fs::resize_file(entry, size / 2);
    } else if (damage == 1) {
      std::ofstream(entry) << "something else";
    } else {
      std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(size / 2));
      char byte = static_cast<char>(file.peek());
      file.put(static_cast<char>(byte ^ 1));
    }
    Artifact rebuilt = compileScaled(2, 1000, timings);
    EXPECT_FALSE(timings.cacheHit) << damage;
    EXPECT_EQ(serialize(made), serialize(rebuilt));
    compileScaled(2, 1000, timings);
    EXPECT_TRUE(timings.cacheHit) << damage;
  }
}

TEST_F(CompileTest, ManyProcessesAndThreadsShareTheCache) {
  std::vector<pid_t> children;
  for (int child = 0; child < 3; ++child) {
    pid_t process = fork();
    if (process == 0) {
      // The child has its own compiler: this test compiled nothing before.
      CompileTimings timings;
      for (int i = 0; i < 4; ++i)
        compileScaled(i, 1000, timings);
      _exit(0);
    }
    children.push_back(process);
  }
  for (pid_t process : children) {
    int status = -1;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(ArtifactCache(options.cacheDirectory).entries().size(), 4u);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      CompileTimings timings;
      for (int i = 0; i < 8; ++i)
        EXPECT_FALSE(compileScaled(i, 1000, timings).code.empty());
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(ArtifactCache(options.cacheDirectory).entries().size(), 8u);
}

TEST_F(CompileTest, CacheThatCannotBeWrittenCostsNothingButTime) {
  options.cacheDirectory = "/proc/metile";
  CompileTimings timings;
  EXPECT_FALSE(compileScaled(2, 1000, timings).code.empty());
}

TEST_F(CompileTest, ThePlannerWeighsEveryOpenConstant) {
  CompileTimings timings;
  Artifact artifact = compileScaled(2, 1 << 20, timings);
  Json report = parseJson(artifact.report, "report").orExit();
  const Json *constants = nullptr;
  for (const Json &decision : report["decisions"].elements())
    if (decision["id"].asString() == "block_constants")
      constants = &decision;
  ASSERT_TRUE(constants);
  EXPECT_EQ(constants->find("alternatives")->size(), 1u);
  EXPECT_LE((*constants)["cost"].asNumber(), (*constants)["alternatives"][0]["cost"].asNumber());
  EXPECT_EQ((*constants)["chosen"].asString(),
            "BLOCK=" + std::to_string(artifact.constants.front().second));
}

TEST_F(CompileTest, FactsAreWhatTheArgumentsPromise) {
  options.useCache = false;
  auto factsOf = [&](SizeFacts sizes, std::vector<ArgumentSpec> arguments) {
    options.sizes = sizes;
    Artifact artifact = compile(scaled(2), arguments, options).orExit();
    std::vector<std::string> texts;
    for (const Fact &fact : artifact.facts)
      texts.push_back(fact.str(artifact.arguments));
    return texts;
  };
  EXPECT_EQ(factsOf(SizeFacts::none, {{f32, {96}}, {f32, {96}}}).size(), 2u); // unit strides
  EXPECT_EQ(factsOf(SizeFacts::none, {{f32, {96}, {2}}, {f32, {96}}}).size(), 1u);
  EXPECT_EQ(factsOf(SizeFacts::divisibility, {{f32, {96}}, {f32, {96}}}).size(), 4u);
  EXPECT_EQ(factsOf(SizeFacts::divisibility, {{f32, {97}}, {f32, {97}}}).size(), 2u);
  EXPECT_EQ(factsOf(SizeFacts::exact, {{f32, {97}}, {f32, {97}}}).size(), 4u);
}

TEST_F(CompileTest, SortingAndCountingAreWeighed) {
  auto cost = [&](auto &&body) {
    Kernel rows = kernel("rows", [body](In<"x"> x, Out<"y"> y) {
      Index i = tile_of(y, 0, 1);
      y.store({i, 0}, body(x.load({i, 0}, {1, 1024})));
    });
    Artifact artifact = compile(rows, {{f32, {64, 1024}}, {f32, {64, 1024}}}, options).orExit();
    return artifact.steps.front().programCost.evaluate({}, {});
  };
  int64_t copied = cost([](const Tile &x) { return x; });
  int64_t sorted = cost([](const Tile &x) { return sort(x, 1); });
  EXPECT_GT(sorted, 10 * copied);
  int64_t counted = cost([](const Tile &x) {
    return cast(histogram(cast(x, i32).reshape({1024}), 1024), f32).expand(0);
  });
  EXPECT_GT(counted, copied);
}

/// The message of a compilation that must fail.
std::string messageOf(const Kernel &kernel, const std::vector<ArgumentSpec> &arguments,
                      const CompileOptions &options) {
  Result<Artifact> artifact = compile(kernel, arguments, options);
  return artifact ? std::string("compiled") : artifact.errors().str();
}

TEST_F(CompileTest, MistakesAreNamed) {
  std::vector<ArgumentSpec> fine = {{f32, {100}}, {f32, {100}}};
  EXPECT_NE(messageOf(scaled(2), {{f32, {100}}}, options).find("2 parameters"), std::string::npos);
  EXPECT_NE(messageOf(scaled(2), {{f32, {100}, {1, 1}}, {f32, {100}}}, options).find("strides"),
            std::string::npos);
  options.options = {{"CAUSAL", 1}};
  EXPECT_NE(messageOf(scaled(2), fine, options).find("no option CAUSAL"), std::string::npos);
  options.options.clear();
  options.schedule = "BLOCK=100";
  EXPECT_NE(messageOf(scaled(2), fine, options).find("64"), std::string::npos);
  options.schedule = "BLOK=64";
  EXPECT_NE(messageOf(scaled(2), fine, options).find("BLOCK"), std::string::npos);
  options.schedule = "vector_width=2";
  EXPECT_NE(messageOf(scaled(2), fine, options).find("vector_width=2"), std::string::npos);
  options.schedule.clear();
  options.target = "cpu:z80";
  EXPECT_NE(messageOf(scaled(2), fine, options).find("x86-64"), std::string::npos);
}

} // namespace
