// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons, bit operations, select and math functions.

#include "Harness.h"

#include <bit>
#include <cmath>
#include <limits>

namespace metile::conformance {

static const std::vector<DType> floats = {f16, bf16, f32, f64};
static const std::vector<DType> integers = {i8, i16, i32, i64, u8, u16, u32, u64};
static const int64_t lengths[] = {257, 0, 1, 7, 64};
static const int64_t blocks[] = {16, 128};

using Unary = std::function<Tile(const Tile &)>;
using Binary = std::function<Tile(const Tile &, const Tile &)>;

static std::string describe(const std::string &op, DType dtype, int64_t length, int64_t block) {
  return op + " " + std::string(name(dtype)) + " " + std::to_string(length) +
         " BLOCK=" + std::to_string(block);
}

/// All lengths but one run the same code; that one has its own, which knows what divides it.
static std::string sharedFor(const std::string &checkName, int64_t length) {
  if (length == 64)
    return {};
  std::string text = checkName;
  return text.erase(text.find(' ' + std::to_string(length) + ' '),
                    std::to_string(length).size() + 1);
}

static Kernel unaryKernel(Unary op) {
  return kernel("unary", [op](In<"x"> x, Out<"y"> y, Const<"BLOCK", 16, 128> block) {
    Index i = tile_of(y, 0, block);
    y.store({i}, op(x.load({i}, {block})));
  });
}

static Kernel binaryKernel(Binary op) {
  return kernel("binary", [op](In<"a"> a, In<"b"> b, Out<"c"> c, Const<"BLOCK", 16, 128> block) {
    Index i = tile_of(c, 0, block);
    c.store({i}, op(a.load({i}, {block}), b.load({i}, {block})));
  });
}

static void unary(Suite &suite, const std::string &op, const std::vector<DType> &dtypes, Unary tile,
                  std::function<Number(DType, Number)> scalar, double allowedUlps = 0) {
  for (DType dtype : dtypes)
    for (int64_t length : lengths)
      for (int64_t block : blocks) {
        Array x(dtype, {length}), y(dtype, {length});
        x.fillRandom(static_cast<uint64_t>(length), true);
        Check check{describe(op, dtype, length, block),
                    unaryKernel(tile),
                    {x, y},
                    {1},
                    {{"BLOCK", block}},
                    {},
                    {}};
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < length; ++i) {
            Number value = scalar(dtype, in[0].get(i));
            out[0].set(i, {wrapTo(dtype, value.integer), roundTo(dtype, value.real)});
          }
        };
        check.sharedCode = sharedFor(check.name, length);
        if (allowedUlps > 0)
          check.bound = ulps(dtype, allowedUlps);
        suite.run(op, std::move(check));
      }
}

/// `result`: dtype of the result for operands of a dtype.
static void binary(Suite &suite, const std::string &op, const std::vector<DType> &dtypes,
                   Binary tile, std::function<Number(DType, Number, Number)> scalar,
                   bool comparison = false) {
  for (DType dtype : dtypes)
    for (int64_t length : lengths)
      for (int64_t block : blocks) {
        DType result = comparison ? boolean : dtype;
        Array a(dtype, {length}), b(dtype, {length}), c(result, {length});
        a.fillRandom(static_cast<uint64_t>(length) + 1, true);
        b.fillRandom(static_cast<uint64_t>(length) + 2, true);
        Check check{describe(op, dtype, length, block),
                    binaryKernel(tile),
                    {a, b, c},
                    {2},
                    {{"BLOCK", block}},
                    {},
                    {}};
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < length; ++i) {
            Number value = scalar(dtype, in[0].get(i), in[1].get(i));
            out[0].set(i, {wrapTo(result, value.integer), roundTo(result, value.real)});
          }
        };
        check.sharedCode = sharedFor(check.name, length);
        suite.run(op, std::move(check));
      }
}

/// `op` on 64-bit integers that were widened with the dtype's sign.
static auto onIntegers(int64_t (*op)(uint64_t, uint64_t)) {
  return [op](DType, Number a, Number b) {
    return Number{op(static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer)), 0};
  };
}

/// Quotient toward zero; by zero it is 0, and the lowest number by -1 is itself.
static int64_t quotient(DType dtype, int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (isUnsigned(dtype))
    return static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}

static int64_t remainder(DType dtype, int64_t a, int64_t b) {
  return b == 0 ? 0
                : static_cast<int64_t>(static_cast<uint64_t>(a) -
                                       static_cast<uint64_t>(quotient(dtype, a, b)) *
                                           static_cast<uint64_t>(b));
}

