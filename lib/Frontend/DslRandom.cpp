// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers, in the language itself.
#include "Frontend/DslAccess.h"

#include <numbers>

using namespace metile;
using detail::Access;

/// An integer operand as an integer tile; false after a message.
static bool integerTile(const Operand &operand, const char *what, DType literal, Tile &result,
                        Loc at) {
  Op op(at);
  if (!op)
    return false;
  if (Access::isReal(operand)) {
    op.fail(std::string(what) + " is no integer", "integer tiles and C++ integers", {});
    return false;
  }
  ValueId v = op.value(operand, literal);
  if (op.isPoison(v))
    return false;
  const TraceType &type = op.type(v);
  if (!type.isNumber() || !isInteger(type.dtype)) {
    op.fail(std::string(what) + " is " + type.str(), "integer tiles and C++ integers",
            type.isNumber() ? "cast it: cast(x, i64)" : "load it first");
    return false;
  }
  result = Access::make(v);
  return true;
}

static std::array<Tile, 4> noTiles() {
  Tile none = Access::make(poisonValue);
  return {none, none, none, none};
}

/// The upper 32 bits of a 64-bit tile, 0 of a narrower one.
static Tile upperHalf(const Tile &x, Loc at) {
  if (byteSize(x.dtype()) < 8)
    return full(u32, {}, 0, at);
  return cast(cast(x, u64, at) >> 32, u32, at);
}

/// `counter` and `key` of u32. Constants: the reference implementation, Random123.
static std::array<Tile, 4> scramble(std::array<Tile, 4> counter, std::array<Tile, 2> key,
                                    int rounds) {
  for (int round = 0; round < rounds; ++round) {
    Tile high0 = umulhi(counter[0], 0xD2511F53u), low0 = counter[0] * 0xD2511F53u;
    Tile high1 = umulhi(counter[2], 0xCD9E8D57u), low1 = counter[2] * 0xCD9E8D57u;
    counter = {high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

/// Key and counter of a draw for each offset; false after a message.
static bool drawn(const Operand &seed, const Tile &offset, Loc at, std::array<Tile, 4> &counter,
                  std::array<Tile, 2> &key) {
  Tile keys, count;
  bool good = integerTile(seed, "the seed", DType::u64, keys, at);
  good &= integerTile(Operand(offset, at), "the offset", DType::u64, count, at);
  if (!good)
    return false;
  Tile zero = full(u32, {}, 0, at);
  counter = {cast(count, u32, at), upperHalf(count, at), zero, zero};
  key = {cast(keys, u32, at), upperHalf(keys, at)};
  return true;
}

static std::array<Tile, 4> bits(const Operand &seed, const Tile &offset, int rounds, Loc at) {
  std::array<Tile, 4> counter;
  std::array<Tile, 2> key;
  if (!drawn(seed, offset, at, counter, key))
    return noTiles();
  Site here(at);
  return scramble(counter, key, rounds);
}

/// The magnitude of the number read as signed, in units that keep the largest below 1.
static Tile uniform(const Tile &bits) {
  Tile number = bitcast(bits, i32);
  return cast(where(number < 0, -number - 1, number), f32) * 4.6566127342e-10f;
}

/// Two normal numbers of two uniform ones (Box and Muller, 1958).
static std::pair<Tile, Tile> normal(const Tile &a, const Tile &b) {
  Tile radius = sqrt(log(maximum(a, 1e-7f)) * -2);
  Tile angle = b * (2 * std::numbers::pi_v<float>);
  return {radius * cos(angle), radius * sin(angle)};
}

std::array<Tile, 4> metile::philox(Operand seed, Operand c0, Operand c1, Operand c2, Operand c3,
                                   int rounds, Loc at) {
  Tile keys, counters[4];
  const Operand *given[] = {&c0, &c1, &c2, &c3};
  bool good = integerTile(seed, "the seed", DType::u64, keys, at);
  for (int i = 0; i < 4; ++i)
    good &= integerTile(*given[i], "a counter", DType::u32, counters[i], at);
  if (!good)
    return noTiles();
  Site here(at);
  return scramble({cast(counters[0], u32), cast(counters[1], u32), cast(counters[2], u32),
                   cast(counters[3], u32)},
                  {cast(keys, u32), upperHalf(keys, at)}, rounds);
}

std::array<Tile, 4> metile::randint4x(Operand seed, const Tile &offset, int rounds, Loc at) {
  return bits(seed, offset, rounds, at);
}

Tile metile::randint(Operand seed, const Tile &offset, int rounds, Loc at) {
  return bits(seed, offset, rounds, at)[0];
}

std::array<Tile, 4> metile::rand4x(Operand seed, const Tile &offset, int rounds, Loc at) {
  std::array<Tile, 4> drawn = bits(seed, offset, rounds, at);
  Site here(at);
  return {uniform(drawn[0]), uniform(drawn[1]), uniform(drawn[2]), uniform(drawn[3])};
}

Tile metile::rand(Operand seed, const Tile &offset, int rounds, Loc at) {
  Tile drawn = bits(seed, offset, rounds, at)[0];
  Site here(at);
  return uniform(drawn);
}

std::array<Tile, 4> metile::randn4x(Operand seed, const Tile &offset, int rounds, Loc at) {
  std::array<Tile, 4> u = rand4x(seed, offset, rounds, at);
  Site here(at);
  auto [x, y] = normal(u[0], u[1]);
  auto [z, w] = normal(u[2], u[3]);
  return {x, y, z, w};
}

Tile metile::randn(Operand seed, const Tile &offset, int rounds, Loc at) {
  std::array<Tile, 4> drawn = bits(seed, offset, rounds, at);
  Site here(at);
  return normal(uniform(drawn[0]), uniform(drawn[1])).first;
}
