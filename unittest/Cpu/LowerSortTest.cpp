// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts, top-k and histograms.

#include "KernelRunner.h"

#include <Eigen/Core>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace metile;
using namespace metile::cpu;

namespace {

/// Sorts a TRxTC tile and the places of its elements along AXIS; keeps KR x KC.
const char *sorts = R"(
func.func @sort(%x: !tile.view<?x?xELEM, [?, 1]> {tile.role = "in", tile.name = "x"},
                %y: !tile.view<?x?xELEM, [?, 1]> {tile.role = "out", tile.name = "y"},
                %i: !tile.view<?x?xi16, [?, 1]> {tile.role = "out", tile.name = "i"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %t = tile.view_load %x[%c0, %c0] : !tile.view<?x?xELEM, [?, 1]> -> tensor<TRxTCxELEM>
  %ar = tile.arange 0 : tensor<DEPTHxi64>
  %an = arith.trunci %ar : tensor<DEPTHxi64> to tensor<DEPTHxi16>
  %ae = tile.expand_dims %an, OTHER : tensor<DEPTHxi16> -> tensor<EXPANDEDxi16>
  %ab = tile.broadcast %ae : tensor<EXPANDEDxi16> -> tensor<TRxTCxi16>
  %s:2 = tile.sort(%t, %ab) axis AXIS FLAGS : (tensor<TRxTCxELEM>, tensor<TRxTCxi16>) -> (tensor<KRxKCxELEM>, tensor<KRxKCxi16>)
  tile.view_store %s#0, %y[%c0, %c0] : tensor<KRxKCxELEM>, !tile.view<?x?xELEM, [?, 1]>
  tile.view_store %s#1, %i[%c0, %c0] : tensor<KRxKCxi16>, !tile.view<?x?xi16, [?, 1]>
  return
})";

/// Whether a comes before b in ascending order: NaN last.
template <class T> bool isLess(T a, T b) {
  if constexpr (std::numeric_limits<T>::has_quiet_NaN)
    return a < b || (b != b && a == a);
  else
    return a < b;
}

template <class T, class Next>
void checkSort(const Way &way, std::string element, std::string flags, Next next) {
  bool isDescending = flags.find("descending") != std::string::npos;
  for (int axis : {0, 1})
    for (auto [rows, columns, keep] : {std::tuple{4, 64, 64},
                                       {4, 64, 8},
                                       {32, 16, 1},
                                       {256, 2, 2},
                                       {2, 1, 1},
                                       {1, 1024, 128},
                                       {3 + 1, 4, 2}}) {
      int depth = axis == 0 ? rows : columns, lines = axis == 0 ? columns : rows;
      int kept = std::min(keep, depth), outRows = axis == 0 ? kept : rows;
      int outColumns = axis == 0 ? columns : kept;
      std::string text = with(sorts, "EXPANDED", axis == 0 ? "TRx1" : "1xTC");
      text = with(text, "OTHER", std::to_string(1 - axis));
      text = with(text, "AXIS", std::to_string(axis));
      text = with(text, "FLAGS", flags);
      text = with(text, "DEPTH", std::to_string(depth));
      text = with(text, "KR", std::to_string(outRows));
      text = with(text, "KC", std::to_string(outColumns));
      text = with(text, "TR", std::to_string(rows));
      text = with(text, "TC", std::to_string(columns));
      KernelRunner kernel(with(text, "ELEM", element), way);
      Guarded<T> x(rows * columns), y(outRows * outColumns);
      Guarded<int16_t> index(outRows * outColumns, -1);
      std::mt19937_64 random(depth);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = next(random);
      kernel.run({view(x.data(), {rows, columns}), view(y.data(), {outRows, outColumns}),
                  view(index.data(), {outRows, outColumns})});
      std::vector<int16_t> places(outRows * outColumns);
      for (int line = 0; line < lines; ++line) {
        std::vector<int16_t> order(depth);
        std::iota(order.begin(), order.end(), int16_t(0));
        auto at = [&](int d) { return axis == 0 ? x[d * columns + line] : x[line * columns + d]; };
        std::sort(order.begin(), order.end(), [&](int a, int b) {
          bool isBefore = isDescending ? isLess(at(b), at(a)) : isLess(at(a), at(b));
          bool isAfter = isDescending ? isLess(at(a), at(b)) : isLess(at(b), at(a));
          return isBefore || (!isAfter && a < b);
        });
        for (int d = 0; d < kept; ++d)
          places[axis == 0 ? d * columns + line : line * kept + d] = order[d];
      }
      expectAll(index, [&](size_t i) { return places[i]; });
      auto source = [&](size_t i) {
        return axis == 0 ? x[places[i] * columns + i % columns] : x[i / kept * columns + places[i]];
      };
      // Bits: zeros of both signs keep theirs.
      for (size_t i = 0; i < y.size(); ++i) {
        T expected = source(i);
        if (std::memcmp(&expected, &y[i], sizeof(T))) {
          ADD_FAILURE() << element << " " << flags << ": element " << i << " is " << double(y[i])
                        << ", not " << double(expected);
          break;
        }
      }
    }
}

/// Few values, so that many are equal; NaN, infinities and both zeros among them.
template <class T> T someFloat(std::mt19937_64 &random) {
  switch (random() % 8) {
  case 0:
    return T(NAN);
  case 1:
    return T(-0.0f);
  case 2:
    return T(0.0f);
  case 3:
    return T(random() % 2 ? INFINITY : -INFINITY);
  default:
    return T(float(int(random() % 9) - 4));
  }
}

template <class T> T someInteger(std::mt19937_64 &random) {
  if (random() % 4 == 0)
    return random() % 2 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  return random() % 2 ? T(random()) : T(random() % 7);
}

TEST_P(KernelTest, SortsFloats) {
  for (const char *flags : {"", "descending"}) {
    checkSort<float>(GetParam(), "f32", flags, someFloat<float>);
    checkSort<double>(GetParam(), "f64", flags, someFloat<double>);
  }
  checkSort<Eigen::half>(GetParam(), "f16", "descending", someFloat<Eigen::half>);
  checkSort<Eigen::bfloat16>(GetParam(), "bf16", "", someFloat<Eigen::bfloat16>);
}

TEST_P(KernelTest, SortsIntegers) {
  checkSort<int32_t>(GetParam(), "i32", "", someInteger<int32_t>);
  checkSort<uint32_t>(GetParam(), "i32", "unsigned", someInteger<uint32_t>);
  checkSort<int64_t>(GetParam(), "i64", "descending", someInteger<int64_t>);
  checkSort<uint64_t>(GetParam(), "i64", "unsigned descending", someInteger<uint64_t>);
  checkSort<int8_t>(GetParam(), "i8", "", someInteger<int8_t>);
  checkSort<uint8_t>(GetParam(), "i8", "unsigned descending", someInteger<uint8_t>);
  checkSort<uint8_t>(GetParam(), "i1", "",
                     [](std::mt19937_64 &random) { return uint8_t(random() % 2); });
}

TEST_P(KernelTest, Histogram) {
  struct Case {
    int rows, columns, bins;
    bool isMasked;
  };
  for (const char *element : {"i32", "i8", "i64"})
    for (auto [rows, columns, bins, isMasked] :
         {Case{4, 64, 16, false}, {4, 64, 256, true}, {1, 1024, 1, true}, {8, 2, 4, false}}) {
      std::string text = R"(
func.func @count(%x: !tile.view<?x?xELEM, [?, 1]> {tile.role = "in", tile.name = "x"},
                 %y: !tile.view<BINSxi32, [1]> {tile.role = "out", tile.name = "y"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %fill = arith.constant 1 : ELEM
  %t = tile.view_load %x[%c0, %c0] fill %fill : ELEM : !tile.view<?x?xELEM, [?, 1]> -> tensor<TRxTCxELEM>
  %three = arith.constant dense<3> : tensor<TRxTCxELEM>
  %m = arith.cmpi ne, %t, %three : tensor<TRxTCxELEM>
  %h = tile.histogram %t MASK -> tensor<BINSxi32>
  tile.view_store %h, %y[%c0] : tensor<BINSxi32>, !tile.view<BINSxi32, [1]>
  return
})";
      text = with(text, "MASK",
                  isMasked ? ", %m : tensor<TRxTCxELEM> mask tensor<TRxTCxi1>"
                           : ": tensor<TRxTCxELEM>");
      text = with(with(text, "ELEM", element), "BINS", std::to_string(bins));
      text = with(with(text, "TR", std::to_string(rows)), "TC", std::to_string(columns));
      KernelRunner kernel(text, GetParam());
      auto check = [&](auto sample) {
        using T = decltype(sample);
        for (int edge : {0, 1}) {
          int n = columns - edge;
          Guarded<T> x(rows * n);
          Guarded<int32_t> counts(bins, -1);
          std::mt19937 random(1);
          for (size_t i = 0; i < x.size(); ++i)
            x[i] = random() % 4 == 0 ? T(random()) : T(random() % 20);
          kernel.run({view(x.data(), {rows, n}), view(counts.data(), {bins})});
          std::vector<int32_t> expected(bins);
          for (size_t i = 0; i < x.size(); ++i)
            if (x[i] >= 0 && int64_t(x[i]) < bins && !(isMasked && x[i] == 3))
              ++expected[x[i]];
          if (bins > 1)
            expected[1] += edge * rows;
          expectAll(counts, [&](size_t i) { return expected[i]; });
        }
      };
      if (std::string(element) == "i32")
        check(int32_t());
      else if (std::string(element) == "i64")
        check(int64_t());
      else
        check(int8_t());
    }
}

} // namespace
