// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: what many programs leave behind together, and what each of them sees.

#include "Harness.h"

#include <fmt/format.h>

namespace metile::conformance {

using Block = Const<"B", 16, 64>;
using Update = std::function<OldValue(const Tile &pointers, const Tile &values, const Tile &mask)>;
using ViewUpdate = std::function<OldValue(const View &view, const Index &at, const Tile &values)>;

/// 200 elements meet in 7 places, in an order that nobody knows: the numbers are such that it does
/// not matter.
static void meet(Suite &suite, const std::string &operation, DType dtype, Update update) {
  Kernel meeting = kernel("meet", [update](In<"x"> x, Ptr<"y"> y, Block b) {
    grid(cdiv(x.size(0), b));
    Index start = program_id(0) * b;
    Tile i = start + arange(b);
    Tile old = update(y + i % 7, x.load({start}, {b}), i < x.size(0) && i % 3 != 0);
  });
  for (int64_t n : {200, 0, 5})
    for (int64_t block : {16, 64}) {
      Array x(dtype, {n}), y(dtype, {7});
      // Whole numbers, whose sums are exact in every float.
      for (int64_t i = 0; i < n; ++i)
        x.set(i, {i % 5 - 2 * !isUnsigned(dtype), double(i % 5 - 2)});
      for (int64_t i = 0; i < 7; ++i)
        y.set(i, {i % 2, double(i)});
      if (dtype == boolean)
        for (int64_t i = 0; i < n; ++i)
          x.set(i, {i % 3 == 1, 0});
      Check check{fmt::format("{} {} {} B={}", operation, name(dtype), n, block),
                  meeting,
                  {x, y},
                  {1},
                  {{"B", block}}};
      check.sharedCode = fmt::format("{} {} meet{}", operation, name(dtype), constantsOf(check));
      check.keepsOutputs = true;
      suite.run(operation, dtype, std::move(check));
    }
}

/// Each element has a place of its own, so what was there before is known too. `update` may be
/// missing.
static void apart(Suite &suite, const std::string &operation, DType dtype, Update update,
                  ViewUpdate viewUpdate) {
  Kernel pointers = kernel("apart", [update](In<"x"> x, Ptr<"y"> y, Out<"old"> old, Block b) {
    Index i = tile_of(old, 0, b);
    Tile at = i + arange(b);
    Tile before = update(y + (x.size(0) - 1 - at), x.load({i}, {b}), at < x.size(0) && at % 4 != 1);
    old.store({i}, before);
  });
  Kernel views =
      kernel("apart_view", [viewUpdate](In<"x"> x, InOut<"y"> y, Out<"old"> old, Block b) {
        Index i = tile_of(old, 0, b);
        Tile before = viewUpdate(y, i, x.load({i}, {b}));
        old.store({i}, before);
      });
  std::vector<Kernel> kernels{views};
  if (update)
    kernels.push_back(pointers);
  for (const Kernel &kernel : kernels)
    for (int64_t n : {37, 1, 64})
      for (int64_t block : {16, 64}) {
        Array x(dtype, {n}), y(dtype, {n}), old(dtype, {n});
        x.fillRandom(103, true);
        y.fillRandom(107, true);
        for (int64_t i = 0; i < n; i += 2)
          y.set(i, x.get(i));
        Check check{
            fmt::format("{} {} {} {} B={}", operation, name(dtype), kernel.name(), n, block),
            kernel,
            {x, y, old},
            {1, 2},
            {{"B", block}}};
        if (n != 64) // Has code of its own.
          check.sharedCode =
              fmt::format("{} {} {}{}", operation, name(dtype), kernel.name(), constantsOf(check));
        else if (block == 64 && !suite.isFull())
          continue;
        check.keepsOutputs = true;
        suite.run(operation, dtype, std::move(check));
      }
}

void atomics(Suite &suite) {
  for (DType dtype : allDTypes) {
    if (isFloat8(dtype))
      continue; // For storage.
    if (dtype != boolean) {
      auto add = [](auto &p, auto &v, auto &m) { return atomic_add(p, v, m); };
      auto max = [](auto &p, auto &v, auto &m) { return atomic_max(p, v, m); };
      auto min = [](auto &p, auto &v, auto &m) { return atomic_min(p, v, m); };
      meet(suite, "atomic_add", dtype, add);
      meet(suite, "atomic_max", dtype, max);
      meet(suite, "atomic_min", dtype, min);
      apart(suite, "atomic_add", dtype, add,
            [](auto &y, auto &i, auto &v) { return y.atomic_add({i}, v); });
      apart(suite, "atomic_max", dtype, max,
            [](auto &y, auto &i, auto &v) { return y.atomic_max({i}, v); });
      apart(suite, "atomic_min", dtype, min,
            [](auto &y, auto &i, auto &v) { return y.atomic_min({i}, v); });
    }
    if (!isFloat(dtype)) {
      meet(suite, "atomic_and", dtype,
           [](auto &p, auto &v, auto &m) { return atomic_and(p, v, m); });
      meet(suite, "atomic_or", dtype, [](auto &p, auto &v, auto &m) { return atomic_or(p, v, m); });
      meet(suite, "atomic_xor", dtype,
           [](auto &p, auto &v, auto &m) { return atomic_xor(p, v, m); });
    }
    apart(
        suite, "atomic_xchg", dtype, [](auto &p, auto &v, auto &m) { return atomic_xchg(p, v, m); },
        [](auto &y, auto &i, auto &v) { return y.atomic_xchg({i}, v); });
    // Every other element holds what is expected.
    apart(suite, "atomic_cas", dtype, {}, [dtype](auto &y, auto &i, auto &v) {
      return dtype == boolean ? y.atomic_cas({i}, v, true) : y.atomic_cas({i}, v, 1);
    });
  }
}

} // namespace metile::conformance
