// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of the floats of 8 bits against a search for the nearest number.

#include "ElementwiseKernel.h"

#include <bit>
#include <cmath>
#include <random>

using namespace metile;
using namespace metile::cpu;

namespace {

struct Float8 {
  const char *name;
  int fraction, bias;
  unsigned largest; ///< The highest code of a finite number.
};
const Float8 formats[] = {{"f8E4M3FN", 3, 7, 0x7e}, {"f8E5M2", 2, 15, 0x7b}};

double decode(uint8_t code, const Float8 &format) {
  int magnitude = code & 0x7f, exponent = magnitude >> format.fraction;
  double fraction = magnitude & ((1 << format.fraction) - 1), one = 1 << format.fraction;
  double value = exponent == 0
                     ? std::ldexp(fraction, 1 - format.bias - format.fraction)
                     : std::ldexp(fraction + one, exponent - format.bias - format.fraction);
  if (magnitude > int(format.largest))
    value = format.fraction == 2 && magnitude == 0x7c ? INFINITY : NAN;
  return code & 0x80 ? -value : value;
}

/// The code nearest to `value`, the even one of two; beyond all numbers the largest.
uint8_t encode(double value, const Float8 &format) {
  unsigned best = 0;
  double magnitude = std::fabs(value), least = INFINITY;
  if (magnitude >= decode(format.largest, format))
    best = format.largest;
  else
    for (unsigned code = 0; code <= format.largest; ++code) {
      double distance = std::fabs(magnitude - decode(code, format));
      if (distance < least || (distance == least && code % 2 == 0)) {
        least = distance;
        best = code;
      }
    }
  return best | (std::signbit(value) ? 0x80 : 0);
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

std::string typeOf(const std::string &element, unsigned lanes) {
  return lanes ? "vector<" + std::to_string(lanes) + "x" + element + ">" : element;
}

class Float8Test : public testing::TestWithParam<std::string> {
protected:
  /// Elements that `body` makes of `in`; it speaks of types by NARROW, for the format, and WIDE.
  template <class In, class Out>
  std::vector<Out> convert(std::vector<In> in, std::string body, const Float8 &format,
                           const std::string &wide, const char *inType, const char *outType,
                           unsigned lanes) {
    while (in.size() % 64)
      in.push_back(In());
    body = replaceAll(body, "NARROW", typeOf(format.name, lanes));
    body = replaceAll(body, "WIDE", typeOf(wide, lanes));
    std::vector<Out> out(in.size());
    Elementwise *kernel = compileElementwise(runner, body, inType, outType, lanes);
    if (kernel)
      kernel(in.data(), in.data(), in.data(), out.data(), in.size());
    return out;
  }

  TileRunner runner{GetParam()};
};

TEST_P(Float8Test, WidensEveryNumberExactly) {
  std::vector<uint8_t> codes(256);
  for (int i = 0; i < 256; ++i)
    codes[i] = i;
  const char *body = "%f = arith.bitcast %a : IN to NARROW\n"
                     "%r = arith.extf %f : NARROW to WIDE";
  const char *through = "%f = arith.bitcast %a : IN to NARROW\n"
                        "%w = arith.extf %f : NARROW to WIDE\n"
                        "%r = arith.extf %w : WIDE to OUT";
  for (const Float8 &format : formats)
    for (unsigned lanes : {64u, 16u, 0u}) {
      auto single = convert<uint8_t, float>(codes, body, format, "f32", "i8", "f32", lanes);
      auto twice = convert<uint8_t, double>(codes, body, format, "f64", "i8", "f64", lanes);
      auto half = convert<uint8_t, float>(codes, through, format, "f16", "i8", "f32", lanes);
      auto brain = convert<uint8_t, float>(codes, through, format, "bf16", "i8", "f32", lanes);
      for (int code = 0; code < 256; ++code) {
        double exact = decode(code, format);
        EXPECT_TRUE(same(exact, single[code])) << format.name << " " << code << single[code];
        EXPECT_TRUE(same(exact, twice[code])) << format.name << " " << code << twice[code];
        EXPECT_TRUE(same(exact, half[code])) << format.name << " " << code << half[code];
        EXPECT_TRUE(same(exact, brain[code])) << format.name << " " << code << brain[code];
      }
    }
}

/// All numbers of the format, what lies half way between two, and the neighbours of both.
template <class T> std::vector<T> neighbourhood(const Float8 &format) {
  std::vector<T> values = {T(0),   T(-0.0), T(INFINITY), T(-INFINITY),
                           T(NAN), T(1e30), T(-1e5),     T(1e-30)};
  for (unsigned code = 0; code < format.largest + 2; ++code) {
    double low = decode(code, format);
    // Beyond the largest number goes on as if there were one more.
    double high = code < format.largest
                      ? decode(code + 1, format)
                      : 2 * low - decode(std::min(code, format.largest) - 1, format);
    for (double value : {low, (low + high) / 2}) {
      if (!std::isfinite(value))
        continue;
      for (T near : {T(value), std::nextafter(T(value), T(INFINITY)),
                     std::nextafter(T(value), T(-INFINITY))}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  }
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i)
    values.push_back(T(std::ldexp(double(int64_t(random())), -63 + int(random() % 40) - 20)));
  return values;
}

template <class T>
void expectNearest(const std::vector<T> &in, const std::vector<uint8_t> &out, const Float8 &format,
                   const std::string &from) {
  int wrong = 0;
  for (size_t i = 0; i < in.size() && wrong < 5; ++i) {
    double got = decode(out[i], format), value = in[i];
    if (std::isnan(value) ? std::isnan(got) : out[i] == encode(value, format))
      continue;
    ++wrong;
    ADD_FAILURE() << from << " " << std::hexfloat << value << " to " << format.name << " gives "
                  << std::defaultfloat << got;
  }
}

TEST_P(Float8Test, RoundsOnceToTheNearestEven) {
  const char *body = "%f = tile.round %a : IN -> NARROW\n"
                     "%r = arith.bitcast %f : NARROW to OUT";
  for (const Float8 &format : formats)
    for (unsigned lanes : {64u, 16u, 0u}) {
      auto single = neighbourhood<float>(format);
      expectNearest(single,
                    convert<float, uint8_t>(single, body, format, "f32", "f32", "i8", lanes),
                    format, "f32");
      auto twice = neighbourhood<double>(format);
      expectNearest(twice, convert<double, uint8_t>(twice, body, format, "f64", "f64", "i8", lanes),
                    format, "f64");
    }
}

TEST_P(Float8Test, RoundsEveryHalf) {
  std::vector<uint16_t> bits(65536);
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = uint16_t(i);
  for (const char *wide : {"f16", "bf16"})
    for (const Float8 &format : formats)
      for (unsigned lanes : {16u, 0u}) {
        auto values = convert<uint16_t, float>(bits,
                                               "%w = arith.bitcast %a : IN to WIDE\n"
                                               "%r = arith.extf %w : WIDE to OUT",
                                               format, wide, "i16", "f32", lanes);
        auto codes = convert<uint16_t, uint8_t>(bits,
                                                "%w = arith.bitcast %a : IN to WIDE\n"
                                                "%f = tile.round %w : WIDE -> NARROW\n"
                                                "%r = arith.bitcast %f : NARROW to OUT",
                                                format, wide, "i16", "i8", lanes);
        expectNearest(values, codes, format, wide);
      }
}

INSTANTIATE_TEST_SUITE_P(Rows, Float8Test, testing::ValuesIn(TileRunner::runnableRows()),
                         TileRunner::testName);

} // namespace
