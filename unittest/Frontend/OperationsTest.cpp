// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operations of the tile dialect the language's functions become.
#include "ModuleText.h"

#include <gtest/gtest.h>

using namespace metile;

namespace {

void expectHas(const std::string &text, const std::vector<std::string> &parts) {
  EXPECT_EQ(text.find("INVALID"), std::string::npos) << text;
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis missing in\n" << text;
}

void expectLacks(const std::string &text, const std::string &part) {
  EXPECT_EQ(text.find(part), std::string::npos) << text;
}

TEST(Float8, ArithmeticIsDoneInF32) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y, Out<"b"> b) {
    grid(1);
    Tile t = x.load({0}, {16});
    EXPECT_EQ((t + t).dtype(), f32);
    EXPECT_EQ((t * 0.3f).dtype(), f32);
    EXPECT_EQ((-t).dtype(), f32);
    EXPECT_EQ(abs(t).dtype(), f32);
    EXPECT_EQ(exp(t).dtype(), f32);
    EXPECT_EQ(maximum(t, t).dtype(), f32);
    EXPECT_EQ(fma(t, 2, t).dtype(), f32);
    EXPECT_EQ((t + cast(t, f16)).dtype(), f32);
    EXPECT_EQ((t + arange(16)).dtype(), f32);
    EXPECT_EQ(t.sum(0).dtype(), f32);
    EXPECT_EQ(t.max(0).dtype(), f32);
    EXPECT_EQ(t.cumsum(0).dtype(), f32);
    EXPECT_EQ(reduce(t, 0, [](Tile p, Tile q) { return p * q; }).dtype(), f32);
    // What only moves elements keeps them.
    EXPECT_EQ(where(t > 0, t, t).dtype(), f8e4m3);
    EXPECT_EQ(sort(t).dtype(), f8e4m3);
    EXPECT_EQ(t.reshape({4, 4}).dtype(), f8e4m3);
    b.store({0}, t < 0.3f);
    y.store({0}, cast(t + 1, f8e4m3));
  });
  // 0.3 is rounded to f32, not to 8 bits.
  expectHas(moduleText(k, "x=f8e4m3:1 y=f8e4m3:1 b=bool:1"),
            {"arith.extf %0 : tensor<16xf8E4M3FN> to tensor<16xf32>", "3.000000e-01 : f32",
             "arith.cmpf olt", "tile.round", "tensor<16xf32> -> tensor<16xf8E4M3FN>"});
}

TEST(Float8, MeetsIntegersInF32) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y, Out<"z"> z, Out<"b"> b) {
    grid(1);
    Tile t = x.load({0}, {16});
    y.store({0}, cast(t, i32));
    z.store({0}, cast(cast(t, i32), f8e5m2));
    b.store({0}, cast(t, boolean));
  });
  expectHas(moduleText(k, "x=f8e5m2:1 y=i32:1 z=f8e5m2:1 b=bool:1"),
            {"tile.to_int", ": tensor<16xf32> -> tensor<16xi32>", "tile.from_int",
             ": tensor<16xi32> -> tensor<16xf32>", "tensor<16xf32> -> tensor<16xf8E5M2>",
             "arith.cmpf une"});
}

TEST(Float8, NumbersSaturate) {
  Kernel k = kernel("k", [](Out<"x"> x, Out<"y"> y) {
    grid(1);
    x.store({0}, full(f8e4m3, {16}, 1000));
    y.store({0}, full(f8e5m2, {16}, -1e9));
  });
  expectHas(moduleText(k, "x=f8e4m3:1 y=f8e5m2:1"), {"dense<4.480000e+02> : tensor<16xf8E4M3FN>",
                                                     "dense<-5.734400e+04> : tensor<16xf8E5M2>"});
}

TEST(Float8, DotAccumulatesInF32) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    grid(1);
    Tile t = x.load({0, 0, 0}, {2, 16, 16});
    y.store({0, 0, 0}, dot(t, t));
  });
  expectHas(moduleText(k, "x=f8e5m2:3 y=f32:3"),
            {"tensor<2x16x16xf8E5M2>, tensor<2x16x16xf8E5M2> -> tensor<2x16x16xf32>"});
}

