// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of the language's meaning, each with numbers that tell a right target from one that is
// almost right. What must come out is written here, not taken from the interpreter, which has to
// pass like any other device.

#include "Harness.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace metile::conformance {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
static constexpr int64_t lowest64 = std::numeric_limits<int64_t>::min();

using Numbers = std::vector<Number>;

static Numbers ints(std::initializer_list<int64_t> values) {
  Numbers numbers;
  for (int64_t value : values)
    numbers.push_back({value, 0});
  return numbers;
}

static Numbers reals(std::initializer_list<double> values) {
  Numbers numbers;
  for (double value : values)
    numbers.push_back({0, value});
  return numbers;
}

static Array arrayOf(DType dtype, const Numbers &values) {
  Array array(dtype, {static_cast<int64_t>(values.size())});
  array.setAll(values);
  return array;
}

static Array scalarOf(DType dtype, Number value) {
  Array array(dtype, {});
  array.set(0, value);
  return array;
}

using Block = Const<"BLOCK", 16>;
using Unary = std::function<Tile(const Tile &)>;
using Binary = std::function<Tile(const Tile &, const Tile &)>;

/// `function` of each element of `x` is `expected`.
static void unary(Suite &suite, const std::string &line, DType from, const Numbers &x, DType to,
                  const Numbers &expected, Unary function, const std::string &schedule = {}) {
  Kernel elementwise = kernel("unary", [function](In<"x"> x, Out<"y"> y, Block block) {
    Index i = tile_of(y, 0, block);
    y.store({i}, function(x.load({i}, {block})));
  });
  Check check{"", elementwise, {arrayOf(from, x), arrayOf(to, expected)}, {1}, {{"BLOCK", 16}}};
  check.schedule = schedule;
  suite.runMeaning(line, std::move(check), {expected});
}

static void binary(Suite &suite, const std::string &line, DType from, const Numbers &a,
                   const Numbers &b, DType to, const Numbers &expected, Binary function) {
  Kernel elementwise = kernel("binary", [function](In<"a"> a, In<"b"> b, Out<"y"> y, Block block) {
    Index i = tile_of(y, 0, block);
    y.store({i}, function(a.load({i}, {block}), b.load({i}, {block})));
  });
  suite.runMeaning(line,
                   {"",
                    elementwise,
                    {arrayOf(from, a), arrayOf(from, b), arrayOf(to, expected)},
                    {2},
                    {{"BLOCK", 16}}},
                   {expected});
}

/// `function` of a tile that holds exactly the elements of `x` is `expected`, a scalar.
static void whole(Suite &suite, const std::string &line, DType from, const Numbers &x, DType to,
                  Number expected, Unary function) {
  auto count = static_cast<int64_t>(x.size());
  Kernel reducing = kernel("whole", [=](In<"x"> x, Out<"y"> y) {
    grid(1);
    y.store({0}, reshape(function(x.load({0}, {count})), {1}));
  });
  suite.runMeaning(line, {"", reducing, {arrayOf(from, x), Array(to, {1})}, {1}}, {{expected}});
}

static void indices(Suite &suite) {
  Kernel products = kernel("products", [](Out<"y"> y, Scalar<"n"> n) {
    grid(3);
    Index p = program_id(0);
    y.store({p}, reshape(cast(p * n * n + n, i64), {1}));
  });
  int64_t n = int64_t(1) << 20;
  suite.runMeaning("Index: 64-bit in meaning",
                   {"", products, {Array(i64, {3}), scalarOf(i64, {n, 0})}, {0}},
                   {ints({n, n * n + n, 2 * n * n + n})});
  Kernel wide = kernel("wide", [](Out<"y"> y, Scalar<"n"> n) {
    grid(1);
    y.store({0}, (arange(4) + n) * n);
  });
  suite.runMeaning("Index: 64-bit in meaning",
                   {"", wide, {Array(i64, {4}), scalarOf(i64, {n, 0})}, {0}},
                   {ints({n * n, (n + 1) * n, (n + 2) * n, (n + 3) * n})});
}

