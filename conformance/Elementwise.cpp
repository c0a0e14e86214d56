// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons, bit operations, select, math functions and conversions.

#include "Harness.h"

#include <fmt/format.h>

namespace metile::conformance {

static const std::vector<DType> floats = {f16, bf16, f32, f64};
static const std::vector<DType> floats8 = {f8e4m3, f8e5m2}; // Computed with in f32.
static const std::vector<DType> integers = {i8, i16, i32, i64, u8, u16, u32, u64};
static const std::vector<DType> numbers = {f16, bf16, f32, f64, i8,  i16,
                                           i32, i64,  u8,  u16, u32, u64};

/// One operation on one to three operands of one dtype.
struct Operation {
  std::string name;
  std::vector<DType> dtypes;
  std::function<Tile(const std::vector<Tile> &)> tile;
  size_t operands = 1;
  bool isComparison = false;
  double ulps = 0; ///< That a target may be off by, beyond the last bit; 0: exact.
};

/// Lengths, blocks, forms and a schedule of one launch.
struct Setting {
  int64_t length, block;
  Form form = Form::dense;
  std::string schedule = {};
};

static Kernel kernelOf(const Operation &operation) {
  auto tile = operation.tile;
  using Block = Const<"BLOCK", 16, 128>;
  switch (operation.operands) {
  case 1:
    return kernel("unary", [tile](In<"a"> a, Out<"y"> y, Block block) {
      Index i = tile_of(y, 0, block);
      y.store({i}, tile({a.load({i}, {block})}));
    });
  case 2:
    return kernel("binary", [tile](In<"a"> a, In<"b"> b, Out<"y"> y, Block block) {
      Index i = tile_of(y, 0, block);
      y.store({i}, tile({a.load({i}, {block}), b.load({i}, {block})}));
    });
  default:
    return kernel("ternary", [tile](In<"a"> a, In<"b"> b, In<"c"> c, Out<"y"> y, Block block) {
      Index i = tile_of(y, 0, block);
      y.store({i}, tile({a.load({i}, {block}), b.load({i}, {block}), c.load({i}, {block})}));
    });
  }
}

static void runOne(Suite &suite, const Operation &operation, DType dtype, const Setting &setting) {
  DType result = operation.isComparison ? boolean : isFloat8(dtype) ? f32 : dtype;
  Check check{fmt::format("{} {} {} {} BLOCK={} {}", operation.name, name(dtype), setting.length,
                          name(setting.form), setting.block, setting.schedule),
              kernelOf(operation),
              {},
              {operation.operands},
              {{"BLOCK", setting.block}}};
  for (size_t i = 0; i < operation.operands; ++i) {
    Array &array = check.arguments.emplace_back(dtype, std::vector{setting.length}, setting.form);
    array.fillRandom(static_cast<uint64_t>(setting.length) + i, true);
  }
  bool isRepeated = setting.form == Form::repeated;
  check.arguments.emplace_back(result, std::vector{setting.length},
                               isRepeated ? Form::dense : setting.form);
  if (operation.ulps > 0)
    check.bound = ulps(result, operation.ulps);
  check.schedule = setting.schedule;
  // All lengths but one run the same code; that one has its own, which knows what divides it.
  if (setting.length != 64)
    check.sharedCode = fmt::format("{} {} {} {} {}", operation.name, name(dtype),
                                   name(setting.form), setting.block, setting.schedule);
  suite.run(operation.name, dtype, std::move(check));
}

/// Each operation and dtype meets every length. A length that the code knows to be even, forms and
/// schedules take turns over operations and dtypes, unless there is time for all.
static void run(Suite &suite, const Operation &operation) {
  static unsigned turn = 0;
  for (DType dtype : operation.dtypes) {
    for (int64_t length : {257, 0, 1, 7})
      for (int64_t block : {16, 128})
        runOne(suite, operation, dtype, {length, block});
    std::vector<Setting> others = {{64, 16}};
    for (Form form : {Form::strided, Form::repeated, Form::offset})
      others.push_back({259, 128, form});
    for (const std::string &schedule : suite.schedules())
      if (!schedule.empty())
        others.push_back({260, 128, Form::dense, schedule});
    if (!suite.isFull())
      others = {others[turn++ % others.size()]};
    for (const Setting &setting : others)
      runOne(suite, operation, dtype, setting);
  }
}

using Operands = const std::vector<Tile> &;

static void arithmetic(Suite &suite) {
  run(suite, {"add", numbers, [](Operands x) { return x[0] + x[1]; }, 2});
  run(suite, {"sub", numbers, [](Operands x) { return x[0] - x[1]; }, 2});
  run(suite, {"mul", numbers, [](Operands x) { return x[0] * x[1]; }, 2});
  run(suite, {"div", numbers, [](Operands x) { return x[0] / x[1]; }, 2});
  run(suite, {"rem", integers, [](Operands x) { return x[0] % x[1]; }, 2});
  run(suite, {"floor_div", integers, [](Operands x) { return floor_div(x[0], x[1]); }, 2});
  run(suite, {"floor_mod", integers, [](Operands x) { return floor_mod(x[0], x[1]); }, 2});
  run(suite, {"cdiv", integers, [](Operands x) { return cdiv(x[0], x[1]); }, 2});
  run(suite, {"mulhi", integers, [](Operands x) { return mulhi(x[0], x[1]); }, 2});
  run(suite, {"umulhi", {u8, u16, u32, u64}, [](Operands x) { return umulhi(x[0], x[1]); }, 2});
  run(suite, {"maximum", numbers, [](Operands x) { return maximum(x[0], x[1]); }, 2});
  run(suite, {"minimum", numbers, [](Operands x) { return minimum(x[0], x[1]); }, 2});
  run(suite, {"maximum nan::ignore", floats,
              [](Operands x) { return maximum(x[0], x[1], nan::ignore); }, 2});
  run(suite, {"minimum nan::ignore", floats,
              [](Operands x) { return minimum(x[0], x[1], nan::ignore); }, 2});
  run(suite, {"negate", numbers, [](Operands x) { return -x[0]; }});
  run(suite, {"abs", numbers, [](Operands x) { return abs(x[0]); }});
  run(suite, {"where", numbers, [](Operands x) { return where(x[0] > x[1], x[0], x[2]); }, 3});
  run(suite, {"clamp", numbers, [](Operands x) { return clamp(x[0], 1, 5); }});
  run(suite, {"add", floats8, [](Operands x) { return x[0] + x[1]; }, 2});
  run(suite, {"mul", floats8, [](Operands x) { return x[0] * x[1]; }, 2});
  run(suite, {"div", floats8, [](Operands x) { return x[0] / x[1]; }, 2});
  run(suite, {"maximum", floats8, [](Operands x) { return maximum(x[0], x[1]); }, 2});
  run(suite, {"negate", floats8, [](Operands x) { return -x[0]; }});
  run(suite, {"exp", floats8, [](Operands x) { return exp(x[0]); }, 1, false, 2});
  run(suite, {"fma", {f32, f64}, [](Operands x) { return fma(x[0], x[1], x[2]); }, 3});
}

static void comparisons(Suite &suite) {
  std::vector<DType> all = numbers;
  all.push_back(boolean);
  run(suite, {"eq", all, [](Operands x) { return x[0] == x[1]; }, 2, true});
  run(suite, {"ne", all, [](Operands x) { return x[0] != x[1]; }, 2, true});
  run(suite, {"eq", floats8, [](Operands x) { return x[0] == x[1]; }, 2, true});
  run(suite, {"lt", floats8, [](Operands x) { return x[0] < x[1]; }, 2, true});
  run(suite, {"lt", numbers, [](Operands x) { return x[0] < x[1]; }, 2, true});
  run(suite, {"le", numbers, [](Operands x) { return x[0] <= x[1]; }, 2, true});
  run(suite, {"gt", numbers, [](Operands x) { return x[0] > x[1]; }, 2, true});
  run(suite, {"ge", numbers, [](Operands x) { return x[0] >= x[1]; }, 2, true});
}

static void bits(Suite &suite) {
  std::vector<DType> withBool = integers;
  withBool.push_back(boolean);
  run(suite, {"and", withBool, [](Operands x) { return x[0] & x[1]; }, 2});
  run(suite, {"or", withBool, [](Operands x) { return x[0] | x[1]; }, 2});
  run(suite, {"xor", withBool, [](Operands x) { return x[0] ^ x[1]; }, 2});
  run(suite, {"not", integers, [](Operands x) { return ~x[0]; }});
  run(suite,
      {"logical and, or, not", {boolean}, [](Operands x) { return (x[0] && x[1]) || !x[0]; }, 2});
  run(suite, {"shl", integers, [](Operands x) { return x[0] << x[1]; }, 2});
  run(suite, {"shr", integers, [](Operands x) { return x[0] >> x[1]; }, 2});
  // Amounts that are no accident: random ones are mostly too large.
  run(suite, {"shl by less than 8", integers, [](Operands x) { return x[0] << (x[1] & 7); }, 2});
  run(suite, {"shr by less than 8", integers, [](Operands x) { return x[0] >> (x[1] & 7); }, 2});
}

static void math(Suite &suite) {
  // Bounds as the targets state them, in units of the last place of the result's type; one half
  // more for narrow types, whose result is rounded twice.
  run(suite, {"exp", floats, [](Operands x) { return exp(x[0]); }, 1, false, 2});
  run(suite, {"exp2", floats, [](Operands x) { return exp2(x[0]); }, 1, false, 2});
  run(suite, {"log", floats, [](Operands x) { return log(x[0]); }, 1, false, 2});
  run(suite, {"log2", floats, [](Operands x) { return log2(x[0]); }, 1, false, 2});
  run(suite, {"sqrt", floats, [](Operands x) { return sqrt(x[0]); }});
  run(suite, {"rsqrt", floats, [](Operands x) { return rsqrt(x[0]); }, 1, false, 2});
  run(suite, {"tanh", floats, [](Operands x) { return tanh(x[0]); }, 1, false, 3});
  run(suite, {"erf", floats, [](Operands x) { return erf(x[0]); }, 1, false, 3});
  run(suite, {"sigmoid", floats, [](Operands x) { return sigmoid(x[0]); }, 1, false, 4});
  run(suite, {"sin", floats, [](Operands x) { return sin(x[0]); }, 1, false, 2});
  run(suite, {"cos", floats, [](Operands x) { return cos(x[0]); }, 1, false, 2});
  run(suite, {"floor", floats, [](Operands x) { return floor(x[0]); }});
  run(suite, {"ceil", floats, [](Operands x) { return ceil(x[0]); }});
}

void elementwise(Suite &suite) {
  arithmetic(suite);
  comparisons(suite);
  bits(suite);
  math(suite);
}

void conversions(Suite &suite) {
  for (DType to : allDTypes)
    for (DType from : allDTypes)
      for (int64_t length : {33, 257}) {
        Array x(from, {length}), y(to, {length});
        x.fillRandom(7, true);
        Kernel casting = kernel("cast", [to](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64> block) {
          Index i = tile_of(y, 0, block);
          y.store({i}, cast(x.load({i}, {block}), to));
        });
        Check check{fmt::format("cast {} to {} {}", name(from), name(to), length),
                    casting,
                    {x, y},
                    {1},
                    {{"BLOCK", 64}}};
        check.sharedCode = fmt::format("cast {} {}", name(from), name(to));
        suite.run(fmt::format("cast to {}", name(to)), from, std::move(check));
      }
  static const std::pair<DType, DType> patterns[] = {{f32, i32}, {i32, f32}, {f32, u32}, {f64, i64},
                                                     {u64, f64}, {f16, i16}, {u16, bf16}};
  for (auto [from, to] : patterns) {
    Array x(from, {257}), y(to, {257});
    x.fillRandom(9, true);
    Kernel reading = kernel("bitcast", [to = to](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64> block) {
      Index i = tile_of(y, 0, block);
      y.store({i}, bitcast(x.load({i}, {block}), to));
    });
    suite.run("bitcast", from,
              {fmt::format("bitcast {} to {}", name(from), name(to)),
               reading,
               {x, y},
               {1},
               {{"BLOCK", 64}}});
  }
}

} // namespace metile::conformance