TEST(Dot, BytesOfEitherSign) {
  Kernel k = kernel("k", [](In<"x"> x, In<"w"> w, Out<"y"> y) {
    grid(1);
    Tile t = x.load({0, 0, 0}, {2, 8, 16}), u = w.load({0, 0, 0}, {2, 16, 4});
    y.store({0, 0, 0}, dot(t, u));
  });
  std::string both = "tensor<2x8x16xi8>, tensor<2x16x4xi8> -> tensor<2x8x4xi32>";
  expectHas(moduleText(k, "x=i8:3 w=u8:3 y=i32:3"), {"unsigned_rhs", both});
  expectHas(moduleText(k, "x=u8:3 w=u8:3 y=i32:3"), {"unsigned_lhs unsigned_rhs", both});
  expectLacks(moduleText(k, "x=i8:3 w=i8:3 y=i32:3"), "unsigned");
}

TEST(Scan, AccumulatesInTheTypeOfSum) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    Index i = tile_of(x, 0, 4);
    y.store({i, 0}, x.load({i, 0}, {4, 8}).cumsum(1) + cumprod(x.load({i, 0}, {4, 8}), -2, true));
  });
  expectHas(moduleText(k, "x=f16 y=f32"),
            {"axis 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>", "arith.addf",
             "axis 0 reverse : (tensor<4x8xf32>) -> tensor<4x8xf32>", "arith.mulf"});
  expectHas(moduleText(k, "x=i8 y=i32"), {"arith.extsi", "(tensor<4x8xi32>) -> tensor<4x8xi32>"});
  expectHas(moduleText(k, "x=u16 y=u32"), {"arith.extui", "(tensor<4x8xi32>) -> tensor<4x8xi32>"});
  expectHas(moduleText(k, "x=bool y=i32"), {"arith.extui %4 : tensor<4x8xi1> to tensor<4x8xi32>"});
  expectHas(moduleText(k, "x=f64 y=f64"), {"(tensor<4x8xf64>) -> tensor<4x8xf64>"});
}

struct Best {
  Tile value, index;
};

TEST(Combine, StateIsWhateverIsMadeOfTiles) {
  auto text = [](auto make, auto read) {
    return moduleText(kernel("k",
                             [=](In<"x"> x, Out<"y"> y) {
                               grid(1);
                               Tile t = x.load({0}, {16});
                               auto state = make(t, arange(16));
                               auto both = reduce(state, 0, [&](auto a, auto b) {
                                 auto [av, ai] = a;
                                 auto [bv, bi] = b;
                                 Tile left = av > bv;
                                 return decltype(state){where(left, av, bv), where(left, ai, bi)};
                               });
                               y.store({0}, read(both));
                             }),
                      "x=f32:1 y=i64:1");
  };
  std::string asStruct =
      text([](Tile a, Tile b) { return Best{a, b}; }, [](const Best &b) { return b.index; });
  expectHas(asStruct,
            {"axis 0 : (tensor<16xf32>, tensor<16xi64>) -> (f32, i64)",
             "^bb0(%arg2: f32, %arg3: i64, %arg4: f32, %arg5: i64)", "tile.view_store %2#1"});
  EXPECT_EQ(asStruct, text([](Tile a, Tile b) { return std::tuple(a, b); },
                           [](const auto &t) { return std::get<1>(t); }));
  EXPECT_EQ(asStruct, text([](Tile a, Tile b) { return std::pair(a, b); },
                           [](const auto &t) { return t.second; }));
  EXPECT_EQ(asStruct, text([](Tile a, Tile b) { return std::array{a, b}; },
                           [](const auto &t) { return t[1]; }));
}

TEST(Combine, UsesScalarsFromOutside) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y, Scalar<"s"> s) {
    grid(1);
    Tile t = x.load({0}, {16}), base = x.load({0});
    for (Index i : range(4)) {
      base = base + cast(i, f32);
      t = associative_scan(t, 0, [&](Tile a, Tile b) { return a * s + b * base; });
    }
    y.store({0}, t);
  });
  expectHas(moduleText(k, "x=f32:1 y=f32:1 s=f32"), {"tile.scan", "scf.yield"});
}