static void edges(Suite &suite) {
  Numbers four = reals({1, 2, 3, 4});
  for (bool hasFill : {false, true}) {
    Kernel over = kernel("over", [hasFill](In<"x"> x, Out<"y"> y) {
      grid(1);
      y.store({0}, hasFill ? x.load({-2}, {8}, 9) : x.load({-2}, {8}));
    });
    double out = hasFill ? 9 : 0;
    suite.runMeaning(hasFill ? "view load over the edge: lanes outside give the fill value"
                             : "view load over the edge: zero when no fill is given",
                     {"", over, {arrayOf(f32, four), Array(f32, {8})}, {1}},
                     {reals({out, out, 1, 2, 3, 4, out, out})});
    Kernel masked = kernel("masked", [hasFill](Ptr<"x"> x, Out<"y"> y) {
      grid(1);
      Tile i = arange(8);
      Tile inside = i < 4 && i != 1;
      y.store({0}, hasFill ? load(x + i, inside, 9) : load(x + i, inside));
    });
    suite.runMeaning(hasFill ? "masked load: lanes outside give the fill value"
                             : "masked load: zero when no fill is given",
                     {"", masked, {arrayOf(f32, four), Array(f32, {8})}, {1}},
                     {reals({1, out, 3, 4, out, out, out, out})});
  }
  Kernel clipped = kernel("clipped", [](InOut<"y"> y) {
    grid(1);
    y.store({-1}, cast(arange(8), f32));
    y.store({100}, cast(arange(8), f32));
  });
  suite.runMeaning("stores are clipped; nothing outside is touched",
                   {"", clipped, {Array(f32, {4})}, {0}}, {reals({1, 2, 3, 4})});
}

/// [1, K] · [K, 1] of rows `a` and `b`.
static void dotOf(Suite &suite, const std::string &line, DType dtype, DType acc, const Numbers &a,
                  const Numbers &b, Number expected) {
  auto depth = static_cast<int64_t>(a.size());
  Kernel product = kernel("product", [=](In<"a"> a, In<"b"> b, Out<"c"> c) {
    grid(1);
    Tile x = a.load({0}, {depth}).expand(0), y = b.load({0}, {depth}).expand(1);
    c.store({0}, reshape(dot(x, y), {1}));
  });
  suite.runMeaning(line,
                   {"", product, {arrayOf(dtype, a), arrayOf(dtype, b), Array(acc, {1})}, {2}},
                   {{expected}});
}

static void products(Suite &suite) {
  for (DType dtype : {f16, bf16}) {
    // In the operands' type the sum would stay at the first term, or overflow.
    double big = dtype == f16 ? 2048 : 256;
    dotOf(suite, "dot: f16 and bf16 accumulate in f32", dtype, f32, reals({big, 1, 1, 1}),
          reals({1, 1, 1, 1}), {0, big + 3});
  }
  dotOf(suite, "dot: f16 and bf16 accumulate in f32", f16, f32, reals({60000, 60000}),
        reals({2, 2}), {0, 240000});
  for (DType dtype : {f8e4m3, f8e5m2})
    dotOf(suite, "dot: fp8 accumulates in f32", dtype, f32, reals({256, 1, 1, 1}),
          reals({1, 1, 1, 1}), {0, 259});
  dotOf(suite, "dot: f32 is IEEE f32, not TF32", f32, f32, reals({1 + 0x1p-20, 0}), reals({1, 0}),
        {0, 1 + 0x1p-20});
  dotOf(suite, "dot: int8 accumulates in int32", i8, i32, ints({127, 127, -128, 1}),
        ints({127, 127, -128, -1}), {2 * 127 * 127 + 128 * 128 - 1, 0});
  dotOf(suite, "dot: uint8 is zero-extended", u8, i32, ints({255, 255}), ints({255, 255}),
        {2 * 255 * 255, 0});
}

static void sums(Suite &suite) {
  Numbers ones(4096, Number{1, 1});
  auto sum = [](const Tile &x) { return x.sum(0); };
  for (DType dtype : {f16, bf16, f32})
    whole(suite, "reductions: narrow floats accumulate in f32", dtype, ones, f32, {0, 4096}, sum);
  whole(suite, "reductions: f64 accumulates in f64", f64, reals({1, 0x1p-40, 0, 0}), f64,
        {0, 1 + 0x1p-40}, sum);
  Numbers bytes(4096, Number{-100, 0}), unsignedBytes(4096, Number{200, 0});
  whole(suite, "reductions: narrow integers accumulate in 32 bits of the same sign", i8, bytes, i32,
        {-409600, 0}, sum);
  whole(suite, "reductions: narrow integers accumulate in 32 bits of the same sign", u8,
        unsignedBytes, u32, {819200, 0}, sum);
  whole(suite, "reductions: i64 accumulates in i64", i64, ints({int64_t(1) << 40, 1}), i64,
        {(int64_t(1) << 40) + 1, 0}, sum);
  whole(suite, "reductions: identities are true ones", f32, reals({-infinity, -infinity}), f32,
        {0, -infinity}, [](const Tile &x) { return x.max(0); });
  whole(suite, "reductions: identities are true ones", f32, reals({infinity, infinity}), f32,
        {0, infinity}, [](const Tile &x) { return x.min(0); });
}

