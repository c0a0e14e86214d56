// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Paired.h"
#include "Bench/Libraries.h"
#include "Bench/Settle.h"
#include "TestCases.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace metile::bench {
namespace {

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

PairedOptions shortRun(unsigned blocks = 6) {
  PairedOptions options;
  options.blocks = blocks;
  options.warmupMs = 0.1;
  options.repMs = 0.2;
  return options;
}

RunResult run(const VariantSource &baseline, const VariantSource &current,
              PairedOptions options = shortRun(), std::vector<Case> cases = {}) {
  if (cases.empty())
    cases = {addCase(DType::f32, 4, 4)};
  return runPaired(options, cases, baseline, current).orExit();
}

TEST(Paired, MeasuresWhatTheVariantsTake) {
  RunResult result = run(addSource("a", 60'000), addSource("b", 20'000));
  ASSERT_EQ(result.cases.size(), 1u);
  const CaseResult &one = result.cases[0];
  EXPECT_EQ(one.status, CaseStatus::ok);
  ASSERT_EQ(one.blocks.size(), 6u);
  ASSERT_EQ(one.control.size(), 6u);
  // The variants spin for at least their time; how much longer they took depends on the machine.
  EXPECT_GE(one.timeUs(Side::baseline), 60);
  EXPECT_GE(one.timeUs(Side::current), 20);
  EXPECT_TRUE(one.baseline.check.right && one.current.check.right);
  EXPECT_TRUE(one.baseline.checkAfter.right && one.current.checkAfter.right);
  for (size_t i = 0; i < one.blocks.size(); ++i) {
    const Block &block = one.blocks[i];
    EXPECT_EQ(block.order, flipOrder(one.seed, i));
    for (unsigned position = 0; position < 4; ++position) {
      const Burst &burst = block.bursts[position];
      EXPECT_EQ(burst.side, sideAt(block.order, position));
      double total = 0;
      for (int64_t ns : burst.sampleNs)
        total += static_cast<double>(ns);
      EXPECT_GE(total, 200e3);
    }
  }
}

TEST(Paired, RefusesAWrongVariantAndGivesItNoTime) {
  auto spoil = [](std::span<const Argument> arguments) {
    Argument c = arguments[2];
    c.write(3, 77);
  };
  for (bool wrongIsCurrent : {true, false}) {
    VariantSource good = addSource("good", 1000), bad = addSource("bad", 1000, spoil);
    RunResult result = wrongIsCurrent ? run(good, bad) : run(bad, good);
    const CaseResult &one = result.cases[0];
    EXPECT_EQ(one.status, CaseStatus::refused);
    EXPECT_TRUE(one.wrongResult);
    EXPECT_TRUE(result.anyWrong());
    EXPECT_TRUE(one.blocks.empty() && one.control.empty());
    EXPECT_EQ(one.judgement.verdict, Verdict::undecided);
    const SideResult &side = wrongIsCurrent ? one.current : one.baseline;
    EXPECT_TRUE(contains(side.error, "1 of 16 elements of 'c' are wrong")) << side.error;
    EXPECT_TRUE(contains(side.error, "[0, 3] found 77")) << side.error;
    EXPECT_TRUE((wrongIsCurrent ? one.baseline : one.current).ok());
  }
}

TEST(Paired, RefusesAVariantThatWritesNothing) {
  struct Idle final : BenchVariant {
    Result<std::optional<double>> run(int64_t) override { return std::optional<double>(); }
    VariantDescription describe() const override { return {}; }
  };
  VariantSource idle;
  idle.label = "idle";
  idle.make = [](const Case &, const ArgumentSet &) -> Result<std::unique_ptr<BenchVariant>> {
    return std::unique_ptr<BenchVariant>(std::make_unique<Idle>());
  };
  for (DType dtype : {DType::f32, DType::i32}) {
    RunResult result = run(addSource("a", 1000), idle, shortRun(), {addCase(dtype, 4, 4)});
    EXPECT_TRUE(contains(result.cases[0].current.error, "16 were never written"))
        << result.cases[0].current.error;
  }
}

TEST(Paired, RefusesWritesBesideTheOutputAndIntoInputs) {
  RunResult beside = run(addSource("a", 1000), addSource("b", 1000, [](auto arguments) {
                           arguments[2].data[arguments[2].bytes + 5] = std::byte{1};
                         }));
  EXPECT_TRUE(contains(beside.cases[0].current.error, "wrote outside of 'c'"))
      << beside.cases[0].current.error;
  RunResult input = run(addSource("a", 1000), addSource("b", 1000, [](auto arguments) {
                          Argument a = arguments[0];
                          a.write(0, 0.5);
                        }));
  EXPECT_TRUE(contains(input.cases[0].current.error, "changed its input 'a'"))
      << input.cases[0].current.error;
}

TEST(Paired, RefusesAVariantThatTurnsWrongWhileTimed) {
  auto runs = std::make_shared<int>(0);
  RunResult result = run(addSource("a", 1000), addSource("b", 1000, [runs](auto arguments) {
                           Argument c = arguments[2];
                           if (++*runs > 20)
                             c.write(0, 9);
                         }));
  const CaseResult &one = result.cases[0];
  EXPECT_TRUE(one.current.check.right);
  EXPECT_FALSE(one.current.checkAfter.right);
  EXPECT_EQ(one.status, CaseStatus::refused);
  EXPECT_TRUE(one.blocks.empty());
}

TEST(Paired, AVariantThatCannotBeMadeIsAnOutcomeOfItsCase) {
  VariantSource broken;
  broken.label = "broken";
  broken.make = [](const Case &benchCase,
                   const ArgumentSet &) -> Result<std::unique_ptr<BenchVariant>> {
    return error("no " + benchCase.name);
  };
  RunResult result = run(addSource("a", 1000), broken, shortRun(1),
                         {addCase(DType::f32, 4, 4), addCase(DType::f32, 2, 2)});
  ASSERT_EQ(result.cases.size(), 2u);
  EXPECT_TRUE(contains(result.cases[1].current.error, "no float32_2x2"));
  EXPECT_TRUE(result.anyRefused());
  EXPECT_FALSE(result.anyWrong());
}

TEST(Paired, ACaseThatCannotRunLeavesTheOthers) {
  Case without = addCase(DType::f32, 4, 4), huge = addCase(DType::f32, 4, 4);
  without.reference = {};
  huge.arguments[0].sizes = {int64_t(1) << 40, int64_t(1) << 40};
  RunResult result = run(addSource("a", 1000), addSource("b", 1000), shortRun(1),
                         {without, huge, addCase(DType::f32, 2, 2)});
  ASSERT_EQ(result.cases.size(), 3u);
  EXPECT_TRUE(contains(result.cases[0].current.error, "has no reference"));
  EXPECT_TRUE(contains(result.cases[1].current.error, "name a smaller case"))
      << result.cases[1].current.error;
  EXPECT_EQ(result.cases[2].status, CaseStatus::ok);
}

TEST(Paired, AnInterruptionKeepsFinishedBlocks) {
  PairedOptions options = shortRun(50);
  int polls = 0;
  // Each block polls before each of its four bursts, and the control does as well.
  options.interrupted = [&] { return ++polls > 8 * 3 + 2; };
  RunResult result = run(addSource("a", 1000), addSource("b", 1000), options,
                         {addCase(DType::f32, 4, 4), addCase(DType::f32, 2, 2)});
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(result.cases.size(), 1u);
  EXPECT_EQ(result.cases[0].status, CaseStatus::incomplete);
  EXPECT_EQ(result.cases[0].blocks.size(), 3u);
  EXPECT_EQ(result.cases[0].control.size(), 3u);
}

TEST(Paired, BadOptionsAreErrors) {
  std::vector<Case> cases = {addCase(DType::f32, 2, 2)};
  VariantSource source = addSource("a", 1000);
  for (int which = 0; which < 4; ++which) {
    PairedOptions options = shortRun();
    (which == 0 ? options.repMs : which == 1 ? options.warmupMs : options.margin) = -1;
    if (which == 3)
      options = shortRun(0);
    EXPECT_FALSE(runPaired(options, cases, source, source)) << which;
  }
}

TEST(Paired, InOutArgumentsStartAnew) {
  Case benchCase = addCase(DType::f32, 4, 4);
  // c += a + b: repeated launches would run away without the restoring.
  benchCase.arguments[2].random = true;
  benchCase.tolerance.magnitude = 3;
  benchCase.tolerance.depth = 2;
  benchCase.reference = [](ReferenceArrays &arrays) {
    for (size_t i = 0; i < arrays[2].size(); ++i)
      arrays[2][i] += arrays[0][i] + arrays[1][i];
  };
  struct Accumulate final : BenchVariant {
    explicit Accumulate(const ArgumentSet &set) : arguments(set.arguments()) {}
    Result<std::optional<double>> run(int64_t launches) override {
      Argument c = arguments[2];
      for (int64_t n = 0; n < launches; ++n)
        for (int64_t i = 0; i < c.count(); ++i)
          c.write(i, c.read(i) + arguments[0].read(i) + arguments[1].read(i));
      return std::optional<double>();
    }
    VariantDescription describe() const override { return {}; }
    std::span<const Argument> arguments;
  };
  VariantSource source;
  source.label = "accumulate";
  source.make = [](const Case &, const ArgumentSet &set) -> Result<std::unique_ptr<BenchVariant>> {
    return std::unique_ptr<BenchVariant>(std::make_unique<Accumulate>(set));
  };
  RunResult result = run(source, source, shortRun(), {benchCase});
  EXPECT_EQ(result.cases[0].status, CaseStatus::ok) << result.cases[0].baseline.error;
}

TEST(Settle, WaitsForThreadsThatSpin) {
  std::atomic<bool> stop = false;
  int64_t start = nowNs();
  std::thread spinner([&] {
    while (!stop && nowNs() - start < 60'000'000) {
    }
  });
  SettleResult result = settle(5000);
  int64_t waited = nowNs() - start;
  stop = true;
  spinner.join();
  EXPECT_TRUE(result.quiet);
  EXPECT_GE(waited, 60'000'000);
}

TEST(Settle, GivesUpAtItsLimit) {
  std::atomic<bool> stop = false;
  std::thread spinner([&] {
    while (!stop) {
    }
  });
  SettleResult result = settle(20);
  stop = true;
  spinner.join();
  EXPECT_FALSE(result.quiet);
  EXPECT_GE(result.waitedNs, 20'000'000);
}

TEST(Settle, ReadsTheClockOfAProcess) {
  int64_t own = processCpuNs();
  EXPECT_GT(own, 0);
  EXPECT_GE(processCpuNs(static_cast<int64_t>(getpid())), own);
  EXPECT_EQ(processCpuNs(int64_t(0x7ffffff0)), 0);
}

TEST(Libraries, UnknownOnesAreNamed) {
  Result<VariantSource> source = librarySource("mkl", 1);
  ASSERT_FALSE(source);
  EXPECT_TRUE(contains(source.errors().str(), "library:openblas")) << source.errors().str();
}

class LibraryTest : public ::testing::TestWithParam<const char *> {};

TEST_P(LibraryTest, ProductsAreRightInEveryLayoutAndType) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  Result<VariantSource> source = librarySource(GetParam(), 1);
  if (!source)
    GTEST_SKIP() << source.errors().str();
  for (DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64})
    for (const char *suffix : {"", "nt", "tn", "tt"}) {
      Case benchCase = gemmCase(dtype, 17, 23, 9, suffix);
      RunResult result = run(*source, *source, shortRun(1), {benchCase});
      const CaseResult &one = result.cases[0];
      if (dtype == DType::f64 && std::string_view(GetParam()) == "onednn") {
        EXPECT_TRUE(contains(one.baseline.error, "no product of f64")) << one.baseline.error;
        continue;
      }
      EXPECT_EQ(one.status, CaseStatus::ok) << benchCase.name << ": " << one.baseline.error;
      bool converts = dtype == DType::f16 || dtype == DType::bf16;
      EXPECT_EQ(one.baseline.description.notes.size(), converts ? 2u : 1u);
    }
}

