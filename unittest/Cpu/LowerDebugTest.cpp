// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels show to the host, and assertions.

#include "KernelRunner.h"

#include <map>

using namespace metile;
using namespace metile::cpu;

namespace {

const char *showing = R"(
func.func @show(%x: !tile.view<?x?xf32, [?, 1]> {tile.role = "in", tile.name = "x"},
                %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %two = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  tile.grid %three, %two
  %px = tile.program_id 0
  %py = tile.program_id 1
  %m = arith.muli %py, %c4 : i64
  %t = tile.view_load %x[%m, %c0] : !tile.view<?x?xf32, [?, 1]> -> tensor<4x32xf32>
  %y = arith.addf %t, %t : tensor<4x32xf32>
  tile.print "sum and n", %y, %n : tensor<4x32xf32>, i32
  tile.print "here"
  %zero = arith.constant dense<0.0> : tensor<4x32xf32>
  %positive = arith.cmpf ogt, %y, %zero : tensor<4x32xf32>
  scf.for %i = %c0 to %px step %one : i64 {
    tile.probe "positive" %positive : tensor<4x32xi1>
    tile.probe "turn" %i : i64
  }
  return
})";

TEST_P(KernelTest, ShowsValuesInOrder) {
  KernelRunner kernel(showing, GetParam());
  Guarded<float> x(7 * 30);
  fillSmall(x, 5);
  kernel.run({view(x.data(), {7, 30}), {slot(int32_t(-5))}});
  ASSERT_EQ(kernel.info.debugSites.size(), 4u);
  const DebugSite &print = kernel.info.debugSites[0];
  EXPECT_EQ(print.kind, DebugSite::Kind::print);
  EXPECT_EQ(print.text, "sum and n");
  EXPECT_EQ(print.values, (std::vector<DebugSite::Value>{{DType::f32, {4, 32}}, {DType::i32, {}}}));
  EXPECT_EQ(kernel.info.debugSites[2].kind, DebugSite::Kind::probe);

  std::map<std::pair<int64_t, int64_t>, std::vector<int32_t>> sites;
  for (const KernelRunner::Shown &shown : kernel.shown) {
    auto [x0, y0, z0] = shown.program;
    EXPECT_EQ(z0, 0);
    sites[{x0, y0}].push_back(shown.site);
    auto at = [&](int64_t i) {
      int64_t row = i / 32 + 4 * y0, column = i % 32;
      return row < 7 && column < 30 ? 2 * x[row * 30 + column] : 0.0f;
    };
    if (shown.site == 0) {
      float values[128];
      std::memcpy(values, shown.values[0].data(), sizeof(values));
      for (int64_t i = 0; i < 128; ++i)
        EXPECT_EQ(values[i], at(i));
      EXPECT_EQ(shown.values[1], std::string("\xfb\xff\xff\xff"));
    }
    if (shown.site == 2) {
      for (int64_t i = 0; i < 128; ++i)
        EXPECT_EQ(shown.values[0][i], at(i) > 0);
    }
  }
  for (int64_t px : {0, 1, 2})
    for (int64_t py : {0, 1}) {
      std::vector<int32_t> expected{0, 1};
      for (int64_t i = 0; i < px; ++i)
        expected.insert(expected.end(), {2, 3});
      EXPECT_EQ((sites[{px, py}]), expected);
    }
}

TEST_P(KernelTest, NobodyNeedsToListen) {
  KernelRunner kernel(showing, GetParam());
  Guarded<float> x(7 * 30);
  EXPECT_EQ(kernel.call({view(x.data(), {7, 30}), {slot(int32_t(-5))}}, false), 0);
  EXPECT_TRUE(kernel.shown.empty());
}

/// Programs of a grid of six check one block of x each, then write it.
const char *checking = R"(
func.func @check(%x: !tile.view<?xi32, [1]> {tile.role = "in", tile.name = "x"},
                 %y: !tile.view<?xi32, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %size = arith.constant SIZE : i64
  %programs = arith.constant 6 : i64
  tile.grid %programs
  %p = tile.program_id 0
  %o = arith.muli %p, %size : i64
  %t = tile.view_load %x[%o] : !tile.view<?xi32, [1]> -> tensor<SIZExi32>
  %c9 = arith.constant dense<9> : tensor<SIZExi32>
  %small = arith.cmpi slt, %t, %c9 : tensor<SIZExi32>
  tile.assert %small, "x is below 9" : tensor<SIZExi1>
  %five = arith.constant 5 : i64
  %early = arith.cmpi slt, %p, %five : i64
  tile.assert %early, "the last program is one too many" : i1
  tile.view_store %t, %y[%o] : tensor<SIZExi32>, !tile.view<?xi32, [1]>
  return
})";

TEST_P(KernelTest, Assertions) {
  for (int size : {1, 4, 16, 512}) {
    KernelRunner kernel(with(checking, "SIZE", std::to_string(size)), GetParam());
    Guarded<int32_t> x(6 * size), y(6 * size, -1);
    auto call = [&](bool listens = true) {
      kernel.shown.clear();
      return kernel.call({view(x.data(), {6 * size}), view(y.data(), {6 * size})}, listens);
    };
    // Only the last program fails.
    EXPECT_EQ(call(), 2);
    ASSERT_EQ(kernel.shown.size(), 1u);
    EXPECT_EQ(kernel.shown[0].site, 1);
    EXPECT_EQ(kernel.shown[0].program[0], 5);
    EXPECT_EQ(kernel.info.debugSites[1].text, "the last program is one too many");
    EXPECT_EQ(kernel.info.debugSites[1].location.line, 16u);
    EXPECT_EQ(call(false), 2);

    // One element of program 1 fails: what that program stores is left open, the next is not run.
    int wrong = size * 2 - 1;
    x[wrong] = 9;
    std::fill(y.data(), y.data() + y.size(), -1);
    EXPECT_EQ(call(), 1);
    ASSERT_EQ(kernel.shown.size(), 1u);
    EXPECT_EQ(kernel.shown[0].site, 0);
    EXPECT_EQ(kernel.shown[0].program[0], 1);
    int64_t index;
    std::memcpy(&index, kernel.shown[0].values[0].data(), sizeof(index));
    EXPECT_EQ(index, size - 1);
    EXPECT_EQ(y[0], x[0]);
    EXPECT_EQ(y[2 * size], -1);
    // Of several the first is reported.
    x[size] = 10;
    call();
    ASSERT_EQ(kernel.shown.size(), 1u);
    std::memcpy(&index, kernel.shown[0].values[0].data(), sizeof(index));
    EXPECT_EQ(index, 0);
  }
}

} // namespace