static void notNumbers(Suite &suite) {
  Numbers withNaN = reals({1, notANumber, 3, notANumber}), ties = reals({2, 5, 5, 1});
  for (DType dtype : {f16, bf16, f32, f64}) {
    auto expect = [&](const std::string &line, const Numbers &x, DType to, Number value,
                      Unary function) { whole(suite, line, dtype, x, to, value, function); };
    std::string propagates = "NaN: max, min, argmax, argmin propagate by default";
    expect(propagates, withNaN, dtype, {0, notANumber}, [](auto &x) { return x.max(0); });
    expect(propagates, withNaN, dtype, {0, notANumber}, [](auto &x) { return x.min(0); });
    expect(propagates, withNaN, i64, {1, 0}, [](auto &x) { return x.argmax(0); });
    expect(propagates, withNaN, i64, {1, 0}, [](auto &x) { return x.argmin(0); });
    std::string ignores = "NaN: nan::ignore gives IEEE maxNum";
    expect(ignores, withNaN, dtype, {0, 3}, [](auto &x) { return x.max(0, nan::ignore); });
    expect(ignores, withNaN, dtype, {0, 1}, [](auto &x) { return x.min(0, nan::ignore); });
    expect(ignores, withNaN, i64, {2, 0}, [](auto &x) { return x.argmax(0, nan::ignore); });
    expect(ignores, withNaN, i64, {0, 0}, [](auto &x) { return x.argmin(0, nan::ignore); });
    expect("NaN: ties go to the lowest index", ties, i64, {1, 0},
           [](auto &x) { return x.argmax(0); });
    expect("NaN: ties go to the lowest index", reals({2, 1, 3, 1}), i64, {1, 0},
           [](auto &x) { return x.argmin(0); });
  }
}

static void integerDivision(Suite &suite) {
  for (DType dtype : {i8, i16, i32, i64}) {
    int64_t lowest = lowest64 >> (64 - 8 * byteSize(dtype));
    auto expect = [&](const std::string &line, const Numbers &a, const Numbers &b,
                      const Numbers &expected, Binary function) {
      binary(suite, line, dtype, a, b, dtype, expected, function);
    };
    Numbers a = ints({7, -7, 7, -7}), b = ints({2, 2, -2, -2});
    auto div = [](auto &x, auto &y) { return x / y; };
    auto rem = [](auto &x, auto &y) { return x % y; };
    expect("integer / and %: truncate toward zero", a, b, ints({3, -3, -3, 3}), div);
    expect("integer / and %: truncate toward zero", a, b, ints({1, -1, 1, -1}), rem);
    Numbers some = ints({5, -5, 0, lowest}), zeros = ints({0, 0, 0, 0});
    expect("integer / and %: by zero gives 0", some, zeros, zeros, div);
    expect("integer / and %: by zero gives 0", some, zeros, zeros, rem);
    expect("integer / and %: MIN/-1 wraps, nothing traps", ints({lowest}), ints({-1}),
           ints({lowest}), div);
    expect("integer / and %: MIN/-1 wraps, nothing traps", ints({lowest}), ints({-1}), ints({0}),
           rem);
    expect("integer: floor_div, floor_mod, cdiv by name", a, b, ints({3, -4, -4, 3}),
           [](auto &x, auto &y) { return floor_div(x, y); });
    expect("integer: floor_div, floor_mod, cdiv by name", a, b, ints({1, 1, -1, -1}),
           [](auto &x, auto &y) { return floor_mod(x, y); });
    expect("integer: floor_div, floor_mod, cdiv by name", a, b, ints({4, -3, -3, 4}),
           [](auto &x, auto &y) { return cdiv(x, y); });
  }
  binary(suite, "integer / and %: by zero gives 0", u32, ints({5, 0}), ints({0, 0}), u32,
         ints({0, 0}), [](auto &x, auto &y) { return x / y; });
}

