// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target/Fragments.h"

#include "Layout/Spelling.h"

namespace metile {

/// The accumulator of m64nN: one of 64x8 for each 8 columns, in registers.
static LinearLayout accumulatorM64(int64_t columns) {
  static const LinearLayout first =
      *parseLayout("(simdgroup: [(16,0), (32,0)], lane: [(0,2), (0,4), (1,0), (2,0), (4,0)],"
                   " register: [(0,1), (8,0)]) -> (row: 64, col: 8)",
                   "m64n8");
  return LinearLayout::identity(dims::reg, "col", columns / 8) * first;
}

static std::vector<Fragment> makeFragments() {
  struct Row {
    const char *name, *summary, *layout;
  };
  // Of the matrix operands of PTX the instruction set's manual draws each; Apple documents none, so
  // these are what public kernels rely on.
  constexpr Row rows[] = {
      {"simdgroup_matrix.8x8", "Metal simdgroup_matrix, 8x8, as thread_elements() gives it",
       "(lane: [(0,2), (1,0), (2,0), (0,4), (4,0)], register: [(0,1)]) -> (row: 8, col: 8)"},
      {"tensor_ops.16x16", "Metal tensor_ops operand, 16x16, as MLX reads it",
       "(lane: [(0,4), (1,0), (2,0), (0,8), (4,0)], register: [(0,1), (0,2), (8,0)])"
       " -> (row: 16, col: 16)"},
      {"mma.m16n8k8.a", "PTX mma, A of 32-bit elements, 16x8",
       "(lane: [(0,1), (0,2), (1,0), (2,0), (4,0)], register: [(8,0), (0,4)])"
       " -> (row: 16, col: 8)"},
      {"mma.m16n8k8.b", "PTX mma, B of 32-bit elements, 8x8",
       "(lane: [(1,0), (2,0), (0,1), (0,2), (0,4)], register: [(4,0)]) -> (row: 8, col: 8)"},
      {"mma.m16n8k16.a", "PTX mma, A of 16-bit elements, 16x16",
       "(lane: [(0,2), (0,4), (1,0), (2,0), (4,0)], register: [(0,1), (8,0), (0,8)])"
       " -> (row: 16, col: 16)"},
      {"mma.m16n8k16.b", "PTX mma, B of 16-bit elements, 16x8",
       "(lane: [(2,0), (4,0), (0,1), (0,2), (0,4)], register: [(1,0), (8,0)])"
       " -> (row: 16, col: 8)"},
      {"mma.m16n8k32.a", "PTX mma, A of 8-bit elements, 16x32",
       "(lane: [(0,4), (0,8), (1,0), (2,0), (4,0)], register: [(0,1), (0,2), (8,0), (0,16)])"
       " -> (row: 16, col: 32)"},
      {"mma.m16n8k32.b", "PTX mma, B of 8-bit elements, 32x8",
       "(lane: [(4,0), (8,0), (0,1), (0,2), (0,4)], register: [(1,0), (2,0), (16,0)])"
       " -> (row: 32, col: 8)"},
      {"mma.m16n8.c", "PTX mma, accumulator of 32-bit elements, 16x8",
       "(lane: [(0,2), (0,4), (1,0), (2,0), (4,0)], register: [(0,1), (8,0)])"
       " -> (row: 16, col: 8)"},
      {"wgmma.m64k16.a", "PTX wgmma, A of 16-bit elements from registers, 64x16",
       "(simdgroup: [(16,0), (32,0)], lane: [(0,2), (0,4), (1,0), (2,0), (4,0)],"
       " register: [(0,1), (8,0), (0,8)]) -> (row: 64, col: 16)"},
  };
  std::vector<Fragment> fragments;
  for (const Row &row : rows)
    fragments.push_back({row.name, row.summary, *parseLayout(row.layout, row.name)});
  for (int64_t columns = 8; columns <= 256; columns *= 2) {
    std::string size = std::to_string(columns);
    fragments.push_back({"wgmma.m64n" + size + ".d",
                         "PTX wgmma, accumulator of 32-bit elements, 64x" + size,
                         accumulatorM64(columns)});
  }
  return fragments;
}

std::span<const Fragment> knownFragments() {
  static const std::vector<Fragment> fragments = makeFragments();
  return fragments;
}

const Fragment *findFragment(std::string_view name) {
  for (const Fragment &fragment : knownFragments())
    if (fragment.name == name)
      return &fragment;
  return nullptr;
}

} // namespace metile
