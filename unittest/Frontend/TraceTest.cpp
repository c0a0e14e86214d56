// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModuleText.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

using namespace metile;

namespace {

TEST(Trace, SampleKernelsGiveValidModules) {
  for (const Sample &sample : sampleKernels()) {
    std::string text = moduleText(sample.kernel, sample.types);
    EXPECT_TRUE(has(text, "func.func @" + sample.kernel.name())) << text;
    EXPECT_FALSE(has(text, "INVALID")) << text;
  }
}

TEST(Trace, SameEveryTimeAndInEveryThread) {
  for (const Sample &sample : sampleKernels()) {
    std::string first = traceText(sample.kernel, sample.types), second;
    std::thread other([&] { second = traceText(sample.kernel, sample.types); });
    other.join();
    EXPECT_EQ(first, second);
    EXPECT_EQ(first, traceText(sample.kernel, sample.types));
  }
}

TEST(Trace, TextHasNoPaths) {
  for (const Sample &sample : sampleKernels())
    EXPECT_FALSE(has(traceText(sample.kernel, sample.types), ".cpp"));
}

TEST(Trace, KernelDescribesItself) {
  Kernel k = kernel("k", [](In<"a">, InOut<"b">, Out<"c">, Const<"B", 4, 8>, Ptr<"p">,
                            Option<"O", 1, 0>, Scalar<"s">) {});
  ASSERT_EQ(k.parameters().size(), 5u);
  EXPECT_EQ(k.parameters()[1].name, "b");
  EXPECT_EQ(k.parameters()[1].role, ArgumentRole::inout);
  EXPECT_EQ(k.parameters()[4].role, ArgumentRole::scalar);
  ASSERT_EQ(k.constants().size(), 2u);
  EXPECT_EQ(k.constants()[0].values, (std::vector<int64_t>{4, 8}));
  EXPECT_FALSE(k.constants()[0].isOption);
  EXPECT_TRUE(k.constants()[1].isOption);
  EXPECT_EQ(k.definition().line, uint32_t(__LINE__ - 10));
}

TEST(Trace, DeadCodeAndDeadCarriesVanish) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    grid(1);
    Tile unused = exp(x.load({0}, {16}));
    Tile dead = zeros(f32, {16}), live = zeros(f32, {16});
    for (Index i : range(0, 10)) {
      dead = dead + 1;
      live = live + cast(i, f32);
    }
    if_(x.size(0) > 3, [&] { unused = unused + 1; });
    y.store({0}, live);
  });
  std::string text = traceText(k, "x=f32:1 y=f32:1");
  EXPECT_FALSE(has(text, "viewLoad")) << text;
  EXPECT_FALSE(has(text, "ifThenElse")) << text;
  EXPECT_EQ(count(text, "binary"), 1u) << text;
}

TEST(Trace, UnchangedTilesAreNotCarried) {
  Kernel k = kernel("k", [](Out<"y"> y) {
    grid(1);
    Tile a = full(f32, {16}, 2), b = full(f32, {16}, 3);
    for (Index i : range(0, 10)) {
      a = a * b + cast(i, f32);
      std::swap(a, b);
      std::swap(a, b);
    }
    y.store({0}, a);
  });
  std::string text = moduleText(k, "y=f32:1");
  EXPECT_TRUE(has(text, "iter_args(%arg2 = %cst_0) ->") || has(text, "iter_args(%arg2 = %cst) ->"))
      << text;
}

TEST(Trace, LoadsStayBeforeConflictingStores) {
  Kernel k = kernel("k", [](In<"i"> in, InOut<"x"> x, Ptr<"p"> p, Out<"o"> o) {
    grid(1);
    Tile fromX = x.load({0}), fromIn = in.load({0}), fromP = load(p);
    x.store({0}, 1);
    o.store({0}, fromX + fromIn + fromP);
  });
  std::string text = traceText(k, "i=f32:1 x=f32:1 o=f32:1");
  size_t store = text.find("viewStore");
  std::string before = text.substr(0, store), after = text.substr(store);
  // x itself and the pointer, which may point into x, are read first; the In view overlaps nothing.
  EXPECT_EQ(count(before, "viewLoad"), 1u) << text;
  EXPECT_EQ(count(before, " load"), 1u) << text;
  EXPECT_EQ(count(after, "viewLoad"), 1u) << text;
}

TEST(Trace, ReturnIfGuardsTheRest) {
  Kernel k = kernel("k", [](Out<"y"> y, Scalar<"n"> n) {
    grid(8);
    Index i = program_id(0);
    y.store({i}, 1);
    return_if(i > n);
    y.store({i}, 2);
    return_if(i > 2 * n);
    y.store({i}, 3);
  });
  std::string text = moduleText(k, "y=f32:1");
  EXPECT_EQ(count(text, "scf.if"), 2u) << text;
  EXPECT_EQ(count(text, "tile.view_store"), 3u) << text;
}

