// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Check.h"
#include "Bench/HalfConvert.h"
#include "Bench/Statistics.h"
#include "Bench/Tolerance.h"
#include "Digest/Sha256.h"
#include "Support/HalfFloat.h"
#include "TestCases.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace metile::bench {
namespace {

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The output of an add case that holds the right sums.
struct Checked {
  explicit Checked(DType dtype, int64_t rows = 8, int64_t columns = 15)
      : set(ArgumentSet::make(addCase(dtype, rows, columns), 7, false).orExit()),
        output(set.arguments()[2]) {
    tolerance = addCase(dtype, rows, columns).tolerance;
    for (int64_t i = 0; i < output.count(); ++i)
      expected.push_back(set.arguments()[0].read(i) + set.arguments()[1].read(i));
    poison(output);
    for (int64_t i = 0; i < output.count(); ++i)
      output.write(i, expected[static_cast<size_t>(i)]);
  }
  CheckResult check(unsigned salt = 0) const {
    return bench::check(output, expected, tolerance, salt);
  }

  ArgumentSet set;
  Argument &output;
  std::vector<double> expected;
  Tolerance tolerance;
};

TEST(Arguments, AreSeededNonZeroAndHashed) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i32}) {
    Case benchCase = addCase(dtype, 16, 16);
    ArgumentSet one = ArgumentSet::make(benchCase, 431, false).orExit();
    ArgumentSet same = ArgumentSet::make(benchCase, 431, true).orExit();
    ArgumentSet other = ArgumentSet::make(benchCase, 432, false).orExit();
    EXPECT_EQ(one.inputSha256(), same.inputSha256());
    EXPECT_NE(one.inputSha256(), other.inputSha256());
    EXPECT_EQ(one.inputSha256().size(), 64u);
    std::set<double> values;
    for (int64_t i = 0; i < 256; ++i) {
      double value = one.arguments()[0].read(i);
      EXPECT_NE(value, 0);
      EXPECT_GE(value, benchCase.arguments[0].low);
      EXPECT_LE(value, benchCase.arguments[0].high);
      values.insert(value);
    }
    EXPECT_GT(values.size(), 30u);
  }
}

TEST(Arguments, NoticeWritesBesideThemAndIntoInputs) {
  ArgumentSet set = ArgumentSet::make(addCase(DType::f32, 3, 5), 1, false).orExit();
  EXPECT_EQ(set.damagedGuard(), "");
  EXPECT_EQ(set.changedInput(), "");
  Argument &output = set.arguments()[2];
  std::byte before = output.data[-1];
  output.data[-1] = std::byte{0};
  EXPECT_EQ(set.damagedGuard(), "c");
  output.data[-1] = before;
  output.data[output.bytes] = std::byte{0};
  EXPECT_EQ(set.damagedGuard(), "c");
  output.data[output.bytes] = before;
  EXPECT_EQ(set.damagedGuard(), "");
  set.arguments()[1].write(4, 99);
  EXPECT_EQ(set.changedInput(), "b");
}

TEST(Arguments, StridesPlaceElements) {
  Case benchCase = addCase(DType::f32, 3, 5);
  benchCase.arguments[0].strides = {1, 4};
  ArgumentSet set = ArgumentSet::make(benchCase, 1, false).orExit();
  const Argument &a = set.arguments()[0];
  EXPECT_FALSE(a.isDense());
  EXPECT_EQ(a.bytes, (2 * 1 + 4 * 4 + 1) * sizeof(float));
  EXPECT_EQ(a.offset(5 + 2), 1 + 2 * 4);
}

TEST(Arguments, ScalarsAreRoundedToTheirType) {
  Case benchCase = addCase(DType::f32, 2, 2);
  CaseArgument scalar;
  scalar.name = "n";
  scalar.dtype = DType::f16;
  scalar.value = 1.0004;
  benchCase.arguments.push_back(scalar);
  ArgumentSet set = ArgumentSet::make(benchCase, 1, false).orExit();
  EXPECT_EQ(set.arguments()[3].scalar, f16FromDouble(1.0004));
}