TEST_P(LibraryTest, StridedOperandsAreRead) {
  Result<VariantSource> source = librarySource(GetParam(), 1);
  if (!source)
    GTEST_SKIP() << source.errors().str();
  Case benchCase = gemmCase(DType::f32, 17, 23, 9);
  benchCase.arguments[0].strides = {1, 20}; // Columns without gaps.
  benchCase.arguments[1].strides = {31, 1}; // Rows with gaps.
  benchCase.arguments[2].strides = {40, 1};
  RunResult result = run(*source, *source, shortRun(1), {benchCase});
  EXPECT_EQ(result.cases[0].status, CaseStatus::ok) << result.cases[0].baseline.error;
  benchCase.arguments[0].strides = {40, 2};
  result = run(*source, *source, shortRun(1), {benchCase});
  EXPECT_TRUE(contains(result.cases[0].baseline.error, "strides"));
}

TEST_P(LibraryTest, OtherOperationsAreRefused) {
  Result<VariantSource> source = librarySource(GetParam(), 1);
  if (!source)
    GTEST_SKIP() << source.errors().str();
  RunResult result = run(*source, *source, shortRun(1), {addCase(DType::f32, 4, 4)});
  EXPECT_TRUE(contains(result.cases[0].baseline.error, "no operation is named"))
      << result.cases[0].baseline.error;
}

INSTANTIATE_TEST_SUITE_P(Libraries, LibraryTest, ::testing::Values("openblas", "onednn"));

TEST(Libraries, TheEnvironmentDoesNotChooseOpenBlasKernels) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  setenv("OPENBLAS_L2_SIZE", "1", 1);
  if (!librarySource("openblas", 1))
    GTEST_SKIP();
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
  EXPECT_EQ(std::getenv("OPENBLAS_L2_SIZE"), nullptr);
}

} // namespace
} // namespace metile::bench
