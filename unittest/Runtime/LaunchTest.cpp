// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestKernels.h"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace metile {
namespace {

using test::cpu;
using test::make;

class Launch : public testing::Test {
protected:
  std::vector<float> a = std::vector<float>(200), c = std::vector<float>(200, -1);
  Artifact artifact = test::scaleArtifact();
  float *none = nullptr;

  Launch() { std::iota(a.begin(), a.end(), 0.0f); }

  Argument in(int64_t size = 200) { return Argument::view(std::as_const(a).data(), f32, {size}); }
  Argument out(int64_t size = 200) { return Argument::view(c.data(), f32, {size}); }

  /// The message of a launch that must be refused.
  std::string refusal(std::vector<Argument> arguments) {
    std::fill(c.begin(), c.end(), -1.0f);
    Status status = make(cpu(), artifact).launch(arguments);
    EXPECT_TRUE(std::all_of(c.begin(), c.end(), [](float x) { return x == -1; }))
        << "a refused launch must not write";
    return status ? "accepted" : status.errors().str();
  }
};

/// Each of `words` stands in `text`.
void expectWords(const std::string &text, std::initializer_list<const char *> words) {
  for (const char *word : words)
    EXPECT_NE(text.find(word), std::string::npos) << text << "\nlacks: " << word;
}

TEST_F(Launch, Runs) {
  Executable executable = make(cpu(), artifact);
  ASSERT_TRUE(executable.launch({in(), out(), Argument::scalar(3)}));
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(c[i], 3.0f * i);
  EXPECT_EQ(executable.artifact().kernel, "scale");
  EXPECT_TRUE(executable.artifact().code.empty());
}

TEST_F(Launch, StridedAndReversedViews) {
  Argument backwards = Argument::view(static_cast<const float *>(a.data() + 199), f32, {100}, {-2});
  ASSERT_TRUE(make(cpu(), artifact).launch({backwards, out(100), Argument::scalar(1)}));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(c[i], 199.0f - 2 * i);
}

TEST_F(Launch, WrongNumberOfArguments) {
  expectWords(refusal({in()}), {"scale: missing 'c', 'factor'", "(a, c, factor)"});
  expectWords(refusal({in(), out(), Argument::scalar(1), Argument::scalar(2)}),
              {"4 arguments, 1 too many", "(a, c, factor)"});
}

TEST_F(Launch, WrongTypeRankOrKind) {
  expectWords(refusal({Argument::view(a.data(), f16, {200}), out(), Argument::scalar(1)}),
              {"'a' is a view of float16 with 1 axis", "a view of float32 with 1 axis"});
  expectWords(refusal({Argument::view(a.data(), f32, {2, 100}), out(), Argument::scalar(1)}),
              {"'a' is a view of float32 with 2 axes", "this rank"});
  expectWords(refusal({in(), Argument::pointer(c.data(), f32), Argument::scalar(1)}),
              {"'c' is a pointer to float32", "parameter 2 is Out"});
  expectWords(refusal({in(), out(), Argument::scalar(1.0f)}),
              {"'factor' is a scalar of float32", "a scalar of int32"});
  expectWords(refusal({in(), out(), Argument::scalar(i32, 1e10)}),
              {"the value of 'factor' does not fit int32"});
  expectWords(refusal({Argument::view(a.data(), f32, {2, 3}, {1}), out(), Argument::scalar(1)}),
              {"'a' has sizes and strides of different number"});
  std::vector<int64_t> nine(9, 1);
  expectWords(refusal({Argument::view(a.data(), f32, nine), out(), Argument::scalar(1)}),
              {"'a' has 9 axes", "at most 8"});
}

TEST_F(Launch, AllMistakesComeTogether) {
  expectWords(refusal({Argument::view(a.data(), f16, {200}), Argument::scalar(1), in()}),
              {"'a' is", "'c' is", "'factor' is"});
}

TEST_F(Launch, BadSizesAndAddresses) {
  expectWords(refusal({in(-1), out(), Argument::scalar(1)}), {"'a' has the sizes (-1)"});
  expectWords(refusal({Argument::view(none, f32, {4}), out(), Argument::scalar(1)}),
              {"'a' is a null pointer"});
  auto odd = reinterpret_cast<float *>(reinterpret_cast<char *>(a.data()) + 2);
  expectWords(refusal({Argument::view(odd, f32, {4}), out(), Argument::scalar(1)}),
              {"'a' lies at 0x", "multiples of 4 bytes"});
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  expectWords(refusal({in(), out(huge), Argument::scalar(1)}), {"'c' with sizes", "64-bit"});
  expectWords(refusal({in(), Argument::view(c.data(), f32, {4}, {0}), Argument::scalar(1)}),
              {"'c' has stride 0 on axis 0"});
  expectWords(refusal({in(), in(), Argument::scalar(1)}),
              {"'c' is written, but was passed as a pointer to const"});
}

TEST_F(Launch, BuffersBoundTheirViews) {
  Device device = cpu();
  Buffer buffer = device.allocate(400).orExit();
  Executable executable = make(device, artifact);
  auto text = [&](const Argument &view) {
    Status status = executable.launch({in(100), view, Argument::scalar(1)});
    return status ? "accepted" : status.errors().str();
  };
  EXPECT_EQ(text(Argument::view(buffer, f32, {100})), "accepted");
  EXPECT_EQ(text(Argument::view(buffer, f32, {50}, {-1}, 196)), "accepted");
  expectWords(text(Argument::view(buffer, f32, {101})),
              {"'c' reaches from byte 0 to 404 of its buffer", "400 bytes"});
  expectWords(text(Argument::view(buffer, f32, {100}, {}, 4)), {"from byte 4 to 404"});
  expectWords(text(Argument::view(buffer, f32, {51}, {-1}, 196)), {"from byte -4 to 200"});
  expectWords(text(Argument::view(Buffer(), f32, {100}, {}, 64)), {"'c' is a null pointer"});
  Executable count = make(device, test::countArtifact());
  Status status = count.launch({Argument::pointer(buffer, i32, 404), Argument::scalar(int64_t(1))});
  ASSERT_FALSE(status);
  expectWords(status.errors().str(), {"'hits' reaches from byte 404"});
}

TEST_F(Launch, Overlap) {
  auto at = [&](size_t offset) { return Argument::view(a.data() + offset, f32, {100}); };
  expectWords(refusal({at(0), at(99), Argument::scalar(1)}), {"'a' and 'c' overlap", "InOut"});
  EXPECT_TRUE(make(cpu(), artifact).launch({at(0), at(100), Argument::scalar(1)}));
  // Interleaved, but apart.
  Argument even = Argument::view(a.data(), f32, {100}, {2}),
           odd = Argument::view(a.data() + 1, f32, {100}, {2});
  EXPECT_TRUE(make(cpu(), artifact).launch({even, odd, Argument::scalar(1)}));
  // An InOut may be what the caller says it is.
  artifact.arguments[1].role = ArgumentRole::inout;
  EXPECT_TRUE(make(cpu(), artifact).launch({at(0), at(0), Argument::scalar(1)}));
}

TEST_F(Launch, FactsAreNamed) {
  artifact.facts = {{Fact::Kind::sizeDivisible, 0, 0, 64}, {Fact::Kind::scalarEquals, 2, 0, -3}};
  std::string text = refusal({in(), out(), Argument::scalar(4)});
  expectWords(text, {"a.size(0) is 200", "relies on: a.size(0) is divisible by 64", "factor is 4",
                     "relies on: factor is -3"});
  EXPECT_TRUE(make(cpu(), artifact).launch({in(192), out(192), Argument::scalar(-3)}));
}

TEST_F(Launch, EmptyGridIsASuccess) {
  EXPECT_TRUE(make(cpu(), artifact).launch({in(0), out(0), Argument::scalar(1)}));
  EXPECT_TRUE(make(cpu(), artifact)
                  .launch({Argument::view(none, f32, {0}), Argument::view(none, f32, {0}),
                           Argument::scalar(1)}));
  Executable count = make(cpu(), test::countArtifact());
  for (int64_t n : {0, -5})
    EXPECT_TRUE(count.launch({Argument::pointer(nullptr, i32), Argument::scalar(n)}));
  Status status = count.launch({Argument::pointer(nullptr, i32), Argument::scalar(int64_t(1))});
  ASSERT_FALSE(status);
  expectWords(status.errors().str(), {"'hits' is a null pointer"});
}

TEST_F(Launch, GridThatDoesNotFit) {
  artifact.steps[0].grid[1] = SizeExpr::constant(std::numeric_limits<int64_t>::max());
  expectWords(refusal({in(), out(), Argument::scalar(1)}),
              {"the grid of 'scale'", "(c_size_0 + 63) / 64", "does not fit"});
  EXPECT_TRUE(make(cpu(), artifact).launch({in(0), out(0), Argument::scalar(1)}));
}

TEST_F(Launch, StepsSeeTheirGridAndShareTheLaunchWorkspace) {
  // The first step leaves its number in the workspace, the second adds its grid.
  Artifact steps;
  steps.kernel = "steps";
  steps.target = "cpu";
  steps.arguments = {{"result", ArgumentRole::pointer, i64, 0}};
  steps.workspaces = {{"w", Workspace::Scope::worker, SizeExpr::constant(64), 64},
                      {"shared", Workspace::Scope::launch, SizeExpr::constant(8), 256}};
  steps.steps.resize(3);
  const char *names[] = {"first", "nothing", "second"};
  const int64_t extents[3][3] = {{2, 1, 1}, {0, 5, 1}, {2, 3, 4}};
  for (int i = 0; i < 3; ++i) {
    steps.steps[i].entry = names[i];
    for (int axis = 0; axis < 3; ++axis)
      steps.steps[i].grid[axis] = SizeExpr::constant(extents[i][axis]);
  }
  const Symbol symbols[] = {
      {"first",
       [](const uint64_t *slots, int64_t, int64_t end, void *) -> int32_t {
         if (end == 2)
           *reinterpret_cast<int64_t *>(slots[4]) = 1000;
         return slots[4] % 256 ? 1 : 0;
       }},
      {"nothing", [](const uint64_t *, int64_t, int64_t, void *) -> int32_t { return 2; }},
      {"second", [](const uint64_t *slots, int64_t begin, int64_t, void *) -> int32_t {
         if (begin == 0)
           *reinterpret_cast<int64_t *>(slots[0]) =
               *reinterpret_cast<int64_t *>(slots[4]) +
               static_cast<int64_t>(slots[1] + 10 * slots[2] + 100 * slots[3]);
         return 0;
       }}};
  Executable executable = Executable::fromSymbols(cpu(), steps, symbols).orExit();
  int64_t result = 0;
  Status status = executable.launch({Argument::pointer(&result, i64)});
  ASSERT_TRUE(status) << status.errors().str();
  EXPECT_EQ(result, 1000 + 2 + 30 + 400);
}

TEST_F(Launch, WorkspaceThatIsTooLarge) {
  for (auto scope : {Workspace::Scope::worker, Workspace::Scope::launch}) {
    artifact.workspaces = {{"panel", scope, SizeExpr::constant(int64_t(1) << 60), 64}};
    expectWords(refusal({in(), out(), Argument::scalar(1)}), {"'panel'", "no memory"});
  }
}

TEST_F(Launch, FailingEntryPointIsNamed) {
  const Symbol broken[] = {
      {"scale", [](const uint64_t *, int64_t, int64_t, void *) -> int32_t { return 42; }}};
  for (unsigned threads : {1u, 4u}) {
    Executable executable =
        Executable::fromSymbols(cpu(threads), test::scaleArtifact(1000000), broken).orExit();
    Status status = executable.launch({in(), out(), Argument::scalar(1)});
    ASSERT_FALSE(status);
    expectWords(status.errors().str(), {"scale", "failed with code 42"});
  }
}

TEST_F(Launch, BoundLaunchRunsAgainAndRebinds) {
  Executable executable = make(cpu(), artifact);
  BoundLaunch launch = executable.bind({in(), out(), Argument::scalar(2)}).orExit();
  EXPECT_EQ(launch.workers(), 1u);
  for (float start : {1.0f, 10.0f}) {
    std::iota(a.begin(), a.end(), start);
    ASSERT_TRUE(launch.run());
    EXPECT_EQ(c[7], 2 * a[7]);
  }
  std::vector<float> d(64);
  std::vector<Argument> fewer = {in(64), Argument::view(d.data(), f32, {64}), Argument::scalar(5)};
  ASSERT_TRUE(launch.rebind(fewer));
  ASSERT_TRUE(launch.run());
  EXPECT_EQ(d[63], 5 * a[63]);
  ASSERT_FALSE(launch.rebind(std::span(fewer).first(2)));
  Status status = launch.run();
  ASSERT_FALSE(status);
  expectWords(status.errors().str(), {"no valid arguments", "rebind"});
  EXPECT_FALSE(executable.bind({in()}).ok());
}

TEST_F(Launch, StreamKeepsErrorsOfExecution) {
  const Symbol broken[] = {
      {"scale", [](const uint64_t *, int64_t, int64_t, void *) -> int32_t { return 9; }}};
  Device device = cpu();
  Executable bad = Executable::fromSymbols(device, artifact, broken).orExit();
  Executable good = make(device, artifact);
  Stream stream = device.stream();
  std::vector<Argument> arguments = {in(), out(), Argument::scalar(1)};

  EXPECT_TRUE(stream.enqueue(bad, arguments));
  Status status = stream.enqueue(good, arguments);
  ASSERT_FALSE(status) << "the next call returns the error";
  expectWords(status.errors().str(), {"failed with code 9"});
  EXPECT_EQ(c[5], -1) << "and does nothing else";
  EXPECT_TRUE(stream.enqueue(good, arguments));
  EXPECT_EQ(c[5], 5);

  BoundLaunch launch = bad.bind(arguments).orExit();
  EXPECT_TRUE(stream.enqueue(launch));
  EXPECT_FALSE(stream.synchronize());
  EXPECT_TRUE(stream.synchronize());
  EXPECT_FALSE(stream.enqueue(good, std::span(arguments).first(1)))
      << "errors of arguments at once";
  EXPECT_TRUE(stream.synchronize());
}

} // namespace
} // namespace metile
