// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that give tiles another shape.

#include "Harness.h"

#include <fmt/format.h>

namespace metile::conformance {

using BlockM = Const<"M", 16, 4>;
using BlockN = Const<"N", 32, 8>;

static void run(Suite &suite, const std::string &operation, DType dtype, const Kernel &kernel,
                const Array &input, const Array &output) {
  for (auto [bm, bn] : {std::pair<int64_t, int64_t>{16, 32}, {4, 8}}) {
    std::string sizes;
    for (int64_t size : output.sizes())
      sizes += fmt::format("{}{}", sizes.empty() ? "" : "x", size);
    Check check{fmt::format("{} {} {}", operation, name(dtype), sizes),
                kernel,
                {input, output},
                {1},
                {{"M", bm}, {"N", bn}}};
    bool isEven = output.sizes() == std::vector<int64_t>{16, 32}; // Has code of its own.
    if (isEven && bm == 4 && !suite.isFull())
      continue;
    if (!isEven)
      check.sharedCode = fmt::format("{} {}{}", operation, name(dtype), constantsOf(check));
    check.name += constantsOf(check);
    suite.run(operation, dtype, std::move(check));
  }
}

void shapes(Suite &suite) {
  Kernel transposing = kernel("transpose", [](In<"x"> x, Out<"y"> y, BlockM bm, BlockN bn) {
    Index i = tile_of(x, 0, bm), j = tile_of(x, 1, bn);
    y.store({j, i}, transpose(x.load({i, j}, {bm, bn})));
  });
  Kernel viewing = kernel("view_transpose", [](In<"x"> x, Out<"y"> y, BlockM bm, BlockN bn) {
    Index i = tile_of(y, 0, bm), j = tile_of(y, 1, bn);
    y.store({i, j}, x.transpose().load({i, j}, {bm, bn}));
  });
  Kernel spreading = kernel("broadcast", [](In<"row"> row, Out<"z"> z, BlockM bm, BlockN bn) {
    Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
    z.store({i, j}, row.load({j}, {bn}).expand(0).broadcast_to({bm, bn}));
  });
  // All even columns of a tile, then all odd ones.
  Kernel reshaping = kernel("reshape", [](In<"x"> x, Out<"z"> z, BlockM bm, BlockN bn) {
    Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
    Tile tile = x.load({i, j}, {bm, bn});
    Tile other = permute(reshape(tile, {bm, bn / 2, 2}), {0, 2, 1});
    z.store({i, j}, reshape(other, {bm, bn}));
  });
  // Neighbours change places.
  Kernel joining = kernel("join", [](In<"x"> x, Out<"z"> z, BlockM bm, BlockN bn) {
    Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
    auto [even, odd] = split(reshape(x.load({i, j}, {bm, bn}), {bm, bn / 2, 2}));
    z.store({i, j}, reshape(join(odd, even), {bm, bn}));
  });
  Kernel interleaving = kernel("interleave", [](In<"x"> x, Out<"z"> z, BlockM bm, BlockN bn) {
    Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
    Tile left = x.load({i, j}, {bm, bn / 2}), right = x.load({i, j + bn / 2}, {bm, bn / 2});
    z.store({i, j}, interleave(left, right));
  });
  Kernel flipping = kernel("flip", [](In<"x"> x, Out<"z"> z, BlockM bm, BlockN bn) {
    Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
    z.store({i, j}, flip(flip(x.load({i, j}, {bm, bn}), 1), 0));
  });
  // Some indices name no element.
  Kernel picking = kernel("gather", [](In<"x"> x, Out<"z"> z, BlockM bm, BlockN bn) {
    Index i = tile_of(z, 0, bm), j = tile_of(z, 1, bn);
    Tile at = (arange(bn) * 3 - 2).expand(0).broadcast_to({bm, bn});
    z.store({i, j}, gather(x.load({i, j}, {bm, bn}), at, 1));
  });
  for (DType dtype : allDTypes)
    for (auto [m, n] : {std::pair<int64_t, int64_t>{37, 50}, {16, 32}, {1, 3}, {0, 5}}) {
      Array x(dtype, {m, n}), row(dtype, {n}), turned(dtype, {n, m}), like(dtype, {m, n});
      x.fillRandom(23, true);
      row.fillRandom(29, true);
      run(suite, "transpose", dtype, transposing, x, turned);
      run(suite, "transposed view", dtype, viewing, x, turned);
      run(suite, "expand and broadcast", dtype, spreading, row, like);
      run(suite, "reshape and permute", dtype, reshaping, x, like);
      run(suite, "join and split", dtype, joining, x, like);
      run(suite, "interleave", dtype, interleaving, x, like);
      run(suite, "flip", dtype, flipping, x, like);
      run(suite, "gather", dtype, picking, x, like);
    }
}

} // namespace metile::conformance
