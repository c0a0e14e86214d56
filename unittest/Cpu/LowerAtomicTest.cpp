// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: what they leave behind and what they return, alone and on many threads.

#include "KernelRunner.h"

#include <Eigen/Core>

#include <bit>
#include <limits>
#include <thread>

using namespace metile;
using namespace metile::cpu;

namespace {

/// One atomic operation of 64 elements; element i goes to place 37 i % 64, so that no two meet.
const char *scattered = R"(
func.func @update(%p: !tile.ptr<ELEM> {tile.role = "pointer", tile.name = "p"},
                  %v: !tile.view<64xELEM, [1]> {tile.role = "in", tile.name = "v"},
                  %o: !tile.view<64xELEM, [1]> {tile.role = "out", tile.name = "o"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %i = tile.arange 0 : tensor<64xi64>
  %k = arith.constant dense<37> : tensor<64xi64>
  %c63 = arith.constant dense<63> : tensor<64xi64>
  %c5 = arith.constant dense<5> : tensor<64xi64>
  %ik = arith.muli %i, %k : tensor<64xi64>
  %at = arith.andi %ik, %c63 : tensor<64xi64>
  %m = arith.cmpi ne, %at, %c5 : tensor<64xi64>
  %ps = tile.splat %p : !tile.ptr<ELEM> -> tensor<64x!tile.ptr<ELEM>>
  %q = tile.addptr %ps, %at : tensor<64x!tile.ptr<ELEM>>, tensor<64xi64>
  %x = tile.view_load %v[%c0] : !tile.view<64xELEM, [1]> -> tensor<64xELEM>
  %old = tile.atomic_rmw KIND %q, %x, %m : tensor<64x!tile.ptr<ELEM>>, tensor<64xELEM> mask tensor<64xi1>
  tile.view_store %old, %o[%c0] : tensor<64xELEM>, !tile.view<64xELEM, [1]>
  return
})";

template <class T, class Combine>
void checkKind(const Way &way, std::string element, std::string kind, Combine combine,
               uint64_t bits = ~uint64_t(0)) {
  KernelRunner kernel(with(with(scattered, "ELEM", element), "KIND", kind), way);
  Guarded<T> memory(64), values(64), old(64);
  std::mt19937_64 random(7);
  auto next = [&] {
    if constexpr (std::numeric_limits<T>::is_integer)
      return T(random() & bits);
    else
      return random() % 16 == 0 ? T(NAN) : T(float(int(random() % 4000) - 2000) / 16);
  };
  for (int i = 0; i < 64; ++i) {
    memory[i] = next();
    values[i] = next();
  }
  std::vector<T> before(memory.data(), memory.data() + 64);
  kernel.run({{slot(memory.data())}, view(values.data(), {64}), view(old.data(), {64})});
  auto expect = [&](T got, T expected, const char *what, int i) {
    bool bothNaN = got != got && expected != expected;
    EXPECT_TRUE(bothNaN || got == expected)
        << element << " " << kind << ": " << what << " " << i << " is " << double(got) << ", not "
        << double(expected);
  };
  for (int i = 0; i < 64; ++i) {
    int at = 37 * i % 64;
    expect(old[i], at == 5 ? T(0) : before[at], "old value", i);
    expect(memory[at], at == 5 ? before[at] : combine(before[at], values[i]), "place", at);
  }
}

template <class T> void checkInteger(const Way &way, std::string element) {
  using S = std::make_signed_t<T>;
  checkKind<T>(way, element, "add", [](T a, T b) { return T(a + b); });
  checkKind<T>(way, element, "max", [](T a, T b) { return T(std::max(S(a), S(b))); });
  checkKind<T>(way, element, "min relaxed", [](T a, T b) { return T(std::min(S(a), S(b))); });
  checkKind<T>(way, element, "max unsigned", [](T a, T b) { return std::max(a, b); });
  checkKind<T>(way, element, "min unsigned", [](T a, T b) { return std::min(a, b); });
  checkKind<T>(way, element, "and acquire", [](T a, T b) { return T(a & b); });
  checkKind<T>(way, element, "or release", [](T a, T b) { return T(a | b); });
  checkKind<T>(way, element, "xor", [](T a, T b) { return T(a ^ b); });
  checkKind<T>(way, element, "xchg", [](T, T b) { return b; });
}

template <class T> void checkFloat(const Way &way, std::string element) {
  auto isNaN = [](T a) { return a != a; };
  checkKind<T>(way, element, "add", [](T a, T b) { return T(a + b); });
  checkKind<T>(way, element, "max relaxed",
               [&](T a, T b) { return isNaN(a) || (!isNaN(b) && a > b) ? a : b; });
  checkKind<T>(way, element, "min",
               [&](T a, T b) { return isNaN(a) || (!isNaN(b) && a < b) ? a : b; });
  checkKind<T>(way, element, "xchg", [](T, T b) { return b; });
}

TEST_P(KernelTest, AtomicsOfEveryElement) {
  checkInteger<uint8_t>(GetParam(), "i8");
  checkInteger<uint16_t>(GetParam(), "i16");
  checkInteger<uint32_t>(GetParam(), "i32");
  checkInteger<uint64_t>(GetParam(), "i64");
  checkFloat<float>(GetParam(), "f32");
  checkFloat<double>(GetParam(), "f64");
  checkFloat<Eigen::half>(GetParam(), "f16");
  checkFloat<Eigen::bfloat16>(GetParam(), "bf16");
  checkKind<uint8_t>(GetParam(), "i1", "and", [](int a, int b) { return uint8_t(a & b); }, 1);
  checkKind<uint8_t>(GetParam(), "i1", "or", [](int a, int b) { return uint8_t(a | b); }, 1);
  checkKind<uint8_t>(GetParam(), "i1", "xor", [](int a, int b) { return uint8_t(a ^ b); }, 1);
  checkKind<uint8_t>(GetParam(), "i1", "xchg", [](int, int b) { return uint8_t(b); }, 1);
}

TEST_P(KernelTest, CompareAndSwap) {
  for (const char *element : {"i8", "i32", "i64", "f16", "f32", "f64", "i1"}) {
    std::string text = R"(
func.func @swap(%a: !tile.view<8x8xELEM, [8, 1]> {tile.role = "inout", tile.name = "a"},
                %e: !tile.view<8x8xELEM, [8, 1]> {tile.role = "in", tile.name = "e"},
                %d: !tile.view<8x8xELEM, [8, 1]> {tile.role = "in", tile.name = "d"},
                %o: !tile.view<8x8xELEM, [8, 1]> {tile.role = "out", tile.name = "o"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %p, %in = tile.view_pointers %a[%c0, %c0] : !tile.view<8x8xELEM, [8, 1]>
      -> tensor<8x8x!tile.ptr<ELEM>>, tensor<8x8xi1>
  %x = tile.view_load %e[%c0, %c0] : !tile.view<8x8xELEM, [8, 1]> -> tensor<8x8xELEM>
  %y = tile.view_load %d[%c0, %c0] : !tile.view<8x8xELEM, [8, 1]> -> tensor<8x8xELEM>
  %old = tile.atomic_cas acquire %p, %x, %y : tensor<8x8x!tile.ptr<ELEM>>, tensor<8x8xELEM>
  tile.view_store %old, %o[%c0, %c0] : tensor<8x8xELEM>, !tile.view<8x8xELEM, [8, 1]>
  return
})";
    KernelRunner kernel(with(text, "ELEM", element), GetParam());
    auto check = [&](auto sample) {
      using T = decltype(sample); // The bits of an element.
      Guarded<T> a(64), e(64), d(64), o(64);
      std::mt19937_64 random(3);
      T mask = std::string(element) == "i1" ? 1 : T(~T(0));
      for (int i = 0; i < 64; ++i) {
        a[i] = T(random()) & mask;
        e[i] = i % 2 ? a[i] : T(random()) & mask;
        d[i] = T(random()) & mask;
      }
      std::vector<T> before(a.data(), a.data() + 64);
      kernel.run({view(a.data(), {8, 8}), view(e.data(), {8, 8}), view(d.data(), {8, 8}),
                  view(o.data(), {8, 8})});
      for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(o[i], before[i]) << element;
        EXPECT_EQ(a[i], before[i] == e[i] ? d[i] : before[i]) << element;
      }
    };
    std::string name = element;
    if (name == "i8" || name == "i1")
      check(uint8_t());
    else if (name == "f16")
      check(uint16_t());
    else if (name == "i64" || name == "f64")
      check(uint64_t());
    else
      check(uint32_t());
  }
}

