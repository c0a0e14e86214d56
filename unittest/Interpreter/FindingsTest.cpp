// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels do wrong is found, and said with the place, the program and the element; what they
// may do is not.

#include "TextKernel.h"

#include <array>

using namespace metile;

namespace {

/// A pointer to the elements of `data`, and no further.
template <class T, size_t count>
Argument pointer(std::array<T, count> &data, DType dtype, bool hasContents = true) {
  Argument argument = Argument::pointer(static_cast<const void *>(data.data()), dtype);
  argument.memory = data.data();
  argument.memoryBytes = sizeof data;
  argument.hasContents = hasContents;
  return argument;
}

/// The messages of a launch that must find something.
std::string findings(const Status &ran) {
  if (ran) {
    ADD_FAILURE() << "nothing was found";
    return {};
  }
  EXPECT_TRUE(ran.errors().isFinding);
  return ran.errors().str();
}

void expectWords(const std::string &text, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "no '" << word << "' in\n" << text;
}

constexpr std::string_view copyPastTheEnd = R"(
func.func @copy(%x: !tile.ptr<f32> {tile.name = "x", tile.role = "pointer"},
                %y: !tile.ptr<f32> {tile.name = "y", tile.role = "pointer"})
    attributes {tile.kernel} {
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  tile.grid %two
  %i = tile.program_id 0
  %first = arith.muli %i, %four : i64
  %start = tile.addptr %x, %first : !tile.ptr<f32>, i64
  %starts = tile.splat %start : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %offsets = tile.arange 0 : tensor<4xi64>
  %from = tile.addptr %starts, %offsets : tensor<4x!tile.ptr<f32>>, tensor<4xi64>
  %value = tile.load %from : tensor<4x!tile.ptr<f32>> -> tensor<4xf32>
  %out = tile.addptr %y, %first : !tile.ptr<f32>, i64
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %to = tile.addptr %outs, %offsets : tensor<4x!tile.ptr<f32>>, tensor<4xi64>
  tile.store %to, %value : tensor<4x!tile.ptr<f32>>, tensor<4xf32>
  return
})";

TEST(Findings, ReadBehindTheEndOfABuffer) {
  std::array<float, 6> x{1, 2, 3, 4, 5, 6};
  std::array<float, 8> y{};
  std::string text = findings(interpret(copyPastTheEnd, {pointer(x, f32), pointer(y, f32, false)}));
  expectWords(text, {"test.mlir:14:", "program (1, 0, 0) reaches element 6 of 'x'",
                     "(and so for 1 more)", "elements 0 to 5"});
  // What lies inside is copied all the same, and zeros stand for the rest.
  EXPECT_EQ(y, (std::array<float, 8>{1, 2, 3, 4, 5, 6, 0, 0}));
}

