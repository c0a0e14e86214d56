// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic as DESIGN §9 defines it: all pairs of 8-bit numbers, chosen and random ones of
// the wider types, against 128-bit arithmetic.

#include "ElementwiseKernel.h"

#include <random>

using namespace metile;
using namespace metile::cpu;

namespace {

using Wide = __int128;

enum class Op { div, rem, shl, shr, mulhi };

struct IntegerCase {
  Op op;
  const char *text; ///< Operation and rounding in the tile dialect.
  bool isUnsigned;
  int direction; ///< Rounding: -1 down, 0 toward zero, 1 up.
};

const IntegerCase cases[] = {
    {Op::div, "div trunc", false, 0},
    {Op::div, "div floor", false, -1},
    {Op::div, "div ceil", false, 1},
    {Op::div, "div trunc unsigned", true, 0},
    {Op::div, "div floor unsigned", true, 0},
    {Op::div, "div ceil unsigned", true, 1},
    {Op::rem, "rem trunc", false, 0},
    {Op::rem, "rem floor", false, -1},
    {Op::rem, "rem ceil", false, 1},
    {Op::rem, "rem trunc unsigned", true, 0},
    {Op::rem, "rem ceil unsigned", true, 1},
    {Op::shl, "shl", false, 0},
    {Op::shr, "shr", false, 0},
    {Op::shr, "shr unsigned", true, 0},
    {Op::mulhi, "mulhi", false, 0},
    {Op::mulhi, "mulhi unsigned", true, 0},
};

Wide quotient(Wide a, Wide b, int direction) {
  Wide q = a / b, r = a % b;
  bool negative = (r < 0) != (b < 0);
  if (r != 0 && direction < 0 && negative)
    --q;
  if (r != 0 && direction > 0 && !negative)
    ++q;
  return q;
}

/// The low `width` bits are the answer.
Wide expected(const IntegerCase &test, Wide a, Wide b, unsigned width) {
  switch (test.op) {
  case Op::div:
    return b == 0 ? 0 : quotient(a, b, test.direction);
  case Op::rem:
    return b == 0 ? 0 : a - quotient(a, b, test.direction) * b;
  case Op::shl:
    return b < 0 || b >= width ? 0 : a << int(b);
  case Op::shr:
    return a >> (b < 0 || b >= width ? width : int(b));
  case Op::mulhi:
    return Wide(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) >> width);
  }
  return 0;
}

template <class T> Wide widen(T value, bool isUnsigned) {
  using Unsigned = std::make_unsigned_t<T>;
  return isUnsigned ? Wide(Unsigned(value)) : Wide(value);
}

template <class T>
void check(const IntegerCase &test, TileRunner &runner, const std::vector<T> &a,
           const std::vector<T> &b, const std::string &body, unsigned lanes) {
  constexpr unsigned width = sizeof(T) * 8;
  std::string type = "i" + std::to_string(width);
  Elementwise *kernel = compileElementwise(runner, body, type, type, lanes);
  ASSERT_NE(kernel, nullptr) << test.text;
  std::vector<T> out(a.size(), 42);
  kernel(a.data(), b.data(), b.data(), out.data(), a.size());
  size_t wrong = 0;
  for (size_t i = 0; i < a.size() && wrong < 5; ++i) {
    // A shift amount is negative where its sign bit is set, also for an unsigned shift of the left
    // side.
    bool amount = test.op == Op::shl || test.op == Op::shr;
    Wide exact = expected(test, widen(a[i], test.isUnsigned),
                          widen(b[i], test.isUnsigned && !amount), width);
    if (static_cast<T>(exact) == out[i])
      continue;
    ++wrong;
    ADD_FAILURE() << test.text << " " << type << ", " << lanes << " lanes: " << int64_t(a[i])
                  << ", " << int64_t(b[i]) << " gives " << int64_t(out[i]) << ", not "
                  << int64_t(static_cast<T>(exact));
  }
}

std::string bodyOf(const IntegerCase &test) {
  return "%r = tile." + std::string(test.text) + " %a, %b : IN";
}

template <class T> std::vector<T> interesting() {
  std::vector<T> values = {0, 1, 2, 3, 7, 100, -1, -2, -3, -7};
  for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit)
    for (int delta : {-1, 0, 1}) {
      auto power = std::make_unsigned_t<T>(1) << bit;
      values.push_back(T(power + delta));
      values.push_back(T(0 - power + delta));
    }
  return values;
}

template <class T> void checkPairs(const IntegerCase &test, TileRunner &runner) {
  std::vector<T> values = interesting<T>(), a, b;
  for (T x : values)
    for (T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    // All magnitudes are as likely.
    a.push_back(T(random() >> random() % (sizeof(T) * 8)));
    b.push_back(T(random() >> random() % (sizeof(T) * 8)));
  }
  while (a.size() % 64) {
    a.push_back(1);
    b.push_back(1);
  }
  for (unsigned lanes : {16u, 8u, 0u})
    check(test, runner, a, b, bodyOf(test), lanes);
}

class IntegerTest : public testing::TestWithParam<std::string> {
protected:
  TileRunner runner{GetParam()};
};

TEST_P(IntegerTest, EveryPairOf8BitNumbers) {
  std::vector<int8_t> a, b;
  for (int i = 0; i < 65536; ++i) {
    a.push_back(int8_t(i));
    b.push_back(int8_t(i >> 8));
  }
  for (const IntegerCase &test : cases)
    for (unsigned lanes : {64u, 16u, 0u})
      check(test, runner, a, b, bodyOf(test), lanes);
}

TEST_P(IntegerTest, I16) {
  for (const IntegerCase &test : cases)
    checkPairs<int16_t>(test, runner);
}
TEST_P(IntegerTest, I32) {
  for (const IntegerCase &test : cases)
    checkPairs<int32_t>(test, runner);
}
TEST_P(IntegerTest, I64) {
  for (const IntegerCase &test : cases)
    checkPairs<int64_t>(test, runner);
}

TEST_P(IntegerTest, ConstantRightSide) {
  std::vector<int32_t> a = interesting<int32_t>();
  while (a.size() % 16)
    a.push_back(5);
  for (const IntegerCase &test : cases)
    for (int32_t constant : {0, 1, 2, 8, 3, 10, -1, -2, -8, 31, 32, INT32_MIN, INT32_MAX})
      for (unsigned lanes : {16u, 0u}) {
        std::string number = std::to_string(constant);
        std::string body = "%k = arith.constant " + (lanes ? "dense<" + number + ">" : number) +
                           " : IN\n%r = tile." + test.text + " %a, %k : IN";
        check(test, runner, a, std::vector<int32_t>(a.size(), constant), body, lanes);
      }
}

INSTANTIATE_TEST_SUITE_P(Rows, IntegerTest, testing::ValuesIn(TileRunner::runnableRows()),
                         TileRunner::testName);

} // namespace
