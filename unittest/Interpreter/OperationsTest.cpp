// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on the interpreter, each with numbers worked out by hand.

#include "TextKernel.h"

#include <cmath>
#include <cstring>

using namespace metile;

namespace {

/// Runs `body` in one program, whose argument x holds `input` and whose y takes `count` elements of
/// `To`; both are pointers.
template <class To, class From>
std::vector<To> run(std::string body, const std::string &from, DType fromType,
                    std::vector<From> input, const std::string &to, DType toType, size_t count) {
  std::string text = R"(
func.func @kernel(%x: !tile.ptr<FROM> {tile.name = "x", tile.role = "pointer"},
                  %y: !tile.ptr<TO> {tile.name = "y", tile.role = "pointer"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  tile.grid %one
  %xs = tile.splat %x : !tile.ptr<FROM> -> tensor<INx!tile.ptr<FROM>>
  %xi = tile.arange 0 : tensor<INxi64>
  %xp = tile.addptr %xs, %xi : tensor<INx!tile.ptr<FROM>>, tensor<INxi64>
  %in = tile.load %xp : tensor<INx!tile.ptr<FROM>> -> tensor<INxFROM>
  BODY
  %ys = tile.splat %y : !tile.ptr<TO> -> tensor<OUTx!tile.ptr<TO>>
  %yi = tile.arange 0 : tensor<OUTxi64>
  %yp = tile.addptr %ys, %yi : tensor<OUTx!tile.ptr<TO>>, tensor<OUTxi64>
  tile.store %yp, %out : tensor<OUTx!tile.ptr<TO>>, tensor<OUTxTO>
  return
})";
  auto replace = [&](const std::string &word, const std::string &with) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += with.size())
      text.replace(at, word.size(), with);
  };
  replace("BODY", body);
  replace("FROM", from);
  replace("TO", to);
  replace("IN", std::to_string(input.size()));
  replace("OUT", std::to_string(count));
  std::vector<To> output(count);
  Argument x = Argument::pointer(static_cast<const void *>(input.data()), fromType);
  Argument y = Argument::pointer(static_cast<const void *>(output.data()), toType);
  Status ran = interpret(text, {x, y});
  EXPECT_TRUE(ran) << ran.errors().str();
  return output;
}

std::vector<float> onFloats(const std::string &body, std::vector<float> input, size_t count) {
  return run<float>(body, "f32", f32, std::move(input), "f32", f32, count);
}

std::vector<int32_t> onIntegers(const std::string &body, std::vector<int32_t> input, size_t count) {
  return run<int32_t>(body, "i32", i32, std::move(input), "i32", i32, count);
}

using Floats = std::vector<float>;
using Integers = std::vector<int32_t>;

TEST(Operations, ScanRunsBothWays) {
  auto scan = [](const std::string &flags) {
    return "%out = tile.scan(%in) axis 0 " + flags + R"( : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%before: f32, %next: f32):
      %ten = arith.constant 10.0 : f32
      %shifted = arith.mulf %before, %ten : f32
      %digit = arith.addf %shifted, %next : f32
      tile.yield %digit : f32
    })";
  };
  EXPECT_EQ(onFloats(scan(""), {1, 2, 3, 4}, 4), (Floats{1, 12, 123, 1234}));
  EXPECT_EQ(onFloats(scan("reverse"), {1, 2, 3, 4}, 4), (Floats{4321, 432, 43, 4}));
}

TEST(Operations, ScanAlongEachAxis) {
  auto scan = [](int axis) {
    return R"(%square = tile.reshape %in : tensor<4xf32> -> tensor<2x2xf32>
    %sums = tile.scan(%square) axis )" +
           std::to_string(axis) + R"( : (tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%before: f32, %next: f32):
      %sum = arith.addf %before, %next : f32
      tile.yield %sum : f32
    }
    %out = tile.reshape %sums : tensor<2x2xf32> -> tensor<4xf32>)";
  };
  EXPECT_EQ(onFloats(scan(0), {1, 2, 3, 4}, 4), (Floats{1, 2, 4, 6}));
  EXPECT_EQ(onFloats(scan(1), {1, 2, 3, 4}, 4), (Floats{1, 3, 3, 7}));
}

TEST(Operations, ReduceTakesElementsInOrder) {
  // The larger of two, and where it stands.
  EXPECT_EQ(onFloats(R"(%i = tile.arange 0 : tensor<4xi64>
    %value, %at = tile.reduce(%in, %i) axis 0 : (tensor<4xf32>, tensor<4xi64>) -> (f32, i64) {
    ^bb0(%a: f32, %ia: i64, %b: f32, %ib: i64):
      %first = arith.cmpf oge, %a, %b : f32
      %v = arith.select %first, %a, %b : f32
      %p = arith.select %first, %ia, %ib : i64
      tile.yield %v, %p : f32, i64
    }
    %place = tile.from_int %at : i64 -> f32
    %out = tile.join %value, %place : f32 -> tensor<2xf32>)",
                     {3, 7, 7, 1}, 2),
            (Floats{7, 1}));
}