static void shifts(Suite &suite) {
  std::string line = "shifts: by the width or more give 0 (or the sign)";
  for (DType dtype : {i8, i16, i32, i64}) {
    auto width = static_cast<int64_t>(8 * byteSize(dtype));
    Numbers amounts = ints({width, width + 1, -1, width - 1});
    int64_t top = lowest64 >> (64 - width);
    binary(suite, line, dtype, ints({1, 1, 1, 1}), amounts, dtype, ints({0, 0, 0, top}),
           [](auto &x, auto &y) { return x << y; });
    binary(suite, line, dtype, ints({-5, 5, -5, -5}), amounts, dtype, ints({-1, 0, -1, -1}),
           [](auto &x, auto &y) { return x >> y; });
  }
  binary(suite, line, u32, ints({-1 & 0xffffffff, 8}), ints({32, 3}), u32, ints({0, 1}),
         [](auto &x, auto &y) { return x >> y; });
}

static void conversionRules(Suite &suite) {
  auto to = [](DType dtype) { return [dtype](const Tile &x) { return cast(x, dtype); }; };
  Numbers wild = reals({1.9, -1.9, 1e30, -1e30, infinity, -infinity, notANumber});
  constexpr int64_t high32 = std::numeric_limits<int32_t>::max();
  unary(suite, "float to int: saturates, NaN gives 0", f32, wild, i32,
        ints({1, -1, high32, -high32 - 1, high32, -high32 - 1, 0}), to(i32));
  unary(suite, "float to int: saturates, NaN gives 0", f32, wild, i8,
        ints({1, -1, 127, -128, 127, -128, 0}), to(i8));
  unary(suite, "float to int: saturates, NaN gives 0", f64, wild, u64,
        ints({1, 0, -1, 0, -1, 0, 0}), to(u64));
  unary(suite, "float to int: saturates, NaN gives 0", f16, reals({60000, -3, notANumber}), u8,
        ints({255, 0, 0}), to(u8));
  unary(suite, "int to narrower int: wraps", i32, ints({300, -300, 128, -129}), i8,
        ints({44, -44, -128, 127}), to(i8));
  unary(suite, "int to narrower int: wraps", i64, ints({(int64_t(1) << 40) + 7, -1}), u32,
        ints({7, 0xffffffff}), to(u32));
  // Rounded to a double first, this is a tie that falls the other way.
  unary(suite, "int to float: rounds once", i64,
        ints({(int64_t(1) << 54) + (int64_t(1) << 30) + 1}), f32, reals({0x1.000002p54}), to(f32));
  unary(suite, "int to float: rounds once", i32, ints({16777217, 16777219, -16777219}), f32,
        reals({16777216, 16777220, -16777220}), to(f32));
  unary(suite, "int to float: rounds once", i32, ints({2049, 2051, 70000}), f16,
        reals({2048, 2052, infinity}), to(f16));
  // The last two: just off the tie, which a rounding to f32 on the way would lose.
  Numbers fine = reals({1 + 0x1p-11, 1 + 0x3p-11, 0x1p-25, 0x1.8p-24, 65519, 65520, notANumber,
                        1 + 0x1p-11 + 0x1p-40, 1 + 0x3p-11 - 0x1p-40});
  unary(suite, "float to f16: nearest even, one rounding, subnormals right", f64, fine, f16,
        reals({1, 1 + 0x1p-9, 0, 0x1p-23, 65504, infinity, notANumber, 1 + 0x1p-10, 1 + 0x1p-10}),
        to(f16));
  unary(suite, "float to bf16: nearest even, one rounding, subnormals right", f64,
        reals({1 + 0x1p-8, 1 + 0x3p-8, 0x1p-134, 0x1.8p-133, 0x1.ffp127, notANumber,
               1 + 0x1p-8 + 0x1p-40}),
        bf16, reals({1, 1 + 0x1p-6, 0, 0x1p-132, infinity, notANumber, 1 + 0x1p-7}), to(bf16));
  unary(suite, "float to fp8: nearest even, saturates (both kinds), NaN stays NaN", f32,
        reals({464, 465, 1e9, -infinity, notANumber, 17, 19, 0x1p-10, 0x1.8p-10}), f8e4m3,
        reals({448, 448, 448, -448, notANumber, 16, 20, 0, 0x1p-9}), to(f8e4m3));
  unary(suite, "float to fp8: nearest even, saturates (both kinds), NaN stays NaN", f32,
        reals({61440, 1e9, -infinity, notANumber, 9, 11, 0x1p-17, 0x1.8p-17}), f8e5m2,
        reals({57344, 57344, -57344, notANumber, 8, 12, 0, 0x1p-16}), to(f8e5m2));
  // Just off a tie of f8e4m3 between 16 and 18.
  unary(suite, "float to fp8: nearest even, saturates (both kinds), NaN stays NaN", f64,
        reals({17 + 0x1p-30, 17}), f8e4m3, reals({18, 16}), to(f8e4m3));
  unary(suite, "subnormals: kept", f32, reals({0x1p-140, 0x1p-126, -0x1p-149}), f32,
        reals({0x1p-139, 0x1p-125, -0x1p-148}), [](auto &x) { return x + x; });
  unary(suite, "subnormals: kept", f32, reals({0x1p-126, 0x1.8p-126}), f32,
        reals({0x1p-127, 0x1.8p-127}), [](auto &x) { return x * 0.5; });
  unary(suite, "subnormals: kept", f16, reals({0x1p-24, 0x1p-14}), f32, reals({0x1p-24, 0x1p-14}),
        to(f32));
}

