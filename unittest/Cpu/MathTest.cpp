// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error bounds that lib/Targets/Cpu/Math.h states, against libm in the next wider type.

#include "ElementwiseKernel.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace metile;
using namespace metile::cpu;

namespace {

struct Function {
  const char *name;
  double bound32, bound64;
  long double (*exact)(long double);
};

long double rsqrtExact(long double x) { return 1 / sqrtl(x); }

const Function functions[] = {{"exp", 1.1, 1.1, expl},         {"exp2", 1.0, 1.0, exp2l},
                              {"log", 1.0, 1.0, logl},         {"log2", 1.5, 1.5, log2l},
                              {"tanh", 2.5, 2.5, tanhl},       {"erf", 1.5, 1.5, erfl},
                              {"sin", 1.6, 1.6, sinl},         {"cos", 1.6, 1.6, cosl},
                              {"rsqrt", 1.5, 1.5, rsqrtExact}, {"sqrt", 0.5001, 0.5001, sqrtl}};

/// Distance between `got` and `exact` in units of the last place of `exact` rounded to T.
template <class T> double ulps(T got, long double exact) {
  if (std::isnan(exact))
    return std::isnan(got) ? 0 : INFINITY;
  T rounded = static_cast<T>(exact);
  if (got == rounded)
    return std::signbit(got) == std::signbit(rounded) ? 0 : INFINITY;
  if (std::isnan(got) || std::isinf(exact))
    return INFINITY;
  // An infinite result stands for the power of two above the largest number.
  using Limits = std::numeric_limits<T>;
  const long double beyond = std::ldexp(1.0L, Limits::max_exponent);
  long double value = std::isinf(got) ? std::copysign(beyond, static_cast<long double>(got)) : got;
  int exponent = std::max(std::ilogb(exact), Limits::min_exponent - 1);
  return std::fabs(value - exact) / std::ldexp(1.0L, exponent - (Limits::digits - 1));
}

template <class T> std::vector<T> specials() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0, Limits::denorm_min(), Limits::min(), Limits::min() / 2, 1,
                           Limits::max(), Limits::infinity(), std::nextafter(T(1), T(0)),
                           std::nextafter(T(1), T(2)), T(0x1p15), T(0x1p30),
                           std::nextafter(T(0x1p30), T(0)), T(M_PI), T(M_PI / 2),
                           // The multiples of pi/2 that come closest to a float and to a double.
                           T(0x1.6ac5b262ca1ffp+849), T(16367173.0 * 0x1p72)};
  for (size_t i = 0, n = values.size(); i < n; ++i)
    values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

/// Bit patterns from everywhere, then numbers in [-range, range].
template <class T> std::vector<T> samples(size_t count, unsigned seed) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(seed);
  std::vector<T> values = specials<T>();
  while (values.size() < count / 2)
    values.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
  for (T range : {T(1), T(8), T(100), T(700)})
    for (size_t i = 0; i < count / 8; ++i)
      values.push_back(range * T(2 * std::generate_canonical<double, 53>(random) - 1));
  while (values.size() % 64)
    values.push_back(1);
  return values;
}

template <class T> void check(const Function &function, TileRunner &runner, size_t count) {
  const char *element = sizeof(T) == 4 ? "f32" : "f64";
  const double bound = sizeof(T) == 4 ? function.bound32 : function.bound64;
  std::vector<T> in = samples<T>(count, 7), out(in.size());
  std::string body = "%r = math." + std::string(function.name) + " %a : IN";
  for (unsigned lanes : {64u, 16u, 8u, 4u, 0u}) {
    Elementwise *kernel = compileElementwise(runner, body, element, element, lanes);
    ASSERT_NE(kernel, nullptr);
    std::fill(out.begin(), out.end(), T(42));
    kernel(in.data(), in.data(), in.data(), out.data(), in.size());
    double worst = 0;
    T where = 0, got = 0;
    for (size_t i = 0; i < in.size(); ++i)
      if (double error = ulps(out[i], function.exact(in[i])); !(error <= worst)) {
        worst = error;
        where = in[i];
        got = out[i];
      }
    EXPECT_LE(worst, bound) << function.name << " of " << element << " at " << where << " ("
                            << std::hexfloat << where << ") gives " << got << ", " << lanes
                            << " lanes";
  }
}

class MathTest : public testing::TestWithParam<std::string> {
protected:
  TileRunner runner{GetParam()};
};

TEST_P(MathTest, F32StaysWithinItsBounds) {
  for (const Function &function : functions)
    check<float>(function, runner, 1 << 20);
}
TEST_P(MathTest, F64StaysWithinItsBounds) {
  for (const Function &function : functions)
    check<double>(function, runner, 1 << 19);
}

INSTANTIATE_TEST_SUITE_P(Rows, MathTest, testing::ValuesIn(TileRunner::runnableRows()),
                         TileRunner::testName);

} // namespace
