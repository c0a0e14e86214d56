// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fragments against the formulas by which the manuals and public kernels describe them.

#include "Target/Fragments.h"

#include "Layout/Spelling.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

using namespace metile;

namespace {

using Element = std::vector<int64_t>;

/// Compares each place of the fragment with `element(lane, register)`.
void expectFragment(std::string_view name, std::function<Element(int64_t, int64_t)> element) {
  const Fragment *fragment = findFragment(name);
  ASSERT_NE(fragment, nullptr) << name;
  EXPECT_TRUE(fragment->layout.isBijective()) << name;
  const LayoutSpace &ins = fragment->layout.ins();
  ASSERT_EQ(ins.sizeOf(dims::lane), 32);
  // Simdgroups count as more lanes.
  for (int64_t lane = 0; lane < 32 * ins.sizeOf(dims::simdgroup); ++lane)
    for (int64_t reg = 0; reg < ins.sizeOf(dims::reg); ++reg)
      EXPECT_EQ(fragment->layout.outs().coordinates(
                    fragment->layout(static_cast<uint64_t>(lane * ins.sizeOf(dims::reg) + reg))),
                element(lane, reg))
          << name << " lane " << lane << " register " << reg;
}

TEST(Fragments, MatchTheFormulasForMma) {
  // The manual counts rows by group = lane / 4 and columns by the lane's number in it.
  expectFragment("mma.m16n8k16.a", [](int64_t lane, int64_t i) -> Element {
    int64_t group = lane / 4, member = lane % 4;
    return {group + (i % 4 < 2 ? 0 : 8), member * 2 + i % 2 + (i < 4 ? 0 : 8)};
  });
  expectFragment("mma.m16n8k16.b", [](int64_t lane, int64_t i) -> Element {
    return {lane % 4 * 2 + i % 2 + (i < 2 ? 0 : 8), lane / 4};
  });
  expectFragment("mma.m16n8k8.a", [](int64_t lane, int64_t i) -> Element {
    return {lane / 4 + (i % 2 ? 8 : 0), lane % 4 + (i < 2 ? 0 : 4)};
  });
  expectFragment("mma.m16n8k8.b",
                 [](int64_t lane, int64_t i) -> Element { return {lane % 4 + 4 * i, lane / 4}; });
  expectFragment("mma.m16n8k32.a", [](int64_t lane, int64_t i) -> Element {
    return {lane / 4 + (i % 8 < 4 ? 0 : 8), lane % 4 * 4 + i % 4 + (i < 8 ? 0 : 16)};
  });
  expectFragment("mma.m16n8k32.b", [](int64_t lane, int64_t i) -> Element {
    return {lane % 4 * 4 + i % 4 + (i < 4 ? 0 : 16), lane / 4};
  });
  expectFragment("mma.m16n8.c", [](int64_t lane, int64_t i) -> Element {
    return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + i % 2};
  });
}

TEST(Fragments, MatchTheFormulasForWgmma) {
  for (int64_t columns = 8; columns <= 256; columns *= 2)
    expectFragment(
        "wgmma.m64n" + std::to_string(columns) + ".d", [](int64_t thread, int64_t i) -> Element {
          int64_t lane = thread % 32;
          return {thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
        });
  expectFragment("wgmma.m64k16.a", [](int64_t thread, int64_t i) -> Element {
    int64_t lane = thread % 32;
    return {thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
  });
}

TEST(Fragments, MatchTheFormulasForMetal) {
  // Quads of lanes, as kernels that reach into the fragment compute them.
  expectFragment("simdgroup_matrix.8x8", [](int64_t lane, int64_t i) -> Element {
    int64_t quad = lane / 4;
    return {(quad & 4) + lane / 2 % 4, (quad & 2) * 2 + lane % 2 * 2 + i};
  });
  expectFragment("tensor_ops.16x16", [](int64_t lane, int64_t i) -> Element {
    int64_t quad = lane / 4;
    return {(quad & 4) + lane / 2 % 4 + i / 4 * 8, (quad & 2) * 4 + lane % 2 * 4 + i % 4};
  });
}

TEST(Fragments, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Fragment &fragment : knownFragments()) {
    EXPECT_TRUE(names.insert(fragment.name).second) << fragment.name;
    EXPECT_EQ(findFragment(fragment.name), &fragment);
    EXPECT_TRUE(spellCute(fragment.layout).has_value()) << fragment.name;
  }
  EXPECT_EQ(findFragment("mma.m16n8k4.a"), nullptr);
}

} // namespace