static void functions(Suite &suite) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    auto expect = [&](const Numbers &x, const Numbers &expected, Unary function) {
      unary(suite, "exp, log, tanh, erf, …: exact where the result is", dtype, x, dtype, expected,
            function);
    };
    expect(reals({0, -infinity, infinity, notANumber}), reals({1, 0, infinity, notANumber}),
           [](auto &x) { return exp(x); });
    expect(reals({3, -2, -infinity}), reals({8, 0.25, 0}), [](auto &x) { return exp2(x); });
    expect(reals({1, 0, infinity, -1}), reals({0, -infinity, infinity, notANumber}),
           [](auto &x) { return log(x); });
    expect(reals({8, 0.25, 0}), reals({3, -2, -infinity}), [](auto &x) { return log2(x); });
    expect(reals({0, infinity, -infinity}), reals({0, 1, -1}), [](auto &x) { return tanh(x); });
    expect(reals({0, infinity, -infinity}), reals({0, 1, -1}), [](auto &x) { return erf(x); });
    expect(reals({0, -infinity, infinity}), reals({0.5, 0, 1}), [](auto &x) { return sigmoid(x); });
    expect(reals({4, 2.25, 0, infinity, -1}), reals({2, 1.5, 0, infinity, notANumber}),
           [](auto &x) { return sqrt(x); });
    expect(reals({4, 0.25, infinity, 0}), reals({0.5, 2, 0, infinity}),
           [](auto &x) { return rsqrt(x); });
    expect(reals({0, infinity}), reals({0, notANumber}), [](auto &x) { return sin(x); });
    expect(reals({0, infinity}), reals({1, notANumber}), [](auto &x) { return cos(x); });
  }
}

/// A function, its value in extended precision, where it is asked, and the bound that the manual
/// states.
struct MathFunction {
  const char *name;
  Unary tile;
  long double (*exact)(long double);
  double low, high;
  double ulps;
};