TEST(Operations, SortIsStableAndPutsNaNLast) {
  std::string body = R"(%i = tile.arange 0 : tensor<8xi64>
    %ifloat = tile.from_int %i : tensor<8xi64> -> tensor<8xf32>
    %sorted, %out = tile.sort(%in, %ifloat) axis 0 FLAGS
        : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>))";
  Floats input{2, NAN, -0.0f, 0, 2, -INFINITY, NAN, INFINITY};
  std::string ascending = body, descending = body;
  ascending.replace(body.find("FLAGS"), 5, "");
  descending.replace(body.find("FLAGS"), 5, "descending");
  EXPECT_EQ(onFloats(ascending, input, 8), (Floats{5, 2, 3, 0, 4, 7, 1, 6}));
  EXPECT_EQ(onFloats(descending, input, 8), (Floats{1, 6, 7, 0, 4, 2, 3, 5}));
}

TEST(Operations, SortKeepsTheFirstAndKnowsSigns) {
  EXPECT_EQ(onIntegers(R"(%out = tile.sort(%in) axis 0 : (tensor<4xi32>) -> tensor<2xi32>)",
                       {3, -1, 2, 0}, 2),
            (Integers{-1, 0}));
  EXPECT_EQ(
      onIntegers(R"(%out = tile.sort(%in) axis 0 unsigned : (tensor<4xi32>) -> tensor<4xi32>)",
                 {3, -1, 2, 0}, 4),
      (Integers{0, 2, 3, -1}));
}

TEST(Operations, HistogramIgnoresWhatNamesNoBin) {
  EXPECT_EQ(onIntegers("%out = tile.histogram %in : tensor<8xi32> -> tensor<4xi32>",
                       {0, 3, 3, -1, 4, 2, 3, 100}, 4),
            (Integers{1, 0, 1, 3}));
}

TEST(Operations, GatherFlipJoinSplit) {
  EXPECT_EQ(onFloats(R"(%i = arith.constant dense<[3, -1, 0, 4]> : tensor<4xi64>
    %out = tile.gather %in[%i] axis 0 : tensor<4xf32>, tensor<4xi64> -> tensor<4xf32>)",
                     {1, 2, 3, 4}, 4),
            (Floats{4, 0, 1, 0}));
  EXPECT_EQ(onFloats(R"(%square = tile.reshape %in : tensor<4xf32> -> tensor<2x2xf32>
    %flipped = tile.flip %square, 1 : tensor<2x2xf32>
    %out = tile.reshape %flipped : tensor<2x2xf32> -> tensor<4xf32>)",
                     {1, 2, 3, 4}, 4),
            (Floats{2, 1, 4, 3}));
  EXPECT_EQ(onFloats(R"(%pairs = tile.reshape %in : tensor<4xf32> -> tensor<2x2xf32>
    %even, %odd = tile.split %pairs : tensor<2x2xf32> -> tensor<2xf32>
    %swapped = tile.join %odd, %even : tensor<2xf32> -> tensor<2x2xf32>
    %out = tile.reshape %swapped : tensor<2x2xf32> -> tensor<4xf32>)",
                     {1, 2, 3, 4}, 4),
            (Floats{2, 1, 4, 3}));
}

TEST(Operations, UpperHalfOfProducts) {
  EXPECT_EQ(onIntegers(R"(%m = arith.constant dense<[65536, -1, -2, 2147483647]> : tensor<4xi32>
    %out = tile.mulhi %in, %m : tensor<4xi32>)",
                       {65536, -1, 3, 2147483647}, 4),
            (Integers{1, 0, -1, 0x3fffffff}));
  EXPECT_EQ(onIntegers(R"(%m = arith.constant dense<[65536, -1, -2, 2147483647]> : tensor<4xi32>
    %out = tile.mulhi unsigned %in, %m : tensor<4xi32>)",
                       {65536, -1, 3, 2147483647}, 4),
            (Integers{1, -2, 2, 0x3fffffff}));
  EXPECT_EQ(run<int64_t>("%out = tile.mulhi unsigned %in, %in : tensor<2xi64>", "i64", i64,
                         std::vector<int64_t>{-1, int64_t(1) << 40}, "i64", i64, 2),
            (std::vector<int64_t>{-2, 1 << 16}));
}

