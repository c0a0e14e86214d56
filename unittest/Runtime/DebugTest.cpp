// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels show: lines, failed assertions, probes.
#include "TestKernels.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>

namespace metile {
namespace {

/// watch(Scalar bad): 6 x 2 programs print, probe, and fail for y = 1 and x >= bad.
Artifact watchArtifact() {
  Artifact artifact;
  artifact.kernel = "watch";
  artifact.target = "cpu";
  artifact.arguments = {{"bad", ArgumentRole::scalar, i64, 0}};
  Step step;
  step.entry = "watch";
  step.grid = {SizeExpr::constant(6), SizeExpr::constant(2), SizeExpr::constant(1)};
  step.programCost = SizeExpr::constant(1'000'000);
  artifact.steps = {step};
  artifact.debugSites = {
      {DebugSite::Kind::print, "x", {"k.cpp", 10, 3, {}}, {{i64, {}}, {f32, {2}}}},
      {DebugSite::Kind::print, "here", {"k.cpp", 11, 3, {}}, {}},
      {DebugSite::Kind::probe, "pair", {"k.cpp", 12, 3, {}}, {{f32, {2}}}},
      {DebugSite::Kind::assertion, "x is small", {"k.cpp", 13, 5, {}}, {{boolean, {4, 8}}}}};
  return artifact;
}

int32_t watch(const uint64_t *slots, int64_t begin, int64_t end, void *) {
  const auto *channel = reinterpret_cast<const DebugChannel *>(slots[4]);
  for (int64_t program = begin; program < end; ++program) {
    int64_t x = program % 6, y = program / 6;
    float pair[] = {0.5f * static_cast<float>(x), 0.1f};
    const void *both[] = {&x, pair}, *one[] = {pair};
    channel->show(channel->host, 0, x, y, 0, both);
    channel->show(channel->host, 1, x, y, 0, nullptr);
    channel->show(channel->host, 2, x, y, 0, one);
    if (y == 1 && x >= static_cast<int64_t>(slots[0])) {
      int64_t element = 19;
      const void *failed[] = {&element};
      channel->show(channel->host, 3, x, y, 0, failed);
      return 4;
    }
  }
  return 0;
}

class Debug : public testing::Test {
protected:
  std::vector<std::string> lines;

  Executable make(unsigned threads) {
    DeviceOptions options;
    options.threads = threads;
    options.print.host = this;
    options.print.line = [](void *host, std::string_view text) {
      static_cast<Debug *>(host)->lines.emplace_back(text);
    };
    const Symbol symbols[] = {{"watch", watch}};
    return Executable::fromSymbols(Device::open("cpu", options).orExit(), watchArtifact(), symbols)
        .orExit();
  }
};

TEST_F(Debug, PrintsALineForEachValue) {
  Executable executable = make(1);
  ASSERT_TRUE(executable.launch({Argument::scalar(int64_t(6))}));
  ASSERT_EQ(lines.size(), 36u);
  EXPECT_EQ(lines[3], "program (1, 0, 0): x: 1");
  EXPECT_EQ(lines[4], "program (1, 0, 0): x: [0.5, 0.1]");
  EXPECT_EQ(lines[5], "program (1, 0, 0): here");
  EXPECT_EQ(lines[35], "program (5, 1, 0): here");
}

TEST_F(Debug, LinesOfOneProgramKeepTheirOrder) {
  Executable executable = make(4);
  ASSERT_TRUE(executable.launch({Argument::scalar(int64_t(6))}));
  ASSERT_EQ(lines.size(), 36u);
  for (const char *program : {"(0, 0, 0)", "(5, 1, 0)"}) {
    std::vector<std::string> own;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(own),
                 [&](const std::string &line) { return line.find(program) != line.npos; });
    ASSERT_EQ(own.size(), 3u);
    EXPECT_NE(own[1].find("["), std::string::npos);
    EXPECT_NE(own[2].find("here"), std::string::npos);
  }
}

TEST_F(Debug, AFailedAssertionIsTheErrorOfItsLaunch) {
  Executable executable = make(1);
  Status failed = executable.launch({Argument::scalar(int64_t(4))});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.errors().str(), "k.cpp:13:5: error: watch: assertion failed: x is small, in "
                                   "program (4, 1, 0), element [2, 3]");
  // The next launch begins anew.
  EXPECT_TRUE(executable.launch({Argument::scalar(int64_t(6))}));
}

TEST_F(Debug, AStreamKeepsAFailedAssertionForTheNextCall) {
  Executable executable = make(1);
  DeviceOptions options;
  Stream stream = Device::open("cpu", options).orExit().stream();
  const Argument bad[] = {Argument::scalar(int64_t(0))};
  EXPECT_TRUE(stream.enqueue(executable, bad));
  Status kept = stream.synchronize();
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.errors().str().find("x is small, in program (0, 1, 0)"), std::string::npos);
  EXPECT_TRUE(stream.synchronize());
}

TEST_F(Debug, ProbesOfChosenPrograms) {
  Executable executable = make(4);
  ProbeRequest request;
  request.programs = {{2, 0, 0}, {5, 1, 0}};
  const Argument good[] = {Argument::scalar(int64_t(6))};
  ASSERT_TRUE(executable.probe(good, request));
  ASSERT_EQ(request.records.size(), 2u);
  for (const ProbeRecord &record : request.records) {
    EXPECT_EQ(record.name, "pair");
    EXPECT_EQ(record.location.line, 12u);
    EXPECT_EQ(record.dtype, f32);
    EXPECT_EQ(record.shape, std::vector<int64_t>{2});
    ASSERT_EQ(record.values.size(), 8u);
    float first;
    std::memcpy(&first, record.values.data(), sizeof(first));
    EXPECT_EQ(first, 0.5f * static_cast<float>(record.program[0]));
  }

  // A launch that fails has shown something, too.
  ProbeRequest all;
  const Argument bad[] = {Argument::scalar(int64_t(0))};
  EXPECT_FALSE(make(1).probe(bad, all));
  EXPECT_EQ(all.records.size(), 7u);
  // An ordinary launch records nothing.
  EXPECT_TRUE(executable.launch(good));
  EXPECT_EQ(request.records.size(), 2u);
}

} // namespace
} // namespace metile