static void accuracy(Suite &suite) {
  using Wide = long double;
  static const MathFunction functions[] = {
      {"exp", [](auto &x) { return exp(x); }, [](Wide x) { return std::exp(x); }, -87, 88, 1.5},
      {"exp2", [](auto &x) { return exp2(x); }, [](Wide x) { return std::exp2(x); }, -125, 127,
       1.5},
      {"log", [](auto &x) { return log(x); }, [](Wide x) { return std::log(x); }, 1e-5, 9, 2},
      {"log2", [](auto &x) { return log2(x); }, [](Wide x) { return std::log2(x); }, 1e-5, 9, 2},
      {"sqrt", [](auto &x) { return sqrt(x); }, [](Wide x) { return std::sqrt(x); }, 0, 1e9, 0.5},
      {"rsqrt", [](auto &x) { return rsqrt(x); }, [](Wide x) { return 1 / std::sqrt(x); }, 1e-9,
       1e9, 2},
      {"tanh", [](auto &x) { return tanh(x); }, [](Wide x) { return std::tanh(x); }, -9, 9, 3},
      {"erf", [](auto &x) { return erf(x); }, [](Wide x) { return std::erf(x); }, -4, 4, 2},
      {"sigmoid", [](auto &x) { return sigmoid(x); }, [](Wide x) { return 1 / (1 + std::exp(-x)); },
       -80, 80, 4},
      {"sin", [](auto &x) { return sin(x); }, [](Wide x) { return std::sin(x); }, -4, 4, 2},
      {"sin of large numbers", [](auto &x) { return sin(x); }, [](Wide x) { return std::sin(x); },
       -1e7, 1e7, 2},
      {"cos", [](auto &x) { return cos(x); }, [](Wide x) { return std::cos(x); }, -4, 4, 2},
      {"cos of large numbers", [](auto &x) { return cos(x); }, [](Wide x) { return std::cos(x); },
       -1e7, 1e7, 2},
  };
  constexpr int64_t count = 1009;
  for (const MathFunction &function : functions)
    for (DType dtype : {f32, f64}) {
      Numbers x, expected;
      for (int64_t i = 0; i < count; ++i) {
        double part = std::fmod(static_cast<double>(i) * std::numbers::phi, 1.0);
        double at = function.low + (function.high - function.low) * part * part;
        at = dtype == f32 ? static_cast<float>(at) : at;
        x.push_back({0, at});
        expected.push_back({0, static_cast<double>(function.exact(at))});
      }
      Kernel elementwise = kernel("function", [&](In<"x"> x, Out<"y"> y, Block block) {
        Index i = tile_of(y, 0, block);
        y.store({i}, function.tile(x.load({i}, {block})));
      });
      Check check{
          "", elementwise, {arrayOf(dtype, x), Array(dtype, {count})}, {1}, {{"BLOCK", 16}}};
      // What is expected of f64 has been rounded once itself.
      check.bound = ulps(dtype, function.ulps + (dtype == f64 ? 0.5 : 0));
      suite.runMeaning("exp, log, tanh, erf, …: within the bounds stated", std::move(check),
                       {expected});
    }
}

/// A kernel of one tile of `extent` elements.
static Kernel sized(int64_t extent) {
  return kernel("sized", [extent](Out<"y"> y) {
    grid(1);
    y.store({0}, zeros(f32, {extent}));
  });
}

static void tileSizes(Suite &suite) {
  std::string line = "tile sizes: powers of two up to 2²⁰; errors name axis and nearest sizes";
  // Problem sizes are free, whatever the tile.
  for (int64_t extent : {16, 64, 1 << 20})
    suite.runMeaning(line, {"", sized(extent), {Array(f32, {13})}, {0}}, {Numbers(13)});
  for (auto [extent, allowed] : {std::pair<int64_t, const char *>{96, "axis 0"},
                                 {96, "64 and 128"},
                                 {1 << 21, "at most 1048576"}}) {
    Result<Executable> built =
        suite.build(sized(extent), {{f32, {13}}}, "", SizeFacts::none, suite.device());
    std::string text = built ? "a tile of " + std::to_string(extent) + " elements was accepted"
                             : built.errors().str();
    suite.noteMeaning(line, !built && text.find(allowed) != text.npos ? "" : text);
  }
}

static void exactness(Suite &suite) {
  // x² - x² rounded: 0 in two roundings, the error of the product in one.
  double x = 1 + 0x1p-12, square = 1 + 0x1p-11;
  Unary form = [square](const Tile &v) { return v * v - square; };
  unary(suite, "contraction: math=strict forbids it", f32, reals({x}), f32, reals({0}), form,
        "math=strict");
  Kernel contracted = kernel("contracted", [form](In<"x"> x, Out<"y"> y) {
    grid(1);
    y.store({0}, form(x.load({0}, {1})));
  });
  Check once{"", contracted, {arrayOf(f32, reals({x})), Array(f32, {1})}, {1}};
  once.bound = [](double) { return 0x1p-24; };
  suite.runMeaning("contraction: a·b+c rounds once or twice", std::move(once), {reals({0})});

  std::string line = "fast math: never unless asked for";
  unary(suite, line, f32, reals({1}), f32, reals({0}), [](auto &v) { return (v + 1e30) - 1e30; });
  unary(suite, line, f32, reals({infinity, notANumber}), f32, reals({notANumber, notANumber}),
        [](auto &v) { return v - v; });
  unary(suite, line, f32, reals({infinity, notANumber, 2}), f32, reals({notANumber, notANumber, 0}),
        [](auto &v) { return v * 0; });
  unary(suite, line, f32, reals({3, 49}), f32, reals({1, 1}), [](auto &v) { return v / v; });
}