TEST(Trace, FixedSizeBecomesAFactOfTheTrace) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    grid(1);
    View row = x.at({0});
    for (int64_t i = 0; i < row.fixed_size(0); i += 16)
      y.at({0}).store({i}, row.load({i}, {16}));
  });
  Specialization choice = specialize(k, "");
  choice.sizes = {{4, 48}, {4, 48}};
  Result<Trace> trace = traceKernel(k, choice);
  ASSERT_TRUE(trace.ok()) << trace.errors().str();
  ASSERT_EQ(trace->facts.size(), 3u);
  EXPECT_EQ(trace->facts.back(), (Fact{Fact::Kind::sizeEquals, 0, 1, 48}));
  std::string text = canonicalText(*trace);
  EXPECT_EQ(count(text, "viewLoad"), 3u);
  EXPECT_TRUE(has(text, "view of f32[48][1]")) << text;
}

TEST(Trace, FactsReachTheModule) {
  Kernel k = kernel("k", [](In<"x"> x, Ptr<"p"> p, Scalar<"n"> n, Scalar<"m"> m) {
    grid(n);
    store(p + m, x.load({0, 0}));
  });
  std::string text = moduleText(k, "",
                                {{Fact::Kind::sizeEquals, 0, 0, 128},
                                 {Fact::Kind::sizeDivisible, 0, 1, 16},
                                 {Fact::Kind::strideDivisible, 0, 0, 8},
                                 {Fact::Kind::aligned, 0, 0, 64},
                                 {Fact::Kind::aligned, 1, 0, 16},
                                 {Fact::Kind::scalarDivisible, 2, 0, 4},
                                 {Fact::Kind::scalarEquals, 3, 0, 7}});
  EXPECT_FALSE(has(text, "INVALID")) << text;
  EXPECT_TRUE(has(text, "!tile.view<128x?xf32, [?, 1]>")) << text;
  EXPECT_TRUE(has(text, "tile.size_divisibility = array<i64: 1, 16>")) << text;
  EXPECT_TRUE(has(text, "tile.stride_divisibility = array<i64: 8, 1>")) << text;
  EXPECT_TRUE(has(text, "tile.alignment = 64")) << text;
  EXPECT_TRUE(has(text, "tile.divisibility = 4")) << text;
  EXPECT_TRUE(has(text, "arith.constant 7 : i32")) << text;
}

TEST(Trace, TileOfOrdersTheGridByAxis) {
  Kernel k = kernel("k", [](Out<"y"> y) {
    Index n = tile_of(y, 1, 16), m = tile_of(y, 0, 32);
    y.store({m, n}, zeros(f32, {32, 16}));
  });
  std::string text = moduleText(k);
  EXPECT_TRUE(has(text, "tile.grid free")) << text;
  // x runs along the last axis.
  size_t columns = text.find("tile.view_size %arg0, 1"),
         rows = text.find("tile.view_size %arg0, 0");
  EXPECT_LT(columns, rows) << text;
}

TEST(Trace, NarrowFloatsAccumulateInF32) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    grid(1);
    y.store({0}, x.load({0, 0}, {16, 16}).sum(1));
  });
  std::string text = moduleText(k, "x=f16 y=f32:1");
  EXPECT_TRUE(has(text, "arith.extf")) << text;
  EXPECT_TRUE(has(text, "tile.reduce")) << text;
}

TEST(Trace, MathModes) {
  Kernel k = kernel("k", [](Out<"y"> y, Scalar<"a"> a) {
    grid(1);
    y.store({0}, a + a);
  });
  EXPECT_TRUE(has(moduleText(k, "y=f32:1 a=f32"), "fastmath<contract>"));
  EXPECT_FALSE(has(moduleText(k.with(Math::strict), "y=f32:1 a=f32"), "fastmath"));
  EXPECT_TRUE(has(moduleText(k.with(Math::fast), "y=f32:1 a=f32"), "fastmath<fast>"));
  EXPECT_NE(traceText(k, "y=f32:1 a=f32"), traceText(k.with(Math::fast), "y=f32:1 a=f32"));
}