TEST(Check, RightResultsPass) {
  for (DType dtype : allDTypes) {
    if (dtype == DType::boolean)
      continue;
    Checked checked(dtype);
    CheckResult result = checked.check();
    EXPECT_TRUE(result.right) << name(dtype) << ": " << result.message;
    EXPECT_LE(result.maxErrorOverBound, 1);
  }
}

TEST(Check, PoisonIsFoundInEveryType) {
  for (DType dtype : allDTypes) {
    Checked checked(dtype);
    for (unsigned salt : {0u, 1u}) {
      poison(checked.output, salt);
      CheckResult result = checked.check(salt);
      EXPECT_FALSE(result.right) << name(dtype);
      EXPECT_EQ(result.mismatches, checked.output.count()) << name(dtype);
      EXPECT_TRUE(contains(result.message, "120 were never written")) << result.message;
      EXPECT_TRUE(contains(result.message, "every element")) << result.message;
    }
  }
}

TEST(Check, OneUnitInTheLastPlaceIsTooMuchForASum) {
  Checked checked(DType::f16);
  auto *bits = reinterpret_cast<uint16_t *>(checked.output.data);
  bits[17] = static_cast<uint16_t>(bits[17] + 2);
  CheckResult result = checked.check();
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_TRUE(contains(result.message, "[1, 2] found")) << result.message;
  EXPECT_TRUE(contains(result.message, "allowed")) << result.message;
}

TEST(Check, NamesTheLastColumn) {
  Checked checked(DType::f32);
  for (int64_t row = 0; row < 8; ++row)
    checked.output.write(row * 15 + 14, 0);
  CheckResult result = checked.check();
  EXPECT_EQ(result.mismatches, 8);
  EXPECT_TRUE(contains(result.message, "8 of 120 elements of 'c' are wrong")) << result.message;
  EXPECT_TRUE(contains(result.message, "box [0..7, 14..14]")) << result.message;
  EXPECT_TRUE(contains(result.message, "all in the last 1 column")) << result.message;
  EXPECT_TRUE(contains(result.message, "8 are 0")) << result.message;
  EXPECT_TRUE(contains(result.message, "… 3 more")) << result.message;
}

TEST(Check, NamesTheFirstRowsAndAPeriod) {
  Checked first(DType::f32);
  for (int64_t i = 0; i < 2 * 15; ++i)
    first.output.write(i, 5);
  EXPECT_TRUE(contains(first.check().message, "all in the first 2 rows"));
  Checked periodic(DType::f32);
  for (int64_t row = 1; row < 8; row += 2)
    for (int64_t column = 0; column < 15; ++column)
      periodic.output.write(row * 15 + column, 5);
  EXPECT_TRUE(contains(periodic.check().message, "only every 2. row, from 1 on"))
      << periodic.check().message;
}