/// The sign of a - b, 2 if they have no order.
static int order(DType dtype, Number a, Number b) {
  if (isFloat(dtype))
    return std::isnan(a.real) || std::isnan(b.real) ? 2 : (a.real > b.real) - (a.real < b.real);
  if (dtype == u64)
    return (uint64_t(a.integer) > uint64_t(b.integer)) -
           (uint64_t(a.integer) < uint64_t(b.integer));
  return (a.integer > b.integer) - (a.integer < b.integer);
}

static Number extremum(DType dtype, Number a, Number b, bool largest, bool ignoreNan) {
  if (isFloat(dtype)) {
    if (std::isnan(a.real))
      return ignoreNan ? b : a;
    if (std::isnan(b.real))
      return ignoreNan ? a : b;
    if (a.real == 0 && b.real == 0) // Either zero will do: comparison treats them as equal.
      return a;
  }
  return (order(dtype, a, b) >= 0) == largest ? a : b;
}

static void arithmetic(Suite &suite) {
  std::vector<DType> all = floats;
  all.insert(all.end(), integers.begin(), integers.end());
  auto both = [](int64_t (*integer)(uint64_t, uint64_t), double (*real)(double, double)) {
    return [=](DType dtype, Number a, Number b) {
      return isFloat(dtype) ? Number{0, real(a.real, b.real)}
                            : Number{integer(uint64_t(a.integer), uint64_t(b.integer)), 0};
    };
  };
  binary(
      suite, "add", all, [](auto &a, auto &b) { return a + b; },
      both([](uint64_t a, uint64_t b) { return int64_t(a + b); },
           [](double a, double b) { return a + b; }));
  binary(
      suite, "sub", all, [](auto &a, auto &b) { return a - b; },
      both([](uint64_t a, uint64_t b) { return int64_t(a - b); },
           [](double a, double b) { return a - b; }));
  binary(
      suite, "mul", all, [](auto &a, auto &b) { return a * b; },
      both([](uint64_t a, uint64_t b) { return int64_t(a * b); },
           [](double a, double b) { return a * b; }));
  binary(
      suite, "div", all, [](auto &a, auto &b) { return a / b; },
      [](DType dtype, Number a, Number b) {
        return isFloat(dtype) ? Number{0, a.real / b.real}
                              : Number{quotient(dtype, a.integer, b.integer), 0};
      });
  binary(
      suite, "rem", integers, [](auto &a, auto &b) { return a % b; },
      [](DType dtype, Number a, Number b) {
        return Number{remainder(dtype, a.integer, b.integer), 0};
      });
  binary(
      suite, "floor_div", integers, [](auto &a, auto &b) { return floor_div(a, b); },
      [](DType dtype, Number a, Number b) {
        int64_t rest = remainder(dtype, a.integer, b.integer);
        bool below = !isUnsigned(dtype) && rest != 0 && (rest < 0) != (b.integer < 0);
        return Number{quotient(dtype, a.integer, b.integer) - below, 0};
      });
  binary(
      suite, "floor_mod", integers, [](auto &a, auto &b) { return floor_mod(a, b); },
      [](DType dtype, Number a, Number b) {
        int64_t rest = remainder(dtype, a.integer, b.integer);
        bool below = !isUnsigned(dtype) && rest != 0 && (rest < 0) != (b.integer < 0);
        return Number{rest + (below ? b.integer : 0), 0};
      });
  binary(
      suite, "cdiv", integers, [](auto &a, auto &b) { return cdiv(a, b); },
      [](DType dtype, Number a, Number b) {
        int64_t rest = remainder(dtype, a.integer, b.integer);
        bool above = rest != 0 && (isUnsigned(dtype) || (rest < 0) == (b.integer < 0));
        return Number{quotient(dtype, a.integer, b.integer) + above, 0};
      });
  for (bool largest : {true, false}) {
    std::string op = largest ? "maximum" : "minimum";
    for (nan mode : {nan::propagate, nan::ignore})
      binary(
          suite, mode == nan::ignore ? op + " nan::ignore" : op, all,
          [=](auto &a, auto &b) { return largest ? maximum(a, b, mode) : minimum(a, b, mode); },
          [=](DType dtype, Number a, Number b) {
            return extremum(dtype, a, b, largest, mode == nan::ignore);
          });
  }
  unary(
      suite, "negate", all, [](auto &x) { return -x; },
      [](DType, Number x) { return Number{int64_t(0 - uint64_t(x.integer)), -x.real}; });
  unary(
      suite, "abs", all, [](auto &x) { return abs(x); },
      [](DType dtype, Number x) {
        bool negative = !isUnsigned(dtype) && x.integer < 0;
        return Number{negative ? int64_t(0 - uint64_t(x.integer)) : x.integer, std::abs(x.real)};
      });
  unary(
      suite, "where", all, [](auto &x) { return where(x > 0, x, 3); },
      [](DType dtype, Number x) { return order(dtype, x, {}) == 1 ? x : Number{3, 3}; });
  unary(
      suite, "clamp", all, [](auto &x) { return clamp(x, 1, 5); },
      [](DType dtype, Number x) {
        return extremum(dtype, extremum(dtype, x, {1, 1}, true, false), {5, 5}, false, false);
      });
}

