// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maximum and minimum: which NaN wins, and which zero.

#include "ElementwiseKernel.h"

#include <cmath>
#include <limits>

using namespace metile;
using namespace metile::cpu;

namespace {

template <class T> void check(const char *element, TileRunner &runner) {
  using Limits = std::numeric_limits<T>;
  const T values[] = {0,
                      -T(0),
                      1,
                      -1,
                      Limits::denorm_min(),
                      -Limits::denorm_min(),
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN(),
                      -Limits::quiet_NaN(),
                      Limits::max(),
                      Limits::lowest()};
  std::vector<T> a, b;
  for (T x : values)
    for (T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  while (a.size() % 32) {
    a.push_back(1);
    b.push_back(2);
  }
  for (bool isMax : {true, false})
    for (bool ignoresNaN : {true, false})
      for (unsigned lanes : {32u, 16u, 8u, 4u, 0u}) {
        std::string body = std::string("%r = arith.") + (isMax ? "max" : "min") +
                           (ignoresNaN ? "numf" : "imumf") + " %a, %b : IN";
        Elementwise *kernel = compileElementwise(runner, body, element, element, lanes);
        ASSERT_NE(kernel, nullptr);
        std::vector<T> out(a.size(), 42);
        kernel(a.data(), b.data(), b.data(), out.data(), a.size());
        for (size_t i = 0; i < a.size(); ++i) {
          T x = a[i], y = b[i];
          if (std::isnan(x) || std::isnan(y)) {
            T other = std::isnan(x) ? y : x;
            if (ignoresNaN && !std::isnan(other))
              EXPECT_EQ(out[i], other) << body << ": " << x << ", " << y;
            else
              EXPECT_TRUE(std::isnan(out[i])) << body << ": " << x << ", " << y;
            continue;
          }
          bool takeX = x == y ? std::signbit(x) != isMax : (x > y) == isMax;
          T expected = takeX ? x : y;
          EXPECT_EQ(out[i], expected) << body << ": " << x << ", " << y;
          // IEEE 754 leaves the sign of maxNum(-0, 0) open.
          if (!ignoresNaN)
            EXPECT_EQ(std::signbit(out[i]), std::signbit(expected))
                << body << ": " << x << ", " << y << ", " << lanes << " lanes";
        }
      }
}

class ExtremumTest : public testing::TestWithParam<std::string> {
protected:
  TileRunner runner{GetParam()};
};

TEST_P(ExtremumTest, F32) { check<float>("f32", runner); }
TEST_P(ExtremumTest, F64) { check<double>("f64", runner); }

INSTANTIATE_TEST_SUITE_P(Rows, ExtremumTest, testing::ValuesIn(TileRunner::runnableRows()),
                         TileRunner::testName);

} // namespace
