// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions and half-precision arithmetic against a slow definition: one rounding to nearest even
// of the exact value.

#include "ElementwiseKernel.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace metile;
using namespace metile::cpu;

namespace {

/// A binary floating-point format as IEEE 754 describes it.
struct Format {
  const char *name;
  int digits;   ///< Of the significand, the implicit one included.
  int exponent; ///< Largest.
  unsigned width;
};
const Format half{"f16", 11, 15, 16}, brain{"bf16", 8, 127, 16}, single{"f32", 24, 127, 32},
    twice{"f64", 53, 1023, 64};

/// `exact`, which is wide enough for it, rounded to `format`.
long double rounded(long double exact, const Format &format) {
  if (exact == 0 || !std::isfinite(exact))
    return exact;
  int exponent = std::max(std::ilogb(exact), 1 - format.exponent);
  int quantum = exponent - (format.digits - 1);
  long double result = std::ldexp(std::nearbyint(std::ldexp(exact, -quantum)), quantum);
  if (std::fabs(result) >= std::ldexp(1.0L, format.exponent + 1))
    return std::copysign(std::numeric_limits<long double>::infinity(), exact);
  return result;
}

long double decode(uint64_t bits, const Format &format) {
  if (format.width == 64)
    return std::bit_cast<double>(bits);
  if (format.width == 32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  int fraction = format.digits - 1;
  int exponent = (bits & 0x7fff) >> fraction;
  long double mantissa = bits & ((1u << fraction) - 1);
  long double value;
  if (exponent == 2 * format.exponent + 1)
    value = mantissa == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - format.exponent - fraction);
  else
    value = std::ldexp(mantissa + (1 << fraction), exponent - format.exponent - fraction);
  return bits & 0x8000 ? -value : value;
}

/// a * b + c of halves, kept to where `rounded` needs it: digits that are lost leave the last bit
/// set.
long double fmaToOdd(long double a, long double b, long double c) {
  long double product = a * b, sum = product + c;
  long double part = sum - product, lost = (product - (sum - part)) + (c - part);
  int exponent;
  auto digits = uint64_t(std::ldexp(std::frexp(std::fabs(sum), &exponent), 64));
  if (!std::isfinite(sum) || lost == 0 || digits % 2)
    return sum;
  return std::nextafter(sum, std::copysign(std::numeric_limits<long double>::infinity(), lost));
}

bool same(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// Numbers as raw bytes of one width.
struct Array {
  unsigned width;
  std::vector<char> bytes;

  explicit Array(unsigned width, size_t count = 0) : width(width), bytes(count * width / 8) {}
  size_t size() const { return bytes.size() * 8 / width; }
  void push(uint64_t bits) {
    const char *raw = reinterpret_cast<const char *>(&bits);
    bytes.insert(bytes.end(), raw, raw + width / 8);
  }
  uint64_t operator[](size_t i) const {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width / 8, width / 8);
    return bits;
  }
};

/// Every pattern of 16 bits; of wider types the powers of two, the midpoints between halves and
/// their neighbours, and random patterns.
Array patterns(const Format &format) {
  Array array(format.width);
  if (format.width == 16) {
    for (unsigned i = 0; i < 65536; ++i)
      array.push(i);
    return array;
  }
  std::mt19937_64 random(11);
  const unsigned shift = format.digits - 1;
  for (int exponent = 0; exponent <= 2 * format.exponent + 1; ++exponent)
    for (unsigned top : {0u, 1u, 2u, 3u, 0x15u, 0x7ffu, 0xffeu, 0xfffu})
      for (unsigned digits : {8u, 9u, 11u, 12u})
        for (int delta : {-1, 0, 1}) {
          uint64_t fraction = uint64_t(top & ((1u << digits) - 1)) << (shift - digits);
          uint64_t bits = (uint64_t(exponent) << shift) + fraction + delta;
          array.push(bits);
          array.push(bits ^ uint64_t(1) << (format.width - 1));
        }
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = random();
    // Near what a half can hold.
    if (i % 2 && format.width == 32)
      bits = std::bit_cast<uint32_t>(float(std::ldexp(double(int64_t(bits)), -63 - int(i % 30))));
    if (i % 2 && format.width == 64)
      bits = std::bit_cast<uint64_t>(std::ldexp(double(int64_t(bits)), -63 - int(i % 140)));
    array.push(bits);
  }
  while (array.size() % 64)
    array.push(0);
  return array;
}

class ConvertTest : public testing::TestWithParam<std::string> {
protected:
  TileRunner runner{GetParam()};