static void comparisons(Suite &suite) {
  std::vector<DType> all = floats;
  all.insert(all.end(), integers.begin(), integers.end());
  all.push_back(boolean);
  auto compared = [&](const char *op, Binary tile, bool (*holds)(int)) {
    std::vector<DType> dtypes = all;
    binary(
        suite, op, dtypes, std::move(tile),
        [=](DType dtype, Number a, Number b) { return Number{holds(order(dtype, a, b)), 0}; },
        true);
  };
  compared("eq", [](auto &a, auto &b) { return a == b; }, [](int o) { return o == 0; });
  compared("ne", [](auto &a, auto &b) { return a != b; }, [](int o) { return o != 0; });
  all.pop_back();
  compared("lt", [](auto &a, auto &b) { return a < b; }, [](int o) { return o == -1; });
  compared("le", [](auto &a, auto &b) { return a <= b; }, [](int o) { return o == -1 || o == 0; });
  compared("gt", [](auto &a, auto &b) { return a > b; }, [](int o) { return o == 1; });
  compared("ge", [](auto &a, auto &b) { return a >= b; }, [](int o) { return o == 1 || o == 0; });
}

static void bits(Suite &suite) {
  std::vector<DType> withBool = integers;
  withBool.push_back(boolean);
  binary(
      suite, "and", withBool, [](auto &a, auto &b) { return a & b; },
      onIntegers([](uint64_t a, uint64_t b) { return int64_t(a & b); }));
  binary(
      suite, "or", withBool, [](auto &a, auto &b) { return a | b; },
      onIntegers([](uint64_t a, uint64_t b) { return int64_t(a | b); }));
  binary(
      suite, "xor", withBool, [](auto &a, auto &b) { return a ^ b; },
      onIntegers([](uint64_t a, uint64_t b) { return int64_t(a ^ b); }));
  unary(
      suite, "not", integers, [](auto &x) { return ~x; },
      [](DType, Number x) { return Number{~x.integer, 0}; });
  // The amount of a shift is unsigned in effect: a negative one is as good as the width.
  auto amount = [](DType dtype, Number n) {
    auto width = int64_t(8 * byteSize(dtype));
    return n.integer < 0 || n.integer >= width ? width : n.integer;
  };
  binary(
      suite, "shl", integers, [](auto &a, auto &b) { return a << b; },
      [=](DType dtype, Number a, Number b) {
        int64_t n = amount(dtype, b);
        return Number{n >= 64 ? 0 : int64_t(uint64_t(a.integer) << n), 0};
      });
  binary(
      suite, "shr", integers, [](auto &a, auto &b) { return a >> b; },
      [=](DType dtype, Number a, Number b) {
        int64_t n = amount(dtype, b);
        if (isUnsigned(dtype))
          return Number{n >= 64 ? 0 : int64_t(uint64_t(a.integer) >> n), 0};
        return Number{a.integer >> std::min<int64_t>(n, 63), 0};
      });
}