TEST(Findings, WriteBehindTheEndOfABufferWritesNothing) {
  std::array<float, 8> x{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<float, 8> y{};
  Argument out = pointer(y, f32, false);
  out.memoryBytes = 7 * sizeof(float);
  expectWords(findings(interpret(copyPastTheEnd, {pointer(x, f32), out})),
              {"test.mlir:18:", "element 7 of 'y'", "elements 0 to 6"});
  EXPECT_EQ(y[7], 0);
}

TEST(Findings, CorrectKernelIsClean) {
  std::array<float, 8> x{1, 2, 3, 4, 5, 6, 7, 8}, y{};
  Status ran = interpret(copyPastTheEnd, {pointer(x, f32), pointer(y, f32, false)});
  EXPECT_TRUE(ran) << ran.errors().str();
  EXPECT_EQ(x, y);
}

TEST(Findings, ReadOfWhatNobodyWrote) {
  std::array<float, 8> x{}, y{};
  expectWords(
      findings(interpret(copyPastTheEnd, {pointer(x, f32, false), pointer(y, f32)})),
      {"test.mlir:14:", "program (0, 0, 0) reads element 0 of 'x', which nobody has written",
       "(and so for 7 more)"});
}

/// Two programs do ACTION with one element.
std::string sharing(std::string_view action) {
  return R"(
func.func @share(%x: !tile.ptr<i32> {tile.name = "x", tile.role = "pointer"},
                %y: !tile.ptr<i32> {tile.name = "y", tile.role = "pointer"})
    attributes {tile.kernel} {
  %two = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %v = arith.constant 7 : i32
  tile.grid %two
  %i = tile.program_id 0
  %first = arith.cmpi eq, %i, %zero : i64
  %mine = tile.addptr %y, %i : !tile.ptr<i32>, i64
)" + std::string(action) +
         "\n  return\n}";
}

TEST(Findings, TwoProgramsWriteOneElement) {
  std::array<int32_t, 2> x{}, y{};
  expectWords(findings(interpret(sharing("tile.store %x, %v : !tile.ptr<i32>, i32"),
                                 {pointer(x, i32), pointer(y, i32)})),
              {"test.mlir:12:",
               "program (1, 0, 0) writes element 0 of 'x', which another program "
               "writes",
               "atomic"});
}

TEST(Findings, OneProgramReadsWhatAnotherWrites) {
  std::array<int32_t, 2> x{}, y{};
  expectWords(findings(interpret(sharing(R"(
  scf.if %first {
    tile.store %x, %v : !tile.ptr<i32>, i32
  }
  %w = tile.load %x : !tile.ptr<i32> -> i32
  tile.store %mine, %w : !tile.ptr<i32>, i32)"),
                                 {pointer(x, i32), pointer(y, i32)})),
              {"program (1, 0, 0) reads element 0 of 'x', which another program writes"});
  // The reader comes first in the interpreter's order; on a real device it need not.
  expectWords(findings(interpret(sharing(R"(
  scf.if %first {
    %w = tile.load %x : !tile.ptr<i32> -> i32
    tile.store %mine, %w : !tile.ptr<i32>, i32
  } else {
    tile.store %x, %v : !tile.ptr<i32>, i32
  })"),
                                 {pointer(x, i32), pointer(y, i32)})),
              {"program (1, 0, 0) writes element 0 of 'x', which another program reads"});
}

TEST(Findings, AtomicsMayMeetEachOtherButNothingElse) {
  std::array<int32_t, 2> x{1, 0}, y{};
  std::string add = "%old = tile.atomic_rmw add %x, %v : !tile.ptr<i32>, i32\n";
  std::string keep = "tile.store %mine, %old : !tile.ptr<i32>, i32";
  Status ran = interpret(sharing(add + keep), {pointer(x, i32), pointer(y, i32, false)});
  EXPECT_TRUE(ran) << ran.errors().str();
  EXPECT_EQ(x[0], 15);
  EXPECT_EQ(y, (std::array<int32_t, 2>{1, 8}));
  expectWords(findings(interpret(sharing(add + R"(
  scf.if %first {
    tile.store %x, %v : !tile.ptr<i32>, i32
  })"),
                                 {pointer(x, i32), pointer(y, i32)})),
              {"program (1, 0, 0) updates element 0 of 'x', which another program writes"});
}

TEST(Findings, PointersStayWithTheirArgument) {
  // Elements 0 and 1 belong to x, the next two to y: an offset does not lead from one to the other.
  std::array<int32_t, 4> both{1, 2, 3, 4};
  auto half = [&](size_t first) {
    Argument argument = Argument::pointer(static_cast<const void *>(&both[first]), i32);
    argument.memory = &both[first];
    argument.memoryBytes = 2 * sizeof(int32_t);
    return argument;
  };
  expectWords(findings(interpret(sharing(R"(
  %three = arith.constant 3 : i64
  %far = tile.addptr %x, %three : !tile.ptr<i32>, i64
  %w = tile.load %far : !tile.ptr<i32> -> i32
  tile.store %mine, %w : !tile.ptr<i32>, i32)"),
                                 {half(0), half(2)})),
              {"element 3 of 'x'", "elements 0 to 1"});
}

TEST(Findings, InBoundsThatIsNotTrue) {
  std::array<float, 6> x{}, y{};
  std::string text =
      findings(interpret(R"(
func.func @copy(%x: !tile.view<?xf32, [1]> {tile.name = "x", tile.role = "in"},
                %y: !tile.view<?xf32, [1]> {tile.name = "y", tile.role = "out"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%zero] in_bounds [true] : !tile.view<?xf32, [1]> -> tensor<8xf32>
  tile.view_store %t, %y[%zero] : tensor<8xf32>, !tile.view<?xf32, [1]>
  return
})",
                         {Argument::view(x.data(), f32, {6}), Argument::view(y.data(), f32, {6})}));
  expectWords(text, {"test.mlir:8:", "crosses the edge of 'x' along axis 0, which has 6 elements"});
}

TEST(Findings, AssertionThatFails) {
  std::array<int32_t, 2> x{}, y{};
  expectWords(findings(interpret(sharing("tile.assert %first, \"only the first\" : i1"),
                                 {pointer(x, i32), pointer(y, i32)})),
              {"share: assertion failed: only the first, in program (1, 0, 0)"});
}

TEST(Findings, UnknownOperationsAreRefusedWhenLoading) {
  std::array<int32_t, 2> x{}, y{};
  Status ran = interpret(sharing("%f = arith.constant 1.0 : f32\n%c = math.cbrt %f : f32"),
                         {pointer(x, i32), pointer(y, i32)});
  ASSERT_FALSE(ran);
  EXPECT_FALSE(ran.errors().isFinding);
  expectWords(ran.errors().str(), {"test.mlir:13:", "share holds 'math.cbrt'"});
}

TEST(Findings, AnArtifactThatSaysOtherThanItsCodeIsRefused) {
  Result<Artifact> compiled = compileText(sharing("tile.print \"first\", %first : i1"));
  ASSERT_TRUE(compiled) << compiled.errors().str();
  auto refusal = [&](void (*change)(Artifact &)) {
    Artifact artifact = *compiled;
    change(artifact);
    auto kernel = referenceInterpreter().load(artifact);
    return kernel ? std::string("accepted") : kernel.errors().str();
  };
  EXPECT_EQ(refusal([](Artifact &) {}), "accepted");
  EXPECT_EQ(refusal([](Artifact &a) { a.arguments[0].dtype = u32; }), "accepted");
  constexpr std::string_view arguments = "holds no kernel with the artifact's arguments";
  expectWords(refusal([](Artifact &a) { a.arguments[0].role = ArgumentRole::scalar; }),
              {arguments});
  expectWords(refusal([](Artifact &a) { a.arguments[0].dtype = i64; }), {arguments});
  expectWords(refusal([](Artifact &a) { a.arguments.pop_back(); }), {arguments});
  constexpr std::string_view sites = "shows other values than the artifact says";
  expectWords(refusal([](Artifact &a) { a.debugSites.clear(); }), {sites});
  expectWords(refusal([](Artifact &a) { a.debugSites[0].values[0].dtype = f64; }), {sites});
}

} // namespace