  void convert(const std::string &body, std::string_view from, std::string_view to, const Array &in,
               Array &out, unsigned lanes) {
    Elementwise *kernel = compileElementwise(runner, body, from, to, lanes);
    ASSERT_NE(kernel, nullptr) << body;
    kernel(in.bytes.data(), in.bytes.data(), in.bytes.data(), out.bytes.data(), in.size());
  }

  void checkRound(const Format &from, const Format &to, const char *op) {
    Array in = patterns(from);
    for (unsigned lanes : {16u, 8u, 0u}) {
      Array out(to.width, in.size());
      convert("%r = " + std::string(op) + " %a : IN " + (op[0] == 't' ? "->" : "to") + " OUT",
              from.name, to.name, in, out, lanes);
      int wrong = 0;
      for (size_t i = 0; i < in.size() && wrong < 5; ++i) {
        long double exact = decode(in[i], from), got = decode(out[i], to);
        if (!same(got, rounded(exact, to))) {
          ++wrong;
          ADD_FAILURE() << op << " " << from.name << " to " << to.name << ", " << lanes
                        << " lanes: " << std::hexfloat << exact << " gives " << got;
        }
      }
    }
  }

  void checkToInt(const Format &from, unsigned width, bool isUnsigned) {
    Array in = patterns(from);
    std::string type = "i" + std::to_string(width);
    for (unsigned lanes : {16u, 8u, 0u}) {
      Array out(width, in.size());
      convert(std::string("%r = tile.to_int ") + (isUnsigned ? "unsigned " : "") + "%a : IN -> OUT",
              from.name, type, in, out, lanes);
      const __int128 low = isUnsigned ? 0 : -(__int128(1) << (width - 1));
      const __int128 high = (__int128(1) << (isUnsigned ? width : width - 1)) - 1;
      int wrong = 0;
      for (size_t i = 0; i < in.size() && wrong < 5; ++i) {
        long double value = decode(in[i], from);
        __int128 exact = std::isnan(value)                           ? 0
                         : value >= std::ldexp(1.0L, int(width) + 1) ? high
                         : value <= -std::ldexp(1.0L, int(width))    ? low
                                                                     : __int128(value);
        exact = std::min(std::max(exact, low), high);
        uint64_t mask = ~uint64_t(0) >> (64 - width);
        if (out[i] != (uint64_t(exact) & mask)) {
          ++wrong;
          ADD_FAILURE() << from.name << " to " << (isUnsigned ? "u" : "") << type << ", " << lanes
                        << " lanes: " << value << " gives " << int64_t(out[i]);
        }
      }
    }
  }

  void checkFromInt(unsigned width, bool isUnsigned, const Format &to) {
    Array in(width);
    std::mt19937_64 random(5);
    if (width <= 16)
      for (unsigned i = 0; i < 65536; ++i)
        in.push(i);
    for (unsigned bit = 0; bit < width; ++bit)
      for (unsigned digit : {0u, 8u, 9u, 11u, 12u, 24u, 25u, 53u, 54u})
        for (int delta : {-1, 0, 1}) {
          uint64_t value = (uint64_t(1) << bit) + (bit >= digit ? uint64_t(1) << (bit - digit) : 0);
          in.push(value + delta);
          in.push(0 - value + delta);
        }
    for (int i = 0; i < 50000; ++i)
      in.push(random() >> i % width);
    while (in.size() % 64)
      in.push(0);
    std::string type = "i" + std::to_string(width);
    for (unsigned lanes : {16u, 8u, 0u}) {
      Array out(to.width, in.size());
      convert(std::string("%r = tile.from_int ") + (isUnsigned ? "unsigned " : "") +
                  "%a : IN -> OUT",
              type, to.name, in, out, lanes);
      int wrong = 0;
      for (size_t i = 0; i < in.size() && wrong < 5; ++i) {
        int64_t extended = static_cast<int64_t>(in[i] << (64 - width)) >> (64 - width);
        long double exact =
            isUnsigned ? static_cast<long double>(in[i]) : static_cast<long double>(extended);
        long double got = decode(out[i], to);
        if (!same(got, rounded(exact, to))) {
          ++wrong;
          ADD_FAILURE() << (isUnsigned ? "u" : "") << type << " to " << to.name << ", " << lanes
                        << " lanes: " << exact << " gives " << got;
        }
      }
    }
  }
};

TEST_P(ConvertTest, RoundsOnceToHalf) {
  checkRound(single, half, "tile.round");
  checkRound(twice, half, "tile.round");
}
TEST_P(ConvertTest, RoundsOnceToBrain) {
  checkRound(single, brain, "tile.round");
  checkRound(twice, brain, "tile.round");
}
TEST_P(ConvertTest, RoundsOnceToSingle) { checkRound(twice, single, "tile.round"); }
TEST_P(ConvertTest, WidensExactly) {
  checkRound(half, single, "arith.extf");
  checkRound(half, twice, "arith.extf");
  checkRound(brain, single, "arith.extf");
  checkRound(brain, twice, "arith.extf");
}