static void emptiness(Suite &suite) {
  Kernel product = kernel("product", [](In<"a"> a, In<"b"> b, Out<"c"> c) {
    Index i = tile_of(c, 0, 16), j = tile_of(c, 1, 16);
    Tile sum = zeros(f32, {16, 16});
    for (Index k : range(0, a.size(1), 16))
      sum = dot(a.load({i, k}, {16, 16}), b.load({k, j}, {16, 16}), sum);
    c.store({i, j}, sum);
  });
  auto run = [&](const std::string &line, int64_t m, int64_t n, int64_t k,
                 const Numbers &expected) {
    suite.runMeaning(
        line, {"", product, {Array(f32, {m, k}), Array(f32, {k, n}), Array(f32, {m, n})}, {2}},
        {expected});
  };
  run("K = 0: writes zeros", 3, 5, 0, Numbers(15));
  run("empty tensor: a success that does nothing", 0, 5, 4, {});
  run("empty tensor: a success that does nothing", 3, 0, 4, {});
  run("empty tensor: a success that does nothing", 0, 0, 0, {});
  Kernel nothing = kernel("nothing", [](InOut<"y"> y, Scalar<"n"> n) {
    grid(n);
    y.store({0}, zeros(f32, {2}));
  });
  for (int64_t n : {0, -3}) {
    Check check{"", nothing, {arrayOf(f32, reals({1, 2})), scalarOf(i64, {n, 0})}, {0}};
    check.keepsOutputs = true;
    suite.runMeaning("empty grid: a success that does nothing", std::move(check), {reals({1, 2})});
  }
}

/// A masked softmax as one writes it: a row that is masked altogether comes out as zeros.
static void maskedSoftmax(Suite &suite) {
  Kernel softmax = kernel("masked_softmax", [](In<"x"> x, Out<"y"> y, In<"length"> length) {
    Index row = tile_of(y, 0, 1);
    Tile inside = (arange(4).expand(0) < length.load({row}, {1}).expand(1));
    Tile score = where(inside, x.load({row, 0}, {1, 4}), -INFINITY);
    Tile best = score.max(1);
    Tile shifted = score - where(best == -INFINITY, 0, best).expand(1);
    Tile weight = exp(shifted), total = weight.sum(1);
    y.store({row, 0}, weight / where(total == 0, 1, total).expand(1));
  });
  Array x(f32, {2, 4});
  x.setAll(reals({7, 7, 1, 2, 3, 4, 5, 6}));
  suite.runMeaning("softmax of a fully masked row: zeros",
                   {"", softmax, {x, Array(f32, {2, 4}), arrayOf(i64, ints({2, 0}))}, {1}},
                   {reals({0.5, 0.5, 0, 0, 0, 0, 0, 0})});
}

static void repeatability(Suite &suite) {
  Kernel summing = kernel("sums", [](In<"x"> x, Out<"y"> y) {
    Index i = tile_of(y, 0, 4);
    Tile total = zeros(f32, {4, 64});
    for (Index j : range(0, x.size(1), 64))
      total += x.load({i, j}, {4, 64});
    y.store({i}, total.sum(1));
  });
  Array x(f32, {37, 1000});
  x.fillRandom(97);
  Numbers expected;
  for (int64_t i = 0; i < 37; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < 1000; ++j)
      sum += x.get(i * 1000 + j).real;
    expected.push_back({0, sum});
  }
  Check check{"", summing, {x, Array(f32, {37})}, {1}};
  check.bound = [](double) { return 1e-3; }; // What matters here is that both runs agree.
  check.runsTwice = true;
  suite.runMeaning("same input twice: bit-identical output", std::move(check), {expected});
}

void meaning(Suite &suite) {
  indices(suite);
  edges(suite);
  products(suite);
  sums(suite);
  notNumbers(suite);
  integerDivision(suite);
  conversionRules(suite);
  shifts(suite);
  functions(suite);
  accuracy(suite);
  tileSizes(suite);
  exactness(suite);
  maskedSoftmax(suite);
  emptiness(suite);
  repeatability(suite);
}

} // namespace metile::conformance
