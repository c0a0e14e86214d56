// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SampleKernels.h"

#include <array>

using namespace metile;

// The two kernels of the language's description, as they stand there.
static Kernel gemm =
    kernel("gemm", [](In<"a"> a, In<"b"> b, Out<"c"> c, Const<"BLOCK_M", 32, 64, 128, 256> M,
                      Const<"BLOCK_N", 32, 64, 128, 256> N, Const<"BLOCK_K", 16, 32, 64> K) {
      Index m = tile_of(c, 0, M), n = tile_of(c, 1, N); // declares the grid; raster order stays the
                                                        // compiler's choice
      Tile sum = zeros(f32, {M, N});
      for (Index k : range(0, a.size(1), K)) // becomes one loop; tiles assigned inside are carried
        sum = dot(a.load({m, k}, {M, K}), b.load({k, n}, {K, N}), sum);
      c.store({m, n}, cast(sum, c.dtype())); // views know their sizes: edges need no masks
    });

static Kernel bytes = kernel("bytes", [](In<"a"> a, In<"b"> b, Out<"c"> c) {
  Index m = tile_of(c, 0, 16);
  Tile sum = dot(a.load({m, 0}, {16, 16}), b.load({0, 0}, {16, 16}));
  c.store({m, 0}, dot(b.load({m, 0}, {16, 16}), a.load({0, 0}, {16, 16}), sum));
});

static Kernel scale = kernel("scale", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> f, Scalar<"n"> n,
                                         Const<"BLOCK", 256, 1024> B) {
  grid(cdiv(n, B));
  Tile i = program_id(0) * B + arange(B);
  store(y + i, cast(load(x + i, i < n) * f, y.dtype()), i < n);
});

static Kernel softmax = kernel("softmax", [](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64> B) {
  Index row = tile_of(y, 0, 1);
  Tile top = full(f32, {1}, -3.0e38), total = zeros(f32, {1});
  for (Index k : range(0, x.size(1), B)) {
    Tile t = cast(x.load({row, k}, {1, B}, -3.0e38), f32);
    Tile next = maximum(top, t.max(1));
    total = total * exp(top - next) + sum(exp(t - expand(next, 1)), 1);
    top = next;
  }
  for (Index k : range(0, x.size(1), B)) {
    Tile t = cast(x.load({row, k}, {1, B}), f32);
    y.store({row, k}, cast(exp(t - expand(top, 1)) / expand(total, 1), y.dtype()));
  }
});

/// Operand order is open in C++: both sides load, compute and carry.
static Kernel operandOrder =
    kernel("operand_order", [](In<"a"> a, In<"b"> b, InOut<"c"> c, Scalar<"n"> n) {
      Index m = tile_of(c, 0, 16), k = tile_of(c, 1, 32);
      Tile p = zeros(f32, {16, 32}), q = full(f32, {16, 32}, 1);
      for (Index i : range(0, n, 1)) {
        Tile r = (a.load({m, i}, {16, 32}) + p) * (b.load({i, k}, {16, 32}) - q);
        p = q * cast(i + n, f32) - r;
        q = where(r > p, r, p) + where(p > q, q, r);
      }
      Tile before = c.load({m, k}, {16, 32});
      c.store({m, k}, p + q);
      Tile after = c.load({m, k}, {16, 32});
      c.store({m, k}, (before - after) * (after + before));
    });

static Kernel control = kernel("control", [](InOut<"x"> x, Scalar<"n"> n, Scalar<"limit"> limit) {
  grid(n);
  Index i = program_id(0);
  return_if(i >= limit);
  Tile a = x.load({i}), b = full(f32, {}, 2), c;
  if_(a > b, [&] {
    std::swap(a, b);
    c = a + 1;
  }).else_([&] {
    a += 3;
    c = b * 2;
  });
  Index steps = 0;
  while_([&] { return steps < n && a < 100.0f; },
         [&] {
           a = a * 2 + c;
           steps += 1;
           if_(a > 50, [&] {
             for (Index j : range(n)) {
               b = b + cast(j, f32);
               std::swap(a, b);
             }
           });
         });
  x.store({i}, a + b + cast(steps, f32));
});

namespace {
struct Pair {
  Tile high, low;
};
Tile gelu(Tile x, Loc at = Loc::current()) {
  Site here(at);
  return x * 0.5f * (1 + erf(x * 0.70710678f));
}
} // namespace

static Kernel carry = kernel("carry", [](In<"x"> x, Out<"y"> y, Const<"B", 16> B) {
  Index at = tile_of(y, 0, B);
  Pair start{zeros(f32, {B}), full(f32, {B}, 1)};
  Pair end = range(0, x.size(0), B).carry(start, [&](Index k, Pair state) {
    Tile t = x.load({k}, {B});
    return Pair{state.low + t, state.high * t};
  });
  Tile product = range(3).carry(end.high, [&](Index, Tile t) { return gelu(t) + end.low; });
  y.store({at}, product);
});