TEST_P(ConvertTest, FloatToIntegerSaturates) {
  for (const Format *from : {&half, &brain, &single, &twice})
    for (unsigned width : {8u, 16u, 32u, 64u})
      for (bool isUnsigned : {false, true})
        checkToInt(*from, width, isUnsigned);
}

TEST_P(ConvertTest, IntegerToFloatRoundsOnce) {
  for (const Format *to : {&half, &brain, &single, &twice})
    for (unsigned width : {8u, 16u, 32u, 64u})
      for (bool isUnsigned : {false, true})
        checkFromInt(width, isUnsigned, *to);
}

/// Random pairs and triples of halves: the result is the exact one, rounded once.
TEST_P(ConvertTest, HalfArithmeticRoundsOnce) {
  struct Arithmetic {
    const char *body;
    long double (*exact)(long double, long double, long double);
  };
  const Arithmetic operations[] = {
      {"%r = arith.addf %a, %b : IN", [](auto a, auto b, auto) { return a + b; }},
      {"%r = arith.subf %a, %b : IN", [](auto a, auto b, auto) { return a - b; }},
      {"%r = arith.mulf %a, %b : IN", [](auto a, auto b, auto) { return a * b; }},
      {"%r = arith.divf %a, %b : IN", [](auto a, auto b, auto) { return a / b; }},
      {"%r = math.sqrt %a : IN", [](auto a, auto, auto) { return sqrtl(a); }},
      {"%r = math.fma %a, %b, %c : IN", fmaToOdd},
      {"%r = arith.negf %a : IN", [](auto a, auto, auto) { return -a; }},
      {"%r = math.absf %a : IN", [](auto a, auto, auto) { return fabsl(a); }},
      {"%r = math.floor %a : IN", [](auto a, auto, auto) { return floorl(a); }},
  };
  std::mt19937_64 random(9);
  for (const Format *format : {&half, &brain}) {
    Array a(16), b(16), c(16);
    for (int i = 0; i < 65536; ++i) {
      a.push(i % 4 ? random() : unsigned(i));
      b.push(random());
      // Addends of all sizes against the product, the midpoints too.
      c.push(random());
    }
    for (const Arithmetic &operation : operations)
      for (unsigned lanes : {16u, 8u, 0u}) {
        Array out(16, a.size());
        Elementwise *kernel =
            compileElementwise(runner, operation.body, format->name, format->name, lanes);
        ASSERT_NE(kernel, nullptr);
        kernel(a.bytes.data(), b.bytes.data(), c.bytes.data(), out.bytes.data(), a.size());
        int wrong = 0;
        for (size_t i = 0; i < a.size() && wrong < 5; ++i) {
          long double x = decode(a[i], *format), y = decode(b[i], *format),
                      z = decode(c[i], *format);
          long double exact = rounded(operation.exact(x, y, z), *format);
          if (long double got = decode(out[i], *format); !same(got, exact)) {
            ++wrong;
            ADD_FAILURE() << operation.body << " in " << format->name << ", " << lanes
                          << " lanes: " << std::hexfloat << x << ", " << y << ", " << z << " gives "
                          << got << ", not " << exact;
          }
        }
      }
  }
}

/// The product is the midpoint of two halves and the addend is out of f64's sight beside it.
TEST_P(ConvertTest, FmaSeesTheSmallestAddend) {
  const float tiny = 0x1p-100f;
  auto upper = [](float x) { return std::bit_cast<uint32_t>(x) >> 16; };
  Array a(16), b(16), c(16), out(16, 64);
  for (int i = 0; i < 64; ++i) {
    // 1.0625 * 1.0625 = 1.12890625 lies in the middle of 1.125 and 1.1328125.
    a.push(upper(1.0625f));
    b.push(upper(1.0625f));
    c.push(upper(i % 2 ? tiny : -tiny));
  }
  Elementwise *kernel =
      compileElementwise(runner, "%r = math.fma %a, %b, %c : IN", "bf16", "bf16", 16);
  ASSERT_NE(kernel, nullptr);
  kernel(a.bytes.data(), b.bytes.data(), c.bytes.data(), out.bytes.data(), 64);
  EXPECT_EQ(decode(out[0], brain), 1.125L);
  EXPECT_EQ(decode(out[1], brain), 1.1328125L);
}

INSTANTIATE_TEST_SUITE_P(Rows, ConvertTest, testing::ValuesIn(TileRunner::runnableRows()),
                         TileRunner::testName);

} // namespace