static void math(Suite &suite) {
  auto real = [&](const char *op, Unary tile, double (*function)(double), double allowed) {
    unary(
        suite, op, floats, std::move(tile),
        [=](DType, Number x) { return Number{0, function(x.real)}; }, allowed);
  };
  // The bounds are those that the target states, in units of the last place of the result's type;
  // one half more for narrow types, whose result is rounded twice.
  real("exp", [](auto &x) { return exp(x); }, [](double x) { return std::exp(x); }, 2);
  real("exp2", [](auto &x) { return exp2(x); }, [](double x) { return std::exp2(x); }, 2);
  real("log", [](auto &x) { return log(x); }, [](double x) { return std::log(x); }, 2);
  real("log2", [](auto &x) { return log2(x); }, [](double x) { return std::log2(x); }, 2);
  real("sqrt", [](auto &x) { return sqrt(x); }, [](double x) { return std::sqrt(x); }, 1);
  real("rsqrt", [](auto &x) { return rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }, 2);
  real("tanh", [](auto &x) { return tanh(x); }, [](double x) { return std::tanh(x); }, 3);
  real("erf", [](auto &x) { return erf(x); }, [](double x) { return std::erf(x); }, 3);
  real(
      "sigmoid", [](auto &x) { return sigmoid(x); },
      [](double x) { return 1 / (1 + std::exp(-x)); }, 4);
  real("sin", [](auto &x) { return sin(x); }, [](double x) { return std::sin(x); }, 2);
  real("cos", [](auto &x) { return cos(x); }, [](double x) { return std::cos(x); }, 2);
  real("floor", [](auto &x) { return floor(x); }, [](double x) { return std::floor(x); }, 0);
  real("ceil", [](auto &x) { return ceil(x); }, [](double x) { return std::ceil(x); }, 0);
  unary(
      suite, "fma", {f32, f64}, [](auto &x) { return fma(x, x, 0.5); },
      [](DType dtype, Number x) {
        return Number{0, dtype == f64 ? std::fma(x.real, x.real, 0.5)
                                      : std::fma(float(x.real), float(x.real), 0.5f)};
      });
}

void elementwise(Suite &suite) {
  arithmetic(suite);
  comparisons(suite);
  bits(suite);
  math(suite);
}

void conversions(Suite &suite) {
  std::vector<DType> all = computedDTypes();
  for (DType from : all)
    for (DType to : all)
      for (int64_t length : {33, 257}) {
        int64_t block = 64;
        Array x(from, {length}), y(to, {length});
        x.fillRandom(7, true);
        Kernel casting = kernel("cast", [to](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64> block) {
          Index i = tile_of(y, 0, block);
          y.store({i}, cast(x.load({i}, {block}), to));
        });
        Check check{"cast " + std::string(name(from)) + " to " + std::string(name(to)) + " " +
                        std::to_string(length),
                    casting,
                    {x, y},
                    {1},
                    {{"BLOCK", block}},
                    {},
                    {}};
        check.reference = [=](const std::vector<Array> &in, std::vector<Array> &out) {
          for (int64_t i = 0; i < length; ++i) {
            Number value = in[0].get(i), result;
            if (isFloat(from) && isFloat(to)) {
              result.real = roundTo(to, value.real);
            } else if (isFloat(from) && to == boolean) {
              result.integer = value.real != 0;
            } else if (isFloat(from)) {
              // Saturates; the ends are powers of two, so the comparison is exact.
              int width = int(8 * byteSize(to));
              double low = isSigned(to) ? -std::ldexp(1.0, width - 1) : 0;
              double high = std::ldexp(1.0, isSigned(to) ? width - 1 : width);
              double whole = std::trunc(value.real);
              if (std::isnan(whole))
                result.integer = 0;
              else if (whole >= high)
                result.integer = isSigned(to) ? std::numeric_limits<int64_t>::max() >> (64 - width)
                                              : int64_t(~uint64_t(0) >> (64 - width));
              else if (whole < low)
                result.integer =
                    isSigned(to) ? std::numeric_limits<int64_t>::min() >> (64 - width) : 0;
              else
                result.integer = whole < 0x1p63 ? int64_t(whole) : int64_t(uint64_t(whole));
            } else if (isFloat(to)) {
              // A 64-bit integer may have more digits than a double: long double holds it exactly,
              // and its value is rounded to odd on the way so that the second rounding is the only
              // one.
              long double exact = from == u64 ? static_cast<long double>(uint64_t(value.integer))
                                              : static_cast<long double>(value.integer);
              auto rounded = static_cast<double>(exact);
              if (to != f64 && rounded != exact) {
                double toward = std::nextafter(rounded, rounded < exact ? INFINITY : -INFINITY);
                bool odd = std::bit_cast<uint64_t>(rounded) & 1;
                rounded = odd ? rounded : toward;
              }
              result.real = to == f32 && from == i64   ? double(float(value.integer))
                            : to == f32 && from == u64 ? double(float(uint64_t(value.integer)))
                                                       : roundTo(to, rounded);
            } else {
              result.integer = wrapTo(to, value.integer);
            }
            out[0].set(i, result);
          }
        };
        suite.run("cast", std::move(check));
      }
}

} // namespace metile::conformance