static Kernel math = kernel("math", [](In<"x"> x, Out<"y"> y, Out<"z"> z) {
  Index i = tile_of(x, 0, 64);
  Tile t = x.load({i}, {64});
  Tile u = exp(t) + exp2(t) + log(abs(t)) + log2(t) + sqrt(t) + rsqrt(t) + tanh(t) + erf(t) +
           sigmoid(t) + sin(t) + cos(t) + floor(t) + ceil(t) - (-t);
  u = clamp(fma(t, 2, u), -1, 1) + minimum(t, u, nan::ignore) + maximum(0, t);
  u = u % 3 / 7;
  y.store({i}, u);
  Tile j = cast(t, i32);
  Tile k = (j / 3 + j % 5 + floor_div(j, 3) + floor_mod(7, j) + cdiv(j, 2)) & 255;
  k = (k | 3) ^ (k << 2) ^ (k >> 1) ^ ~k;
  Tile same = (j == k || j != 4) && !(j <= k) && (3 >= j || j > 2);
  k = where(same, k, bitcast(t, i32)) + cast(cast(j, u8), i32) + cast(same, i32);
  z.store({i}, cast(cast(cast(k, i64), bf16), f16) + cast(cast(k, f32) > 0, f16));
});

static Kernel shapes = kernel("shapes", [](In<"x"> x, Out<"y"> y, Out<"w"> w) {
  Index b = tile_of(x, 0, 2);
  Tile t = x.load({b, 0, 0}, {2, 8, 4});
  Tile u = permute(t, {1, 0, 2}).reshape({8, 8}).transpose();
  Tile v = broadcast_to(expand(arange(8), 1), {8, 8}) + expand(arange(4, 12), 0);
  Tile top = u.max(1), low = min(u, 0), total = u.sum(-1);
  Tile where_ = argmax(u, 1) - u.argmin(0, nan::ignore);
  Tile product = reduce(u, 1, [](Tile p, Tile q) { return p * q; });
  Tile d = dot(t, t.permute({0, 2, 1}));
  y.at({b}).transpose().store({0, 0}, u + cast(v, f32) + expand(top + low + total + product, 1));
  w.store({b, 0, 0}, d + cast(reshape(where_, {8, 1, 1}).sum(0).broadcast_to({1, 1}).expand(0), f32)
                             .broadcast_to({2, 8, 8}));
});

static Kernel pointers = kernel("pointers", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n) {
  grid(cdiv(n, 32), 2, n * 2 + 1);
  Tile i = program_id(0) * 32 + arange(32) + num_programs(1);
  Tile p = where(i < 7, x + i, y + i - 3);
  Tile first = load(p, i < n, -1), second = load(x + i);
  store(x + i, first * second, i < n);
  store(y + program_id(2), first.sum(0) + load(y + 1));
  for (Index k : range(0, n, num_programs(0)))
    store(y + (i + k), load(y + k + i, i + k < n, 0.5f) + 1);
});

static Kernel options = kernel("options", [](In<"x"> x, Out<"y"> y, Option<"CAUSAL", 0, 1> causal,
                                             Const<"B", 16, 32> B) noexcept {
  Index i = tile_of(y, 1, B), j = tile_of(y, 0, B);
  Tile t = x.load({j, i}, {B, B});
  if (causal)
    t = where(expand(j + arange(B), 1) >= expand(i + arange(B), 0), t, 0);
  for (int repeat = 0; repeat < 2; ++repeat)
    t = t * t;
  y.store({j, i}, t);
});

/// The first of the largest values, and where it stands.
static Pair first(Pair a, Pair b) {
  Tile left = a.high > b.high || (a.high == b.high && a.low < b.low);
  return {where(left, a.high, b.high), where(left, a.low, b.low)};
}