TEST(Trace, LocationsNameTheFileWithoutItsFolder) {
  Kernel k = kernel("k", [](Out<"y"> y) {
    grid(1);
    y.store({0}, 1);
  });
  Result<Trace> trace = traceKernel(k, specialize(k, "y=f32:1"));
  ASSERT_TRUE(trace.ok());
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module = buildModule(*trace, context);
  bool found = false;
  module->walk([&](mlir::Operation *op) {
    if (auto place = mlir::dyn_cast<mlir::FileLineColLoc>(op->getLoc()))
      found |= place.getFilename() == "TraceTest.cpp" && place.getLine() == unsigned(__LINE__ - 10);
  });
  EXPECT_TRUE(found);
}

TEST(Trace, ExceptionsLeaveTheTracerUsable) {
  Kernel bad = kernel("bad", [](Out<"y"> y) {
    grid(1);
    for (Index i : range(3)) {
      y.store({i}, 1);
      throw std::runtime_error("out of ideas");
    }
  });
  Kernel good = kernel("good", [](Out<"y"> y) {
    grid(1);
    y.store({0}, 1);
  });
  std::string text = traceText(bad, "y=f32:1");
  EXPECT_TRUE(has(text, "an exception left this loop")) << text;
  EXPECT_TRUE(has(text, "threw an exception: out of ideas")) << text;
  EXPECT_TRUE(has(traceText(good, "y=f32:1"), "viewStore"));
}

TEST(Trace, TilesOutsideAKernelDoNothing) {
  Tile a, b = a;
  a = b;
  EXPECT_EQ(a.rank(), 0u);
  Tile c = a + b * 2;
  for (Index i : range(3))
    c = c + i;
  if_(c > 1, [&] { ADD_FAILURE(); });
}

TEST(Trace, TilesOfAnotherKernelAreRefused) {
  static Tile stolen;
  Kernel thief = kernel("thief", [](In<"x"> x) {
    grid(1);
    stolen = x.load({0});
  });
  traceText(thief, "x=f32:1");
  Kernel user = kernel("user", [](Out<"y"> y) {
    grid(1);
    y.store({0}, stolen);
  });
  EXPECT_TRUE(has(traceText(user, "y=f32:1"), "does not belong to the kernel being traced"));
}

TEST(Trace, ConstantsAreNamedAndChosenFromTheirLists) {
  Kernel k = kernel("k", [](Out<"y"> y, Const<"BLOCK_M", 32, 64> M, Option<"CAUSAL", 0, 1> causal) {
    Index i = tile_of(y, 0, M);
    y.store({i}, full(f32, {M}, int64_t(causal)));
  });
  Specialization choice = specialize(k, "y=f32:1");
  choice.constants = {{"BLOCKM", 32}};
  Result<Trace> trace = traceKernel(k, choice);
  ASSERT_FALSE(trace.ok());
  std::string text = trace.errors().str();
  EXPECT_TRUE(has(text,
                  "kernel 'k' has no constant 'BLOCKM'; its constants are BLOCK_M and CAUSAL; "
                  "did you mean BLOCK_M?"))
      << text;
  EXPECT_TRUE(has(text, "constant BLOCK_M of kernel 'k' has no value")) << text;
  EXPECT_NE(traceText(k, "y=f32:1"), traceText(k, "y=f32:1 CAUSAL=1"));
  EXPECT_EQ(traceText(k, "y=f32:1"), traceText(k, "y=f32:1 CAUSAL=0"));
}

TEST(Trace, KernelNamesAreIdentifiers) {
  for (const char *name : {"", "2d", "a b", "a-b"}) {
    Kernel k = kernel(name, [](Out<"y"> y) {
      grid(1);
      y.store({0}, 1);
    });
    EXPECT_TRUE(has(traceText(k, "y=f32:1"), "names are made of letters")) << name;
  }
}

TEST(Trace, ReturnIfInABranchGuardsWhatFollowsTheBranch) {
  Kernel k = kernel("k", [](Out<"y"> y, Scalar<"n"> n) {
    grid(8);
    Tile t = full(f32, {}, 1);
    if_(n > 3, [&] {
      return_if(n > 5);
      t = t + 1;
    }).else_([&] { y.store({1}, t); });
    y.store({0}, t);
  });
  std::string text = moduleText(k, "y=f32:1");
  EXPECT_FALSE(has(text, "INVALID")) << text;
  EXPECT_EQ(count(text, "scf.if"), 3u) << text;
}

TEST(Trace, AllMistakesComeTogether) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    grid(1);
    Tile a = x.load({0}, {24});
    Tile b = a + 1;
    y.store({0}, b);
    y.load({0});
    for (Index i : range(3))
      x.store({i}, 1);
  });
  Result<Trace> trace = traceKernel(k, specialize(k, "x=f32:1 y=f32:1"));
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.errors().diagnostics.size(), 3u) << trace.errors().str();
}

} // namespace