TEST(Check, NaNIsWrongAndToldFromUnwritten) {
  Checked checked(DType::f32);
  checked.output.write(3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(contains(checked.check().message, "1 are NaN")) << checked.check().message;
}

TEST(Check, ExpectedNaNAndInfinity) {
  Checked checked(DType::f32);
  checked.expected[2] = std::numeric_limits<double>::quiet_NaN();
  checked.expected[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(checked.check().mismatches, 2);
  checked.output.write(2, std::numeric_limits<double>::quiet_NaN());
  checked.output.write(3, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(checked.check().right);
}

TEST(Check, OverflowOfTheOutputTypeMayBeInfinite) {
  Checked checked(DType::f16);
  checked.expected[0] = 70000;
  checked.output.write(0, 70000);
  EXPECT_TRUE(checked.check().right) << checked.check().message;
  checked.output.write(0, -70000);
  EXPECT_FALSE(checked.check().right);
}

TEST(Check, BytesSaturate) {
  Checked checked(DType::f8e4m3);
  checked.expected[0] = 1000;
  checked.expected[1] = -std::numeric_limits<double>::infinity();
  checked.output.write(0, 448);
  checked.output.write(1, -448);
  EXPECT_TRUE(checked.check().right) << checked.check().message;
  checked.output.write(0, 416);
  EXPECT_FALSE(checked.check().right);
}

TEST(Tolerance, RoundingOfEachType) {
  for (DType dtype :
       {DType::f8e4m3, DType::f8e5m2, DType::f16, DType::bf16, DType::f32, DType::f64}) {
    double u = unitRoundoff(dtype);
    std::array<std::byte, 8> memory;
    // 1 + u lies halfway to the next number and goes to even; beyond it rounds up by 2u.
    writeElement(dtype, memory.data(), 1 + u);
    EXPECT_EQ(readElement(dtype, memory.data()), 1) << name(dtype);
    if (dtype != DType::f64) {
      writeElement(dtype, memory.data(), 1 + u * 1.01);
      EXPECT_EQ(readElement(dtype, memory.data()), 1 + 2 * u) << name(dtype);
    }
    writeElement(dtype, memory.data(), largestFinite(dtype));
    EXPECT_EQ(readElement(dtype, memory.data()), largestFinite(dtype)) << name(dtype);
  }
}

TEST(Tolerance, AccumulationGrowsWithTheTerms) {
  double u = unitRoundoff(DType::f32);
  EXPECT_NEAR(accumulationBound(10, DType::f32, 10), 10 * u * 10, 1e-3 * u);
  // From 100 terms on the probable bound is the smaller one.
  EXPECT_NEAR(accumulationBound(1024, DType::f32, 1), 10 * 32 * u, 1e-12);
  EXPECT_LT(accumulationBound(1 << 20, DType::f32, 1), (1 << 20) * u);
}

TEST(Tolerance, AForgottenTermOfALongSumShows) {
  // Sums of 4096 products of numbers uniform in ±1: f32 accumulation in order must pass, and
  // leaving out the last term, which is 1/4 on average, must mostly fail.
  Random random(3);
  Tolerance tolerance;
  tolerance.depth = 4096;
  tolerance.magnitude = 4096;
  int caught = 0;
  for (int trial = 0; trial < 50; ++trial) {
    double exact = 0;
    float sum = 0, before = 0;
    for (int k = 0; k < 4096; ++k) {
      auto a = static_cast<float>(2 * random.uniform() - 1);
      auto b = static_cast<float>(2 * random.uniform() - 1);
      exact += static_cast<double>(a) * b;
      before = sum;
      sum += a * b;
    }
    double bound = errorBound(tolerance, DType::f32, exact);
    EXPECT_LE(std::abs(sum - exact), bound);
    caught += std::abs(before - exact) > bound;
  }
  EXPECT_GT(caught, 20);
}

TEST(HalfConvert, AgreesWithTheScalarFunctions) {
  constexpr size_t count = 65536;
  std::vector<uint16_t> halves(count), back(count);
  std::vector<float> floats(count);
  for (size_t i = 0; i < count; ++i)
    halves[i] = static_cast<uint16_t>(i);
  for (size_t offset : {size_t(0), size_t(3)}) { // An odd count takes the scalar path at the end.
    size_t n = count - offset;
    widenF16(halves.data() + offset, floats.data(), n);
    narrowToF16(floats.data(), back.data(), n);
    for (size_t i = 0; i < n; ++i) {
      float expected = floatFromF16(halves[offset + i]);
      ASSERT_TRUE(expected == floats[i] || (std::isnan(expected) && std::isnan(floats[i])));
      if (!std::isnan(expected)) {
        ASSERT_EQ(back[i], halves[offset + i]);
      }
    }
  }
  widenBf16(halves.data(), floats.data(), count);
  narrowToBf16(floats.data(), back.data(), count);
  for (size_t i = 0; i < count; ++i)
    if (!std::isnan(floats[i])) {
      ASSERT_EQ(back[i], halves[i]);
    }
}

TEST(Sha256, KnownDigests) {
  // FIPS 180-2, appendix B.1, and the digest of nothing.
  Sha256 hash;
  hash.update("a");
  hash.update("bc");
  EXPECT_EQ(hash.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256OfFile("/nonexistent/file"), "");
}

} // namespace
} // namespace metile::bench