TEST(Operations, AtomicsGiveWhatWasThere) {
  // Four updates of element 1, one after the other.
  auto update = [](const std::string &kind, const std::string &element, const Integers &input) {
    return onIntegers(R"(%p = tile.addptr %x, %one : !tile.ptr<i32>, i64
    %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
    %old = tile.atomic_rmw )" +
                          kind + R"( %ps, %in : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    %after = tile.load %p : !tile.ptr<i32> -> i32
    %afters = tile.splat %after : i32 -> tensor<4xi32>
    %both = tile.join %old, %afters : tensor<4xi32> -> tensor<4x2xi32>
    %out = tile.reshape %both : tensor<4x2xi32> -> tensor<8xi32>)",
                      input, 8);
  };
  EXPECT_EQ(update("add", "i32", {1, 2, 3, 4}), (Integers{2, 12, 3, 12, 5, 12, 8, 12}));
  EXPECT_EQ(update("max", "i32", {1, -2, 3, 2}), (Integers{-2, 3, 1, 3, 1, 3, 3, 3}));
  EXPECT_EQ(update("min unsigned", "i32", {1, -2, 3, 2}), (Integers{-2, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(update("xchg", "i32", {1, 2, 3, 4}), (Integers{2, 4, 1, 4, 2, 4, 3, 4}));
  EXPECT_EQ(update("xor", "i32", {1, 2, 4, 8}), (Integers{2, 13, 3, 13, 1, 13, 5, 13}));
}

TEST(Operations, CompareAndSwapComparesBits) {
  EXPECT_EQ(onFloats(R"(%zero = arith.constant dense<0.0> : tensor<4xf32>
    %seven = arith.constant dense<7.0> : tensor<4xf32>
    %old = tile.atomic_cas %xp, %zero, %seven : tensor<4x!tile.ptr<f32>>, tensor<4xf32>
    %out = tile.load %xp : tensor<4x!tile.ptr<f32>> -> tensor<4xf32>)",
                     {0, -0.0f, 1, 0}, 4),
            (Floats{7, -0.0f, 1, 7}));
}

TEST(Operations, EightBitFloatsSaturate) {
  std::string body = "%out = tile.round %in : tensor<4xf32> -> tensor<4xTO>";
  Floats input{448, 1e9f, -INFINITY, 0.3f};
  EXPECT_EQ(run<uint8_t>(body, "f32", f32, input, "f8E4M3FN", f8e4m3, 4),
            (std::vector<uint8_t>{0x7e, 0x7e, 0xfe, 0x2a}));
  EXPECT_EQ(run<uint8_t>(body, "f32", f32, input, "f8E5M2", f8e5m2, 4),
            (std::vector<uint8_t>{0x5f, 0x7b, 0xfb, 0x35}));
}

TEST(Operations, LoopsCarryAndBranchesChoose) {
  EXPECT_EQ(onIntegers(R"(%zero = arith.constant 0 : i64
    %five = arith.constant 5 : i64
    %two = arith.constant 2 : i64
    %out = scf.for %i = %zero to %five step %two iter_args(%sum = %in) -> (tensor<2xi32>) : i64 {
      %is = arith.trunci %i : i64 to i32
      %step = tile.splat %is : i32 -> tensor<2xi32>
      %next = arith.addi %sum, %step : tensor<2xi32>
      scf.yield %next : tensor<2xi32>
    })",
                       {10, 20}, 2),
            (Integers{16, 26}));
  EXPECT_EQ(onIntegers(R"(%limit = arith.constant 100 : i32
    %first = tile.load %x : !tile.ptr<i32> -> i32
    %last = scf.while (%value = %first) : (i32) -> i32 {
      %more = arith.cmpi slt, %value, %limit : i32
      scf.condition(%more) %value : i32
    } do {
    ^bb0(%value: i32):
      %double = arith.addi %value, %value : i32
      scf.yield %double : i32
    }
    %isLarge = arith.cmpi sgt, %last, %limit : i32
    %chosen = scf.if %isLarge -> (i32) {
      scf.yield %last : i32
    } else {
      scf.yield %limit : i32
    }
    %out = tile.join %last, %chosen : i32 -> tensor<2xi32>)",
                       {7, 0}, 2),
            (Integers{112, 112}));
}

TEST(Operations, DotRoundsEachSumToItsAccumulator) {
  // 2^24 + 1 is no f32: each of the ones is lost.
  EXPECT_EQ(onFloats(R"(%a = tile.reshape %in : tensor<4xf32> -> tensor<1x4xf32>
    %ones = arith.constant dense<1.0> : tensor<4x1xf32>
    %zero = arith.constant dense<0.0> : tensor<1x1xf32>
    %c = tile.dot %a, %ones, %zero : tensor<1x4xf32>, tensor<4x1xf32> -> tensor<1x1xf32>
    %out = tile.reshape %c : tensor<1x1xf32> -> tensor<1xf32>)",
                     {0x1p24f, 1, 1, 1}, 1),
            (Floats{0x1p24f}));
}

} // namespace