// Elements that share an address all count; a load before them does not see them, one after does.
TEST_P(KernelTest, AtomicsOnOneAddressAndLoadsAround) {
  KernelRunner kernel(R"(
func.func @count(%p: !tile.ptr<f32> {tile.role = "pointer", tile.name = "p"},
                 %o: !tile.view<2xf32, [1]> {tile.role = "out", tile.name = "o"})
    attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  tile.grid %one
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %pair = tile.splat %p : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  %before = tile.load %pair : tensor<2x!tile.ptr<f32>> -> tensor<2xf32>
  %x = arith.constant dense<0.5> : tensor<64xf32>
  %old = tile.atomic_rmw add %ps, %x : tensor<64x!tile.ptr<f32>>, tensor<64xf32>
  %k = arith.constant 2.0 : f32
  %last = tile.atomic_rmw add relaxed %p, %k : !tile.ptr<f32>, f32
  %lasts = tile.splat %last : f32 -> tensor<2xf32>
  %after = tile.load %pair : tensor<2x!tile.ptr<f32>> -> tensor<2xf32>
  %difference = arith.subf %after, %before : tensor<2xf32>
  %i = tile.arange 0 : tensor<2xi64>
  %zeros = arith.constant dense<0> : tensor<2xi64>
  %isFirst = arith.cmpi eq, %i, %zeros : tensor<2xi64>
  %r = arith.select %isFirst, %difference, %lasts : tensor<2xi1>, tensor<2xf32>
  tile.view_store %r, %o[%c0] : tensor<2xf32>, !tile.view<2xf32, [1]>
  return
})",
                      GetParam());
  Guarded<float> memory(1, 10.0f), o(2);
  kernel.run({{slot(memory.data())}, view(o.data(), {2})});
  EXPECT_EQ(o[0], 34.0f);
  EXPECT_EQ(o[1], 42.0f);
  EXPECT_EQ(memory[0], 44.0f);
}

} // namespace