TEST(Atomic, OperandsMaskOrderAndSign) {
  Kernel k = kernel("k", [](Ptr<"p"> p, Scalar<"n"> n) {
    grid(1);
    Tile i = arange(16);
    atomic_add(p, 1);
    atomic_max(p + i, 3, i < n);
    atomic_min(p + i, 3, i < n, sem::relaxed);
    atomic_xchg(p + i, 3, sem::release);
    atomic_cas(p, 0, 1, sem::acquire);
  });
  std::string text = moduleText(k, "p=u32");
  expectHas(text, {"tile.atomic_rmw add %arg0, %c1_i32 : !tile.ptr<i32>, i32",
                   "tile.atomic_rmw max unsigned", "mask tensor<16xi1>",
                   "tile.atomic_rmw min unsigned relaxed", "tile.atomic_rmw xchg release",
                   "tile.atomic_cas acquire %arg0, %c0_i32, "});
  expectLacks(moduleText(k, "p=i32"), "unsigned");
}

TEST(Atomic, OnViewsIsClipped) {
  Kernel k = kernel("k", [](InOut<"x"> x) {
    Index i = tile_of(x, 0, 4);
    x.atomic_add({i, 0}, zeros(f32, {4, 8}));
    x.atomic_add({i, 1}, 1);
    x.atomic_cas({i, 0}, zeros(f32, {4, 8}), 1);
  });
  std::string text = moduleText(k, "");
  expectHas(text, {"-> tensor<4x8x!tile.ptr<f32>>, tensor<4x8xi1>",
                   "tile.atomic_rmw add %ptr, %cst, %inside : tensor<4x8x!tile.ptr<f32>>, "
                   "tensor<4x8xf32> mask tensor<4x8xi1>",
                   "tile.view_pointers %5[] : !tile.view<f32, []> -> !tile.ptr<f32>, i1",
                   "tile.atomic_cas"});
}

template <class T>
constexpr bool isOperand = requires(T x) { x + 1; } || requires(T x) { x && x; } || requires(T x) {
  x < x;
} || requires(T x) { join(x, x); } || requires(T x) { dot(x, x); };
static_assert(isOperand<Tile> && !isOperand<OldValue>);

TEST(Atomic, AnOldValueIsNamed) {
  Kernel k = kernel("k", [](Ptr<"p"> p, Out<"y"> y) {
    grid(1);
    Tile old = atomic_add(p, 1);
    Index ticket = atomic_add(p, 1);
    y.store({ticket}, old);
    old = atomic_xchg(p, 7);
    y.store({0}, old + 1);
  });
  expectHas(moduleText(k, "p=i32 y=i32:1"), {"arith.extsi", "tile.atomic_rmw xchg"});
}

TEST(Atomic, KeepsItsPlaceAmongLoadsAndStores) {
  Kernel k = kernel("k", [](Ptr<"p"> p, In<"x"> x, Out<"y"> y) {
    grid(1);
    Tile before = load(p), other = x.load({0});
    atomic_add(p, 1);
    Tile after = load(p);
    y.store({0}, before + after + other);
  });
  std::string text = traceText(k, "x=f32:1 y=f32:1");
  size_t atomic = text.find("atomicRmw");
  std::string head = text.substr(0, atomic), tail = text.substr(atomic);
  EXPECT_EQ(count(head, " load"), 1u) << text;
  EXPECT_EQ(count(tail, " load"), 1u) << text;
  EXPECT_EQ(count(tail, "viewLoad"), 1u) << text;
}

TEST(Sort, KeysAreReadByTheirSign) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y, Out<"i"> i) {
    Index m = tile_of(x, 0, 4);
    Tile t = x.load({m, 0}, {4, 16});
    auto [values, at] = topk_with_indices(t, 4);
    y.store({m, 0}, sort(values, 0));
    i.store({m, 0}, at);
  });
  std::string topk = "axis 1 descending : (tensor<4x16xf32>, tensor<4x16xi64>) -> "
                     "(tensor<4x4xf32>, tensor<4x4xi64>)";
  expectHas(moduleText(k, "i=i64"), {topk, "axis 0 : (tensor<4x4xf32>) -> tensor<4x4xf32>"});
  expectLacks(moduleText(k, "i=i64"), "unsigned");
  expectHas(moduleText(k, "x=u8 y=u8 i=i64"), {"axis 1 unsigned descending", "axis 0 unsigned :"});
}