static Kernel scans = kernel("scans", [](In<"x"> x, Out<"y"> y, Scalar<"decay"> decay) {
  Index i = tile_of(x, 0, 8);
  Tile t = x.load({i, 0}, {8, 16});
  Tile sums = cumsum(t, 1) + t.cumprod(0, true);
  Tile linear = associative_scan(t, -1, [&](Tile a, Tile b) { return a * decay + b; }, true);
  Tile at = broadcast_to(expand(arange(16), 0), {8, 16});
  auto [best, where_] = reduce(Pair{t, at}, 1, first);
  Pair running = associative_scan(Pair{sums, at}, 0, first);
  std::array<Tile, 3> moments =
      reduce(std::array{t, t * t, t * t * t}, 0, [](std::array<Tile, 3> a, std::array<Tile, 3> b) {
        return std::array{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
      });
  Tile result = linear + running.high + expand(best + cast(where_, f32), 1);
  y.store({i, 0}, result + expand(moments[2] - moments[0], 0) + cast(running.low, f32));
});

static Kernel atomics = kernel("atomics", [](InOut<"x"> x, Ptr<"p"> p, Scalar<"n"> n) {
  grid(cdiv(n, 16));
  Tile i = program_id(0) * 16 + arange(16);
  Tile old = atomic_add(p + i % 4, 1, i < n);
  Tile largest = atomic_max(p, old.max(0), sem::relaxed);
  atomic_min(p + i, old);
  atomic_and(p + i, 7);
  atomic_or(p, largest | 1);
  atomic_xor(p + arange(16), cast(i, i32), old > 2, sem::release);
  Index ticket = atomic_xchg(p, 3, sem::acquire);
  Tile before = x.atomic_add({ticket, 0}, zeros(f32, {2, 4}));
  x.atomic_add({0, ticket}, before.sum(0).sum(0));
  Tile seen = atomic_cas(p, 0, 1);
  x.at({1}).atomic_cas({ticket}, 1, cast(seen, f32), sem::release);
  Tile locked = full(i32, {}, 1);
  while_([&] { return locked != 0; }, [&] { locked = atomic_xchg(p + 1, 1, sem::acquire); });
});

static Kernel moves = kernel("moves", [](In<"x"> x, In<"i"> at, Out<"y"> y, Ptr<"p"> p) {
  Index m = tile_of(y, 0, 4);
  Tile t = x.load({m, 0}, {4, 8});
  auto [even, odd] = split(t.reshape({4, 4, 2}));
  Tile z = join(odd, even).reshape({4, 8}) + interleave(even, odd) * flip(t, 1);
  Tile picked = gather(z, at.load({m, 0}, {4, 8}), 1) + sort(t) - sort(t, 0, true);
  auto [top, where_] = topk_with_indices(t, 2);
  Tile counts = histogram(argsort(t) & 7, 8) + histogram(cast(t, u8), 8, t > 0);
  y.store({m, 0}, picked + expand(topk(t, 4).sum(1), 1) + expand(top.sum(1), 1));
  auto [low, high] = split(join(p + arange(8), p + arange(8) + 8));
  store(low, load(high) + counts + cast(where_.max(1).max(0), i32));
});

static Kernel bits = kernel("bits", [](InOut<"x"> x, InOut<"w"> w) {
  Index i = tile_of(x, 0, 32);
  Tile t = x.load({i}, {32});
  x.store({i}, umulhi(t, 0xD2511F53u) ^ mulhi(t, t));
  Tile b = w.load({i, 0}, {32, 16});
  Tile product = dot(b, b.transpose());
  Tile wide = -b * 3 + exp(b) + where(b > 1, b, b).max(1).expand(1);
  w.store({i, 0}, cast(wide + product.sum(1).expand(1) + cast(cast(b, i32), f32), w.dtype()));
});

static Kernel random_ = kernel("random", [](Out<"y"> y, Scalar<"seed"> seed, Scalar<"p"> p) {
  Index i = tile_of(y, 0, 64);
  auto dropout = inlined([](Tile value, Tile kept, Tile chance) {
    print("kept", kept);
    return std::pair{where(kept, value / (1 - chance), 0), kept};
  });
  auto [x, keep] = dropout(randn(seed, i + arange(64)), rand(seed, i + arange(64)) > p, p);
  probe("x", x);
  device_assert(randint(3, arange(64)) != 0u || keep, "a draw");
  y.store({i}, x);
});

std::vector<Sample> metile::sampleKernels() {
  return {
      {gemm, "a=f16 b=f16 c=f16 BLOCK_M=64"},
      {gemm.with(Math::strict), "a=f32 b=f32 c=f64"},
      {bytes, "a=i8 b=u8 c=i32"},
      {scale, "factor=f32 n=i32"},
      {scale, "x=bf16 y=f16 factor=f64 n=i64 BLOCK=1024"},
      {softmax, "x=f16 y=bf16"},
      {operandOrder, ""},
      {control, "x=f32:1"},
      {carry, "x=f32:1 y=f32:1"},
      {math, "x=f32:1 y=f32:1 z=f16:1"},
      {shapes, "x=f32:3 y=f32:3 w=f32:3"},
      {pointers, "n=i64"},
      {options, ""},
      {options.with(Math::fast), "CAUSAL=1 B=32"},
      {scans, "decay=f32"},
      {atomics, "p=i32"},
      {moves, "i=u16 p=i32"},
      {bits, "x=u32:1 w=f8e4m3"},
      {bits, "x=u64:1 w=f8e5m2"},
      {random_, "y=f32:1 seed=i64 p=f32"},
  };
}