TEST(Histogram, UnsignedNumbersStayPositive) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    grid(1);
    y.store({0}, histogram(x.load({0}, {64}), 256));
  });
  expectHas(moduleText(k, "x=u8:1 y=i32:1"),
            {"arith.extui", "tile.histogram %1 : tensor<64xi64> -> tensor<256xi32>"});
  expectHas(moduleText(k, "x=i16:1 y=i32:1"),
            {"tile.histogram %0 : tensor<64xi16> -> tensor<256xi32>"});
}

TEST(MulHi, SignComesFromTheType) {
  Kernel k = kernel("k", [](InOut<"x"> x) {
    grid(1);
    Tile t = x.load({0}, {16});
    x.store({0}, mulhi(t, 3));
  });
  expectHas(moduleText(k, "x=u64:1"), {"tile.mulhi unsigned"});
  expectLacks(moduleText(k, "x=i64:1"), "unsigned");
}

TEST(Debug, IsShownInTheOrderOfTheBody) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y, Scalar<"n"> n) {
    grid(1);
    Tile t = x.load({0}, {16});
    print("x \"and\" n", t, n);
    device_assert(t > 0, "positive");
    if_(n > 3, [&] { print("large"); });
    for (Index i : range(n))
      probe("t", t + cast(i, f32));
    y.store({0}, t);
  });
  std::string text = moduleText(k, "x=f32:1 y=f32:1");
  expectHas(text, {"tile.print \"x \\22and\\22 n\", %0, %arg2 : tensor<16xf32>, i32", "tile.assert",
                   "\"positive\" : tensor<16xi1>", "tile.print \"large\"", "tile.probe \"t\""});
  size_t last = 0;
  for (const char *part : {"tile.print", "tile.assert", "scf.if", "scf.for", "tile.view_store"}) {
    EXPECT_LT(last, text.find(part)) << text;
    last = text.find(part);
  }
  // What is said is part of what the kernel does.
  expectHas(traceText(k, "x=f32:1 y=f32:1"), {"print %5, %2 \"x \\\"and\\\" n\""});
}

TEST(Debug, TextMustNotChangeBetweenTrips) {
  Kernel k = kernel("k", [](Out<"y"> y) {
    grid(1);
    int trips = 0;
    for (Index i : range(3)) {
      print("trip " + std::to_string(++trips));
      y.store({i}, 1);
    }
  });
  EXPECT_TRUE(has(traceText(k, "y=f32:1"), "did something else")) << traceText(k, "y=f32:1");
}

TEST(Inlined, ReturnsWhateverIsMadeOfTiles) {
  Kernel k = kernel("k", [](In<"x"> x, Out<"y"> y) {
    Index i = tile_of(y, 0, 16);
    auto rotate = inlined(
        [](Tile a, Tile b, float angle) { return std::pair{a * angle - b, b * angle + a}; });
    auto largest = inlined([](Tile t) { return Best{t.max(0), t.argmax(0)}; });
    auto powers = inlined([](Tile t) noexcept { return std::array{t, t * t, t * t * t}; });
    Tile t = x.load({i}, {16});
    auto [u, v] = rotate(t, t + 1, 0.5f);
    Best best = largest(u);
    y.store({i}, v + best.value + cast(best.index, f32) + powers(t)[2]);
  });
  std::string text = moduleText(k, "x=f32:1 y=f32:1");
  expectHas(text, {});
  EXPECT_EQ(count(text, "tile.reduce"), 2u) << text;
}

TEST(Random, ADrawIsMadeOfIntegerArithmetic) {
  Kernel k = kernel("k", [](Out<"y"> y, Scalar<"seed"> seed) {
    Index i = tile_of(y, 0, 16);
    y.store({i}, rand(seed, i + arange(16)) + rand4x(7, cast(arange(16), i32))[3]);
  });
  std::string text = moduleText(k, "y=f32:1 seed=i64");
  expectHas(text, {"tile.mulhi unsigned", "tile.shr unsigned", "arith.cmpi slt"});
  EXPECT_LT(count(text, "tile.mulhi"), 40u) << "numbers that nobody uses are not drawn";
  Kernel n = kernel("n", [](Out<"y"> y) {
    grid(1);
    y.store({0}, randn(7, arange(16), 6) + randn4x(7, arange(16))[2]);
  });
  expectHas(moduleText(n, "y=f32:1"), {"math.log", "math.sqrt", "math.cos"});
}

} // namespace
